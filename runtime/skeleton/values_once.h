/* SPDX-License-Identifier: Apache-2.0
 *
 * Given values that all ranks have alike (model/values/value_once.h): the k-th question is answered
 * once, and the answer kept for all ranks of the simulation. A question is a value with those of
 * its features that tell a rank's questions apart. Linked into skeletons only.
 */
#pragma once

#include <stdbool.h>

struct bsim__question;

/* `key`: the region's number and the features, `count` numbers in all. Never NULL; borrowed. */
struct bsim__question *bsim__question_find(const double *key, int count);

/* The next answer for this rank, of `ranks`; false: it is the first to ask, so that the answer has
 * to be found and added. */
bool bsim__question_next(double *out, struct bsim__question *question, int rank, int ranks);
void bsim__question_add(struct bsim__question *question, double answer);

/* What was asked for all ranks so far (values_model.c), or NULL: to be set. */
struct bsim__given **bsim__given_once(void);
