/* SPDX-License-Identifier: Apache-2.0
 *
 * One text that is several functions: a file that is included more than once, with a macro for the
 * function's name, or a header in which macros make something else of it from unit to unit.
 *
 * Where it can, the text is written once for each of them, apart: behind conditionals that ask for
 * the unit (BSIM_UNIT, which compile.c defines) and for what this unit had of it before. What
 * cannot be written so (a head or an end in conditionals, a body that comes out of a macro) stays
 * as a whole if several functions of it do.
 */
#pragma once

#include "skeletonizer/plan/plan.h"
#include "skeletonizer/text/edits.h"

/* The skeleton keeps this function and another one with the same text, which stays as a whole. */
bool shared_text_is_kept_twice(const struct slice *slice, const struct function *function);

/* The skeleton does not keep this function, but another one with the same text. */
bool shared_text_stays(const struct slice *slice, const struct function *function);

/* From where the first of the functions of one text begins, to where the last one ends. */
struct range shared_text_whole(const struct function *function);

/* Each of the functions that have this one's text can have edits of its own. */
bool shared_text_is_apart(struct program *program, const struct function *function);

/* There are such functions: units have to know which one they are. */
bool shared_text_is_used(struct program *program);

/* Between these two shared_text_edits() has lists of their own for functions that are apart; at the
 * end `out` gets their texts: all of them (the profiling build), or those that `slice` keeps. */
void shared_text_begin(struct edits *out, struct program *program);
void shared_text_join(struct edits *out, struct program *program, const struct slice *slice);

/* Where edits of the function's text, and of what stands around it for its sake, belong. */
struct edits *shared_text_edits(struct edits *out, struct program *program,
                                const struct function *function);

/* Reports functions that are kept twice, not apart, and have edits: those of one would be in the
 * other as well. 0, or -1 if there are any. */
int shared_text_check(const struct slice *slice, const struct edits *edits);
