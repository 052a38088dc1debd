/* SPDX-License-Identifier: Apache-2.0
 *
 * Times of ranks relative to the mean of their cell, the ranks of a run with equal features; see
 * ranks_apart.h.
 */
#include "synthesis/learn/ranks_apart.h"

#include <math.h>
#include <string.h>

/* Of the variance, that a condition may leave. As for `products and powers` of latencies, whose
 * error has to be half of that without them (docs/explanation/latency-models.md): with 1/2 in place
 * of 1/4 conditions are found in times that differ by chance. */
#define LEFT_MOST 0.25
#define DEVIATION_LEAST 0.05 /* ranks that differ by less may as well be one */

struct rank_time {
    uint32_t run;
    int rank;
    struct synth_situation at;
    double features[SYNTH_FEATURES_MOST];
    double seconds, calls;
    size_t cell;  /* the first rank of its run with equal features */
    double x;     /* the mean time of its calls over that of its cell */
    double class; /* whether the condition at hand holds, or what the quantity is */
};

typedef VEC(struct rank_time) rank_times;

struct time_scatter {
    double variance;
    size_t freedom, classes; /* of ranks: beyond one for each class */
};

/* ---- Times ---- */

static struct rank_time *time_of(rank_times *out, const struct sighting *row) {
    struct rank_time *last = out->count > 0 ? &out->items[out->count - 1] : NULL;
    if (last != NULL && last->run == row->run && last->rank == row->rank)
        return last;
    vec_push(out, (struct rank_time){.run = row->run, .rank = row->rank});
    return &out->items[out->count - 1];
}

static void add_times(rank_times *out, const struct learned_program *learned, int region) {
    const struct learned_region *of = &learned->regions.items[region];
    const struct synth_region *model = &learned->model.regions[region];
    const struct sighting_rows *rows = &learned->sightings.nodes[of->node].calls;
    for (size_t i = 0; i < rows->of.count; i++) {
        const struct sighting *row = &rows->of.items[i];
        struct synth_situation at = sighting_situation(&learned->sightings, rows, row);
        if (synth_visit(&at) != of->visit ||
            bsim_synth_region(&learned->model, of->first, &at) != region)
            continue;
        struct rank_time *time = time_of(out, row);
        time->at = at;
        for (int k = 0; k < model->feature_count; k++)
            time->features[k] = bsim_synth_number(&at, &model->features[k]);
        time->seconds += row->call->compute_s;
        time->calls++;
    }
}

static size_t cell_of(const rank_times *times, size_t rank) {
    const struct rank_time *of = times->items;
    size_t i = rank;
    while (i > 0 && of[i - 1].run == of[rank].run)
        i--;
    while (memcmp(of[i].features, of[rank].features, sizeof of->features) != 0)
        i++;
    return i;
}

static void divide_by_cells(rank_times *times) {
    double *seconds = xcalloc(times->count + 1, sizeof *seconds);
    double *ranks = xcalloc(times->count + 1, sizeof *ranks);
    for (size_t i = 0; i < times->count; i++) {
        struct rank_time *time = &times->items[i];
        time->cell = cell_of(times, i);
        time->x = time->seconds / time->calls;
        seconds[time->cell] += time->x;
        ranks[time->cell]++;
    }
    for (size_t i = 0; i < times->count; i++) {
        struct rank_time *time = &times->items[i];
        double mean_s = seconds[time->cell] / ranks[time->cell];
        time->x = mean_s > 0 ? time->x / mean_s : 1;
    }
    free(seconds);
    free(ranks);
}

/* ---- Conditions ---- */

/* The first rank of the cell that is in the same class. */
static size_t class_of(const rank_times *times, size_t rank) {
    const struct rank_time *of = times->items;
    size_t i = of[rank].cell;
    while (of[i].cell != of[rank].cell || of[i].class != of[rank].class)
        i++;
    return i;
}

/* Of x around the mean of the ranks of its class. */
static struct time_scatter scatter_of(const rank_times *times) {
    double *sums = xcalloc(times->count + 1, sizeof *sums);
    double *ranks = xcalloc(times->count + 1, sizeof *ranks);
    struct time_scatter out = {0};
    for (size_t i = 0; i < times->count; i++) {
        size_t class = class_of(times, i);
        out.classes += ranks[class]++ == 0;
        sums[class] += times->items[i].x;
    }
    out.freedom = times->count - out.classes;
    for (size_t i = 0; i < times->count; i++) {
        size_t class = class_of(times, i);
        out.variance +=
            pow(times->items[i].x - sums[class] / ranks[class], 2) / (double)out.freedom;
    }
    free(sums);
    free(ranks);
    return out;
}

/* NULL: all are in one class. */
static void classify(rank_times *times, const struct synth_quantity_kind *kind,
                     const struct synth_quantity *of) {
    for (size_t i = 0; i < times->count; i++)
        times->items[i].class = kind != NULL ? kind[of->kind].value(&times->items[i].at, of) : 0;
}

static struct synth_quantity named(const struct synth_quantity_kind *kinds, const char *name,
                                   int axis) {
    struct synth_quantity out = {.a = (short)axis};
    while (strcmp(kinds[out.kind].name, name) != 0)
        out.kind++;
    return out;
}

/* What divides ranks into classes that are alike, of these kinds on any axis. */
static bool find_classes(struct synth_quantity *out, rank_times *times,
                         const struct vocabulary *vocabulary,
                         const struct synth_quantity_kind *kinds, const char *const *names) {
    classify(times, NULL, NULL);
    const struct time_scatter all = scatter_of(times);
    double least = LEFT_MOST * all.variance;
    bool is_found = false;
    if (all.freedom == 0 || all.variance < DEVIATION_LEAST * DEVIATION_LEAST)
        return false;
    for (int i = 0; i < vocabulary->axis_count; i++)
        for (int k = 0; names[k] != NULL; k++) {
            const struct synth_quantity of = named(kinds, names[k], vocabulary->axes[i]);
            classify(times, kinds, &of);
            const struct time_scatter left = scatter_of(times);
            if (left.classes < all.classes + 2 || left.freedom == 0 || left.variance > least)
                continue;
            least = left.variance * (1 - 1e-9); /* of equal ones the first */
            *out = of;
            is_found = true;
        }
    return is_found;
}

/* ---- Regions ---- */

static int set_apart(struct learned_program *learned, int region,
                     const struct synth_quantity *where) {
    struct synth_model *model = &learned->model;
    int apart = model->region_count++;
    struct learned_region copy = learned->regions.items[region];
    copy.apart_from = region;
    vec_push(&learned->regions, copy);
    model->regions[apart] = model->regions[region];
    model->regions[region].apart = apart;
    model->regions[region].where = *where;
    return apart;
}

/* The region of those apart, which may be divided once more; -1: there are none. */
static int divide(struct learned_program *learned, const struct vocabulary *vocabulary,
                  int region) {
    static const char *const conditions[] = {"at-end", "position-is", "from-end-is", NULL};
    rank_times times = {0};
    struct synth_quantity where;
    add_times(&times, learned, region);
    divide_by_cells(&times);
    int apart = find_classes(&where, &times, vocabulary, bsim_synth_conditions, conditions)
                    ? set_apart(learned, region, &where)
                    : -1;
    vec_dispose(&times);
    return apart;
}

/* A feature of what changes from the ends to the middle. */
static void add_place(struct learned_program *learned, const struct vocabulary *vocabulary,
                      int region) {
    static const char *const quantities[] = {"end-share", NULL};
    struct synth_region *of = &learned->model.regions[region];
    rank_times times = {0};
    struct synth_quantity place;
    add_times(&times, learned, region);
    divide_by_cells(&times);
    if (of->feature_count < SYNTH_FEATURES_MOST &&
        find_classes(&place, &times, vocabulary, bsim_synth_quantities, quantities))
        of->features[of->feature_count++] = place;
    vec_dispose(&times);
}

void ranks_apart_learn(struct learned_program *learned, const struct vocabulary *vocabulary) {
    int count = learned->model.region_count;
    for (int i = 0; i < count; i++)
        for (int k = 0, region = i; k < RANKS_APART_MOST && region >= 0; k++)
            region = divide(learned, vocabulary, region);
    for (int i = 0; i < learned->model.region_count; i++)
        add_place(learned, vocabulary, i);
}
