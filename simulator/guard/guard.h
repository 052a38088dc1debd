/* SPDX-License-Identifier: Apache-2.0
 *
 * The guard: does the skeleton with its models communicate as the profiled runs did, and would it
 * have done so if some of them had not been made?
 *
 * In: a bundle with its samples and models. Out: a verdict. Own runs are checked first, those that
 * take least time before others; then, if values are given, each size is left out, the largest
 * first, and the largest number of ranks. What the budget has no time for is not made.
 */
#pragma once

#include "model/latency/latency.h"
#include "model/samples/sample.h"
#include "model/verdict/verdict.h"
#include "simulator/run/bundle.h"

struct guard {
    const struct bundle *bundle;
    const struct samples *samples;
    const struct models *models;
    const char *model_file; /* with these models, or others if only own runs are checked */
    bool only_own;
    double budget_s; /* processor time; some of the checks are made whatever it is */
};

/* *out is the caller's (verdict_dispose), also after -1. */
int guard_check(struct verdict *out, const struct guard *guard, struct error *error);

/* Sizes that have to be profiled so that one can be left out; and numbers of ranks above one, since
 * one rank communicates with nobody: so two are left where the largest is left out. One tells
 * nothing of how things change with the ranks; particles that a wave moves were 124 % off with runs
 * on one and two ranks, and 6 % with those on four as well. */
#define GUARD_SIZES_MIN 5
#define GUARD_RANKS_MIN 3

/* Numbers of ranks that lack, powers of two, the smallest first; returns how many. */
size_t guard_ranks_lacking(int out[GUARD_RANKS_MIN], const int *ranks, size_t count);
