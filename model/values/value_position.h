/* SPDX-License-Identifier: Apache-2.0
 *
 * Values that follow the place of the rank: how many particles a slab has where the box is dense.
 * In: the samples of a value; out: factors by the rank's place (eval_position.h), where they say
 * clearly more than that all ranks are alike.
 *
 * Of the ranks of one run with the same features only the ratios count. A density over the box that
 * explains them (position_density.h) may be one for each number of a feature (a direction). Ranks
 * are taken for a line of slabs. Lower border, centre, upper border or mean, periodic or not, how
 * smooth: what predicts best how ranks differ in runs on a number of ranks that was left out, in
 * turn; that has to be clearly better than no difference at all. So two numbers of ranks above one
 * are needed, one of them three or more.
 *
 * What ranks may have to agree on has no factors: whole numbers only, and none if different ranks
 * had the same numbers (but zeros, and what mirrors itself in the middle of the box).
 *
 * Not handled: densities over grids of ranks, or that go by cells where runs have different numbers
 * of them.
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
