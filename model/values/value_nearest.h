/* SPDX-License-Identifier: Apache-2.0
 *
 * Vectors that no profiling run has had: their numbers may go up and down as those of the nearest
 * vector that was seen do, such as the buckets of a histogram of any number of keys. In: samples of
 * a value on which all ranks agree, or that differs on each, which then follow the mean of all;
 * out: whether that tells clearly more of the sequences of configurations left out than their mean
 * alone. The mean itself is taken as known: it is for the formula to tell.
 */
#ifndef MODEL_VALUES_VALUE_NEAREST_H
#define MODEL_VALUES_VALUE_NEAREST_H

#include "base/arena.h"
#include "model/values/value_points.h"
#include "model/values/value_write.h"

#include <stdbool.h>

/* Where features decide alone, the differences from what the nearest run had with the same ones are
 * at most so much of the values, in runs that are left out. */
#define VALUE_ALIKE_ERROR 0.02

/* `dimension`: of the vectors that the model has. */
bool value_follows(const struct value_data *data, struct arena *arena, int dimension);

/* Whether numbers of a run with other sizes are told better by those of the nearest run, as they
 * are, than by the mean of all runs: time steps on a mesh, say. Runs that sizes of other
 * regions tell apart are compared where the `dimension` numbers that the model has are the same.
 * *total: the place in the vector of a size of which ranks have parts, and that tells better what
 * is near when it is multiplied with their number (the cells of a mesh, for its time steps) than
 * all sizes of a rank do; -1: there is none. */
bool value_is_as_nearest(int *total, const struct value_data *data, struct arena *arena,
                         int dimension);

/* Whether how often a loop iterates was exactly the same wherever the numbers were that its formula
 * goes by, in at least two cases: then it is so again. */
bool value_is_decided(const struct value_data *data, const struct value_solution *solution);

/* Whether the value was exactly the same on other numbers of ranks wherever the arguments were, and
 * the features (of loops: what the formula goes by), in at least two cases: then it is so again.
 * The places of these numbers are the relevant ones, from the arena. */
void value_find_relevant(struct value_solution *out, struct arena *arena,
                         const struct value_data *data);

/* How many numbers of a vector that was not seen have to be those of one that was to be told by the
 * nearest such: the features, where runs left out show that these decide almost alone; else
 * `dimension`, that of the vectors that the model has. */
int value_alike(const struct value_data *data, struct arena *arena, int dimension);

/* The one that tells the point's value; NULL: none does. */
const struct value_formula *value_formula_of(const struct value_solution *solution,
                                             const struct value_point *point);

#endif
