/* SPDX-License-Identifier: Apache-2.0
 *
 * Values that follow the place of the rank: how many particles a slab has where the box is dense.
 * In: the samples of a value; out: factors by the rank's place (eval_position.h), where they say
 * clearly more than that all ranks are alike.
 *
 * Of the ranks of one run with the same features only the ratios count. A density over the box that
 * explains them (position_density.h) may be one for each number of a feature (a direction). Ranks
 * are taken for a line of slabs, or for tiles of a grid in two or three dimensions
 * (eval_position.h: as even as their number allows) along one of whose axes the density changes.
 * Which axis, lower border, centre, upper border or mean, periodic, exponential or neither, how
 * smooth: what predicts best how ranks differ in runs with an axis of a length that was left out,
 * in turn; that has to be clearly better than no difference at all. So two lengths above one are
 * needed, one of them three or more: runs on 2 and 3 ranks for a line, on 4 and 9 for a square
 * grid.
 *
 * What ranks may have to agree on has no factors: whole numbers only, and none if different ranks
 * had the same numbers (but zeros, and what mirrors itself in the middle of the box), or others
 * have them at another place (value_agreement.h). Of the ranks at one place of an axis numbers have
 * to scatter, therefore: the program's grid may be another one than the one that is taken here.
 *
 * Not handled: densities that change along two axes at once, that go by cells where runs have
 * different numbers of them, and grids less even than they could be (as from arguments).
 */
#ifndef MODEL_VALUES_VALUE_POSITION_H
#define MODEL_VALUES_VALUE_POSITION_H

#include "model/eval/eval_position.h"

#include <stdbool.h>

#define VALUE_POSITIONS_MAX 8

struct value_positions {
    int split; /* the feature that has a density for each of its numbers, or -1 */
    int count;
    struct bsim_position items[VALUE_POSITIONS_MAX];
    const double *factors; /* by sample */
    double error, without; /* of ranks in runs left out, and if all ranks are taken as alike */
};

#endif
