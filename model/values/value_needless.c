/* SPDX-License-Identifier: Apache-2.0
 *
 * Sizes are features that are the same in all of a run. Samples in which all but the sizes that are
 * left out is the same make a group; there have to be groups in which each of these sizes differs,
 * and their samples have to have the same decisions, nearly all. Sizes with the most different
 * numbers are left out first, and as many as can be: a size that is in several of them (cells in
 * each direction, and their product) is told by any.
 */
#include "model/values/value_needless.h"

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
#define GROUPS_MIN 2 /* with the same decisions, that show a size to be needless */

struct value_needless_size {
    int feature;
    int distinct; /* numbers */
};

struct value_needless_search {
    const struct sample **samples;
    size_t count;
    int feature_count;
    struct value_needless_size *sizes; /* the first ones are left out */
    int size_count, left_out;
};

/* ---- Sizes ---- */

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
    const struct value_needless_size *l = left, *r = right;
    return l->distinct != r->distinct ? r->distinct - l->distinct : r->feature - l->feature;
}

static void find_sizes(struct value_needless_search *search, const struct sample *samples,
                       int run_count) {
    for (int j = 0; j < search->feature_count; j++) {
        int distinct = count_distinct(samples, search->count, j, run_count);
        if (distinct > 1)
            search->sizes[search->size_count++] = (struct value_needless_size){j, distinct};
    }
    qsort(search->sizes, (size_t)search->size_count, sizeof *search->sizes, compare_sizes);
}

/* ---- Groups ---- */

static bool is_left_out(const struct value_needless_search *search, int feature) {
    for (int k = 0; k < search->left_out; k++)
        if (search->sizes[k].feature == feature)
            return true;
    return false;
}

static int by_rest(const void *left, const void *right, void *context) {
    const struct sample *l = *(const struct sample *const *)left;
    const struct sample *r = *(const struct sample *const *)right;
    const struct value_needless_search *search = context;
    for (int j = 0; j < search->feature_count; j++)
        if (l->features[j] != r->features[j] && !is_left_out(search, j))
            return l->features[j] < r->features[j] ? -1 : 1;
    return 0;
}

struct value_needless_group {
    double executions;
    bool is_same; /* decisions */
    bool differs; /* in some size */
};

/* From sample `from` on; *end: behind its last one. `shown`: counts of groups by size. */
static struct value_needless_group
read_group(size_t *end, int *shown, const struct value_needless_search *search, size_t from) {
    const struct sample *first = search->samples[from];
    struct value_needless_group group = {.is_same = true};
    bool differs[BSIM_FEATURES_MAX] = {false};
    for (*end = from; *end < search->count; ++*end) {
        const struct sample *sample = search->samples[*end];
        if (by_rest(&first, &sample, (void *)search) != 0)
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

static bool are_needless(struct value_needless_search *search) {
    int shown[BSIM_FEATURES_MAX] = {0};
    double all = 0, differing = 0, same = 0;
    qsort_r(search->samples, search->count, sizeof *search->samples, by_rest, search);
    for (size_t i = 0, end; i < search->count; i = end) {
        struct value_needless_group group = read_group(&end, shown, search, i);
        all += group.executions;
        differing += group.differs ? group.executions : 0;
        same += group.differs && group.is_same ? group.executions : 0;
    }
    bool needless = differing >= SHOWN_SHARE * all && same >= SAME_SHARE * differing;
    for (int k = 0; k < search->left_out; k++)
        needless = needless && shown[k] >= GROUPS_MIN;
    return needless;
}

/* ---- What is left ---- */

static void leave_out(struct value_ignored *out, struct arena *arena,
                      const struct value_needless_search *search) {
    bool *more = ARENA_ARRAY(arena, bool, (size_t)search->feature_count);
    for (int j = 0; j < search->feature_count; j++)
        more[j] = is_left_out(search, j); /* what names ranks is no size of a run */
    value_ignored_add(out, arena, search->count, more);
    out->has_sizes = true;
}

void value_needless_find(struct value_ignored *ignored, struct arena *arena,
                         const struct samples *all, size_t count, const struct region *region) {
    struct value_needless_size sizes[BSIM_FEATURES_MAX];
    struct value_needless_search search = {.sizes = sizes, .count = count};
    bool decides = region->value == VALUE_BRANCH || region->value == VALUE_TRIPS;
    search.feature_count = count > 0 ? ignored->samples->feature_count : 0;
    if (!decides || search.feature_count == 0)
        return;
    search.samples = xmalloc(count * sizeof(const struct sample *));
    for (size_t i = 0; i < count; i++)
        search.samples[i] = &ignored->samples[i];
    find_sizes(&search, ignored->samples, all->run_count);
    search.left_out = search.size_count;
    while (search.left_out > 0 && !are_needless(&search))
        search.left_out--;
    if (search.left_out > 0)
        leave_out(ignored, arena, &search);
    free(search.samples);
}
