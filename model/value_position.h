/* SPDX-License-Identifier: Apache-2.0
 *
 * Values that follow the place of the rank: how many particles a slab has where the box is dense.
 * In: the samples of a value; out: factors by the rank's place (eval_position.h), where they say
 * clearly more than that all ranks are alike.
 *
 * Of the ranks of one run with the same features only the ratios count. A density over the box that
 * explains them is a least-squares spline with a penalty on its roughness (P. Eilers, B. Marx,
 * Flexible smoothing with B-splines and penalties, 1996), non-negative; of means over slabs it is
 * what W. Tobler calls pycnophylactic (Smooth pycnophylactic interpolation for geographical
 * regions, 1979). It may be one for each number of a feature (a direction). Lower border, centre,
 * upper border or mean, periodic or not, how smooth: what predicts best how ranks differ in runs
 * with a number of ranks that was left out, in turn; that has to be clearly better than no
 * difference at all. So two numbers of ranks above one are needed, one of them three or more.
 *
 * What ranks may have to agree on has no factors: whole numbers only, and none if different ranks
 * had the same numbers (but zeros, and what mirrors itself in the middle of the box), or others
 * have them at another place (value_agreement.h). Grids of ranks in two and three dimensions are
 * taken for a line.
 */
#ifndef MODEL_VALUE_POSITION_H
#define MODEL_VALUE_POSITION_H

#include "base/str.h"
#include "model/eval_position.h"
#include "model/sample.h"

#include <stdbool.h>

#define VALUE_POSITIONS_MAX 8

struct value_positions {
    int split; /* the feature that has a density for each of its numbers, or -1 */
    int count;
    struct bsim_position items[VALUE_POSITIONS_MAX];
    const double *factors; /* by sample */
    double error, without; /* of ranks in runs left out, and if all ranks are taken as alike */
};

/* False: nothing of that kind is known. `samples` are all of one value; *out's arrays are from the
 * arena. */
bool value_positions_find(struct value_positions *out, struct arena *arena,
                          const struct samples *all, const struct sample *samples, size_t count,
                          const struct region *region);

/* For model.bsim: the words in the first line, and the lines. */
void value_positions_add_count(struct str *out, const struct value_positions *positions);
void value_positions_add_lines(struct str *out, const struct value_positions *positions);

/* "n1=0: 0.77 to 1.43 by the slab's lower border; ..." */
void value_positions_print(struct str *out, const struct value_positions *positions,
                           const struct region *region);

#endif
