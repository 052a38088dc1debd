/* SPDX-License-Identifier: Apache-2.0
 *
 * Sums over all samples, region by region; see compare.h.
 */
#include "model/findings/compare.h"

#include "base/vec.h"
#include "model/samples/points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef VEC(const struct sample *) work_list;

static int compare_work(const void *left, const void *right) {
    const struct sample *l = *(const struct sample *const *)left;
    const struct sample *r = *(const struct sample *const *)right;
    if (l->region != r->region)
        return l->region < r->region ? -1 : 1;
    return features_compare(l->features, r->features, l->feature_count);
}

static void add_work(work_list *out, const struct samples *samples) {
    for (size_t i = 0; samples != NULL && i < samples->count; i++)
        vec_push(out, &samples->items[i]);
}

static bool is_outside(const struct latency_model *model, const double *features) {
    for (int j = 0; j < model->feature_count; j++)
        if (features[j] < model->min[j] || features[j] > model->max[j])
            return true;
    return false;
}

/* One feature vector that is executed `executions` times. */
static void add_vector(struct compared_region *out, const struct latency_model *a,
                       const struct latency_model *b, const double *features, double executions) {
    double a_s = latency_evaluate(a, features), b_s = latency_evaluate(b, features);
    out->a.time_s += a_s * executions;
    out->b.time_s += b_s * executions;
    out->a.outside += is_outside(a, features);
    out->b.outside += is_outside(b, features);
    out->vector_count++;
    if (!(a_s > 0))
        return;
    out->ratio_min = fmin(out->ratio_min, b_s / a_s);
    out->ratio_max = fmax(out->ratio_max, b_s / a_s);
}

static void compare_region(struct compared_region *out, const struct latency_model *a,
                           const struct latency_model *b, const struct sample *const *work,
                           size_t count) {
    out->ratio_min = out->ratio_max = NAN; /* which fmin and fmax pass over */
    for (size_t first = 0, end; first < count; first = end) {
        double executions = 0;
        for (end = first; end < count && compare_work(&work[first], &work[end]) == 0; end++)
            executions += work[end]->count;
        add_vector(out, a, b, work[first]->features, executions);
    }
    out->ratio = out->a.time_s > 0 ? out->b.time_s / out->a.time_s : NAN;
}

static void sum_up(struct models_comparison *out) {
    for (int i = 0; i < out->count; i++) {
        out->a_s += out->items[i].a.time_s;
        out->b_s += out->items[i].b.time_s;
        out->only_on_a += out->items[i].on_a && !out->items[i].on_b;
        out->only_on_b += out->items[i].on_b && !out->items[i].on_a;
    }
    for (int i = 0; i < out->count; i++) {
        out->items[i].a.share = out->a_s > 0 ? out->items[i].a.time_s / out->a_s : 0;
        out->items[i].b.share = out->b_s > 0 ? out->items[i].b.time_s / out->b_s : 0;
    }
}

void models_compare(struct models_comparison *out, const struct models *a, const struct models *b,
                    const struct samples *work_a, const struct samples *work_b,
                    const struct regions *regions) {
    work_list work = {0};
    *out = (struct models_comparison){.count = regions->count};
    arena_init(&out->arena);
    out->items = ARENA_ARRAY(&out->arena, struct compared_region, (size_t)regions->count);
    add_work(&work, work_a);
    add_work(&work, work_b);
    if (work.count > 0)
        qsort(work.items, work.count, sizeof *work.items, compare_work);
    size_t first = 0;
    for (int i = 0; i < regions->count; i++) {
        size_t end = first;
        while (end < work.count && work.items[end]->region == i)
            end++;
        struct compared_region *item = &out->items[i];
        bool is_latency = regions->items[i].value == VALUE_NONE;
        item->on_a = is_latency && a->items[i].fitted;
        item->on_b = is_latency && b->items[i].fitted;
        item->ratio = item->ratio_min = item->ratio_max = NAN;
        if (item->on_a && item->on_b)
            compare_region(item, &a->items[i], &b->items[i], work.items + first, end - first);
        first = end;
    }
    vec_dispose(&work);
    sum_up(out);
}

void models_comparison_dispose(struct models_comparison *comparison) {
    arena_dispose(&comparison->arena);
    *comparison = (struct models_comparison){0};
}
