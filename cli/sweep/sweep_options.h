/* SPDX-License-Identifier: Apache-2.0
 *
 * The command line of `mpiskel sweep`, and the spec files that say the same (docs/how-to/sweep.md).
 *
 * What is not known here is an option of `mpiskel run` and goes to each point as it is. A spec has
 * one setting a line, named as on the command line; what the command line says goes before.
 */
#pragma once

#include "base/vec.h"
#include "cli/common/opened.h"
#include "cli/common/option_take.h"
#include "simulator/sweep/sweep.h"

struct sweep_options {
    struct arena arena;
    const char *target; /* the first argument: a bundle or a spec */
    const char *bundle;
    const char *spec;                 /* NULL: none */
    const char *store;                /* NULL: the bundle's */
    const char *ranks;                /* -np */
    VEC(struct dimension) dimensions; /* --vary, in their order */
    option_texts tries;               /* --try, not split yet */
    VEC(const char *) run_options, arguments;
    struct sweep_settings settings;
    enum output_format format;
    bool dry_run, no_progress;
    struct grid grid;
    struct grid_point *points; /* all of it */
    size_t point_count;
};

/* Ends the process on mistakes of the command line, with EXIT_USAGE; -1: a mistake in the spec. */
int sweep_options_parse(struct sweep_options *out, int argc, char **argv, struct error *error);
void sweep_options_dispose(struct sweep_options *options);

/* Reads a spec file into options that the command line left open. */
int sweep_spec_read(struct sweep_options *options, const char *path, struct error *error);

/* Sets one option by its long name, whether from the command line or a spec; 1: there is none of
 * that name. */
int sweep_option_set(struct sweep_options *options, const char *name, const char *value,
                     struct error *error);
