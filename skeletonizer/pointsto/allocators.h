/* SPDX-License-Identifier: Apache-2.0
 *
 * How calls connect pointers: arguments to parameters, results, fresh memory of libraries and of
 * functions of the program that do nothing but allocate.
 */
#pragma once

#include "skeletonizer/pointsto/pointsto.h"

/* Adds the constraints of all direct calls. */
void allocators_connect(struct points_to *points_to);

/* Makes the function a target of the call (again: nothing happens) and connects them. */
void allocators_bind(struct points_to *points_to, struct call *call, struct function *function);

/* The heap block that a call of an allocation wrapper returns in place of this one, which is
 * allocated inside it; other objects are returned as they are. Ids. */
int allocators_clone(struct points_to *points_to, int call, int object);
