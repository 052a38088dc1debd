/* SPDX-License-Identifier: Apache-2.0
 *
 * The trip count of a counting loop, as text. Internal to features.
 */
#pragma once

#include "skeletonizer/features/expression.h"
#include "skeletonizer/slice/loop_shape.h"

/* "bsim_trips(0, n, 1)", in features of stubs "bsim_trips_of(3, 0, n, 1)"; false if something in it
 * is not known where the region begins. */
bool trip_counts_print(struct str *out, const struct frame *frame, const struct loop_shape *loop);

/* How a condition in a feature ends. */
#define FEATURE_GUARD " ? 1 : 0)"

/* The macro that sums `inner` over the loop's iterations, by its `variable`, and what it wants to
 * know of them: "bsim_last, 0, bsim_trips(0, n, 1), 1". */
const char *trip_counts_sum_name(const struct loop_shape *loop, const char *variable,
                                 const char *inner);
bool trip_counts_print_range(struct str *out, const struct frame *frame,
                             const struct loop_shape *loop);
