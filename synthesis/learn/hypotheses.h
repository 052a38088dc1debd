/* SPDX-License-Identifier: Apache-2.0
 *
 * Learning one number: the simplest expressions that give the value of every row.
 *
 * In this order: a constant; a quantity, perhaps times and plus a constant; products of two and
 * three quantities; a table over the iterations of a loop that always has as many; sums of two
 * terms; a tree of conditions with such expressions at its leaves (by information gain, as in
 * Quinlan's ID3). Of those that are equally simple several are kept, since rows that were not seen
 * may tell them apart. What a sample of the rows suggests is checked with all of them; rows that
 * contradict join the sample, and it begins anew. Only where nothing fits is a least-squares fit
 * taken, and said so.
 */
#pragma once

#include "synthesis/learn/sightings.h"
#include "synthesis/learn/vocabulary.h"

#define HYPOTHESES_MOST 8

struct hypotheses {
    const struct synth_expression *items[HYPOTHESES_MOST]; /* the first one counts */
    int count;                                             /* at least 1 */
    double right; /* share of the rows that the first one gives; 1: exact */
};

struct learn_input {
    const struct sightings *sightings;
    const struct sighting_rows *rows;
    const long long *values; /* of each row */
    const bool *known;       /* which rows tell a value; NULL: all */
    const struct vocabulary *vocabulary;
    bool may_be_near;  /* a fit will do */
    bool is_size;      /* a measure: it grows with a run, and no run is special */
    bool is_condition; /* values are no numbers, but whether something is so */
};

/* Expressions are in the pool. No rows: the constant 0. */
void hypotheses_learn(struct hypotheses *out, struct synth_pool *pool,
                      const struct learn_input *input);

/* The first one, with the others behind it if they are as good. */
const struct synth_expression *hypotheses_expression(const struct hypotheses *of,
                                                     struct synth_pool *pool);

const struct synth_expression *expression_constant(struct synth_pool *pool, double number);
const struct synth_expression *expression_choice(struct synth_pool *pool,
                                                 struct synth_quantity condition,
                                                 const struct synth_expression *yes,
                                                 const struct synth_expression *no);
/* How much it says: 0 of a constant. */
int expression_complexity(const struct synth_expression *of);
