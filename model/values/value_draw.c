/* SPDX-License-Identifier: Apache-2.0
 *
 * See value_draw.h. Numbers count by how often they came times mean^exponent: so the mean of the
 * levels is 0, and scores are those of the numbers themselves.
 */
#include "model/values/value_draw.h"

#include "base/vec.h"
#include "model/samples/points.h"
#include "model/values/value_agreement.h"

#include <math.h>

#define LEVELS 16
#define NUMBERS_MAX 100000
#define NUMBERS_MIN (4 * LEVELS) /* to know a distribution by */
/* The score has to be that much better, and numbers to scatter by so much. */
#define BETTER_FACTOR 0.85
#define SCATTER_MIN 0.02

/* How far numbers are from the mean of their sample. */
struct value_draw_difference {
    double scaled, weight;
    int run;
};

typedef VEC(struct value_draw_difference) difference_list;

static double mean_of(const struct sample *sample) {
    return sample->timed > 0 ? sample->seconds / sample->timed : 0;
}

static void add_differences(difference_list *out, const struct sample *sample, double exponent) {
    double mean = mean_of(sample), scale = mean > 0 ? pow(mean, exponent) : 0;
    for (size_t i = 0; i < sample->repeat_count && scale > 0; i++)
        vec_push(out,
                 (struct value_draw_difference){(sample->sequence[i].number - mean) / scale,
                                                sample->sequence[i].times * scale, sample->run});
}

static int compare_differences(const void *left, const void *right) {
    const struct value_draw_difference *l = left, *r = right;
    return (l->scaled > r->scaled) - (l->scaled < r->scaled);
}

static bool is_left_out(const struct value_data *data, int run, int without) {
    return without >= 0 && run_context_compare(&data->runs, run, without) == 0;
}

/* Of the differences, sorted, but those of run `without` and of others with its context (-1: of
 * all): means of parts of equal weight. False: there are none. */
static bool make_levels(double *out, const difference_list *differences,
                        const struct value_data *data, int without) {
    double total = 0, done = 0, mean = 0;
    for (size_t i = 0; i < differences->count; i++)
        if (!is_left_out(data, differences->items[i].run, without))
            total += differences->items[i].weight;
    for (int k = 0; k < LEVELS; k++)
        out[k] = 0;
    for (size_t i = 0; i < differences->count && total > 0; i++) {
        if (is_left_out(data, differences->items[i].run, without))
            continue;
        double end = done + differences->items[i].weight / total * LEVELS;
        for (int k = (int)done; k < LEVELS && k < end; k++)
            out[k] += (fmin(end, k + 1) - fmax(done, k)) * differences->items[i].scaled;
        done = end;
    }
    for (int k = 0; k < LEVELS; k++)
        mean += out[k] / LEVELS;
    for (int k = 0; k < LEVELS; k++)
        out[k] -= mean;
    return total > 0;
}

/* ---- Choice ---- */

/* How far apart two draws are on average, halved. */
static double half_spread(const double *levels) {
    double sum = 0;
    for (int i = 0; i < LEVELS; i++)
        for (int k = 0; k < LEVELS; k++)
            sum += fabs(levels[i] - levels[k]);
    return sum / (2.0 * LEVELS * LEVELS);
}

static double score(const double *levels, double spread, double number) {
    double sum = 0;
    for (int k = 0; k < LEVELS; k++)
        sum += fabs(levels[k] - number);
    return sum / LEVELS - spread;
}

struct scores {
    double drawn, mean;
};

/* Adds those of the configuration of this run, which is left out. */
static bool add_scores(struct scores *out, const difference_list *differences,
                       const struct value_data *data, int run) {
    double levels[LEVELS];
    if (!make_levels(levels, differences, data, run))
        return false;
    double spread = half_spread(levels);
    for (size_t i = 0; i < differences->count; i++) {
        const struct value_draw_difference *one = &differences->items[i];
        if (!is_left_out(data, one->run, run))
            continue;
        out->drawn += one->weight * score(levels, spread, one->scaled);
        out->mean += one->weight * fabs(one->scaled);
    }
    return true;
}

static bool is_first(const struct value_data *data, int run) {
    for (int i = 0; i < run; i++)
        if (is_left_out(data, i, run))
            return false;
    return true;
}

static bool find_scores(struct scores *out, const difference_list *differences,
                        const struct value_data *data, int run_count) {
    *out = (struct scores){0, 0};
    for (int run = 0; run < run_count; run++)
        if (is_first(data, run) && !add_scores(out, differences, data, run))
            return false;
    return true;
}

static double total_of(const struct value_data *data) {
    double total = 0;
    for (size_t i = 0; i < data->sample_count; i++)
        total += data->samples[i].seconds;
    return total;
}

/* Draws with this exponent, if they are clearly better than the mean and than *best, the score so
 * far. */
static void try_exponent(struct bsim_draws *out, double *best, const struct value_data *data,
                         double exponent, int run_count) {
    difference_list differences = {0};
    struct scores scores;
    for (size_t i = 0; i < data->sample_count && differences.count < NUMBERS_MAX; i++)
        add_differences(&differences, &data->samples[i], exponent);
    qsort(differences.items, differences.count, sizeof *differences.items, compare_differences);
    if (differences.count >= NUMBERS_MIN && find_scores(&scores, &differences, data, run_count) &&
        scores.drawn < *best && scores.mean >= SCATTER_MIN * total_of(data) &&
        scores.drawn <= BETTER_FACTOR * scores.mean &&
        make_levels(out->levels, &differences, data, -1)) {
        *best = scores.drawn;
        out->exponent = exponent;
        out->level_count = LEVELS;
    }
    vec_dispose(&differences);
}

bool value_draws_find(struct bsim_draws *out, const struct samples *all,
                      const struct value_data *data) {
    double best = INFINITY;
    *out = (struct bsim_draws){0};
    if (data->kind != VALUE_INTEGER || data->least < 0 || data->configuration_count < 2)
        return false;
    enum value_agreement agreement = value_agreement(data->samples, data->sample_count);
    if (agreement != VALUE_AGREEMENT_ALL && agreement != VALUE_AGREEMENT_NONE)
        return false;
    out->is_own = agreement == VALUE_AGREEMENT_NONE;
    try_exponent(out, &best, data, 1, all->run_count);
    try_exponent(out, &best, data, 0.5, all->run_count);
    return best < INFINITY && !value_comes_back(all, data->samples, data->sample_count);
}

/* ---- Text ---- */

static void add_bound(struct str *out, const struct bsim_bound *bound) {
    str_printf(out, " %d %.17g %d %.17g", bound->from.place, bound->from.beyond, bound->draws.place,
               bound->draws.beyond);
}

void value_draws_add_line(struct str *out, const struct bsim_draws *draws) {
    if (draws->one != BSIM_ONE_NONE) {
        str_printf(out, "draws one %s\n", bsim_one_name(draws->one));
        return;
    }
    if (draws->is_uniform) {
        str_add(out, "draws uniform");
        add_bound(out, &draws->low);
        add_bound(out, &draws->high);
        str_addc(out, '\n');
        return;
    }
    str_printf(out, "draws %s %.17g %d", draws->is_own ? "own" : "shared", draws->exponent,
               draws->level_count);
    for (int i = 0; i < draws->level_count; i++)
        str_printf(out, " %.9g", draws->levels[i]);
    str_addc(out, '\n');
}

void value_draws_print(struct str *out, const struct bsim_draws *draws) {
    str_printf(out, "drawn %s, %.3g to %.3g * mean%s about it",
               draws->is_own ? "by each rank" : "for all ranks", draws->levels[0],
               draws->levels[draws->level_count - 1], draws->exponent == 1 ? "" : "^0.5");
}
