/* SPDX-License-Identifier: Apache-2.0
 *
 * Statements of one block, one behind the other, and what an argument's address is taken of.
 */
#ifndef SKELETONIZER_GIVEN_CUT_STRETCH_H
#define SKELETONIZER_GIVEN_CUT_STRETCH_H

#include "frontend/program/program.h"

/* `n[i]` of the argument `&n[i]`; NULL: it is written in another way. */
const struct ast *cut_number_behind(const struct ast *address);

/* The block that the statement stands in directly, or NULL. */
const struct tree *cut_block_of(const struct tree *tree);

/* The child of the block that the statement is in, or NULL; which one a child is, or -1. */
const struct tree *cut_child_around(const struct tree *block, const struct tree *tree);
int cut_place_in(const struct tree *block, const struct tree *tree);

bool cut_has_label(const struct tree *tree);

#endif
