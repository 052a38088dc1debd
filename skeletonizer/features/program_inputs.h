/* SPDX-License-Identifier: Apache-2.0
 *
 * What a program is told when it starts: numbers that it reads from a file or takes from its
 * arguments. No message may need them, and yet all loops go by them.
 */
#pragma once

#include "skeletonizer/hot/counts.h"
#include "skeletonizer/slice/slice.h"

/* What was raised since the mark reads input, once: a few calls that open files, read from them and
 * convert text; loops only if they iterated a few times (`counts`; NULL: not known). */
bool inputs_are_cheap(const struct slice *slice, size_t mark, const struct counts *counts);

/* Keeps what tells the loops among these statements how often they iterate, or functions called
 * there, where that is cheap input; true if anything was not kept before. */
bool inputs_join(struct slice *slice, struct tree *const *trees, size_t count,
                 const struct counts *counts);

/* A statement in it reads. */
bool inputs_are_read(const struct tree *tree);
