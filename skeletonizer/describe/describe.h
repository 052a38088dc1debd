/* SPDX-License-Identifier: Apache-2.0
 *
 * The files of a bundle that say what it is and why, and their parts as JSON values, which the
 * caller owns. docs/reference/regions.md says what they hold. Texts lie in the program's arena.
 */
#pragma once

#include "base/json.h"
#include "frontend/commands/compile_commands.h"
#include "skeletonizer/cut/cut.h"
#include "skeletonizer/describe/summarize.h"
#include "skeletonizer/hot/hotness.h"
#include "skeletonizer/plan/plan.h"
#include "skeletonizer/text/edits.h"

/* A bundle as it is described. */
struct description {
    struct arena *arena;
    const char *bundle_id, *program_name;
    const char *directory; /* into which the files are written */
    const char *output;    /* what it will be called when all is there */
    const struct commands *commands;
    const char *executable;  /* that was asked for; NULL: the only one */
    const char *hints;       /* their file; NULL: none */
    const char *counted;     /* what clocks of the programs count; NULL: nothing */
    const char *one_thread;  /* where messages are in a parallel region; NULL: nowhere */
    const char *binary_mpi;  /* libraries with MPI calls of their own; NULL: none */
    bool is_one_rank;        /* the program makes no MPI call */
    const struct plan *plan; /* with its slice and program */
    const struct cut *cut;
    const bool *preferred; /* by node: cut hints ask to give it; NULL: nothing is cut */
    const struct hotness *hotness;
    struct edits *skeleton, *profile, *original; /* original NULL: it is not rewritten */
    const struct generate_summary *summary;
};

int describe_write_regions(const struct description *d, struct error *error);
/* Which loops there are, and which can be set. */
int describe_write_loops(const struct description *d, struct error *error);
/* Why what stays: much, and for `explain` only. */
int describe_write_reasons(const struct description *d, struct error *error);
int describe_write_readme(const struct description *d, struct error *error);

/* Bytes of a source text; JSON wants UTF-8. */
json_t *describe_text(const char *bytes);

/* The text of a range on one line, at most about 100 bytes of it. */
char *describe_shortened(struct program *program, struct range range);

/* A statement as its reader knows it: of a loop or a branch, the header. */
char *describe_node(struct program *program, const struct node *node);

/* The statement of a value, or what of it takes the value: an assignment, an operand of its
 * condition. */
char *describe_value(struct program *program, const struct node *node, const struct ast *part);

/* Where a value comes from, as a hint says it; NULL, no hint does: "". */
const char *describe_draw(struct arena *arena, const struct hinted_draw *draw);

/* What makes the called function a criterion: the first MPI call in it, else a call that ends the
 * program, else one of unknown effect; NULL: the call has no source, or nothing in it does. */
const struct call *describe_criterion(const struct slice *slice, const struct call *call);

/* One demand of a slice, which need not be that of the skeleton. */
json_t *describe_demand(const struct slice *slice, int index);

/* Computations that stay, and the estimate of all work and of the work that stays. */
json_t *describe_kept(const struct plan *plan);
json_t *describe_estimate(const struct generate_summary *summary);

/* Which values would let hot computation go. */
json_t *describe_cuts(const struct description *d);

/* Where an assumption made the skeleton smaller. */
json_t *describe_assumed(const struct slice *slice);

/* Kept calls of functions without source and without a row in externs.def. */
json_t *describe_unknown(const struct slice *slice);

/* Pairs of readings of a clock whose difference the program works out. */
json_t *describe_clocks(const struct description *d);

/* Calls that stay, of functions without source that read, write, wait, or of unknown effect. */
json_t *describe_kept_calls(const struct slice *slice);
