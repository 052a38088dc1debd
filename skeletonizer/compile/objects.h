/* SPDX-License-Identifier: Apache-2.0
 *
 * Objects of an earlier bundle, for units that would be compiled to the same again.
 */
#ifndef SKELETONIZER_COMPILE_OBJECTS_H
#define SKELETONIZER_COMPILE_OBJECTS_H

#include "skeletonizer/generate.h"

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
int objects_take(bool *out_taken, struct generation *g, struct object_file *object,
                 struct error *error);

/* Remembers what was compiled, or taken, for the next time. */
int objects_keep(struct generation *g, struct object_file *object, struct error *error);

/* What objects_take learned about compilers. */
void objects_dispose(struct generation *g);

#endif
