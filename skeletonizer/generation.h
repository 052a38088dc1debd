/* SPDX-License-Identifier: Apache-2.0
 *
 * A bundle while it is made: what all steps of generate.c have found out. Known in this folder
 * only: the stages below are handed what they need, such as a compilation or a description.
 */
#pragma once

#include "base/cache.h"
#include "frontend/cache/unit_cache.h"
#include "frontend/commands/compile_commands.h"
#include "frontend/commands/dependencies.h"
#include "model/values/untold.h"
#include "skeletonizer/compile/compilation.h"
#include "skeletonizer/compiler/scout_compiler.h"
#include "skeletonizer/cut/cut.h"
#include "skeletonizer/describe/describe.h"
#include "skeletonizer/describe/summarize.h"
#include "skeletonizer/generate_options.h"
#include "skeletonizer/hints/hints.h"
#include "skeletonizer/hot/counts.h"
#include "skeletonizer/plan/plan.h"
#include "skeletonizer/text/edits.h"
#include "skeletonizer/unchanged.h"

struct generation {
    const struct generate_options *options;
    struct arena arena;
    struct commands commands;
    const struct link_command *link;
    struct externs externs;
    struct hints hints;
    struct untold untold;  /* values that models of the older bundle did not tell */
    node_list computed;    /* those of them that would be given */
    const bool *preferred; /* by node: cut hints ask to give it; NULL: nothing is cut */
    struct program program;
    struct counts counts;
    struct points_to points_to;
    struct assumptions assumptions;
    struct slice slice;
    struct hotness hotness;
    struct cut cut;
    struct plan plan;
    struct edits skeleton, profile;
    char *bundle_id;
    const char *one_thread; /* where messages are in a parallel region; NULL: nowhere */
    bool is_one_rank;       /* the program makes no MPI call */
    const char *binary_mpi; /* libraries with MPI calls of their own (struct regions) */
    struct scout_compiler scout_compiler;
    bool finds_no_values;   /* though they were asked for: there are none */
    bool rewrites_original; /* it has to tell values, or to take latencies, or SimGrid could not
                               compile it as it is */
    const char *target;     /* where the bundle goes: options' output, links followed */
    const char *directory;  /* the temporary one, until all is there */
    struct cache cache;
    struct unit_cache units;
    struct dependencies dependencies;
    struct unchanged unchanged;
    struct generate_summary summary;
};

/* What the stages are handed: views into the generation, valid while it is. */
struct compilation generation_compilation(struct generation *g, const char *directory);
struct description generation_description(struct generation *g);

/* By its link command; without one, by its only unit. */
const char *generation_program_name(const struct generation *g);

void generation_dispose(struct generation *g);
