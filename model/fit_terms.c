/* SPDX-License-Identifier: Apache-2.0 */
#include "model/fit_terms.h"

#include <math.h>
#include <stdlib.h>

static struct term make_term(struct arena *arena, const struct monomial *monomial,
                             double coefficient_s, int feature_count) {
    double *exponents = ARENA_ARRAY(arena, double, (size_t)feature_count);
    int *logs = ARENA_ARRAY(arena, int, (size_t)feature_count);
    for (int i = 0; i < monomial->factor_count; i++) {
        exponents[monomial->factors[i].feature] += monomial->factors[i].exponent;
        logs[monomial->factors[i].feature] += monomial->factors[i].log;
    }
    return (struct term){coefficient_s, exponents, logs};
}

struct weighted {
    const struct monomial *monomial;
    double coefficient_s;
};

/* The constant first, then as the features are ordered, for people. */
static int compare_weighted(const void *left, const void *right) {
    const struct monomial *l = ((const struct weighted *)left)->monomial;
    const struct monomial *r = ((const struct weighted *)right)->monomial;
    if (l->kind != r->kind)
        return l->kind < r->kind ? -1 : 1;
    for (int i = 0; i < l->factor_count && i < r->factor_count; i++) {
        const struct monomial_factor *a = &l->factors[i], *b = &r->factors[i];
        if (a->feature != b->feature)
            return a->feature < b->feature ? -1 : 1;
        if (a->exponent != b->exponent)
            return a->exponent < b->exponent ? -1 : 1;
    }
    return l->factor_count - r->factor_count;
}

static void take_monomials(term_list *out, struct arena *arena, const struct candidate *chosen,
                           const struct dictionary *dictionary) {
    VEC(struct weighted) used = {0};
    for (size_t k = 0; k < chosen->count; k++)
        if (chosen->coefficients[k] > 0 && isfinite(chosen->coefficients[k]))
            vec_push(&used, (struct weighted){.monomial = &dictionary->items[chosen->columns[k]],
                                              .coefficient_s = chosen->coefficients[k]});
    if (used.count > 0)
        qsort(used.items, used.count, sizeof *used.items, compare_weighted);
    for (size_t k = 0; k < used.count; k++)
        vec_push(out, make_term(arena, used.items[k].monomial, used.items[k].coefficient_s,
                                (int)dictionary->feature_count));
    vec_dispose(&used);
}

static void take_powers(term_list *out, struct arena *arena, const struct candidate *chosen,
                        size_t feature_count) {
    double *exponents = ARENA_ARRAY(arena, double, feature_count);
    for (size_t j = 0; j < feature_count; j++)
        exponents[j] = chosen->powers[j];
    vec_push(out, ((struct term){chosen->coefficients[0], exponents,
                                 ARENA_ARRAY(arena, int, feature_count)}));
}

void terms_add(term_list *out, struct arena *arena, const struct candidate *chosen,
               const struct dictionary *dictionary) {
    if (chosen->powers != NULL)
        take_powers(out, arena, chosen, dictionary->feature_count);
    else
        take_monomials(out, arena, chosen, dictionary);
}
