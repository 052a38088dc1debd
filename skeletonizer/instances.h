/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions once per call: what one caller needs of a helper does not leak to its other callers.
 */
#ifndef SKELETONIZER_INSTANCES_H
#define SKELETONIZER_INSTANCES_H

#include "frontend/program.h"

/* Gives calls of small functions instances of their own, which their `key` then names. Before
 * points-to. */
void instances_make(struct program *program);

/* Where the function's name stands in its definition; an empty range if that cannot be told. */
struct range instances_name_range(const struct program *program, const struct function *function);

#endif
