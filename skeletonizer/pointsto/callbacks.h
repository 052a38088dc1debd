/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions of the program that code without source may call: comparisons of qsort, functions that
 * are registered with a library.
 */
#pragma once

#include "skeletonizer/pointsto/pointsto.h"

/* Notes new ones in call.callbacks, and gives their parameters what the call may pass. */
void callbacks_connect(struct points_to *points_to);
