/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs of a bundle: the commands that build one, as a file of the bundle, and what carries them
 * out, at once or when something first needs the program.
 */
#pragma once

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
    const char *id;      /* the text of its assembler source, later_id_path; NULL: none */
    const char *library; /* that it is linked with; NULL: none */
    VEC(struct later_step) steps;
};

/* Frees the commands, too. */
void later_dispose(struct later *later);

/* Relative to a bundle: the file of commands, that of those for where these fail, the source of the
 * bundle id, and what the last step has to make. */
const char *later_commands_path(struct arena *arena, const char *program);
const char *later_other_path(struct arena *arena, const char *program);
const char *later_id_path(struct arena *arena, const char *program);
const char *later_part_path(struct arena *arena, const char *program);

/* Into the file of that name in the compilation's directory, which the steps name as it is. */
int later_write(const struct later *later, struct arena *arena, const char *directory,
                const char *name, struct error *error);

struct later_work {
    struct arena *arena;
    const char *directory; /* where the program is made */
    struct objects *objects;
    struct jobs jobs;                 /* limit and silent are the caller's */
    int object_count, compiled_count; /* out: the others were taken over */
};

/* Makes the program; what was made on the way stays. */
int later_carry_out(struct later *later, struct later_work *work, struct error *error);
void later_work_dispose(struct later_work *work);

struct later_request {
    const char *bundle;                /* an absolute path */
    const char *output;                /* what it is called in messages */
    const char *program;               /* "original" */
    const char *old_cache;             /* objects are taken of it; NULL: none */
    struct dependencies *dependencies; /* what is known of files; NULL: nothing */
    int jobs;
    int object_count, compiled_count; /* out: the others were taken over */
};

/* Builds it in the bundle unless it is there; another process that does so meanwhile is waited for.
 * Objects are kept in the bundle's cache. */
int later_build(struct later_request *request, struct error *error);
