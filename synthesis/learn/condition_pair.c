/* SPDX-License-Identifier: Apache-2.0
 *
 * Conditions are sets of rows, 64 to a word; see condition_pair.h.
 */
#include "synthesis/learn/condition_pair.h"

#include <stdlib.h>

struct pair_search {
    const struct learn_part *part;
    long long yes, no; /* the two values */
    size_t words, count;
    uint64_t *all, *values; /* which rows there are, which have the value `yes` */
    uint64_t *sets;         /* by condition */
};

/* What tells the value on one side. */
struct pair_side {
    bool is_found, is_constant, is_opposite; /* opposite: a constant `no`; or holds where `no` is */
    size_t condition;
};

static void set_row(uint64_t *set, size_t row) {
    set[row / 64] |= (uint64_t)1 << row % 64;
}

static void fill(struct pair_search *search) {
    const struct learn_part *part = search->part;
    for (size_t i = 0; i < part->count; i++) {
        set_row(search->all, i);
        if (learn_value(part, i) == search->yes)
            set_row(search->values, i);
    }
    for (size_t k = 0; k < search->count; k++)
        for (size_t i = 0; i < part->count; i++)
            if (part->sample->holds[k * part->sample->count + part->rows[i]])
                set_row(search->sets + k * search->words, i);
}

/* Of the rows where `by` holds, or does not: whether `set` has all that have the value, and no
 * others; `opposite`: the other way round. */
static bool agrees(const struct pair_search *search, const uint64_t *by, bool holds,
                   const uint64_t *set, bool opposite) {
    for (size_t w = 0; w < search->words; w++) {
        uint64_t rows = search->all[w] & (holds ? by[w] : ~by[w]);
        uint64_t says = set != NULL ? set[w] : 0;
        if (((says ^ search->values[w]) & rows) != (opposite ? rows : 0))
            return false;
    }
    return true;
}

static struct pair_side find_side(const struct pair_search *search, const uint64_t *by,
                                  bool holds) {
    for (int opposite = 0; opposite < 2; opposite++)
        if (agrees(search, by, holds, NULL, opposite != 0))
            return (struct pair_side){true, true, opposite == 0, 0};
    for (size_t k = 0; k < search->count; k++)
        for (int opposite = 0; opposite < 2; opposite++)
            if (agrees(search, by, holds, search->sets + k * search->words, opposite != 0))
                return (struct pair_side){true, false, opposite != 0, k};
    return (struct pair_side){0};
}

static const struct synth_expression *side_as_expression(const struct pair_search *search,
                                                         const struct pair_side *side) {
    struct synth_pool *pool = search->part->sample->pool;
    const struct synth_expression *yes = expression_constant(pool, (double)search->yes);
    const struct synth_expression *no = expression_constant(pool, (double)search->no);
    if (side->is_constant)
        return side->is_opposite ? no : yes;
    return expression_choice(pool, search->part->sample->conditions.items[side->condition],
                             side->is_opposite ? no : yes, side->is_opposite ? yes : no);
}

static int find(const struct synth_expression **out, int most, const struct pair_search *search) {
    int found = 0;
    for (size_t k = 0; k < search->count && found < most; k++) {
        const uint64_t *by = search->sets + k * search->words;
        struct pair_side one = find_side(search, by, true);
        struct pair_side other = one.is_found ? find_side(search, by, false) : one;
        if (one.is_found && other.is_found)
            out[found++] = expression_choice(
                search->part->sample->pool, search->part->sample->conditions.items[k],
                side_as_expression(search, &one), side_as_expression(search, &other));
    }
    return found;
}

int condition_pair_find(const struct synth_expression **out, int most,
                        const struct learn_part *part) {
    long long values[3];
    if (learn_part_values(part, values, 3) != 2)
        return 0;
    struct pair_search search = {.part = part,
                                 .yes = values[0],
                                 .no = values[1],
                                 .words = part->count / 64 + 1,
                                 .count = part->sample->conditions.count};
    search.all = xcalloc(search.words, sizeof *search.all);
    search.values = xcalloc(search.words, sizeof *search.values);
    search.sets = xcalloc(search.count * search.words + 1, sizeof *search.sets);
    fill(&search);
    int count = find(out, most, &search);
    free(search.all);
    free(search.values);
    free(search.sets);
    return count;
}
