/* SPDX-License-Identifier: Apache-2.0
 *
 * The noise of a machine: what interrupts a rank while it computes (timer ticks, interrupts,
 * daemons), in a few kinds that differ in how much time they take.
 *
 * In and out: its description, lines KEY = VALUE (docs/reference/noise.md):
 *   interruption = INTERVAL COST [VARIATION]   of a kind, in the order of costs
 *   held = PERCENT%                            what latencies learned on the machine hold already
 * The interval lies between the beginnings of two interruptions of the kind, on one core. A
 * variation of 0 is a clock's tick; 1 are independent events, whose intervals are distributed
 * exponentially; between them an interval is a fixed part and an exponential one. A mistake is an
 * error at its place.
 *
 * Sources: F. Petrini, D. Kerbyson, S. Pakin, The Case of the Missing Supercomputer Performance, SC
 * 2003; K. Ferreira, P. Bridges, R. Brightwell, Characterizing Application Sensitivity to OS
 * Interference Using Kernel-Level Noise Injection, SC 2008 (interval and cost, injected at phases
 * that differ from rank to rank); T. Hoefler, T. Schneider, A. Lumsdaine, Characterizing the
 * Influence of System Noise on Large-Scale Applications by Simulation, SC 2010.
 */
#pragma once

#include "base/arena.h"
#include "base/error.h"
#include "base/str.h"

#define INTERRUPTION_KINDS_MAX 8
#define INTERRUPTION_INTERVAL_LEAST_S 1e-6
#define INTERRUPTIONS_SHARE_MOST 0.9 /* of the time: what is left computes */

struct interruption_kind {
    double interval_s, cost_s; /* means */
    double variation;          /* of intervals: standard deviation over mean, from 0 to 1 */
};

struct interruptions {
    struct interruption_kind kinds[INTERRUPTION_KINDS_MAX];
    int count;
    double held; /* share of latencies that were learned on the machine; at most the share below */
};

/* Of the time of a core that computes: what interruptions take. */
double interruptions_share(const struct interruptions *interruptions);

/* Changes the text. `path` names it in errors. */
int interruptions_parse(struct interruptions *out, char *text, const char *path,
                        struct error *error);
int interruptions_read(struct interruptions *out, const char *path, struct error *error);

/* As interruptions_parse() reads it. */
void interruptions_write(struct str *out, const struct interruptions *interruptions);

/* What skeletons take (BSIM_INTERRUPTIONS, docs/reference/environment.md). */
const char *interruptions_setting(struct arena *arena, const struct interruptions *interruptions,
                                  unsigned long long seed, size_t repetition);
