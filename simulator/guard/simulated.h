/* SPDX-License-Identifier: Apache-2.0
 *
 * One simulation of a skeleton for the guard: on the default network, its output goes nowhere.
 */
#pragma once

#include "base/arena.h"
#include "simulator/guard/call_sums.h"
#include "simulator/guard/profiled.h"
#include "simulator/run/bundle.h"

enum simulated_end {
    SIMULATED_TO_THE_END,
    SIMULATED_WITHOUT_END, /* it deadlocked or crashed */
    SIMULATED_TOO_LONG,    /* it was ended at a limit */
    SIMULATED_EARLY_END,   /* MPI_Abort, exit: of the skeleton, or since a file is missing */
    SIMULATED_NOT,         /* memory ran out */
};

struct simulated {
    enum simulated_end end;
    const char *why; /* of all but the first: one line */
    struct call_sums sums;
    double seconds; /* processor time that it took */
};

struct simulation_limits {
    double processor_s, calls; /* 0: none */
};

/* The default network for several simulations: its files are written once for each number of
 * ranks. */
struct guard_networks {
    struct arena *arena;
    const char *directory; /* of the caller's, for these files */
    struct guard_network *first;
};

struct guard_simulation {
    struct guard_networks *networks;
    const struct bundle *bundle;
    const char *model_file;
    bool original;                /* it is simulated instead, and what will be given is recorded */
    const char *values_directory; /* given values are replayed from there; NULL: none are */
    const char *values_of;        /* those; NULL: all (struct launch) */
    const struct profiled *run;
    struct simulation_limits limits;
    bool by_smpi; /* the reference; else mpiskel's engine where it covers the program */
};

/* Texts are in the arena. -1: it could not be started, or was interrupted. */
int guard_simulate(struct simulated *out, struct arena *arena,
                   const struct guard_simulation *simulation, struct error *error);
