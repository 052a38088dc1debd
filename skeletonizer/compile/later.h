/* SPDX-License-Identifier: Apache-2.0
 *
 * A program of a bundle that is built when something first needs it: the commands that build it,
 * as a file of the bundle, and what carries them out.
 */
#ifndef SKELETONIZER_COMPILE_LATER_H
#define SKELETONIZER_COMPILE_LATER_H

#include "base/error.h"
#include "skeletonizer/compile/objects.h"
#include "skeletonizer/compiler/jobs.h"

/* One command; what it names in the compilation's directory is found in the bundle afterwards. */
struct later_step {
    struct job job;
    const char *directory;            /* where it runs */
    const struct object_file *object; /* that it compiles; NULL: it does something else */
    bool waits;                       /* for all before it */
};

struct later {
    const char *program; /* "original" */
    const char *id;      /* the text of its assembler source, later_id_path */
    VEC(struct later_step) steps;
};

/* Frees the commands, too. */
void later_dispose(struct later *later);

/* Relative to a bundle: the file of commands, the source of the bundle id, and what the last step
 * has to make. */
const char *later_commands_path(struct arena *arena, const char *program);
const char *later_id_path(struct arena *arena, const char *program);
const char *later_part_path(struct arena *arena, const char *program);

/* Into the compilation's directory, which the steps name as it is. */
int later_write(const struct later *later, struct arena *arena, const char *directory,
                struct error *error);

/* Builds it in the bundle, an absolute path; another process that does so meanwhile is waited for.
 * Objects that the bundle's cache has are taken. */
int later_build(const char *bundle, const char *program, int jobs, struct error *error);

#endif
