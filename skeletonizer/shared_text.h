/* SPDX-License-Identifier: Apache-2.0
 *
 * One text that is several functions: a file that is included more than once, with a macro for the
 * function's name, or a header in which macros make something else of it from unit to unit.
 */
#ifndef SKELETONIZER_SHARED_TEXT_H
#define SKELETONIZER_SHARED_TEXT_H

#include "skeletonizer/edits.h"
#include "skeletonizer/plan.h"

/* The skeleton keeps this function and another one with the same text. */
bool shared_text_is_kept_twice(const struct slice *slice, const struct function *function);

/* The skeleton does not keep this function, but another one with the same text. */
bool shared_text_stays(const struct slice *slice, const struct function *function);

/* Reports functions that are kept twice and have edits: those of one would be in the other as well.
 * 0, or -1 if there are any. */
int shared_text_check(const struct slice *slice, const struct edits *edits);

#endif
