/* SPDX-License-Identifier: Apache-2.0
 *
 * The invariants of points-to analysis (README.md, "What always holds").
 */
#pragma once

#include "base/error.h"
#include "skeletonizer/pointsto/pointsto.h"

/* 0, or -1 with the first thing that does not hold. Solves every constraint once more. */
int points_to_check(struct points_to *points_to, struct error *error);
