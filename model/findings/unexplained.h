/* SPDX-License-Identifier: Apache-2.0
 *
 * Elapsed time of profiling runs that neither regions nor MPI calls account for: code that the
 * skeleton keeps and that takes no time in a prediction, such as what waits for a device, reads, or
 * is in a library without source.
 *
 * In: runs from the store, with their time in kept code (docs/reference/samples.md). Out: its
 * share of all runs' elapsed time, on the rank of each run that has most of it, since others wait
 * for that one; and the site before which most of it is.
 */
#pragma once

#include "model/findings/findings.h"
#include "model/samples/sample.h"

/* Kept code is mostly what computes counts and ranks of messages: some percent. A prediction that
 * lacks a fifth is off by more than models are (docs/results/accuracy.md). */
#define UNEXPLAINED_FROM 0.2
/* What is missing of shorter runs is what starting a program takes, or time slices that others had:
 * tens of milliseconds on a busy machine. */
#define UNEXPLAINED_LEAST_S 0.1

struct unexplained {
    double share;                  /* below UNEXPLAINED_FROM there is nothing to tell */
    double seconds, elapsed_s;     /* of all runs together */
    const struct call_count *site; /* of the run that has most; NULL: nothing is known */
};

/* Runs that are not told of count as fully explained. The site is one of the runs'. */
void unexplained_add_runs(struct unexplained *out, const struct samples *samples);

/* Whether it is to be told. */
bool unexplained_matters(const struct unexplained *unexplained);

/* A finding of the kind "unexplained", before all others; nothing if it does not matter. */
void unexplained_add_finding(struct findings *out, const struct unexplained *unexplained,
                             const struct regions *regions);
