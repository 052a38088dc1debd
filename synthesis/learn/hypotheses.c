/* SPDX-License-Identifier: Apache-2.0
 *
 * Samples, the order of kinds of hypotheses, and the check with all rows; see hypotheses.h.
 */
#include "synthesis/learn/hypotheses.h"

#include "synthesis/learn/choice_tree.h"
#include "synthesis/learn/exact_sum.h"
#include "synthesis/learn/nearest_fit.h"

#include <stdlib.h>
#include <string.h>

#define SAMPLE_ROWS 300 /* at first: more do not change which hypothesis is found, mostly */
#define SAMPLE_MOST 1500
#define CONTRADICTIONS 60 /* that join the sample at a time */
#define ROUNDS 20
#define FEW 3           /* values that name something, and are no measure */
#define UNROLLED_MOST 6 /* iterations: dimensions, directions, stages of a scheme */
#define TABLE_LEAST 3   /* entries: with fewer the iteration tells nothing */

const struct synth_expression *expression_constant(struct synth_pool *pool, double number) {
    struct synth_expression *out = bsim_synth_take(pool, sizeof *out);
    if (out == NULL)
        abort();
    out->form = SYNTH_SUM;
    out->constant = number;
    return out;
}

const struct synth_expression *expression_choice(struct synth_pool *pool,
                                                 struct synth_quantity condition,
                                                 const struct synth_expression *yes,
                                                 const struct synth_expression *no) {
    struct synth_expression *out = bsim_synth_take(pool, sizeof *out);
    if (out == NULL)
        abort();
    *out = (struct synth_expression){
        .form = SYNTH_CHOICE, .condition = condition, .yes = yes, .no = no};
    return out;
}

static struct synth_expression *copy_of(const struct synth_expression *of,
                                        struct synth_pool *pool) {
    struct synth_expression *out = bsim_synth_take(pool, sizeof *out);
    if (out == NULL)
        abort();
    *out = *of;
    return out;
}

const struct synth_expression *hypotheses_expression(const struct hypotheses *of,
                                                     struct synth_pool *pool) {
    struct synth_expression *first = copy_of(of->items[0], pool), *last = first;
    for (int i = 1; i < of->count && of->right == 1; i++) {
        struct synth_expression *other = copy_of(of->items[i], pool);
        last->other = other;
        last = other;
    }
    return first;
}

static struct synth_quantity iteration_is(int loop, int index) {
    struct synth_quantity out = {.a = (short)loop, .b = (short)index};
    while (strcmp(bsim_synth_conditions[out.kind].name, "iteration-is") != 0)
        out.kind++;
    return out;
}

int expression_complexity(const struct synth_expression *of) {
    if (of->form == SYNTH_CHOICE)
        return 4 + expression_complexity(of->yes) + expression_complexity(of->no);
    if (of->form == SYNTH_TABLE)
        return 3 + of->entry_count / 4;
    int sum = of->term_count > 0;
    for (int i = 0; i < of->term_count; i++)
        sum += of->terms[i].factor_count;
    return sum;
}

static bool is_known(const struct learn_input *input, size_t row) {
    return input->known == NULL || input->known[row];
}

/* ---- A constant, a table ---- */

static bool find_constant(struct hypotheses *out, struct synth_pool *pool,
                          const struct learn_input *input) {
    size_t count = input->rows->of.count, first = 0;
    while (first < count && !is_known(input, first))
        first++;
    for (size_t i = first; i < count; i++)
        if (is_known(input, i) && input->values[i] != input->values[first])
            return false;
    out->items[0] = expression_constant(pool, first < count ? (double)input->values[first] : 0);
    out->count = 1;
    out->right = 1;
    return true;
}

struct table_search {
    const struct learn_input *input;
    int loop, count;
    long long *entries;
    bool *filled;
};

static const struct synth_iteration *loop_of(const struct learn_input *input, size_t row,
                                             int loop) {
    return &input->sightings->loops.items[input->rows->of.items[row].loops + (size_t)loop];
}

static bool fill_table(struct table_search *search) {
    const struct learn_input *input = search->input;
    for (size_t i = 0; i < input->rows->of.count; i++) {
        const struct synth_iteration *at = loop_of(input, i, search->loop);
        if (at->count != search->count)
            return false;
        if (!is_known(input, i))
            continue;
        if (search->filled[at->index] && search->entries[at->index] != input->values[i])
            return false;
        search->filled[at->index] = true;
        search->entries[at->index] = input->values[i];
    }
    return true;
}

/* Of a loop that always has as many iterations, which decide alone. */
static const struct synth_expression *find_table(struct synth_pool *pool,
                                                 const struct learn_input *input, int loop) {
    int count = input->rows->of.count > 0 ? loop_of(input, 0, loop)->count : 0;
    if (count < TABLE_LEAST)
        return NULL;
    long long *entries = bsim_synth_take(pool, (size_t)count * sizeof *entries);
    struct table_search search = {input, loop, count, entries, xcalloc((size_t)count, 1)};
    bool found = entries != NULL && fill_table(&search);
    free(search.filled);
    struct synth_expression *out = found ? bsim_synth_take(pool, sizeof *out) : NULL;
    if (out != NULL)
        *out = (struct synth_expression){
            .form = SYNTH_TABLE, .loop = loop, .entry_count = count, .entries = entries};
    return out;
}

/* ---- Samples ---- */

static void add_to_sample(struct learn_sample *sample, size_t row) {
    if (sample->rows.count < SAMPLE_MOST)
        vec_push_new(&sample->rows, row);
}

/* From all over the rows, which come by run, rank and time; steps share no factor with loops. */
static void choose_sample(struct learn_sample *sample) {
    size_t count = sample->input->rows->of.count;
    double step = count > SAMPLE_ROWS ? (double)count / SAMPLE_ROWS : 1;
    for (double at = 0; at < (double)count; at += step)
        if (is_known(sample->input, (size_t)at))
            add_to_sample(sample, (size_t)at);
    for (size_t i = count > 3 ? count - 3 : 0; i < count; i++)
        if (is_known(sample->input, i))
            add_to_sample(sample, i);
}

static double share_right(struct learn_sample *sample, const struct synth_expression *of,
                          bool add_wrong) {
    const struct learn_input *input = sample->input;
    size_t right = 0, known = 0, added = 0;
    for (size_t i = 0; i < input->rows->of.count; i++) {
        if (!is_known(input, i))
            continue;
        const struct synth_situation at =
            sighting_situation(input->sightings, input->rows, &input->rows->of.items[i]);
        bool is_right = bsim_synth_value(&at, of) == input->values[i];
        right += is_right;
        known++;
        if (!is_right && add_wrong && added++ < CONTRADICTIONS)
            add_to_sample(sample, i);
    }
    return known > 0 ? (double)right / (double)known : 1;
}

/* ---- Kinds ---- */

/* One condition between two constants says less than a table. */
static int find_simple(const struct synth_expression **out, const struct learn_part *all,
                       bool is_condition) {
    int count = is_condition ? 0 : exact_sum_find(out, HYPOTHESES_MOST, all, EXACT_SINGLE);
    return count > 0 ? count : choice_tree_single(out, HYPOTHESES_MOST, all);
}

static int find_table_of_any_loop(const struct synth_expression **out,
                                  const struct learn_sample *sample) {
    out[0] = NULL;
    for (int loop = sample->input->rows->depth; loop-- > 0 && out[0] == NULL;)
        out[0] = find_table(sample->pool, sample->input, loop);
    return out[0] != NULL;
}

/* A loop that always has the same few iterations may stand for statements: an expression for each.
 */
static const struct synth_expression *find_unrolled(const struct learn_part *all, int loop) {
    const struct synth_expression *of[UNROLLED_MOST];
    int count = all->sample->at[0].loops[loop].count;
    size_t *rows = xcalloc(all->count + 1, sizeof *rows);
    bool found = count >= 2 && count <= UNROLLED_MOST;
    for (int k = 0; k < count && found; k++) {
        struct learn_part part = {all->sample, rows, 0};
        for (size_t i = 0; i < all->count && found; i++) {
            const struct synth_iteration *at = &all->sample->at[i].loops[loop];
            found = at->count == count;
            if (at->index == k)
                rows[part.count++] = i;
        }
        found = found && exact_sum_find(&of[k], 1, &part, EXACT_PRODUCT) > 0;
    }
    free(rows);
    const struct synth_expression *out = found ? of[count - 1] : NULL;
    for (int k = count - 1; k-- > 0 && found;)
        out = expression_choice(all->sample->pool, iteration_is(loop, k), of[k], out);
    return out;
}

static int find_unrolled_of_any_loop(const struct synth_expression **out,
                                     const struct learn_part *all) {
    out[0] = NULL;
    for (int loop = all->sample->input->rows->depth; loop-- > 0 && out[0] == NULL;)
        out[0] = find_unrolled(all, loop);
    return out[0] != NULL;
}

static int find_exact(const struct synth_expression **out, const struct learn_part *all) {
    long long values[FEW + 1];
    size_t kinds = learn_part_values(all, values, FEW + 1);
    int count = find_simple(out, all, all->sample->input->is_condition);
    if (count == 0)
        count = find_table_of_any_loop(out, all->sample);
    if (count == 0 && (kinds > FEW || (kinds == FEW && all->sample->input->may_be_near)))
        count = exact_sum_find(out, HYPOTHESES_MOST, all, EXACT_TRIPLE);
    if (count == 0 && all->sample->input->may_be_near)
        count = exact_sum_of_parameters(out, HYPOTHESES_MOST, all);
    if (count == 0)
        count = find_unrolled_of_any_loop(out, all);
    if (count == 0 && kinds > FEW)
        count = exact_sum_find(out, HYPOTHESES_MOST, all, EXACT_PAIR);
    return count > 0 ? count : choice_tree_find(out, HYPOTHESES_MOST, all);
}

static struct learn_part all_of(const struct learn_sample *sample, size_t *rows) {
    for (size_t i = 0; i < sample->count; i++)
        rows[i] = i;
    return (struct learn_part){sample, rows, sample->count};
}

/* Those that give every row; the first one that is found first counts. */
static void keep_right(struct hypotheses *out, struct learn_sample *sample,
                       const struct synth_expression *const *found, int count) {
    for (int i = 0; i < count; i++) {
        double right = share_right(sample, found[i], i == 0 || out->count == 0);
        if (right == 1)
            out->items[out->count++] = found[i];
    }
    out->right = out->count > 0 ? 1 : out->right;
}

static void find_nearest(struct hypotheses *out, struct learn_sample *sample,
                         const struct learn_part *all) {
    long long values[FEW + 1];
    bool is_number = sample->input->may_be_near && learn_part_values(all, values, FEW + 1) > FEW;
    out->items[0] = nearest_fit(all, is_number);
    out->count = 1;
    out->right = share_right(sample, out->items[0], false);
}

/* Whether it is settled. */
static bool try_sample(struct hypotheses *out, struct learn_sample *sample, bool is_last) {
    const struct synth_expression *found[HYPOTHESES_MOST];
    size_t before = sample->rows.count;
    learn_sample_fill(sample);
    size_t *rows = xcalloc(sample->count + 1, sizeof *rows);
    const struct learn_part all = all_of(sample, rows);
    int count = find_exact(found, &all);
    keep_right(out, sample, found, count);
    bool is_stuck = count == 0 || sample->rows.count == before;
    if (out->count == 0 && (is_stuck || is_last))
        find_nearest(out, sample, &all);
    free(rows);
    learn_sample_dispose(sample);
    return out->count > 0;
}

void hypotheses_learn(struct hypotheses *out, struct synth_pool *pool,
                      const struct learn_input *input) {
    struct learn_sample sample = {.input = input, .pool = pool};
    *out = (struct hypotheses){0};
    if (find_constant(out, pool, input))
        return;
    choose_sample(&sample);
    for (int round = 0; round < ROUNDS && out->count == 0; round++)
        if (try_sample(out, &sample, round == ROUNDS - 1))
            break;
    vec_dispose(&sample.rows);
}
