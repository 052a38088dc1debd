/* SPDX-License-Identifier: Apache-2.0
 *
 * For what is put before functions of SimGrid (count_messages.c, detached.c,
 * host_clock.c, polls.c): its own
 * ones, and whether it is the version whose inside they were written for.
 */
#pragma once

#include <dlfcn.h>
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* *out, a pointer to a function, is the next one of this name, or NULL. */
static inline void interpose_look_up(void *out, const char *name) {
    void *found = dlsym(RTLD_NEXT, name);
    memcpy(out, &found, sizeof found);
}

/* *out: where the machine code of a function of SimGrid's begins. Returns how many bytes it has; 0:
 * there is no such function. */
static inline uintptr_t interpose_find_code(uintptr_t *out, const char *name) {
    void *code = dlsym(RTLD_NEXT, name);
    Dl_info info;
    const ElfW(Sym) *symbol = NULL;
    *out = (uintptr_t)code;
    bool is_found = code != NULL && dladdr1(code, &info, (void **)&symbol, RTLD_DL_SYMENT) != 0 &&
                    symbol != NULL;
    return is_found ? symbol->st_size : 0;
}

static inline int interpose_is_known_version(void) {
    void (*ask)(int *, int *, int *);
    int major = 0, minor = 0, patch = 0;
    interpose_look_up(&ask, "sg_version_get");
    if (ask != NULL)
        ask(&major, &minor, &patch);
    return major == 3 && minor == 32;
}
