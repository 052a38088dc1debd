/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows that hypotheses are sought by: their situations, and all quantities and conditions of the
 * vocabulary evaluated in them, once. Those that are the same in all rows are left out, and of
 * those that agree in all rows the later ones.
 */
#pragma once

#include "synthesis/learn/hypotheses.h"

struct learn_twin {
    size_t of; /* the quantity */
    struct synth_quantity twin;
};

struct learn_sample {
    const struct learn_input *input;
    struct synth_pool *pool; /* of expressions */
    VEC(size_t) rows;        /* numbers in the input */
    size_t count;            /* of them */
    struct synth_situation *at;
    long long *values;
    quantity_list quantities, conditions;
    VEC(struct learn_twin) twins;
    double *numbers; /* by quantity, then by row */
    bool *holds;     /* by condition, then by row */
};

/* Rows are chosen by the caller (vec_push(&sample->rows, ...)); this evaluates. */
void learn_sample_fill(struct learn_sample *sample);
void learn_sample_dispose(struct learn_sample *sample);

/* Some of a sample's rows. */
struct learn_part {
    const struct learn_sample *sample;
    const size_t *rows;
    size_t count;
};

static inline const double *learn_numbers(const struct learn_part *part, size_t quantity) {
    return part->sample->numbers + quantity * part->sample->count;
}

static inline long long learn_value(const struct learn_part *part, size_t i) {
    return part->sample->values[part->rows[i]];
}

/* How many different values there are, at most `most`. */
size_t learn_part_values(const struct learn_part *part, long long *values, size_t most);
