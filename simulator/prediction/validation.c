/* SPDX-License-Identifier: Apache-2.0 */
#include "simulator/prediction/validation.h"

#include "base/numbers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NORMAL_QUANTILE 1.959964 /* the interval is one of 95 %, and so is the measured time's */

static double standard_error(const double *seconds, size_t count) {
    double mean = 0, squares = 0;
    if (count < 2)
        return NAN;
    for (size_t i = 0; i < count; i++)
        mean += seconds[i] / (double)count;
    for (size_t i = 0; i < count; i++)
        squares += (seconds[i] - mean) * (seconds[i] - mean);
    return mean > 0 ? sqrt(squares / (double)(count - 1) / (double)count) / mean : 0;
}

struct times times_of(double *seconds, size_t count) {
    double median_s = numbers_median(seconds, count); /* sorts them */
    return (struct times){
        count, median_s, seconds[0], seconds[count - 1], standard_error(seconds, count), 0};
}

/* Those that are off by most seconds first. */
static int compare_regions(const void *left, const void *right) {
    const struct validated_region *l = left, *r = right;
    double off = fabs(r->predicted_s - r->measured_s) - fabs(l->predicted_s - l->measured_s);
    if (off != 0)
        return off > 0 ? 1 : -1;
    return l->region->index - r->region->index;
}

void validated_add_regions(struct validated *out, const struct prediction *prediction,
                           const double *region_s) {
    const struct regions *regions = prediction->regions;
    for (int i = 0; i < regions->count; i++) {
        struct validated_region row = {
            .region = &regions->items[i], .measured_s = region_s[i], .error = {.factor = 1}};
        for (size_t k = 0; k < prediction->stats->region_count; k++) {
            if (prediction->regions_by_time[k].index != (size_t)i)
                continue;
            row.predicted_s = prediction->regions_by_time[k].seconds;
            row.error = prediction->errors[k];
        }
        bool is_latency = row.region->value == VALUE_NONE;
        if (is_latency && (row.predicted_s > 0 || row.measured_s > 0))
            vec_push(&out->regions, row);
    }
    if (out->regions.count > 0)
        qsort(out->regions.items, out->regions.count, sizeof *out->regions.items, compare_regions);
}

static const struct call_stats *find_calls(const struct run_stats *stats, const char *name) {
    static const struct call_stats none = {0};
    for (size_t i = 0; i < stats->call_count; i++)
        if (strcmp(stats->calls[i].name, name) == 0)
            return &stats->calls[i];
    return &none;
}

static void add_function(struct validated_synthesis *out, const char *name,
                         const struct run_stats *skeleton, const struct run_stats *synthesised) {
    const struct call_stats *one = find_calls(skeleton, name);
    const struct call_stats *other = find_calls(synthesised, name);
    const struct validated_function row = {name, one->count, other->count, one->bytes,
                                           other->bytes};
    vec_push(&out->functions, row);
    out->all.skeleton_calls += row.skeleton_calls;
    out->all.synthesised_calls += row.synthesised_calls;
    out->all.skeleton_bytes += row.skeleton_bytes;
    out->all.synthesised_bytes += row.synthesised_bytes;
}

void validated_add_functions(struct validated_synthesis *out, const struct run_stats *skeleton,
                             const struct run_stats *synthesised, struct arena *arena) {
    out->all.name = "all functions";
    for (size_t i = 0; i < skeleton->call_count; i++)
        add_function(out, arena_strdup(arena, skeleton->calls[i].name), skeleton, synthesised);
    for (size_t i = 0; i < synthesised->call_count; i++)
        if (find_calls(skeleton, synthesised->calls[i].name)->name == NULL)
            add_function(out, arena_strdup(arena, synthesised->calls[i].name), skeleton,
                         synthesised);
}

void validated_find_doubts(struct validated *out, const struct disturbance *disturbance) {
    if (out->original.count > 0 && out->original.median_s < VALIDATION_SHORT_S)
        findings_add(&out->findings, "short", 1, "validate with larger arguments",
                     "the original takes %.3g ms only: what interrupts it counts as much as what "
                     "it does",
                     1e3 * out->original.median_s);
    out->is_disturbed = disturbance_matters(disturbance);
    if (out->is_disturbed)
        findings_add(&out->findings, "disturbed", disturbance->others + disturbance->stolen,
                     "measure again while nothing else runs, or with BSIM_QUIET=60, which waits "
                     "for that",
                     "this machine was disturbed: others had %.0f %% of its processors meanwhile, "
                     "and measured times are too long",
                     100 * (disturbance->others + disturbance->stolen));
    findings_sort(&out->findings);
}

enum validation_verdict validation_verdict_of(const struct validated *one,
                                              const struct times *times) {
    const struct interval *interval = &one->interval;
    double off_s = one->is_counted ? 0 : NORMAL_QUANTILE * times->standard_error * times->median_s;
    bool is_inside = times->median_s >= interval->low_s && times->median_s <= interval->high_s;
    if (!interval->known)
        return VERDICT_NO_INTERVAL;
    if (isnan(off_s))
        return VERDICT_ONE_RUN;
    if (one->is_disturbed && !(one->is_corrected && times == &one->original))
        return VERDICT_DISTURBED;
    if (fabs(times->median_s - interval->low_s) < off_s ||
        fabs(times->median_s - interval->high_s) < off_s)
        return VERDICT_TOO_NEAR;
    return is_inside ? VERDICT_INSIDE : VERDICT_OUTSIDE;
}

double error_of(double predicted_s, double measured_s) {
    return measured_s > 0 ? predicted_s / measured_s - 1 : predicted_s > 0 ? INFINITY : 0;
}

double validation_largest_error(const struct validation *validation) {
    double largest = 0;
    for (size_t i = 0; i < validation->items.count; i++) {
        const struct validated *one = &validation->items.items[i];
        if (one->original.count > 0)
            largest = fmax(largest, fabs(error_of(one->predicted_s, one->original.median_s)));
        if (one->real.count > 0 && !one->is_crowded)
            largest = fmax(largest, fabs(error_of(one->predicted_s, one->real.median_s)));
        if (one->synthesis.is_known)
            largest = fmax(largest, fabs(error_of(one->synthesis.predicted_s, one->predicted_s)));
    }
    return largest;
}

void validation_dispose(struct validation *validation) {
    for (size_t i = 0; i < validation->items.count; i++) {
        vec_dispose(&validation->items.items[i].regions);
        vec_dispose(&validation->items.items[i].synthesis.functions);
        findings_dispose(&validation->items.items[i].findings);
    }
    vec_dispose(&validation->items);
}
