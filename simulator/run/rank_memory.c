/* SPDX-License-Identifier: Apache-2.0
 *
 * A rank's stack takes addresses at once, and memory only where it is written to. Without a limit
 * it is a gibibyte, which no function's arrays come near: a real one could take what the machine
 * has. All of them together take an eighth of a process' addresses (2^47 bytes) at most, and where
 * the system counts addresses as memory (vm.overcommit_memory 2, ulimit -v) they stay as small as
 * SimGrid has them.
 */
#include "simulator/run/rank_memory.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* ---- Stacks ---- */

#define SIMGRID_KIB (8 * 1024)
#define UNLIMITED_KIB (1024 * 1024)
#define ALL_KIB ((size_t)1 << 34)

static int addresses_count_as_memory(void) {
    struct rlimit limit;
    int policy = 0;
    FILE *file = fopen("/proc/sys/vm/overcommit_memory", "r");
    if (file != NULL && fscanf(file, "%d", &policy) != 1)
        policy = 0;
    if (file != NULL)
        fclose(file);
    return policy == 2 || getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur != RLIM_INFINITY;
}

size_t rank_stack_kib(size_t ranks) {
    struct rlimit limit;
    if (addresses_count_as_memory() || getrlimit(RLIMIT_STACK, &limit) != 0)
        return SIMGRID_KIB;
    size_t asked = limit.rlim_cur == RLIM_INFINITY ? UNLIMITED_KIB : (size_t)limit.rlim_cur / 1024;
    size_t most = ranks > 0 ? ALL_KIB / ranks : ALL_KIB;
    size_t kib = asked < most ? asked : most;
    return kib > SIMGRID_KIB ? kib / 16 * 16 : SIMGRID_KIB;
}

/* ---- malloc ---- */

/* Where malloc begins to map blocks on a real rank (mallopt(3)): after MPI_Init of Open MPI 4.1 it
 * still does, while SimGrid has freed larger blocks before its ranks start. Where the user has
 * chosen something for malloc, real ranks have it as well. */
#define MMAP_THRESHOLD "131072"

static bool user_tunes(const char *what) {
    const char *tunables = getenv("GLIBC_TUNABLES");
    return tunables != NULL && strstr(tunables, what) != NULL;
}

static bool user_sets_malloc(void) {
    static const char *const names[] = {"MALLOC_MMAP_THRESHOLD_", "MALLOC_TRIM_THRESHOLD_",
                                        "MALLOC_TOP_PAD_", "MALLOC_MMAP_MAX_"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (getenv(names[i]) != NULL)
            return true;
    return user_tunes("malloc.mmap_") || user_tunes("malloc.trim_threshold") ||
           user_tunes("malloc.top_pad");
}

const char *const *malloc_settings(void) {
    static const char *const settings[] = {"MALLOC_MMAP_THRESHOLD_=" MMAP_THRESHOLD,
                                           "BSIM_MMAP_THRESHOLD=" MMAP_THRESHOLD, NULL};
    static const char *const none[] = {NULL};
    return user_sets_malloc() ? none : settings;
}
