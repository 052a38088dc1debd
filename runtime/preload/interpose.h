/* SPDX-License-Identifier: Apache-2.0
 *
 * For what is put before functions of SimGrid (count_messages.c, detached.c, host_clock.c): its own
 * ones, and whether it is the version whose inside they were written for.
 */
#ifndef RUNTIME_PRELOAD_INTERPOSE_H
#define RUNTIME_PRELOAD_INTERPOSE_H

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

/* *out, a pointer to a function, is the next one of this name, or NULL. */
static inline void interpose_look_up(void *out, const char *name) {
    void *found = dlsym(RTLD_NEXT, name);
    memcpy(out, &found, sizeof found);
}

static inline int interpose_is_known_version(void) {
    void (*ask)(int *, int *, int *);
    int major = 0, minor = 0, patch = 0;
    interpose_look_up(&ask, "sg_version_get");
    if (ask != NULL)
        ask(&major, &minor, &patch);
    return major == 3 && minor == 32;
}

#endif
