/* SPDX-License-Identifier: Apache-2.0
 *
 * What the programs of a bundle are compiled from, and where.
 */
#pragma once

#include "frontend/commands/compile_commands.h"
#include "frontend/program/program.h"
#include "skeletonizer/compile/objects.h"
#include "skeletonizer/compiler/counting.h"
#include "skeletonizer/compiler/scout_compiler.h"
#include "skeletonizer/compiler/smpi_compiler.h"
#include "skeletonizer/compiler/unlinked.h"

struct compilation {
    /* The caller's. */
    struct arena *arena;
    struct program *program;
    const struct commands *commands;
    const struct link_command *link; /* NULL: all units are linked without further options */
    const char *directory;           /* has the rewritten sources; objects and programs go there */
    const char *output;              /* what it will be called when all is there */
    const char *libraries;           /* the directory of bsim.h and the runtimes */
    const char *bundle_id;
    const char *operation_regions; /* of devices (plan/device_operations.h); "": there are none */
    bool rewrites_original;        /* it is compiled from the profiling build's sources */
    bool is_one_rank;              /* the program makes no MPI call */
    bool has_one_thread;           /* in simulations: messages are in a parallel region of OpenMP */
    int jobs;                      /* at a time */
    enum counting counting;        /* of profiling build and original */
    bool with_skeleton, with_original;     /* they are built at once */
    struct scout_compiler *scout_compiler; /* of compile_scout; else NULL */
    struct objects objects;

    /* Found out by the way. */
    struct unlinked unlinked;           /* options of the link, where `link` does not tell */
    struct smpi_compiler smpi_compiler; /* that links; and by the application's compiler: */
    struct hash_table smpi_compilers;
    struct replacement counting_compiler; /* where something counts: of all three programs */
    bool lacks_definitions;               /* of inline functions: instances_lack_definitions */
    bool has_plain_variables;         /* the skeleton's cannot be thread-local: rewrite_private.c */
    int object_count, compiled_count; /* the others were taken over from an older bundle */
};
