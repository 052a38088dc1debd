/* SPDX-License-Identifier: Apache-2.0
 *
 * What was learned of one number, as a function of the situation: a sum of products of quantities,
 * a table over the iterations of a loop, or a condition that chooses between two of them; and of a
 * peer, which is one or two such numbers and a way to take them.
 */
#ifndef SYNTHESIS_EVAL_SYNTH_EXPRESSION_H
#define SYNTHESIS_EVAL_SYNTH_EXPRESSION_H

#include "synthesis/eval/synth_pool.h"
#include "synthesis/eval/synth_quantity.h"

#include <stdio.h>

#define SYNTH_TERMS_MOST 3
#define SYNTH_FACTORS_MOST 3
#define SYNTH_NESTED_MOST 40

struct synth_term {
    double coefficient;
    int factor_count;
    struct synth_quantity factors[SYNTH_FACTORS_MOST];
};

enum synth_form { SYNTH_SUM, SYNTH_TABLE, SYNTH_CHOICE };

struct synth_expression {
    enum synth_form form;
    int term_count; /* of a sum */
    struct synth_term terms[SYNTH_TERMS_MOST];
    double constant;
    int loop, entry_count;           /* of a table: iterations of this loop have these numbers, */
    const long long *entries;        /* those behind the last one the last one's */
    struct synth_quantity condition; /* of a choice */
    const struct synth_expression *yes, *no;
    const struct synth_expression *other; /* as simple, and all recordings confirm it as well */
};

#define SYNTH_OTHERS_MOST 8

/* A sum is rounded to the nearest integer. */
long long bsim_synth_value(const struct synth_situation *at, const struct synth_expression *of);
double bsim_synth_sum(const struct synth_situation *at, const struct synth_expression *of);

/* How a peer is told. No peer (MPI_PROC_NULL, or none) is SYNTH_NOBODY. */
#define SYNTH_NOBODY (-1)

enum synth_encoding {
    SYNTH_ABSOLUTE, /* its rank */
    SYNTH_RING,     /* how far behind this rank, around */
    SYNTH_LINE,     /* the same, nobody beyond the ends */
    SYNTH_XOR,      /* with this rank */
    SYNTH_TORUS,    /* a dimension of a Cartesian topology, and how far along it, around */
    SYNTH_GRID,     /* the same, nobody beyond the edges */
    SYNTH_STENCIL,  /* of a Cartesian topology a neighbour, perhaps across edges and corners: for
                       each  dimension, the first one first, a digit to the base of 3, which is 1
                       more  than how far along it; nobody beyond the edges */
    SYNTH_ENCODINGS
};

struct synth_peer {
    enum synth_encoding encoding;
    int group; /* of SYNTH_TORUS, SYNTH_GRID and SYNTH_STENCIL: whose topology */
    const struct synth_expression *value, *distance; /* distance: along a dimension; else NULL */
    const struct synth_peer *other;                  /* as above */
};

/* A rank of the communicator `group`; out of its range: SYNTH_NOBODY. */
int bsim_synth_peer(const struct synth_situation *at, const struct synth_peer *of, int group);
/* What an encoding makes of these two numbers. */
int bsim_synth_decode(const struct synth_situation *at, enum synth_encoding encoding, int topology,
                      long long value, long long distance, int group);

void bsim_synth_expression_write(FILE *out, const struct synth_expression *of);
void bsim_synth_peer_write(FILE *out, const struct synth_peer *of);
const struct synth_expression *bsim_synth_expression_read(struct synth_words *words);
void bsim_synth_peer_read(struct synth_peer *out, struct synth_words *words);

#endif
