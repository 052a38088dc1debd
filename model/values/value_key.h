/* SPDX-License-Identifier: Apache-2.0
 *
 * What a value goes by, its key: some of the places of a vector, which are the value's features
 * and, behind them, the numbers of the run. In: the samples of the value; out: the key, by which
 * profiled runs are found, and samples with 0 for features that differ between ranks that have the
 * value alike (value_once.h), at which nobody looks from then on.
 *
 * A place is not in the key if samples have the same numbers without it: how often a solver
 * iterates is the same on any number of ranks, whatever part of the system each of them has. That
 * has to show in at least two cases that differ in it. Places are left out one after the other,
 * backward as in stepwise regression, the number of ranks first and arguments last, since ranks
 * have shares of what arguments say. Formulas may go by all places: the system is what a rank has
 * times the ranks.
 *
 * Amounts that scatter (particles in a layer) may nearly agree with other places left out, what the
 * run is like first. Those that remain are a second key, for runs that have none of the first:
 * profiled runs have their own numbers, and decisions and numbers of iterations no second key.
 */
#pragma once

#include "base/arena.h"
#include "model/samples/run_context.h"
#include "model/samples/sample.h"
#include "model/values/value_once.h"

#include <stdbool.h>

struct value_key {
    const struct sample *samples; /* of the value, sorted by features */
    size_t sample_count;
    struct run_context runs; /* numbers of the run that are known where the value is */
    int *places, place_count;
    int *near, near_count; /* places of features, and of what else is needed for amounts to be
                              nearly the same; NULL: they are not, or no more is told */
    double near_error;     /* then: of amounts with the same numbers there */
    struct value_once once;
    bool runs_differ; /* in some place, be it in the key or not */
};

/* `samples` are all of the value, at least one, sorted by features; borrowed. `context`: of all
 * runs, with the regions' numbers. From the arena. */
void value_key_find(struct value_key *out, struct arena *arena, const struct samples *all,
                    const struct sample *samples, size_t count, const struct region *region,
                    const struct run_context *context);

double value_key_number(const struct value_key *key, const struct sample *sample, int place);

/* By the numbers in the key. */
int value_key_compare(const struct value_key *key, const struct sample *left,
                      const struct sample *right);
