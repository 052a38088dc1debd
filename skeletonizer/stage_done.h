/* SPDX-License-Identifier: Apache-2.0
 *
 * What happens behind each stage: its invariants are checked (base/error.h), and it is dumped
 * if that was asked for.
 */
#pragma once

#include "skeletonizer/generation.h"

void stage_done(struct generation *g, enum generate_stage stage);
