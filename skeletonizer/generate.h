/* SPDX-License-Identifier: Apache-2.0
 *
 * Compile commands in, a bundle out: the whole first half of the pipeline.
 */
#ifndef SKELETONIZER_GENERATE_H
#define SKELETONIZER_GENERATE_H

#include "base/cache.h"
#include "frontend/cache/unit_cache.h"
#include "frontend/commands/compile_commands.h"
#include "frontend/commands/dependencies.h"
#include "model/values/untold.h"
#include "skeletonizer/compiler/scout_compiler.h"
#include "skeletonizer/compiler/smpi_compiler.h"
#include "skeletonizer/cut/cut.h"
#include "skeletonizer/hints/hints.h"
#include "skeletonizer/hot/counts.h"
#include "skeletonizer/plan/plan.h"
#include "skeletonizer/text/edits.h"

struct generate_options {
    const char *database;   /* compile_commands.json or its directory */
    const char *executable; /* --link; NULL: the only one */
    const char *hints;      /* NULL: EXE.hints beside the sources, if it is there */
    const char *output;     /* APP.skel */
    const char *scout;      /* a command that runs {} to count executions; NULL: none */
    const char *libraries;  /* the directory of bsim.h and the runtimes */
    double max_kept;        /* the share of executions that may stay; negative: not asked for */
    struct assumptions assumptions;
    bool compile; /* false: only sources and regions.json */
    bool fresh;   /* nothing of an older bundle's cache is taken */
    bool progress;
    int jobs;
};

struct generate_summary {
    int units, functions, functions_kept;
    int statements, statements_kept;
    double executions, executions_kept; /* of statements, in the scout run; 0: not known */
    double work, work_kept;             /* by estimate (work_estimate.h) */
    int mpi_calls, scratch_buffers, live_payloads, regions, features;
    int values; /* that models give: so many of the regions */
    int units_parsed, objects,
        objects_compiled; /* the others were taken over from an older bundle */
    double analysis_s, total_s;
};

struct toolchain;

struct known_toolchain {
    unsigned long long key;
    struct toolchain *toolchain;
};

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
    struct smpi_compiler smpi_compiler;
    struct scout_compiler scout_compiler;
    const char *const *profile_sources; /* profile_runtime.h; NULL: the library will do */
    bool finds_no_values;               /* though they were asked for: there are none */
    bool names_world;                   /* static initialisers: static_worlds.h */
    bool lacks_definitions;             /* of inline functions: instances_lack_definitions */
    bool has_plain_variables; /* the skeleton's cannot be thread-local: rewrite_private.c */
    const char *directory;    /* the temporary one, until all is there */
    struct cache cache;
    struct unit_cache units;
    struct dependencies dependencies;
    VEC(struct known_toolchain) toolchains;
    struct generate_summary summary;
};

/* 0: the bundle is there. -1: what went wrong was printed, or is in *error; nothing is left behind,
 * and an older bundle of that name is as it was. */
int generate_bundle(struct generate_summary *out, const struct generate_options *options,
                    struct error *error);

/* The cut that was found: cut_choose.h. */
bool generate_is_worth_while(const struct generation *g, const struct cut_wishes *wishes);

/* Steps of it. */
void generate_summarize(struct generation *g);
int generate_write_sources(struct generation *g, struct error *error);
int generate_write_regions(struct generation *g, struct error *error);
/* Which loops there are, and which can be set. */
int generate_write_loops(struct generation *g, struct error *error);
/* Why what stays: much, and for `explain` only. */
int generate_write_reasons(struct generation *g, struct error *error);
int generate_write_readme(struct generation *g, struct error *error);
int generate_compile(struct generation *g, struct error *error);
/* The application with execution counters, as generation.scout_compiler says: `directory`/scout.
 * Where that is without optimization what goes wrong is not told: inline functions of C99 without
 * an external definition cannot be linked then. */
int generate_compile_scout(struct generation *g, const char *directory, struct error *error);
/* An original that has to tell values, or that SimGrid could not compile as it is
 * (static_worlds.h). */
bool generate_rewrites_original(const struct generation *g);
const char *generate_program_name(const struct generation *g);
char *generate_relative(struct generation *g, const char *path);

/* What shares are shares of. */
const char *generate_name_of_share(const struct generation *g);

/* Notes of what the cut leaves to be computed, or gives, against what is expected. */
void generate_tell_of_cut(struct generation *g);

#endif
