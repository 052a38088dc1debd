/* SPDX-License-Identifier: Apache-2.0
 *
 * Learning who the other end of a call is: the simplest encoding (synth_expression.h) and
 * expression that give the peer of every row.
 */
#pragma once

#include "synthesis/learn/hypotheses.h"

struct peer_hypotheses {
    struct synth_peer items[HYPOTHESES_MOST]; /* the first one counts */
    int count;
    double right;
};

/* `values` of the input are peers; each row has a call, whose group they are ranks of. */
void peer_hypotheses_learn(struct peer_hypotheses *out, struct synth_pool *pool,
                           const struct learn_input *input);
