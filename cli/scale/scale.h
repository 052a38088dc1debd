/* SPDX-License-Identifier: Apache-2.0
 *
 * What the parts of `mpiskel scale` share: its command line, points that are simulated, and the
 * report. scale_options.c parses, scale_simulate.c runs `mpiskel run` once for each point,
 * scale_print.c and scale_plot.c report.
 */
#pragma once

#include "base/arena.h"
#include "base/error.h"
#include "base/vec.h"
#include "cli/common/opened.h"
#include "cli/common/pass_through.h"
#include "cli/print/scale_print.h"
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

/* Makes those that are wanted, the largest first. What goes wrong with one is in its `why`; -1 only
 * if nothing can be started, or ^C came. */
int scale_simulate(struct scale_run *runs, size_t count, struct scale_options *options,
                   struct error *error);

int scale_plot(const struct scale_report *report, const char *path, struct error *error);
