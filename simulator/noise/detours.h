/* SPDX-License-Identifier: Apache-2.0
 *
 * Interruptions out of fixed quanta of work: each quantum takes the same time, unless something
 * interrupts it.
 *
 * In: how long the quanta of a block took, one behind the other, on one core. Out: detours, which
 * are what single quanta took longer than those around them; and, when all blocks are over, the
 * kinds of interruptions: detours that cost about the same (within a factor of 4), with the mean of
 * their costs, how often they come, and how much their intervals vary.
 *
 * What others do on a core's second thread, or a lower clock, makes all quanta of some milliseconds
 * longer. So a detour is longer than the quanta just before it and those just behind it (the larger
 * of the two medians), by DETOUR_LEAST_S, and by four times what quanta around it vary by.
 *
 * Sources: M. Sottile, R. Minnich, Analysis of Microbenchmarks for Performance Tuning of Clusters,
 * Cluster 2004 (fixed work and fixed time quanta); T. Hoefler, T. Schneider, A. Lumsdaine, SC 2010
 * (Netgauge's selfish detours).
 */
#pragma once

#include "base/vec.h"
#include "simulator/noise/interruptions.h"

#define DETOUR_LEAST_S 1e-6

struct detour {
    double cost_s;
    double since_s; /* the beginning of the one of its kind before it; negative: not known */
};

struct detours {
    VEC(struct detour) items;
    double measured_s; /* of all cores together */
    double waited_s;   /* of that: the core did something else (a processor clock stood) */
};

/* Adds a block of quanta. */
void detours_add(struct detours *out, const double *quanta_s, size_t count);

/* Adds those of another core. */
void detours_merge(struct detours *out, const struct detours *other);
void detours_dispose(struct detours *detours);

/* How many there are of each kind is written into `counts` (INTERRUPTION_KINDS_MAX). */
void detours_sum_up(struct interruptions *out, size_t *counts, const struct detours *detours);
