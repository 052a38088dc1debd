/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory whose contents nobody looks at (runtime/skeleton/scratch.c tells where it is): what is
 * sent from there is not copied.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Called by the runtime in the skeleton, if it has any. */
void bsim__engine_scratch(void *begin, size_t bytes);

bool scratch_memory_has(const void *address);
