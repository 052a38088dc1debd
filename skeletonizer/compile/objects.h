/* SPDX-License-Identifier: Apache-2.0
 *
 * Objects of an earlier bundle, for units that would be compiled to the same again.
 */
#pragma once

#include "base/cache.h"
#include "frontend/commands/dependencies.h"

struct toolchain;

struct known_toolchain {
    unsigned long long key;
    struct toolchain *toolchain;
};

struct objects {
    struct arena *arena;
    const char *directory; /* of this run, temporary */
    struct cache *cache;
    struct dependencies *dependencies;
    VEC(struct known_toolchain) toolchains; /* what objects_take learned about compilers */
};

/* One compilation. */
struct object_file {
    const char *name;           /* of the entry, such as "skeleton.0.o" */
    const char *path, *log;     /* the object, and the compiler's messages */
    const char *made_from;      /* a file in make's form that the compiler writes: what it read */
    const char *directory;      /* where it is compiled */
    const char *const *command; /* compiler, options, source; NULL-terminated */
    const char *const *options; /* compiler and options without source and outputs */
    bool is_taken;
    unsigned long long arguments;
    path_list directories; /* that the compiler searches; known after objects_take */
    bool can_be_kept;
};

/* Puts object and messages in place if an earlier bundle has them; *out_taken tells. */
int objects_take(bool *out_taken, struct objects *objects, struct object_file *object,
                 struct error *error);

/* Remembers what was compiled, or taken, for the next time. */
int objects_keep(struct objects *objects, struct object_file *object, struct error *error);

/* The text with `from` replaced wherever it stands; in the arena. */
char *objects_replaced(struct arena *arena, const char *text, const char *from, const char *to);

void objects_dispose(struct objects *objects);
