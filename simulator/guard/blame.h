/* SPDX-License-Identifier: Apache-2.0
 *
 * Which given values make a simulation communicate otherwise than the program did.
 *
 * In: a configuration whose check failed, with its models. The original is simulated once and its
 * values recorded; then the skeleton is, with some of them given and the others told by models: as
 * few as needed to make the original's calls (A. Zeller and R. Hildebrandt, Simplifying and
 * Isolating Failure-Inducing Input, IEEE TSE 28, 2002: halves first, then smaller parts). These are
 * its calls in simulation, not those of the profiled run: a program that draws its start by the
 * clock makes others each time. Not handled: the fewest of all; values that only together are
 * right.
 */
#pragma once

#include "simulator/guard/simulated.h"

struct blame_question {
    struct guard_networks *networks;
    const struct bundle *bundle;
    bool has_original;                  /* it has it, or could build it */
    const char *model_file, *directory; /* a temporary one, for what is recorded */
    const struct profiled *run;
    struct simulation_limits limits;
    double allowed_percent;
    double budget_s; /* processor time */
};

struct blame {
    int *values;     /* regions; in the arena */
    size_t count;    /* 0: it is none of them, or cannot be found out */
    const char *why; /* of none */
    double seconds;  /* processor time that it took */
};

int guard_blame(struct blame *out, struct arena *arena, const struct blame_question *question,
                struct error *error);
