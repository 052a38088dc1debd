/* SPDX-License-Identifier: Apache-2.0
 *
 * Instances of a function -> texts. Instances of which the same stays share one text.
 */
#pragma once

#include "skeletonizer/plan/plan.h"

/* After the slice is final: decides which instances are written out, under which names, and drops
 * the regions of those that share another's text. */
void variants_choose(struct plan *plan);

/* The instance whose text this one uses, itself if it is written out; NULL: it is not kept. */
const struct function *variants_text(const struct plan *plan, const struct function *function);

/* The name of the text that the instance uses. */
const char *variants_name(const struct plan *plan, const struct function *function);

/* How a kept call has to name its function; NULL: as it is written. */
const char *variants_callee(const struct plan *plan, const struct call *call);

/* The program names something so, anywhere. */
bool variants_is_taken(const struct program *program, const char *name);
