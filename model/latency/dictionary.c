/* SPDX-License-Identifier: Apache-2.0
 *
 * Choice of features and enumeration of monomials; see dictionary.h. Products and powers are made
 * of the largest features only, so that the number of columns stays small.
 */
#include "model/latency/dictionary.h"

#include "base/str.h"
#include "base/vec.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#define LINEAR_MAX 24     /* features used at all */
#define NONLINEAR_MAX 5   /* features used in products and powers */
#define NORMAL_FORM_MAX 4 /* features used in the normal form */
#define PROPORTIONAL 1e-9 /* largest relative spread of the ratio of two features */
#define LARGEST_VALUE 1e150

struct dictionary_spread {
    int feature;
    double min, max, mean;
};

typedef VEC(struct monomial) monomial_list;

static struct dictionary_spread measure(const struct points *points, int feature) {
    struct dictionary_spread spread = {.feature = feature, .min = INFINITY, .max = -INFINITY};
    for (size_t i = 0; i < points->count; i++) {
        double value = points->items[i].features[feature];
        spread.min = fmin(spread.min, value);
        spread.max = fmax(spread.max, value);
        spread.mean += value / (double)points->count;
    }
    return spread;
}

static int compare_spreads(const void *left, const void *right) {
    const struct dictionary_spread *l = left, *r = right;
    if (l->mean != r->mean)
        return l->mean > r->mean ? -1 : 1;
    return l->feature - r->feature;
}

static bool proportional(const struct points *points, int left, int right) {
    double least = INFINITY, most = 0;
    for (size_t i = 0; i < points->count; i++) {
        double l = points->items[i].features[left], r = points->items[i].features[right];
        if ((l == 0) != (r == 0))
            return false;
        if (l == 0)
            continue;
        least = fmin(least, l / r);
        most = fmax(most, l / r);
    }
    return most - least <= PROPORTIONAL * most;
}

static void add_note(struct str *note, const char *text) {
    str_printf(note, "%s%s", note->length > 0 ? "; " : "", text);
}

/* Of features that never varied only one is worth using, and only if nothing else did. */
static size_t choose_constant(struct dictionary_spread *chosen, const struct points *points,
                              const struct region *region, struct str *note) {
    struct dictionary_spread largest = {.feature = -1};
    for (int j = 0; j < region->feature_count; j++) {
        struct dictionary_spread spread = measure(points, j);
        if (spread.max > largest.max)
            largest = spread;
    }
    add_note(note, "one feature vector only");
    if (largest.feature < 0)
        return 0;
    str_printf(note, ", taken as proportional to %s", region->features[largest.feature].name);
    chosen[0] = largest;
    return 1;
}

/* The features that vary, largest first, without those proportional to a larger one. */
static size_t choose_varying(struct dictionary_spread *chosen, const struct points *points,
                             const struct region *region, struct str *note) {
    size_t count = 0, kept = 0;
    for (int j = 0; j < region->feature_count; j++) {
        struct dictionary_spread spread = measure(points, j);
        if (spread.max > spread.min)
            chosen[count++] = spread;
        else if (spread.max > 0)
            str_printf(note, "%s%s never varied", note->length > 0 ? "; " : "",
                       region->features[j].name);
    }
    qsort(chosen, count, sizeof *chosen, compare_spreads);
    for (size_t i = 0; i < count; i++) {
        size_t k = 0;
        while (k < kept && !proportional(points, chosen[k].feature, chosen[i].feature))
            k++;
        if (k == kept)
            chosen[kept++] = chosen[i];
        else
            str_printf(note, "%s%s varied with %s", note->length > 0 ? "; " : "",
                       region->features[chosen[i].feature].name,
                       region->features[chosen[k].feature].name);
    }
    if (kept > LINEAR_MAX)
        add_note(note, "too many features, the largest are used");
    return kept > LINEAR_MAX ? LINEAR_MAX : kept;
}

static bool is_tame(const struct dictionary_spread *spread, double exponent) {
    return pow(spread->max, exponent) <= LARGEST_VALUE;
}

/* Of one factor, but for its feature and cost. */
static struct monomial monomial_of(enum monomial_kind kind, int feature, double exponent, int log,
                                   int cost) {
    return (struct monomial){
        .kind = kind, .factor_count = 1, .factors = {{feature, exponent, log}}, .cost = cost};
}

static struct monomial times(struct monomial monomial, int feature, double exponent, int log) {
    monomial.factors[monomial.factor_count++] = (struct monomial_factor){feature, exponent, log};
    return monomial;
}

static void add_nonlinear(monomial_list *list, const struct dictionary_spread *chosen,
                          size_t count) {
    static const struct {
        double exponent;
        int cost;
    } powers[] = {{2, 4}, {0.5, 6}, {1.5, 6}, {3, 8}};
    for (size_t i = 0; i < count; i++)
        for (size_t j = i + 1; j < count; j++)
            if (is_tame(&chosen[i], 2) && is_tame(&chosen[j], 2))
                vec_push(list, times(monomial_of(MONOMIAL_PRODUCT, chosen[i].feature, 1, 0, 4),
                                     chosen[j].feature, 1, 0));
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < sizeof powers / sizeof powers[0]; k++)
            if (is_tame(&chosen[i], powers[k].exponent))
                vec_push(list, monomial_of(MONOMIAL_POWER, chosen[i].feature, powers[k].exponent, 0,
                                           powers[k].cost));
}

static void add_monomials(monomial_list *list, const struct dictionary_spread *chosen, size_t count,
                          bool varying) {
    for (size_t i = 0; i < count; i++)
        vec_push(list, monomial_of(MONOMIAL_LINEAR, chosen[i].feature, 1, 0, 2));
    if (varying || count == 0)
        vec_push(list, (struct monomial){.kind = MONOMIAL_CONSTANT, .cost = 3});
    if (varying)
        add_nonlinear(list, chosen, count < NONLINEAR_MAX ? count : NONLINEAR_MAX);
}

/* ---- The normal form ---- */

static const struct {
    double exponent;
    int log, cost;
} normal_form[] = {
    {1, 1, 4},       {0, 1, 5},       {1, 2, 8},       {2, 1, 7},        {0, 2, 8},
    {0.25, 0, 7},    {1.0 / 3, 0, 7}, {2.0 / 3, 0, 7}, {0.75, 0, 7},     {2.5, 0, 8},
    {0.5, 1, 8},     {1.5, 1, 8},     {3, 1, 9},       {2, 2, 9},        {0.25, 1, 9},
    {1.0 / 3, 1, 9}, {2.0 / 3, 1, 9}, {0.75, 1, 9},    {2.5, 1, 10},     {0.5, 2, 10},
    {1.5, 2, 10},    {3, 2, 10},      {0.25, 2, 11},   {1.0 / 3, 2, 11}, {2.0 / 3, 2, 11},
    {0.75, 2, 11},   {2.5, 2, 11},
};

static void add_normal_form(monomial_list *list, const struct dictionary_spread *chosen,
                            size_t count) {
    const double tame = 4; /* the largest of all degrees, logarithms included */
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0;
             k < sizeof normal_form / sizeof normal_form[0] && is_tame(&chosen[i], tame); k++)
            vec_push(list,
                     monomial_of(MONOMIAL_NORMAL_FORM, chosen[i].feature, normal_form[k].exponent,
                                 normal_form[k].log, normal_form[k].cost));
}

void dictionary_make(struct dictionary *out, struct arena *arena, const struct points *points,
                     const struct region *region) {
    monomial_list list = {0};
    struct str note = {0};
    struct dictionary_spread *chosen =
        xmalloc(((size_t)region->feature_count + 1) * sizeof *chosen);
    bool varying = points->distinct_count > 1;
    size_t count = region->feature_count == 0 ? 0
                   : varying                  ? choose_varying(chosen, points, region, &note)
                                              : choose_constant(chosen, points, region, &note);
    add_monomials(&list, chosen, count, varying);
    out->count = list.count;
    if (varying)
        add_normal_form(&list, chosen, count < NORMAL_FORM_MAX ? count : NORMAL_FORM_MAX);
    out->items = ARENA_ARRAY(arena, struct monomial, list.count);
    out->all_count = list.count;
    for (size_t i = 0; i < list.count; i++)
        out->items[i] = list.items[i];
    out->linear_count = (int)count;
    out->feature_count = (size_t)region->feature_count;
    out->note = arena_strdup(arena, str_text(&note));
    vec_dispose(&list);
    str_dispose(&note);
    free(chosen);
}

double monomial_value(const struct monomial *monomial, const double *features) {
    double value = 1;
    for (int i = 0; i < monomial->factor_count; i++) {
        const struct monomial_factor *factor = &monomial->factors[i];
        double feature = features[factor->feature];
        if (factor->exponent != 0)
            value *= factor->exponent == 1 ? feature : pow(feature, factor->exponent);
        for (int k = 0; k < factor->log; k++)
            value *= log2(fmax(feature, 1));
    }
    return value;
}
