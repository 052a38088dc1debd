/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory that the skeleton allocates and never looks at: it needs none of it.
 */
#pragma once

#include "skeletonizer/plan/plan.h"

#define UNREAD_NOT (-1LL)

/* By call, in the program's arena: of allocations of which no kept statement reads or writes
 * anything behind the first so many bytes, that number; UNREAD_NOT: of other calls. The slice is
 * final. */
const long long *unread_memory_find(const struct slice *slice);

/* By object, likewise: whether no kept statement reads or writes anything in it, and this holds for
 * all objects that are declared in the same text. */
const bool *unread_memory_variables(const struct slice *slice);
