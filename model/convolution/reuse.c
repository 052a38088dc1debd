/* SPDX-License-Identifier: Apache-2.0
 *
 * See reuse.h. Accesses of one block that move alike are a group: those that differ by constants
 * share lines, those that differ by terms of the program's are rows or planes. Where these lie on
 * both sides of the access (a stencil), the loops around come to each of them in turn, so that a
 * level further out has them once.
 */
#include "model/convolution/reuse.h"

#include "base/vec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LINE_BYTES 64
#define PAGES_MOST 64 /* of which a processor has translations at hand: the least that any has */
#define LEVELS_MAX 24
#define TERMS_MAX 32

struct access_group {
    int block;
    const struct signature_access *access;
    const char *terms[TERMS_MAX];
    int term_count;
    double low, high; /* offsets of those without terms */
    double accesses, stores;
    bool both_sides;
    int levels[LEVELS_MAX]; /* the loops around, from the innermost one on */
    int level_count;
};

struct reuse_walk {
    struct arena *arena;
    const struct signature_region *region;
    double *executions, *trips; /* by block; trips of loops: iterations in one entry */
    VEC(struct access_group) groups;
    VEC(struct memory_reuse) reuses;
};

/* ---- Loops ---- */

static bool is_loop(const struct signature_block *block) {
    return block->kind == BLOCK_LOOP || block->kind == BLOCK_KERNEL;
}

static int levels_of(int out[LEVELS_MAX], const struct signature_region *region, int block) {
    int count = 0;
    for (; block > 0 && count < LEVELS_MAX; block = region->blocks[block].parent)
        if (is_loop(&region->blocks[block]))
            out[count++] = block;
    return count;
}

static void find_trips(struct reuse_walk *w) {
    for (int b = 0; b < w->region->block_count; b++) {
        int levels[LEVELS_MAX];
        int count = levels_of(levels, w->region, b);
        double around = count > 1 ? w->executions[levels[1]] : 1;
        w->trips[b] = around > 0 ? w->executions[b] / around : 0;
    }
}

/* ---- Groups ---- */

static bool moves_alike(const struct signature_access *a, const struct signature_access *b) {
    if (a->class != b->class || a->element_bytes != b->element_bytes ||
        a->step_count != b->step_count || strcmp(a->array, b->array) != 0)
        return false;
    for (int i = 0; i < a->step_count; i++)
        if (a->steps[i].block != b->steps[i].block ||
            a->steps[i].stride_bytes != b->steps[i].stride_bytes)
            return false;
    return true;
}

static struct access_group *group_of(struct reuse_walk *w, int block,
                                     const struct signature_access *access) {
    for (size_t i = 0; i < w->groups.count; i++)
        if (w->groups.items[i].block == block && moves_alike(w->groups.items[i].access, access))
            return &w->groups.items[i];
    struct access_group group = {.block = block, .access = access};
    group.level_count = levels_of(group.levels, w->region, block);
    vec_push(&w->groups, group);
    return &w->groups.items[w->groups.count - 1];
}

static void add_offset(struct access_group *group, const char *offset) {
    char *terms = NULL;
    double constant = strtod(offset, &terms);
    bool is_new = true;
    if (terms[0] == '\0') {
        group->low = fmin(group->low, constant);
        group->high = fmax(group->high, constant);
    }
    group->both_sides = group->both_sides || strchr(terms, '-') != NULL;
    for (int i = 0; i < group->term_count; i++)
        is_new = is_new && strcmp(group->terms[i], terms) != 0;
    if (is_new && group->term_count < TERMS_MAX)
        group->terms[group->term_count++] = terms;
}

static void find_groups(struct reuse_walk *w) {
    for (int b = 0; b < w->region->block_count; b++)
        for (int i = 0; i < w->region->blocks[b].access_count; i++) {
            const struct signature_access *access = &w->region->blocks[b].accesses[i];
            if (access->step_count == 0 || w->executions[b] <= 0)
                continue;
            struct access_group *group = group_of(w, b, access);
            group->accesses += access->loads + access->stores;
            group->stores += access->stores;
            add_offset(group, access->offset);
        }
}

/* ---- Footprints ---- */

static const struct signature_step *step_of(const struct signature_access *access, int block) {
    for (int i = 0; i < access->step_count; i++)
        if (access->steps[i].block == block)
            return &access->steps[i];
    return NULL;
}

static bool is_anywhere(const struct access_group *group) {
    return group->access->class == STRIDE_INDEXED || group->access->class == STRIDE_CHASE;
}

/* Lines that the group touches while the loops up to this level (from 0, the innermost one) are
 * executed once. A row may begin anywhere in a line; several rows are taken to lie one behind the
 * other. */
static double lines_of(const struct reuse_walk *w, const struct access_group *group, int level) {
    int sides = group->both_sides ? (group->term_count - 1) / 2 : 0, met = 0;
    double lines = 1;
    for (int i = 0; i <= level; i++) {
        const struct signature_step *step = step_of(group->access, group->levels[i]);
        double trips = fmax(w->trips[group->levels[i]], 1);
        double stride = step != NULL ? fabs(step->stride_bytes) : 0;
        if (step == NULL)
            continue;
        if (stride > 0 && stride < LINE_BYTES && !is_anywhere(group)) {
            lines *= (stride * trips + group->high - group->low) / LINE_BYTES +
                     (level == 0 ? 1 - stride / LINE_BYTES : 0);
        } else if (!is_anywhere(group) && met < sides) {
            lines *= trips + 2;
            met++;
        } else {
            lines *= trips;
        }
    }
    return lines * fmax(group->term_count - 2 * met, 1);
}

/* No more than all its elements, where nothing tells where they are. */
static double footprint_of(const struct reuse_walk *w, const struct access_group *group,
                           int level) {
    double lines = lines_of(w, group, level), all = 1;
    for (int i = 0; i < group->level_count; i++)
        all *= fmax(w->trips[group->levels[i]], 1);
    if (is_anywhere(group) || group->access->class == STRIDE_UNKNOWN)
        lines = fmin(lines, fmax(1, all * group->access->element_bytes / LINE_BYTES));
    return lines * LINE_BYTES;
}

static int position_of(const struct access_group *group, int loop) {
    for (int i = 0; i < group->level_count; i++)
        if (group->levels[i] == loop)
            return i;
    return -1;
}

/* Of all arrays in one execution of the loop; -1: of the region. Groups of one array overlap. */
static double working_set(const struct reuse_walk *w, int loop) {
    double sum = 0;
    for (size_t i = 0; i < w->groups.count; i++) {
        double largest = 0;
        bool is_first = true;
        for (size_t k = 0; k < w->groups.count; k++) {
            const struct access_group *group = &w->groups.items[k];
            int level = loop < 0 ? group->level_count - 1 : position_of(group, loop);
            if (strcmp(group->access->array, w->groups.items[i].access->array) != 0 || level < 0)
                continue;
            is_first = is_first && k >= i;
            largest = fmax(largest, footprint_of(w, group, level));
        }
        sum += is_first ? largest : 0;
    }
    return sum;
}

/* ---- Reuses ---- */

static enum memory_curve curve_of(const struct access_group *group) {
    switch (group->access->class) {
    case STRIDE_INDEXED:
        return CURVE_RANDOM;
    case STRIDE_CHASE:
        return CURVE_CHASE;
    case STRIDE_CONSTANT:
    case STRIDE_UNKNOWN:
        return CURVE_STRIDE;
    default:
        return group->stores > 0 && group->access->class == STRIDE_UNIT ? CURVE_STORE
                                                                        : CURVE_STREAM;
    }
}

static void add_reuse(struct reuse_walk *w, enum memory_curve curve, double count, double bytes) {
    struct memory_reuse reuse = {curve, count, bytes};
    if (count > 0 && bytes > 0)
        vec_push(&w->reuses, reuse);
}

/* Accesses with long strides in which more pages take turns than have translations at hand. */
static double pages_of(const struct reuse_walk *w, const struct access_group *group) {
    const struct signature_step *step = step_of(group->access, group->levels[0]);
    bool is_long = step != NULL && group->access->class == STRIDE_CONSTANT &&
                   step->stride_bytes == 0 && w->trips[group->levels[0]] > PAGES_MOST;
    return is_long ? w->executions[group->block] : 0;
}

static void add_reuses(struct reuse_walk *w, const struct access_group *group) {
    enum memory_curve curve = curve_of(group);
    double touched = 0;
    if (curve == CURVE_RANDOM || curve == CURVE_CHASE) {
        add_reuse(w, curve, w->executions[group->block], working_set(w, -1));
        return;
    }
    for (int i = 0; i < group->level_count; i++) {
        double entries = i + 1 < group->level_count ? w->executions[group->levels[i + 1]] : 1;
        double lines = lines_of(w, group, i) * entries;
        if (i > 0)
            add_reuse(w, curve, touched - lines, working_set(w, group->levels[i - 1]));
        touched = i == 0 ? lines : fmin(touched, lines);
    }
    add_reuse(w, curve, touched, working_set(w, -1));
}

static void add_rates(struct region_counts *out, const struct reuse_walk *w) {
    for (int b = 0; b < w->region->block_count; b++) {
        const struct signature_block *block = &w->region->blocks[b];
        for (int i = 0; i < OPERATION_COUNT; i++)
            out->rates[i] += block->operations[i] * w->executions[b];
        for (int i = 0; i < block->access_count; i++) {
            out->rates[RATE_LOAD] += block->accesses[i].loads * w->executions[b];
            out->rates[RATE_STORE] += block->accesses[i].stores * w->executions[b];
        }
    }
    for (size_t i = 0; i < w->groups.count; i++)
        if (w->groups.items[i].level_count > 0)
            out->rates[RATE_PAGE] += pages_of(w, &w->groups.items[i]);
}

static bool all_known(const struct reuse_walk *w) {
    for (int b = 0; b < w->region->block_count; b++)
        if (!isfinite(w->executions[b]))
            return false;
    return true;
}

bool region_counts_find(struct region_counts *out, struct arena *arena,
                        const struct signature_region *region, const double *features) {
    size_t count = (size_t)region->block_count;
    struct reuse_walk walk = {.arena = arena,
                              .region = region,
                              .executions = ARENA_ARRAY(arena, double, count),
                              .trips = ARENA_ARRAY(arena, double, count)};
    *out = (struct region_counts){0};
    signature_executions(walk.executions, region, features);
    bool known = all_known(&walk);
    if (known) {
        find_trips(&walk);
        find_groups(&walk);
        for (size_t i = 0; i < walk.groups.count; i++)
            if (walk.groups.items[i].level_count > 0)
                add_reuses(&walk, &walk.groups.items[i]);
        add_rates(out, &walk);
    }
    struct memory_reuse *reuses = ARENA_ARRAY(arena, struct memory_reuse, walk.reuses.count + 1);
    for (size_t i = 0; i < walk.reuses.count; i++)
        reuses[i] = walk.reuses.items[i];
    out->reuses = reuses;
    out->reuse_count = (int)walk.reuses.count;
    vec_dispose(&walk.groups);
    vec_dispose(&walk.reuses);
    return known;
}
