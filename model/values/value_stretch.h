/* SPDX-License-Identifier: Apache-2.0
 *
 * Time steps of sizes that no profiling run had: on a mesh with twice as many cells in each
 * direction steps are half as long, by the Courant-Friedrichs-Lewy condition (Courant, Friedrichs
 * and Lewy, Mathematische Annalen 100, 1928), and the same time takes twice as many. In:
 * floating-point numbers of runs, one after the other; out: how long steps are as a product of
 * powers of the run's sizes, if the runs' curves over physical time are one and the same but for
 * that, and sizes that were left out were told well by it.
 */
#ifndef MODEL_VALUES_VALUE_STRETCH_H
#define MODEL_VALUES_VALUE_STRETCH_H

#include "model/values/value_candidate.h"

/* Takes the nearest run's steps, stretched, for those of others; false: numbers are no such steps,
 * or the formula tells them. */
bool value_stretch_propose(struct value_model *model, struct value_question *question);

/* For people. */
void value_stretch_print(struct str *out, const struct bsim_stretch *law,
                         const struct value_data *data, const struct region *region);

/* The words in model.bsim. */
void value_stretch_write(struct str *out, const struct bsim_stretch *law);

#endif
