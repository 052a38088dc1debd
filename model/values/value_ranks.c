/* SPDX-License-Identifier: Apache-2.0
 *
 * A feature names the rank if it differs between ranks of one run, and is the same of a rank in all
 * runs on as many, whatever their sizes are. Without these features the samples of the ranks of a
 * run are compared; a single pair that differs leaves everything as it is.
 */
#include "model/values/value_ranks.h"

#include "model/samples/points.h"
#include "model/values/value_agreement.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct value_ranks_finder {
    const struct samples *all;
    bool *named; /* by feature: names the rank */
    int feature_count;
};

static int ranks_of(const struct value_ranks_finder *f, const struct sample *sample) {
    return f->all->runs[sample->run].ranks;
}

static int compare_ints(int left, int right) {
    return (left > right) - (left < right);
}

static int by_place(const void *left, const void *right, void *context) {
    const struct sample *l = left, *r = right;
    const struct value_ranks_finder *f = context;
    int order = compare_ints(ranks_of(f, l), ranks_of(f, r));
    return order != 0 ? order : compare_ints(l->rank, r->rank);
}

static int by_run(const void *left, const void *right) {
    const struct sample *l = left, *r = right;
    int order = compare_ints(l->run, r->run);
    if (order == 0)
        order = features_compare(l->features, r->features, l->feature_count);
    return order != 0 ? order : compare_ints(l->rank, r->rank);
}

/* Sets f->named; false if there is none. */
static bool find_named(struct value_ranks_finder *f, struct sample *samples, size_t count) {
    bool found = false;
    qsort_r(samples, count, sizeof *samples, by_place, f);
    for (int j = 0; j < f->feature_count; j++) {
        bool varies = false, moves = false;
        for (size_t i = 1; i < count; i++) {
            const struct sample *last = &samples[i - 1], *here = &samples[i];
            bool differs = last->features[j] != here->features[j];
            moves = moves || (differs && by_place(last, here, f) == 0);
            varies = varies || (differs && ranks_of(f, last) == ranks_of(f, here) &&
                                last->rank != here->rank);
        }
        f->named[j] = varies && !moves;
        found = found || f->named[j];
    }
    return found;
}

/* Of samples by run: most of those that others could agree with do, and none does not. */
static bool all_agree(const struct value_ranks_finder *f, const struct sample *samples,
                      size_t count) {
    size_t looked_at = 0, same = 0;
    bool tells = false;
    for (size_t i = 0; i < count; i++) {
        if (ranks_of(f, &samples[i]) < 2)
            continue;
        looked_at++;
        if (i == 0 || samples[i].run != samples[i - 1].run ||
            samples[i].rank == samples[i - 1].rank ||
            features_compare(samples[i].features, samples[i - 1].features, f->feature_count) != 0)
            continue;
        if (!same_numbers(&samples[i], &samples[i - 1]))
            return false;
        same++;
        tells = tells || !all_zero(&samples[i]);
    }
    return tells && 4 * same >= looked_at;
}

/* On the same number of ranks, more than one: a single run does not tell the rank from a size. */
static bool has_two_runs(const struct value_ranks_finder *f, struct arena *arena,
                         const struct sample *samples, size_t count) {
    int runs = f->all->run_count;
    bool *used = ARENA_ARRAY(arena, bool, (size_t)runs);
    for (size_t i = 0; i < count; i++)
        used[samples[i].run] = f->all->runs[samples[i].run].ranks > 1;
    for (int i = 0; i < runs; i++)
        for (int k = i + 1; k < runs; k++)
            if (used[i] && used[k] && f->all->runs[i].ranks == f->all->runs[k].ranks)
                return true;
    return false;
}

void value_ranks_find(struct value_ignored *out, struct arena *arena, const struct samples *all,
                      const struct sample *samples, size_t count) {
    struct value_ranks_finder f = {.all = all,
                                   .feature_count = count > 0 ? samples->feature_count : 0};
    *out = (struct value_ignored){.samples = samples};
    if (count < 2 || f.feature_count == 0 || !has_two_runs(&f, arena, samples, count))
        return;
    struct sample *copies = ARENA_ARRAY(arena, struct sample, count);
    f.named = ARENA_ARRAY(arena, bool, (size_t)f.feature_count);
    memcpy(copies, samples, count * sizeof *copies);
    if (!find_named(&f, copies, count))
        return;
    value_ignore(copies, count, arena, f.named);
    qsort(copies, count, sizeof *copies, by_run);
    if (!all_agree(&f, copies, count))
        return;
    qsort_r(copies, count, sizeof *copies, points_compare_samples, NULL);
    out->samples = copies;
    out->features = f.named;
    for (int j = 0; j < f.feature_count; j++)
        out->count += f.named[j];
}

/* ---- What ranks keep ---- */

static int by_run_and_rank(const void *left, const void *right) {
    const struct sample *l = *(const struct sample *const *)left;
    const struct sample *r = *(const struct sample *const *)right;
    if (l->run != r->run)
        return l->run < r->run ? -1 : 1;
    return (l->rank > r->rank) - (l->rank < r->rank);
}

/* Each rank of a run has one number, but not all of them the same one. Samples are by run and rank.
 */
static bool is_of_ranks(const struct sample *const *samples, size_t count, int feature) {
    bool differs = false;
    for (size_t i = 1; i < count; i++) {
        const struct sample *last = samples[i - 1], *here = samples[i];
        if (last->run != here->run || last->features[feature] == here->features[feature])
            continue;
        if (last->rank == here->rank)
            return false;
        differs = true;
    }
    return differs;
}

const bool *value_ranks_keep(struct arena *arena, const struct sample *samples, size_t count) {
    int feature_count = count > 0 ? samples->feature_count : 0;
    bool *found = ARENA_ARRAY(arena, bool, (size_t)feature_count + 1), any = false;
    const struct sample **order = xmalloc((count + 1) * sizeof(const struct sample *));
    for (size_t i = 0; i < count; i++)
        order[i] = &samples[i];
    qsort(order, count, sizeof *order, by_run_and_rank);
    for (int j = 0; j < feature_count; j++) {
        found[j] = is_of_ranks(order, count, j);
        any = any || found[j];
    }
    free(order);
    return any ? found : NULL;
}

/* ---- How much they differ ---- */

size_t value_ranks_alike(const struct sample *first, size_t left) {
    size_t count = 0;
    while (count < left && first[count].run == first->run &&
           features_compare(first[count].features, first->features, first->feature_count) == 0)
        count++;
    return count;
}

struct value_ranks_spread {
    double off, total;
};

static void add_spread(struct value_ranks_spread *out, const struct sample *ranks, size_t count) {
    double sum = 0, executions = 0;
    for (size_t k = 0; k < count; k++) {
        sum += ranks[k].seconds;
        executions += ranks[k].timed;
    }
    for (size_t k = 0; k < count && executions > 0; k++)
        out->off += fabs(ranks[k].seconds - ranks[k].timed * sum / executions);
    out->total += fabs(sum);
}

double value_ranks_spread(const struct samples *all, const struct sample *samples, size_t count) {
    int run_count = all->run_count;
    struct value_ranks_spread *spreads = xmalloc(((size_t)run_count + 1) * sizeof *spreads);
    double largest = 0;
    for (int run = 0; run < run_count; run++)
        spreads[run] = (struct value_ranks_spread){0, 0};
    for (size_t i = 0, ranks; i < count; i += ranks) {
        ranks = value_ranks_alike(&samples[i], count - i);
        add_spread(&spreads[samples[i].run], &samples[i], ranks);
    }
    for (int run = 0; run < run_count; run++)
        if (spreads[run].total > 0)
            largest = fmax(largest, spreads[run].off / spreads[run].total);
    free(spreads);
    return largest;
}
