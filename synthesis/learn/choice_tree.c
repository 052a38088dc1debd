/* SPDX-License-Identifier: Apache-2.0
 *
 * See choice_tree.h. Conditions that gain most are looked at first for one behind which both sides
 * are sums; else the best one splits, and each side is learned alone.
 */
#include "synthesis/learn/choice_tree.h"

#include "synthesis/learn/exact_sum.h"
#include "synthesis/learn/learn_sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Condition pair ---- */

/*
 * Whether something is so, by a condition that tells which of two others tells it: "of even beams
 * all but the first, of odd ones all but the last". Neither of the three says anything alone, so
 * that a tree that grows by information gain does not find them; here all are tried.
 * Conditions are sets of rows, 64 to a word.
 */

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

/* Those that give all values of the part, which are two: at most `most`, simpler conditions first.
 * Gives how many. */
static int condition_pair_find(const struct synth_expression **out, int most,
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

/* ---- Choice tree ---- */

#define DEPTH_MOST 6
#define VALUES_MOST 64 /* whose shares are counted; more count as one */
#define BEST_TRIED 8
#define GAIN_LEAST 1e-9

struct split {
    size_t yes_count, no_count;
    size_t *yes, *no;
};

struct gain {
    size_t condition;
    double bits;
};

static double bits_of(const size_t *shares, size_t kinds, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < kinds; i++)
        if (shares[i] > 0)
            sum -= (double)shares[i] * log2((double)shares[i] / (double)count);
    return sum;
}

static size_t kind_of(const long long *values, size_t kinds, long long value) {
    size_t k = 0;
    while (k + 1 < kinds && values[k] != value)
        k++;
    return k;
}

static const bool *holds(const struct learn_part *part, size_t condition) {
    return part->sample->holds + condition * part->sample->count;
}

/* By kinds of values, which `kinds_of` has of each row. */
static double gain_of(const struct learn_part *part, size_t condition, const size_t *kinds_of,
                      size_t kinds) {
    size_t yes[VALUES_MOST] = {0}, all[VALUES_MOST] = {0}, no[VALUES_MOST], count = 0;
    const bool *of = holds(part, condition);
    for (size_t i = 0; i < part->count; i++) {
        all[kinds_of[i]]++;
        yes[kinds_of[i]] += of[part->rows[i]];
        count += of[part->rows[i]];
    }
    if (count == 0 || count == part->count)
        return -1;
    for (size_t k = 0; k < kinds; k++)
        no[k] = all[k] - yes[k];
    return bits_of(all, kinds, part->count) - bits_of(yes, kinds, count) -
           bits_of(no, kinds, part->count - count);
}

/* Simpler conditions come first among those that gain as much. */
static void insert(struct gain *best, size_t *count, struct gain gain) {
    size_t at = *count;
    while (at > 0 && best[at - 1].bits < gain.bits - GAIN_LEAST)
        at--;
    if (at >= BEST_TRIED)
        return;
    size_t last = *count < BEST_TRIED ? (*count)++ : BEST_TRIED - 1;
    memmove(best + at + 1, best + at, (last - at) * sizeof *best);
    best[at] = gain;
}

/* What is different on one rank, or along a dimension that is not split, is no matter of scale. */
static bool is_about_one(const struct synth_quantity *condition) {
    return strncmp(bsim_synth_conditions[condition->kind].name, "size-", 5) == 0 &&
           condition->b == 1;
}

static size_t rank_conditions(struct gain *best, const struct learn_part *part) {
    long long values[VALUES_MOST];
    size_t kinds = learn_part_values(part, values, VALUES_MOST), count = 0;
    size_t *kinds_of = xcalloc(part->count + 1, sizeof *kinds_of);
    for (size_t i = 0; i < part->count; i++)
        kinds_of[i] = kind_of(values, kinds, learn_value(part, i));
    for (size_t k = 0; k < part->sample->conditions.count; k++) {
        const struct synth_quantity *condition = &part->sample->conditions.items[k];
        if (part->sample->input->is_size && vocabulary_is_of_scale(condition) &&
            !is_about_one(condition))
            continue;
        struct gain gain = {k, gain_of(part, k, kinds_of, kinds)};
        if (gain.bits > GAIN_LEAST)
            insert(best, &count, gain);
    }
    free(kinds_of);
    return count;
}

static struct split split_by(const struct learn_part *part, size_t condition) {
    struct split split = {.yes = xcalloc(part->count + 1, sizeof(size_t)),
                          .no = xcalloc(part->count + 1, sizeof(size_t))};
    for (size_t i = 0; i < part->count; i++)
        if (holds(part, condition)[part->rows[i]])
            split.yes[split.yes_count++] = part->rows[i];
        else
            split.no[split.no_count++] = part->rows[i];
    return split;
}

typedef const struct synth_expression *(*side_learner)(const struct learn_part *part, int depth);

static const struct synth_expression *learn_side(const struct learn_part *part, int depth);

/* A side is a sum, products of three would be by chance, of two where values name something (ranks,
 * tags) and are no measure; whether something is so is no sum. */
static const struct synth_expression *sum_of(const struct learn_part *part, int depth) {
    const struct synth_expression *sum = NULL;
    (void)depth;
    const struct learn_input *input = part->sample->input;
    enum exact_level level = input->is_condition  ? EXACT_CONSTANT
                             : input->may_be_near ? EXACT_PRODUCT
                                                  : EXACT_SINGLE;
    return exact_sum_find(&sum, 1, part, level) > 0 ? sum : NULL;
}

static const struct synth_expression *
split_and_learn(const struct learn_part *part, size_t condition, side_learner learn, int depth) {
    struct split split = split_by(part, condition);
    const struct learn_part yes = {part->sample, split.yes, split.yes_count};
    const struct learn_part no = {part->sample, split.no, split.no_count};
    const struct synth_expression *one = learn(&yes, depth + 1);
    const struct synth_expression *other = one != NULL ? learn(&no, depth + 1) : NULL;
    free(split.yes);
    free(split.no);
    return other != NULL ? expression_choice(part->sample->pool,
                                             part->sample->conditions.items[condition], one, other)
                         : NULL;
}

static const struct synth_expression *tree_of(const struct learn_part *part, int depth) {
    struct gain best[BEST_TRIED + 1];
    size_t count = depth < DEPTH_MOST ? rank_conditions(best, part) : 0;
    const struct synth_expression *found = NULL;
    for (size_t i = 0; i < count && found == NULL; i++)
        found = split_and_learn(part, best[i].condition, sum_of, depth);
    for (size_t i = 0; i < count && i < 2 && found == NULL; i++)
        found = split_and_learn(part, best[i].condition, learn_side, depth);
    return found;
}

static const struct synth_expression *learn_side(const struct learn_part *part, int depth) {
    const struct synth_expression *sum = sum_of(part, depth);
    return sum != NULL ? sum : tree_of(part, depth);
}

static const struct synth_expression *constant_of(const struct learn_part *part, int depth) {
    const struct synth_expression *sum = NULL;
    (void)depth;
    return exact_sum_find(&sum, 1, part, EXACT_CONSTANT) > 0 ? sum : NULL;
}

int choice_tree_single(const struct synth_expression **out, int most,
                       const struct learn_part *part) {
    struct gain best[BEST_TRIED + 1];
    size_t tried = rank_conditions(best, part);
    int count = 0;
    for (size_t i = 0; i < tried && count < most; i++) {
        out[count] = split_and_learn(part, best[i].condition, constant_of, 0);
        count += out[count] != NULL;
    }
    return count;
}

int choice_tree_find(const struct synth_expression **out, int most, const struct learn_part *part) {
    const struct synth_expression *tree = tree_of(part, 0);
    int count = condition_pair_find(out, most, part);
    if (tree != NULL &&
        (count == 0 || expression_complexity(tree) < expression_complexity(out[0]))) {
        out[0] = tree;
        count = 1;
    }
    return count;
}
