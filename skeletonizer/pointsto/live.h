/* SPDX-License-Identifier: Apache-2.0
 *
 * Which functions main may get to, with the calls that are known so far. What others do with
 * pointers happens never: libraries that are part of the program have much of it.
 */
#pragma once

#include "frontend/program/program.h"

/* Marks them (is_live of functions); true if there are more than before. All of them are taken for
 * live where the program has no main, or a word in its text says that functions may be called
 * without a call (which is told), or by another name. */
bool live_mark(struct program *program);

/* So that a later live_mark begins anew. */
void live_forget(struct program *program);
