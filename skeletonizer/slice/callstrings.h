/* SPDX-License-Identifier: Apache-2.0
 *
 * What a call inside a helper with one caller is, seen from that caller.
 */
#pragma once

#include "skeletonizer/slice/slice.h"

/* Fills `passed` of all arguments: wrappers of MPI hand their parameters on. */
void callstrings_follow_arguments(struct slice *slice);

/* On the same path of every statement around them, and after the same jumps; calls in different
 * helpers are compared where the call strings meet, if the helpers reach them on every path. */
bool callstrings_same_control(const struct slice *slice, const struct call *one,
                              const struct call *other);
