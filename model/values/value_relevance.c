/* SPDX-License-Identifier: Apache-2.0
 *
 * See value_relevance.h. All look at samples that only differ in what is to be left out: it is
 * irrelevant if these have the same numbers.
 *
 * - Sizes are features that are the same in all of a run. There have to be groups in which each of
 *   them differs, nearly all with the same decisions. Sizes with the most different numbers are
 * left out first, and as many as can be: a size that is in several of them (cells in each
 * direction, and their product) is told by any.
 * - Of the rest all that nothing uses is left out together, and a single group with different
 *   numbers ends it: then the same is tried with the numbers of the run, but the number of ranks,
 *   and with that as well. What does not differ within enough groups is no longer left out, until
 *   all that is has been shown.
 */
#include "model/values/value_relevance.h"

#include "base/numbers.h"
#include "model/eval/eval.h"
#include "model/samples/points.h"
#include "model/values/value_agreement.h"

#include <stdlib.h>
#include <string.h>

/* Of the executions: so much has to be in groups in which a size differs, so much of it in such
 * with the same decisions. */
#define SHOWN_SHARE 0.5
#define SAME_SHARE 0.8
#define GROUPS_MIN 2 /* with the same decisions, that show a size to be irrelevant */
#define SHOWN_MIN 16 /* samples with the same numbers, though what nothing uses is another one */

/* ---- What is left out ---- */

struct value_relevance value_relevance_of_all(const struct sample *samples, size_t count) {
    return (struct value_relevance){.samples = samples, .sample_count = count};
}

bool value_relevance_leaves_out(const struct value_relevance *relevance, int place,
                                int feature_count) {
    return relevance->irrelevant_count > 0 && place < feature_count && relevance->irrelevant[place];
}

static int feature_count_of(const struct value_relevance *relevance) {
    return relevance->sample_count > 0 ? relevance->samples->feature_count : 0;
}

/* Gives each of the samples features of its own, with 0 where `left_out`. */
static struct sample *samples_without(struct arena *arena, const struct value_relevance *of,
                                      const bool *left_out) {
    struct sample *copies = ARENA_ARRAY(arena, struct sample, of->sample_count);
    memcpy(copies, of->samples, of->sample_count * sizeof *copies);
    for (size_t i = 0; i < of->sample_count; i++) {
        double *features = ARENA_ARRAY(arena, double, (size_t)copies[i].feature_count);
        for (int j = 0; j < copies[i].feature_count; j++)
            features[j] = left_out[j] ? 0 : copies[i].features[j];
        copies[i].features = features;
    }
    return copies;
}

static void leave_out(struct value_relevance *out, struct arena *arena, const bool *more) {
    int feature_count = feature_count_of(out);
    bool *left_out = ARENA_ARRAY(arena, bool, (size_t)feature_count);
    int added = 0;
    for (int j = 0; j < feature_count; j++) {
        left_out[j] = more[j] || value_relevance_leaves_out(out, j, feature_count);
        added += more[j];
    }
    struct sample *copies = samples_without(arena, out, left_out);
    qsort_r(copies, out->sample_count, sizeof *copies, points_compare_samples, NULL);
    out->samples = copies;
    out->irrelevant = left_out;
    out->irrelevant_count += added;
}

/* ---- What ranks have alike ---- */

void value_relevance_find_once(struct value_relevance *out, struct arena *arena,
                               const struct samples *all) {
    bool any = false;
    if (out->sample_count == 0)
        return;
    value_once_find(&out->once, arena, all, out->samples, out->sample_count);
    for (int j = 0; j < feature_count_of(out); j++)
        any = any || out->once.differs[j];
    if (out->once.is_once && any)
        leave_out(out, arena, out->once.differs);
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

bool value_relevance_without_rank_shares(struct value_relevance *out, struct arena *arena) {
    size_t count = out->sample_count;
    int feature_count = feature_count_of(out);
    bool *found = ARENA_ARRAY(arena, bool, (size_t)feature_count + 1), any = false;
    const struct sample **order = xmalloc((count + 1) * sizeof(const struct sample *));
    for (size_t i = 0; i < count; i++)
        order[i] = &out->samples[i];
    qsort(order, count, sizeof *order, by_run_and_rank);
    for (int j = 0; j < feature_count; j++) {
        found[j] = is_of_ranks(order, count, j);
        any = any || found[j];
    }
    free(order);
    if (any)
        leave_out(out, arena, found);
    return any;
}

/* ---- Sizes ---- */

struct value_relevance_size {
    int feature;
    int distinct; /* numbers */
};

struct value_relevance_sizes {
    const struct sample **samples;
    size_t count;
    int feature_count;
    struct value_relevance_size *sizes; /* the first ones are left out */
    int size_count, left_out;
};

/* 0: it differs within a run. */
static int count_distinct(const struct sample *samples, size_t count, int feature, int run_count) {
    double *of_runs = xmalloc(((size_t)run_count + 1) * sizeof *of_runs);
    bool *known = memset(xmalloc((size_t)run_count + 1), 0, (size_t)run_count + 1);
    size_t runs = 0;
    bool is_size = true;
    int distinct = 0;
    for (size_t i = 0; i < count && is_size; i++) {
        double number = samples[i].features[feature];
        is_size = !known[samples[i].run] || of_runs[samples[i].run] == number;
        known[samples[i].run] = true;
        of_runs[samples[i].run] = number;
    }
    for (int run = 0; run < run_count; run++)
        if (known[run])
            of_runs[runs++] = of_runs[run];
    numbers_sort(of_runs, runs);
    for (size_t i = 0; i < runs && is_size; i++)
        distinct += i == 0 || of_runs[i] != of_runs[i - 1];
    free(of_runs);
    free(known);
    return distinct;
}

static int compare_sizes(const void *left, const void *right) {
    const struct value_relevance_size *l = left, *r = right;
    return l->distinct != r->distinct ? r->distinct - l->distinct : r->feature - l->feature;
}

static void find_sizes(struct value_relevance_sizes *search, const struct sample *samples,
                       int run_count) {
    for (int j = 0; j < search->feature_count; j++) {
        int distinct = count_distinct(samples, search->count, j, run_count);
        if (distinct > 1)
            search->sizes[search->size_count++] = (struct value_relevance_size){j, distinct};
    }
    qsort(search->sizes, (size_t)search->size_count, sizeof *search->sizes, compare_sizes);
}

static bool is_left_out(const struct value_relevance_sizes *search, int feature) {
    for (int k = 0; k < search->left_out; k++)
        if (search->sizes[k].feature == feature)
            return true;
    return false;
}

static int by_other_features(const void *left, const void *right, void *context) {
    const struct sample *l = *(const struct sample *const *)left;
    const struct sample *r = *(const struct sample *const *)right;
    const struct value_relevance_sizes *search = context;
    for (int j = 0; j < search->feature_count; j++)
        if (l->features[j] != r->features[j] && !is_left_out(search, j))
            return l->features[j] < r->features[j] ? -1 : 1;
    return 0;
}

struct value_relevance_group {
    double executions;
    bool is_same; /* decisions */
    bool differs; /* in some size */
};

/* From sample `from` on; *end: behind its last one. `shown`: counts of groups by size. */
static struct value_relevance_group
read_group(size_t *end, int *shown, const struct value_relevance_sizes *search, size_t from) {
    const struct sample *first = search->samples[from];
    struct value_relevance_group group = {.is_same = true};
    bool differs[BSIM_FEATURES_MAX] = {false};
    for (*end = from; *end < search->count; ++*end) {
        const struct sample *sample = search->samples[*end];
        if (by_other_features(&first, &sample, (void *)search) != 0)
            break;
        group.executions += sample->count;
        group.is_same = group.is_same && same_numbers(first, sample);
        for (int k = 0; k < search->left_out; k++) {
            int feature = search->sizes[k].feature;
            differs[k] = differs[k] || sample->features[feature] != first->features[feature];
            group.differs = group.differs || differs[k];
        }
    }
    for (int k = 0; k < search->left_out; k++)
        shown[k] += group.is_same && differs[k];
    return group;
}

static bool are_irrelevant(struct value_relevance_sizes *search) {
    int shown[BSIM_FEATURES_MAX] = {0};
    double all = 0, differing = 0, same = 0;
    qsort_r(search->samples, search->count, sizeof *search->samples, by_other_features, search);
    for (size_t i = 0, end; i < search->count; i = end) {
        struct value_relevance_group group = read_group(&end, shown, search, i);
        all += group.executions;
        differing += group.differs ? group.executions : 0;
        same += group.differs && group.is_same ? group.executions : 0;
    }
    bool irrelevant = differing >= SHOWN_SHARE * all && same >= SAME_SHARE * differing;
    for (int k = 0; k < search->left_out; k++)
        irrelevant = irrelevant && shown[k] >= GROUPS_MIN;
    return irrelevant;
}

bool value_relevance_without_sizes(struct value_relevance *out, struct arena *arena,
                                   const struct samples *all, enum value_kind kind) {
    struct value_relevance_size sizes[BSIM_FEATURES_MAX];
    struct value_relevance_sizes search = {
        .sizes = sizes, .count = out->sample_count, .feature_count = feature_count_of(out)};
    if ((kind != VALUE_BRANCH && kind != VALUE_TRIPS) || search.feature_count == 0)
        return false;
    search.samples = xmalloc(search.count * sizeof(const struct sample *));
    for (size_t i = 0; i < search.count; i++)
        search.samples[i] = &out->samples[i];
    find_sizes(&search, out->samples, all->run_count);
    search.left_out = search.size_count;
    while (search.left_out > 0 && !are_irrelevant(&search))
        search.left_out--;
    free(search.samples);
    bool *more = ARENA_ARRAY(arena, bool, (size_t)search.feature_count);
    for (int j = 0; j < search.feature_count; j++)
        more[j] = is_left_out(&search, j); /* what names ranks is no size of a run */
    if (search.left_out == 0)
        return false;
    leave_out(out, arena, more);
    return out->without_sizes = true;
}

/* ---- What nothing uses ---- */

struct value_relevance_search {
    const struct value_data *data;
    const struct sample **samples;
    bool *left_out; /* by place in a vector */
    int *shown;     /* likewise */
    int place_count;
};

static double number_at(const struct value_relevance_search *s, const struct sample *sample,
                        int place) {
    int features = s->data->feature_count;
    return place < features ? sample->features[place]
                            : s->data->runs.numbers[sample->run][place - features];
}

static int by_other_places(const void *left, const void *right, void *context) {
    const struct sample *l = *(const struct sample *const *)left;
    const struct sample *r = *(const struct sample *const *)right;
    const struct value_relevance_search *s = context;
    for (int j = 0; j < s->place_count; j++) {
        double a = number_at(s, l, j), b = number_at(s, r, j);
        if (!s->left_out[j] && a != b)
            return a < b ? -1 : 1;
    }
    return 0;
}

/* False: samples that only differ in what is left out have different numbers. */
static bool look_at_groups(struct value_relevance_search *s) {
    size_t count = s->data->sample_count, first = 0;
    memset(s->shown, 0, (size_t)s->place_count * sizeof *s->shown);
    qsort_r(s->samples, count, sizeof *s->samples, by_other_places, s);
    for (size_t i = 1; i < count; i++) {
        const struct sample **group = &s->samples[first];
        if (by_other_places(group, &s->samples[i], s) != 0) {
            first = i;
            continue;
        }
        if (!same_numbers(*group, s->samples[i]))
            return false;
        for (int j = 0; j < s->place_count; j++)
            s->shown[j] += number_at(s, *group, j) != number_at(s, s->samples[i], j);
    }
    return true;
}

/* Of the places in s->left_out those that are shown to be. */
static bool find_shown(struct value_relevance_search *s) {
    bool changed = true, left = true;
    while (changed && left) {
        if (!look_at_groups(s))
            return false;
        changed = left = false;
        for (int j = 0; j < s->place_count; j++) {
            bool is_shown = s->shown[j] >= SHOWN_MIN;
            changed = changed || (s->left_out[j] && !is_shown);
            s->left_out[j] = s->left_out[j] && is_shown;
            left = left || s->left_out[j];
        }
    }
    return left;
}

/* The first ones try more. */
enum { ALL, FEATURES_AND_RANKS, FEATURES, TRIES };

static bool is_tried(const struct value_data *data, int place, int what) {
    bool are_ranks = data->ranks_vary && place == data->feature_count;
    return place < data->feature_count || what == ALL || (what == FEATURES_AND_RANKS && are_ranks);
}

static bool find_unused(struct value_relevance_search *s, const bool *used) {
    bool found = false;
    for (int what = 0; what < TRIES && !found; what++) {
        for (int j = 0; j < s->place_count; j++)
            s->left_out[j] = !used[j] && is_tried(s->data, j, what);
        found = find_shown(s);
    }
    return found;
}

/* Runs that differ in nothing else have the same numbers. */
static void take_relevant(struct value_relevance *out, struct arena *arena,
                          const struct value_relevance_search *s) {
    int *places = ARENA_ARRAY(arena, int, (size_t)s->place_count + 1);
    out->relevant_count = 0;
    for (int j = 0; j < s->place_count; j++)
        if (!s->left_out[j])
            places[out->relevant_count++] = j;
    out->relevant = places;
}

bool value_relevance_without_unused(struct value_relevance *out, struct arena *arena,
                                    const struct value_data *data, const bool *used) {
    int features = data->feature_count, feature_count = 0, context_count = 0;
    size_t places = (size_t)(features + data->context_count);
    struct value_relevance_search s = {.data = data, .place_count = (int)places};
    s.left_out = ARENA_ARRAY(arena, bool, places + 1);
    s.shown = ARENA_ARRAY(arena, int, places + 1);
    s.samples = xmalloc((data->sample_count + 1) * sizeof(const struct sample *));
    for (size_t i = 0; i < data->sample_count; i++)
        s.samples[i] = &data->samples[i];
    bool found = find_unused(&s, used);
    free(s.samples);
    for (int j = 0; j < s.place_count && found; j++)
        *(j < features ? &feature_count : &context_count) += s.left_out[j];
    if (feature_count > 0)
        leave_out(out, arena, s.left_out);
    if (context_count > 0)
        take_relevant(out, arena, &s);
    return feature_count > 0;
}
