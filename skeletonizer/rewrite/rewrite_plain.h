/* SPDX-License-Identifier: Apache-2.0
 *
 * Plain copies of functions that record values, for callers that the skeleton does not have.
 */
#pragma once

#include "skeletonizer/plan/plan.h"
#include "skeletonizer/text/edits.h"

/* From the program's arena; ended by rewrite_plain_end. */
struct plain *rewrite_plain_begin(const struct plan *plan);

/* Makes the calls in one function's text that the skeleton does not have name plain copies; `own`
 * has the edits of that text. */
void rewrite_plain_calls(struct edits *own, struct edits *out, const struct plain *plain,
                         const struct function *function);

/* Adds the copies, and edits the functions that the skeleton does not have. */
void rewrite_plain_end(struct edits *out, struct plain *plain);
