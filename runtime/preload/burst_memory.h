/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory for what is noted of bursts, beside malloc's: of that the program's own blocks would come
 * to lie elsewhere. It is given back when the process ends.
 */
#ifndef RUNTIME_PRELOAD_BURST_MEMORY_H
#define RUNTIME_PRELOAD_BURST_MEMORY_H

#include <stddef.h>

/* Zeroed; NULL: there is no more. */
void *burst_memory_take(size_t bytes);

#endif
