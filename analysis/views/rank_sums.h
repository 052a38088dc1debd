/* SPDX-License-Identifier: Apache-2.0
 *
 * What each rank does: its time in regions, in MPI and in waiting, and what makes it slower than
 * the others; and the efficiencies that POP computes of these.
 */
#pragma once

#include "analysis/views/run_view.h"

struct rank_sum {
    int64_t computation_ns, mpi_ns;
    int64_t device_ns; /* in calls of a device's library */
    uint32_t reason;   /* the region in which it is most above the mean of all ranks; VIEW_NONE */
    int64_t excess_ns; /* by how much */
};

struct rank_sums {
    struct rank_sum *ranks;
    int count;
    int64_t *sites_ns; /* of each site, over all ranks */
    uint64_t *calls;   /* likewise: events */
};

/* *out is the caller's (rank_sums_dispose). */
void rank_sums_make(struct rank_sums *out, const struct run_view *view);
void rank_sums_dispose(struct rank_sums *sums);

/* POP Centre of Excellence, "POP standard metrics for parallel performance analysis": with C the
 * computation of a rank, T the time of the run and T' that on an ideal network. Nothing to do, and
 * nothing lost: 1. Serialisation and transfer are NaN where T' is. */
struct pop_metrics {
    double parallel;      /* mean C / T, the product of the next two */
    double load_balance;  /* mean C / max C */
    double communication; /* max C / T, the product of the next two */
    double serialisation; /* max C / T' */
    double transfer;      /* T' / T */
};

struct pop_metrics pop_metrics_of(double mean_s, double max_s, double run_s, double ideal_s);
struct pop_metrics pop_metrics_of_sums(const struct rank_sums *sums, int64_t duration_ns,
                                       double ideal_s);
