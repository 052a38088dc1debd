/* SPDX-License-Identifier: Apache-2.0
 *
 * What the parts of `mpiskel scale` share: its command line, points that are simulated, and the
 * report. scale_options.c parses, scale_simulate.c runs `mpiskel run` once for each point,
 * scale_print.c and scale_plot.c report.
 */
#ifndef CLI_SCALE_SCALE_H
#define CLI_SCALE_SCALE_H

#include "base/arena.h"
#include "base/error.h"
#include "base/vec.h"
#include "cli/common/opened.h"
#include "cli/common/pass_through.h"
#include "model/scaling/scaling.h"
#include "simulator/sweep/rank_list.h"

#include <stdbool.h>

struct scale_options {
    struct arena arena;
    struct pass_through divided; /* the command line */
    const char *bundle;          /* NULL: points come from files */
    VEC(const char *) files;
    rank_list ranks;   /* to be simulated */
    rank_list targets; /* to be predicted */
    bool weak;
    bool no_targets;       /* are not simulated */
    double target_limit_s; /* of one simulation, as far as can be told before */
    size_t jobs, top;
    const char *plot; /* a file; NULL: none */
    const char *where_column, *where_value;
    enum output_format format;
    bool no_progress;
    VEC(const char *) run_options; /* passed on to `mpiskel run` */
    char **arguments;              /* the application's, with placeholders */
    size_t argument_count;
};

/* Ends the process on mistakes, with EXIT_USAGE. */
void scale_options_parse(struct scale_options *out, int argc, char **argv);
void scale_options_dispose(struct scale_options *options);

/* `{ranks}`, `{1024*ranks}`, `{1024*ranks^1/2}`, `{1024*ranks^0.5:128}` (rounded to a multiple of
 * 128) in an argument of the application; text without them is as it was. From the arena. */
bool scale_has_placeholder(const char *argument);
int scale_argument(const char **out, struct arena *arena, const char *argument, size_t ranks,
                   struct error *error);

/* One simulation. */
struct scale_run {
    size_t ranks;
    bool wanted; /* false: `why` tells why it is not made */
    bool done;   /* the numbers below are there */
    double time_s, computation_s, wall_s, peak_memory_kib;
    const char *why; /* not done: a line; in the arena */
};

/* Makes those that are wanted, the largest first. What goes wrong with one is in its `why`; -1 only
 * if nothing can be started, or ^C came. */
int scale_simulate(struct scale_run *runs, size_t count, struct scale_options *options,
                   struct error *error);

struct scale_target {
    double ranks, time_s, low_s, high_s;
    bool has_band;
    const struct scale_run *run; /* NULL: was not to be simulated */
};

struct scale_report {
    const struct scale_options *options;
    const struct scaling *scaling;
    const char *program;
    const char *arguments;         /* NULL: not known */
    size_t repeated, without_time; /* points that did not count */
    VEC(struct scale_target) targets;
    size_t compared; /* targets that were simulated */
    double median_error, largest_error;
    double turn_ranks, earliest_turn_ranks, half_ranks; /* 0: none */
};

void scale_print(const struct scale_report *report);
int scale_plot(const struct scale_report *report, const char *path, struct error *error);

#endif
