/* SPDX-License-Identifier: Apache-2.0
 *
 * Demands that come from the text and not from the meaning, and those that join because they are
 * cheap.
 */
#pragma once

#include "skeletonizer/slice/slice.h"

#define TEXT_DEMANDS_INCLUDED "comes from a file that is included into the body"

/* What comes out of one macro call stays or goes as a whole; what comes out of a file that is
 * included into a body stays (because of TEXT_DEMANDS_INCLUDED); a kept switch keeps its breaks;
 * functions with one text stay as a whole; a kept call keeps arguments that cannot be edited. */
void text_demands_add(struct slice *slice);

/* Demands all of these statements. */
void text_demands_whole(struct slice *slice, struct tree *const *trees, size_t count,
                        const char *why);

/* Demands the declarations in the statement. */
void text_demands_declared(struct slice *slice, const struct function *function,
                           const struct tree *tree, const char *why);

/* Demands that the function is called wherever it was, but for code that ends abnormally and that
 * jumps lead around. */
void text_demands_callers(struct slice *slice, const struct function *function, const char *why);

/* Prints whose values are there anyway. */
void text_demands_joining(struct slice *slice);
