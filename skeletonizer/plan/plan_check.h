/* SPDX-License-Identifier: Apache-2.0
 *
 * The invariants of a plan (README.md, "What always holds").
 */
#pragma once

#include "base/error.h"
#include "skeletonizer/plan/plan.h"

/* 0, or -1 with the first thing that does not hold. */
int plan_check(const struct plan *plan, struct error *error);
