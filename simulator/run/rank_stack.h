/* SPDX-License-Identifier: Apache-2.0
 *
 * How large the stack of a simulated rank is.
 */
#pragma once

#include <stddef.h>

/* As a real rank's: what `ulimit -s` says, in KiB; at least SimGrid's own default. */
size_t rank_stack_kib(size_t ranks);
