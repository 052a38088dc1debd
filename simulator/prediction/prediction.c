/* SPDX-License-Identifier: Apache-2.0 */
#include "simulator/prediction/prediction.h"

#include "base/str.h"
#include "model/eval/eval_run_factor.h"
#include "model/eval/eval_value.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum rank_quantity { RANK_COMPUTE, RANK_MPI, RANK_CALLS, RANK_DEVICE };

static double quantity_of(const struct rank_stats *rank, enum rank_quantity quantity) {
    switch (quantity) {
    case RANK_COMPUTE:
        return rank->compute_s;
    case RANK_MPI:
        return rank->mpi_s;
    case RANK_DEVICE:
        return rank->device_s;
    default:
        return rank->calls;
    }
}

static struct extremes spread_over_ranks(const struct run_stats *stats,
                                         enum rank_quantity quantity) {
    struct extremes out = {INFINITY, 0, 0};
    for (size_t i = 0; i < stats->ranks; i++) {
        double value = quantity_of(&stats->per_rank[i], quantity);
        out.min = fmin(out.min, value);
        out.max = fmax(out.max, value);
        out.mean += value / (double)stats->ranks;
    }
    return out;
}

static int compare_numbers(double left, double right) {
    return (left > right) - (left < right);
}

static int compare_regions(const void *left, const void *right) {
    const struct region_stats *a = left, *b = right;
    int order = compare_numbers(b->seconds, a->seconds);
    return order != 0 ? order : compare_numbers((double)a->index, (double)b->index);
}

static int compare_calls(const void *left, const void *right) {
    const struct call_stats *a = left, *b = right;
    int order = compare_numbers(b->seconds, a->seconds);
    if (order == 0)
        order = strcmp(a->name, b->name);
    if (order == 0 && a->file != NULL)
        order = strcmp(a->file, b->file);
    return order != 0 ? order : compare_numbers((double)a->line, (double)b->line);
}

static int compare_extrapolations(const void *left, const void *right) {
    const struct extrapolation *a = left, *b = right;
    int order = compare_numbers(b->factor, a->factor);
    if (order == 0)
        order = compare_numbers(a->region->index, b->region->index);
    return order != 0 ? order : strcmp(a->name, b->name);
}

static void *sorted_copy(struct arena *arena, const void *items, size_t count, size_t size,
                         int (*compare)(const void *, const void *)) {
    void *copy = arena_alloc(arena, (count + 1) * size);
    memcpy(copy, items, count * size);
    qsort(copy, count, size, compare);
    return copy;
}

/* By how much the seen range leaves the trained one, on the worse of its two sides. */
static double factor_of(const struct extrapolation *range) {
    double above = 1, below = 1;
    if (range->seen_max > range->trained_max)
        above = range->trained_max > 0 ? range->seen_max / range->trained_max : INFINITY;
    if (range->seen_min < range->trained_min)
        below = range->seen_min > 0 ? range->trained_min / range->seen_min : INFINITY;
    return fmax(above, below);
}

static void add_extrapolations(struct prediction *out, const struct region_stats *seen,
                               const struct region *region, const struct bsim_region_model *model) {
    for (size_t i = 0; i < seen->feature_count; i++) {
        struct extrapolation range = {
            .region = region,
            .name = region->features[i].name,
            .meaning = region->features[i].meaning,
            .seen_min = seen->features_min[i],
            .seen_max = seen->features_max[i],
            .trained_min = bsim_region_feature_min(model, (int)i),
            .trained_max = bsim_region_feature_max(model, (int)i),
        };
        range.factor = factor_of(&range);
        if (range.factor > 1)
            vec_push(&out->extrapolations, range);
    }
}

/* Of a number that a model goes by (model/eval/eval_run_factor.h). */
static const char *meaning_of(struct arena *arena, const char *name,
                              const struct regions *regions) {
    int feature = 0, region = 0;
    if (bsim_scale_is_of_region(name, &feature, &region) && region >= 0 &&
        region < regions->count && feature <= regions->items[region].feature_count)
        return arena_printf(arena, "%s in region %d",
                            regions->items[region].features[feature - 1].meaning, region);
    return strcmp(name, "ranks") == 0 ? "the number of ranks" : "an argument";
}

static int add_run_numbers(struct prediction *out, const struct region_stats *seen,
                           const struct region *region, const struct bsim_region_model *model,
                           struct arena *arena, struct error *error) {
    const struct bsim_scale *scale = bsim_region_scale(model);
    if (seen->run_number_count != (scale != NULL ? (size_t)bsim_scale_count(scale) : 0))
        return error_set(error,
                         "region %s was run with another model than that of the bundle: run "
                         "mpiskel fit and mpiskel run again",
                         region->id);
    for (int i = 0; i < (int)seen->run_number_count; i++) {
        const char *name = bsim_scale_name(scale, i);
        struct extrapolation range = {
            .region = region,
            .name = arena_strdup(arena, name),
            .meaning = meaning_of(arena, name, out->regions),
            .seen_min = seen->run_numbers_min[i],
            .seen_max = seen->run_numbers_max[i],
            .trained_min = bsim_scale_least(scale, i),
            .trained_max = bsim_scale_most(scale, i),
        };
        range.factor = factor_of(&range);
        if (range.factor > 1)
            vec_push(&out->extrapolations, range);
    }
    return 0;
}

static int match_region(struct prediction *out, const struct region_stats *seen,
                        const struct bsim_model *model, struct arena *arena, struct error *error) {
    const struct regions *regions = out->regions;
    if (seen->index >= (size_t)regions->count)
        return error_set(error,
                         "the run reports region %zu, but %s has %d: the skeleton is of "
                         "another bundle; run mpiskel generate again",
                         seen->index, regions->path, regions->count);
    const struct region *region = &regions->items[seen->index];
    if (seen->feature_count != (size_t)region->feature_count)
        return error_set(error,
                         "region %s was run with %zu features, but %s has %d: the skeleton "
                         "is of another bundle; run mpiskel generate again",
                         region->id, seen->feature_count, regions->path, region->feature_count);
    if (out->original || seen->executions <= 0)
        return 0;
    const struct bsim_region_model *fitted =
        model != NULL ? bsim_model_region(model, region->index) : NULL;
    if (fitted == NULL || bsim_region_feature_count(fitted) != region->feature_count)
        return error_set(error,
                         "region %s (%s:%d) was reached, but has no model that fits: make "
                         "profiling runs that reach it, then mpiskel fit",
                         region->id, region->file, region->line);
    add_extrapolations(out, seen, region, fitted);
    return add_run_numbers(out, seen, region, fitted, arena, error);
}

static int match_value(const struct prediction *out, size_t index, struct error *error) {
    if (index < (size_t)out->regions->count)
        return 0;
    return error_set(error,
                     "the run has a value %zu, but %s has %d regions: the skeleton is of another "
                     "bundle; run mpiskel generate again",
                     index, out->regions->path, out->regions->count);
}

static int match_values(const struct prediction *out, struct error *error) {
    for (size_t i = 0; i < out->stats->doubtful_loop_count; i++)
        if (match_value(out, out->stats->doubtful_loops[i].index, error) != 0)
            return -1;
    for (size_t i = 0; i < out->stats->untold_count; i++)
        if (match_value(out, out->stats->untold_values[i].index, error) != 0)
            return -1;
    for (size_t i = 0; i < out->stats->unvaried_count; i++)
        if (match_value(out, out->stats->unvaried_values[i].index, error) != 0)
            return -1;
    return 0;
}

static void add_errors(struct prediction *out, const struct bsim_model *model,
                       const struct interval_basis *basis, struct arena *arena) {
    size_t count = out->stats->region_count;
    out->errors = ARENA_ARRAY(arena, struct region_error, count);
    for (size_t i = 0; i < count; i++) {
        const struct region_stats *seen = &out->regions_by_time[i];
        out->errors[i] =
            region_error_of(seen, model != NULL ? bsim_model_region(model, (int)seen->index) : NULL,
                            out->regions->is_synthesised);
    }
    interval_make(&out->interval, out->stats, out->regions, model, basis);
}

static int compare_untold(const void *left, const void *right) {
    const struct untold_region *a = left, *b = right;
    return a->error != b->error ? (a->error < b->error) - (a->error > b->error)
                                : a->region->index - b->region->index;
}

static void add_untold(struct prediction *out, const struct bsim_model *model,
                       struct arena *arena) {
    size_t count = out->stats->untold_count;
    out->untold = ARENA_ARRAY(arena, struct untold_region, count + 1);
    for (size_t i = 0; i < count; i++) {
        const struct untold_count *seen = &out->stats->untold_values[i];
        const struct bsim_value_model *value =
            model != NULL ? bsim_model_value(model, (int)seen->index) : NULL;
        out->untold[i] = (struct untold_region){&out->regions->items[seen->index], seen->count,
                                                value != NULL ? bsim_value_untold(value) : 0};
    }
    qsort(out->untold, count, sizeof *out->untold, compare_untold);
}

static const char *name_of_place(struct arena *arena, const struct region *region,
                                 const struct bsim_model *model, size_t place) {
    size_t features = (size_t)region->feature_count;
    if (place < features)
        return arena_printf(arena, "%s (%s)", region->features[place].name,
                            region->features[place].meaning);
    const struct bsim_value_model *value =
        model != NULL ? bsim_model_value(model, region->index) : NULL;
    bool is_known = value != NULL && place - features < (size_t)bsim_value_context_count(value);
    return is_known ? arena_strdup(arena, bsim_value_context_name(value, (int)(place - features)))
                    : "a number of the run";
}

static void name_unvaried(struct prediction *out, const struct bsim_model *model,
                          struct arena *arena) {
    size_t count = out->stats->unvaried_count;
    out->unvaried_names = ARENA_ARRAY(arena, const char *, count + 1);
    for (size_t i = 0; i < count; i++) {
        const struct unvaried_value *value = &out->stats->unvaried_values[i];
        out->unvaried_names[i] =
            name_of_place(arena, &out->regions->items[value->index], model, value->place);
    }
}

/* What a split access takes passes until its end. */
static void add_access(struct file_access *out, const struct call_stats *call, double ranks) {
    if (strstr(call->name, "_end") == NULL) {
        out->count += call->count;
        out->bytes += call->bytes;
    }
    out->seconds_per_rank += call->seconds / ranks;
}

static void sum_files(struct prediction *out, struct run_stats *stats) {
    static const char *const names[] = {"read", "write"};
    size_t count = sizeof names / sizeof *names;
    out->files = ARENA_ARRAY(&stats->arena, struct file_access, count);
    for (size_t k = 0; k < count; k++) {
        out->files[k] = (struct file_access){.name = names[k]};
        for (size_t i = 0; i < stats->call_count; i++)
            if (text_has_prefix(stats->calls[i].name, "MPI_File_") &&
                strstr(stats->calls[i].name, names[k]) != NULL)
                add_access(&out->files[k], &stats->calls[i], (double)stats->ranks);
        if (out->files[k].count > 0)
            out->file_count = count;
    }
}

static const struct extremes *device_times(struct arena *arena, const struct run_stats *stats) {
    struct extremes *out = ARENA_NEW(arena, struct extremes);
    *out = spread_over_ranks(stats, RANK_DEVICE);
    return out->max > 0 ? out : NULL;
}

int prediction_make(struct prediction *out, struct run_stats *stats, const struct regions *regions,
                    const struct bsim_model *model, const struct interval_basis *basis,
                    bool original, struct error *error) {
    struct arena *arena = &stats->arena;
    *out = (struct prediction){
        .program = regions->program,
        .original = original,
        .stats = stats,
        .regions = regions,
        .compute_s = spread_over_ranks(stats, RANK_COMPUTE),
        .mpi_s = spread_over_ranks(stats, RANK_MPI),
        .calls = spread_over_ranks(stats, RANK_CALLS),
        .device_s = device_times(arena, stats),
        .regions_by_time = sorted_copy(arena, stats->regions, stats->region_count,
                                       sizeof *stats->regions, compare_regions),
        .calls_by_time = sorted_copy(arena, stats->calls, stats->call_count, sizeof *stats->calls,
                                     compare_calls),
        .sites_by_time = sorted_copy(arena, stats->sites, stats->site_count, sizeof *stats->sites,
                                     compare_calls),
    };
    for (size_t i = 0; i < stats->ranks; i++)
        out->rank_seconds += stats->per_rank[i].end_s;
    sum_files(out, stats);
    int result = 0;
    for (size_t i = 0; result == 0 && i < stats->region_count; i++)
        result = match_region(out, &stats->regions[i], model, arena, error);
    if (result == 0)
        result = match_values(out, error);
    if (out->extrapolations.count > 0)
        qsort(out->extrapolations.items, out->extrapolations.count,
              sizeof *out->extrapolations.items, compare_extrapolations);
    if (result == 0 && !original)
        add_errors(out, model, basis, arena);
    if (result == 0)
        add_untold(out, model, arena);
    if (result == 0)
        name_unvaried(out, model, arena);
    if (result != 0)
        prediction_dispose(out);
    return result;
}

void prediction_dispose(struct prediction *prediction) {
    vec_dispose(&prediction->extrapolations);
}

void interrupted_sum_up(struct interrupted *interrupted, const struct run_stats *stats) {
    interrupted->share = interruptions_share(&interrupted->noise.interruptions);
    interrupted->interrupted_s = 0;
    for (size_t i = 0; i < stats->ranks; i++)
        interrupted->interrupted_s += stats->per_rank[i].interrupted_s / (double)stats->ranks;
}
