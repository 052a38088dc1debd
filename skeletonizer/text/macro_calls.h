/* SPDX-License-Identifier: Apache-2.0
 *
 * Statements that macro calls write: which of them share their text, and whether a text is that of
 * some statements alone, so that something can be written in front of it and behind it.
 */
#pragma once

#include "frontend/program/program.h"

/* So many statements of the block, from `first` on, share their place in the text, or parts of it;
 * at least 1: it has its text for itself. */
size_t macro_calls_shared(const struct tree *block, size_t first);

/* The macro calls that begin and end these neighbours write nothing else: no part of the statement
 * around them, and of none beside them. */
bool macro_calls_are_whole(const struct program *program, struct tree *const *trees, size_t count);
