/* SPDX-License-Identifier: Apache-2.0
 *
 * Where an expression points to, and how that moves with the loops around it. Internal to
 * skeletonizer/signature.
 */
#pragma once

#include "skeletonizer/signature/address_sum.h"
#include "skeletonizer/signature/signature_walk.h"

/* The address of what an lvalue names, and the value of a pointer or an integer. */
struct address address_of(const struct signature_place *place, const struct ast *lvalue);
struct address address_value(const struct signature_place *place, const struct ast *ast);

/* Variables that live on the stack and are no arrays: registers, once a compiler optimises. */
bool address_is_local(const struct ast *lvalue);
