/* SPDX-License-Identifier: Apache-2.0
 *
 * What each demand raises. Internal to the slice.
 */
#ifndef SKELETONIZER_DEMANDS_H
#define SKELETONIZER_DEMANDS_H

#include "skeletonizer/slice.h"

/* Adds a demand with s->current as its parent, unless it is there. */
void slice_add(struct slice *slice, enum demand_kind kind, int subject, int detail);

void demands_raise(struct slice *slice, struct demand demand);

/* The value that a place has at a node. */
void demands_use(struct slice *slice, struct node *node, struct place place);

/* Adds to a set of objects all that pointers in them may reach. */
void demands_close_reach(const struct slice *slice, bool *reached);

/* Calls whose message this call may receive, as demands for their payload. */
void demands_match(struct slice *slice, struct call *call);

#endif
