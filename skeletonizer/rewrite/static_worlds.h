/* SPDX-License-Identifier: Apache-2.0
 *
 * Variables with static storage that MPI_COMM_WORLD initialises. It is a constant in other MPIs and
 * a variable in SimGrid: for SMPI such declarations are compiled with a constant in its place,
 * which the runtime replaces in memory when the program is loaded (runtime/smpi/worlds.c). The
 * original has to be a rewritten one then, too.
 */
#pragma once

#include "skeletonizer/text/edits.h"

/* In any file of the program. */
bool worlds_found(const struct program *program);

/* Of declarations that cannot be edited, an error each; 0 if there is none. */
int worlds_check(struct program *program);

/* Where one of the variables of a declaration is such a one: directives in front of and behind it.
 * Without effect for an MPI that has a constant. */
void worlds_wrap(struct edits *out, const struct program *program,
                 const struct ast *const *variables, int count, struct range declaration);

/* All declarations within a function's body, or at file scope. */
void worlds_wrap_within(struct edits *out, const struct program *program, const struct ast *body);
void worlds_wrap_file_scope(struct edits *out, const struct program *program);
