/* SPDX-License-Identifier: Apache-2.0
 *
 * Pieces of mapped memory, from their begin to their end; see burst_memory.h.
 */
#include "runtime/preload/burst_memory.h"

#include <stdint.h>
#include <sys/mman.h>

#define PIECE_BYTES ((size_t)1 << 20)
#define ALIGNMENT ((size_t)16)

static char *next;
static size_t left;

static void *map(size_t bytes) {
    void *mapped = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return mapped != MAP_FAILED ? mapped : NULL;
}

void *burst_memory_take(size_t bytes) {
    if (bytes > SIZE_MAX - ALIGNMENT)
        return NULL;
    bytes = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (bytes > PIECE_BYTES / 4)
        return map(bytes);
    if (bytes > left) {
        next = map(PIECE_BYTES);
        left = next != NULL ? PIECE_BYTES : 0;
        if (next == NULL)
            return NULL;
    }
    void *taken = next;
    next += bytes;
    left -= bytes;
    return taken;
}
