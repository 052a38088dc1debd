/* SPDX-License-Identifier: Apache-2.0
 *
 * From samples of a value to what is fitted: vectors of the value's features and the
 * context of the run (number of ranks, numbers among the arguments, and where these do not tell
 * runs apart sizes that other regions had). Runs with the same context in which the value had the
 * same features are one configuration. Of loops the number is how often the body was executed
 * before the loop ended.
 */
#pragma once

#include "model/eval/eval_value.h"
#include "model/samples/sample.h"
#include "model/values/value_form.h"
#include "model/values/value_key.h"

#define VALUE_ALWAYS 1e15 /* iterations of a loop that was never seen to end */

struct value_data {
    enum value_kind kind;
    const struct feature *features;
    int feature_count, context_count; /* a vector has both */
    int plain_count;                  /* of the context: ranks and arguments, which come first */
    const char *const *context;       /* names */
    const int *configurations;        /* by run */
    int configuration_count;
    bool ranks_vary;              /* and are in the key: the first number of the context */
    value_points points;          /* one per vector and configuration */
    double runs_off;              /* sum over runs: from those with the same vector */
    const struct sample *samples; /* of the value, borrowed */
    size_t sample_count;
    const struct value_key *key;
    double least;   /* no number is smaller */
    bool is_vector; /* what tells vectors: no steps of time, though they have fractions */
    bool is_binary; /* an integer that was never anything else than 0 or 1 */
};

/* What executions with one vector had: the mean, and a pattern if all ranks and runs had sequences
 * of the same length. */
struct value_seen {
    const double *vector;
    double mean;
    const struct repeat *repeats;
    size_t repeat_count;
};

typedef VEC(struct value_seen) value_seen_list;

/* *out's vectors are from the arena; its points are the caller's (vec_dispose). `key` is borrowed.
 */
void value_data_make(struct value_data *out, struct arena *arena, const struct samples *all,
                     const struct value_key *key, const struct region *region);

/* Of a place in its vectors: a feature's, or one of the context; borrowed. */
const char *value_data_name(const struct value_data *data, const struct region *region, int place);

/* By key; vectors are those of the first. */
void value_data_seen(value_seen_list *out, struct arena *arena, const struct value_data *data);

/* How many its pattern has. */
double value_seen_executions(const struct value_seen *seen);
