/* SPDX-License-Identifier: Apache-2.0
 *
 * What the parts of `mpiskel whatif` share: its options, and the numbers of one simulation.
 */
#pragma once

#include "base/arena.h"
#include "base/vec.h"
#include "cli/common/opened.h"
#include "cli/common/simulations.h"
#include "cli/print/whatif_print.h"

struct whatif_options {
    struct arena arena;
    VEC(struct scenario_text) scenarios;
    const char *const *base_options; /* of run, with the bundle; NULL behind the last */
    const char *const *base_arguments;
    size_t jobs, top;
    enum output_format format;
    bool rank_all, no_attribute, no_progress;
    const char *page; /* where to write the page; NULL: nowhere */
    double by_percent, least_percent;
};

/* Ends the process where the command line is wrong. */
void whatif_options_parse(struct whatif_options *out, int argc, char **argv);
void whatif_options_dispose(struct whatif_options *options);

/* The simulation of the base with further options behind its own, which may be none. */
struct simulation whatif_simulation(const struct whatif_options *options,
                                    const char *const *further, const char *const *arguments,
                                    bool attribute, struct arena *arena);

/* Sensitivity (--rank-all); an exit code. */
int whatif_rank(struct whatif_options *options, struct error *error);
