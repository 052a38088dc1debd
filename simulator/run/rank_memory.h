/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory of simulated ranks, as that of real ones: stacks, and how malloc behaves.
 */
#pragma once

#include <stddef.h>

/* As a real rank's: what `ulimit -s` says, in KiB; at least SimGrid's own default. */
size_t rank_stack_kib(size_t ranks);

/* "NAME=VALUE", ended by NULL: so that blocks are mapped from the size on from which they are on a
 * real rank. None where the user has chosen something, since real ranks have it as well. */
const char *const *malloc_settings(void);
