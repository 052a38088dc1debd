/* SPDX-License-Identifier: Apache-2.0
 *
 * Values that the skeleton takes as given instead of computing them.
 */
#ifndef SKELETONIZER_VALUES_H
#define SKELETONIZER_VALUES_H

#include "skeletonizer/edits.h"
#include "skeletonizer/plan.h"

/* After variants_choose: numbers the values of all texts that are written out. */
void values_list(struct plan *plan);

/* "BSIM_VALUE_I(3)" in place of what the node computes; `calls` are those in it that stay, as
 * statements, or "". */
void values_take(struct edits *out, const struct plan *plan, const struct node *node,
                 const char *calls);

/* Records them where they are computed, in one function's text. */
void values_record(struct edits *out, const struct plan *plan, const struct function *function);

#endif
