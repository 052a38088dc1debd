/* SPDX-License-Identifier: Apache-2.0
 *
 * OpenMP is text for us: the program is analysed as it runs with one thread. What stays under a
 * directive has to compile and to be as safe with several threads as before.
 */
#pragma once

#include "frontend/commands/compile_commands.h"
#include "skeletonizer/slice/slice.h"

/* Demands what the directives of kept statements need: declarations of the variables that they
 * name, values that they evaluate, loops that they join, locks. */
void openmp_demand(struct slice *slice);

/* Tells where messages are exchanged inside a parallel region, in files that are compiled with
 * OpenMP: such a program is simulated with one thread. The first place, FILE:LINE; NULL: there is
 * none. */
const char *openmp_report(struct slice *slice, const struct commands *commands);
