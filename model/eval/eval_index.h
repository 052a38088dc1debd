/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds a vector by some of its numbers among those that a value was seen with. Part of the
 * evaluator of model.bsim; linked into other people's programs like eval.h.
 */
#ifndef MODEL_EVAL_EVAL_INDEX_H
#define MODEL_EVAL_EVAL_INDEX_H

#include <stddef.h>

struct bsim_value_seen;

struct bsim_index {
    int *slots; /* by hash: which vector, from 1 on; 0: none. NULL: nothing is ever found */
    size_t capacity;
    const int *places; /* of the numbers, borrowed */
    int place_count;
};

/* *out's memory is the caller's (bsim_index_dispose). -1: there is none. `seen` and `places` have
 * to stay as they are. */
int bsim_index_make(struct bsim_index *out, const struct bsim_value_seen *seen, int count,
                    const int *places, int place_count);

/* NULL: none of those of which the index was made has the vector's numbers. */
const struct bsim_value_seen *bsim_index_find(const struct bsim_index *index,
                                              const struct bsim_value_seen *seen,
                                              const double *vector);

void bsim_index_dispose(struct bsim_index *index);

#endif
