/* SPDX-License-Identifier: Apache-2.0
 *
 * Whose begin the end of a call had to wait for: the arrows of a run, along which the critical path
 * and the replay go.
 *
 * A receive depends on its send, a send on a receive that blocks and begins while it is under way,
 * a collective by its shape on the root, on all members or on those before it. In difference to
 * Scalasca's early reduce the root depends on the last of the others, too: its result is not there
 * before.
 */
#pragma once

#include "analysis/views/run_view.h"

/* Calls `take(data, other)` for each end of a message on which the call's end depends. */
void dependencies_of_messages(const struct run_view *view, uint32_t call,
                              void (*take)(void *data, uint32_t other), void *data);

/* Whom the end of a member of a collective depends on. */
enum collective_need { NEED_NOBODY, NEED_ROOT, NEED_ALL, NEED_LOWER };
enum collective_need collective_need_of(const struct run_view *view, uint32_t event);

/* Of all that the call depends on the event that began last, if that is within the call; VIEW_NONE:
 * nothing did. */
uint32_t dependency_latest(const struct run_view *view, uint32_t call);
