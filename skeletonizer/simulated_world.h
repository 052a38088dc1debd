/* SPDX-License-Identifier: Apache-2.0
 *
 * Where a program may do something else in a simulation than where it runs, since it asks which MPI
 * compiles it, or for a variable that only a launcher sets. Whether it does is not known, so it is
 * told.
 */
#pragma once

#include "skeletonizer/slice/slice.h"

/* Warns of each kind once, at its first place. The slice is complete. */
void simulated_world_report(const struct slice *slice);
