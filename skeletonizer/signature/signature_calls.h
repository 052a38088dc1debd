/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls in a region: into functions of the program, of mathematics, of memory, of kernels, and of
 * what nothing is known of. Internal to skeletonizer/signature.
 */
#pragma once

#include "skeletonizer/signature/signature_walk.h"

/* Counts what the call does; its arguments are counted already. */
void signature_count_call(const struct signature_place *place, const struct ast *ast);
