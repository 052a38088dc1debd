/* SPDX-License-Identifier: Apache-2.0
 *
 * Region by region, both sides merged by rank; see given_difference.h.
 */
#include "simulator/compare/given_difference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool has_next(const struct given *given, size_t next, int region) {
    return next < given->values.count && given->values.items[next].region == region;
}

/* Adds a region's values, which lie at `*next` if there are any, to its row and to those of its
 * ranks. */
static void take_side(struct given_row *row, struct given_sum *per_rank, const struct given *given,
                      size_t *next, enum verify_side side) {
    for (; has_next(given, *next, row->region); ++*next) {
        const struct given_value *value = &given->values.items[*next];
        per_rank[value->rank].count += value->count;
        per_rank[value->rank].sum += value->sum;
        row->of[side].count += value->count;
        row->of[side].sum += value->sum;
    }
}

/* True if the ranks differ, or the whole. */
static bool compare_ranks(struct given_row *row, struct given_sum *const per_rank[SIDE_COUNT],
                          size_t ranks) {
    const struct given_sum *original = per_rank[SIDE_ORIGINAL], *skeleton = per_rank[SIDE_SKELETON];
    bool differs = false;
    row->percent = verify_percent(row->of[SIDE_ORIGINAL].sum, row->of[SIDE_SKELETON].sum);
    for (size_t rank = 0; rank < ranks; rank++) {
        double percent = verify_percent(original[rank].sum, skeleton[rank].sum);
        differs = differs || fabs(percent) >= GIVEN_AGREES ||
                  original[rank].count != skeleton[rank].count;
        if (fabs(percent) > fabs(row->rank_percent)) {
            row->rank_percent = percent;
            row->rank = rank;
        }
    }
    return differs;
}

static int compare_rows(const void *left, const void *right) {
    const struct given_row *a = left, *b = right;
    if (fabs(a->percent) != fabs(b->percent))
        return fabs(a->percent) > fabs(b->percent) ? -1 : 1;
    if (fabs(a->rank_percent) != fabs(b->rank_percent))
        return fabs(a->rank_percent) > fabs(b->rank_percent) ? -1 : 1;
    return (a->region > b->region) - (a->region < b->region);
}

static void compare_sides(struct given_difference *out, const struct given *sides, size_t ranks) {
    struct given_sum *per_rank[SIDE_COUNT];
    size_t next[SIDE_COUNT] = {0}, bytes = (ranks + 1) * sizeof *per_rank[0];
    for (int side = 0; side < SIDE_COUNT; side++)
        per_rank[side] = xmalloc(bytes);
    for (int region = 0; region < out->regions->count; region++) {
        struct given_row row = {.region = region};
        if (!has_next(&sides[SIDE_ORIGINAL], next[SIDE_ORIGINAL], region) &&
            !has_next(&sides[SIDE_SKELETON], next[SIDE_SKELETON], region))
            continue;
        for (int side = 0; side < SIDE_COUNT; side++) {
            memset(per_rank[side], 0, bytes);
            take_side(&row, per_rank[side], &sides[side], &next[side], side);
        }
        out->values++;
        if (compare_ranks(&row, per_rank, ranks))
            vec_push(&out->rows, row);
    }
    for (int side = 0; side < SIDE_COUNT; side++)
        free(per_rank[side]);
    if (out->rows.count > 0)
        qsort(out->rows.items, out->rows.count, sizeof out->rows.items[0], compare_rows);
}

int given_difference_make(struct given_difference *out, const char *const paths[SIDE_COUNT],
                          const struct regions *regions, size_t ranks, struct error *error) {
    struct given sides[SIDE_COUNT];
    *out = (struct given_difference){.regions = regions};
    if (given_read(&sides[SIDE_ORIGINAL], paths[SIDE_ORIGINAL], regions, ranks, error) != 0)
        return -1;
    int result = given_read(&sides[SIDE_SKELETON], paths[SIDE_SKELETON], regions, ranks, error);
    if (result == 0) {
        compare_sides(out, sides, ranks);
        given_dispose(&sides[SIDE_SKELETON]);
    }
    given_dispose(&sides[SIDE_ORIGINAL]);
    return result;
}

void given_difference_dispose(struct given_difference *difference) {
    vec_dispose(&difference->rows);
}
