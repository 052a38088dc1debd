/* SPDX-License-Identifier: Apache-2.0 */
#include "simulator/run/malloc_settings.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

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
