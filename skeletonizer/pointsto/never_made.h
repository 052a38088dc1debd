/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls through pointers that no code of the program sets to a function: hooks that nobody uses.
 */
#pragma once

#include "skeletonizer/pointsto/pointsto.h"

/* As far as is known now. */
bool never_made_is(const struct points_to *points_to, const struct call *call);

/* Notes it in all calls. */
void never_made_mark(struct points_to *points_to);
