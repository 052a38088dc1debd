/* SPDX-License-Identifier: Apache-2.0
 *
 * See synth_situation.h. Balanced dimensions: of all factorisations the one whose sides, sorted,
 * have the smallest largest side, then the largest smallest one.
 */
#include "synthesis/eval/synth_situation.h"

#include <stdlib.h>
#include <string.h>

void bsim_synth_coordinates(int *out, const struct synth_group *group, int rank) {
    for (int k = group->dimension_count; k-- > 0;) {
        out[k] = rank % group->dimensions[k];
        rank /= group->dimensions[k];
    }
}

int bsim_synth_rank_at(const struct synth_group *group, const int *coordinates) {
    int rank = 0;
    for (int k = 0; k < group->dimension_count; k++) {
        if (coordinates[k] < 0 || coordinates[k] >= group->dimensions[k])
            return -1;
        rank = rank * group->dimensions[k] + coordinates[k];
    }
    return rank;
}

struct synth_place bsim_synth_place(const struct synth_situation *at, int axis) {
    int number = SYNTH_AXIS_GROUP(axis), dimension = SYNTH_AXIS_DIMENSION(axis);
    if (number >= at->world->group_count)
        return (struct synth_place){-1, 0};
    const struct synth_group *group = &at->world->groups[number];
    struct synth_place place = group->places[at->rank];
    if (dimension < 0 || place.size == 0)
        return place;
    if (dimension >= group->dimension_count)
        return (struct synth_place){-1, 0};
    int coordinates[SYNTH_DIMENSIONS_MOST];
    bsim_synth_coordinates(coordinates, group, place.position);
    return (struct synth_place){coordinates[dimension], group->dimensions[dimension]};
}

static bool is_better(const int *one, const int *other, int count) {
    for (int k = 0; k < count; k++)
        if (one[k] != other[k])
            return one[k] < other[k];
    return false;
}

/* Sides that do not rise, each at most `most`. */
static void search(int *best, int *sides, int at, int count, int left, int most) {
    if (at == count - 1) {
        sides[at] = left;
        if (left <= most && (best[0] == 0 || is_better(sides, best, count)))
            memcpy(best, sides, (size_t)count * sizeof *best);
        return;
    }
    for (int side = most < left ? most : left; side >= 1; side--)
        if (left % side == 0) {
            sides[at] = side;
            search(best, sides, at + 1, count, left / side, side);
        }
}

void bsim_synth_balanced(int *out, int count, int ranks, bool rising) {
    int sides[SYNTH_DIMENSIONS_MOST];
    memset(out, 0, (size_t)count * sizeof *out);
    search(out, sides, 0, count, ranks, ranks);
    for (int k = 0; k < count / 2 && rising; k++) {
        int side = out[k];
        out[k] = out[count - 1 - k];
        out[count - 1 - k] = side;
    }
}
