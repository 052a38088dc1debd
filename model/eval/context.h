/* SPDX-License-Identifier: Apache-2.0
 *
 * Where in a run an execution of a region happened: the contextual parameters, as the profiling
 * runtime records them and as the skeleton asks for them. Both count at the same place of the same
 * program text, so that they mean the same. Numbers of executions come in buckets: 1, 2, 3, 4,
 * 5-8, 9-16, 17-32, ...
 */
#ifndef MODEL_EVAL_CONTEXT_H
#define MODEL_EVAL_CONTEXT_H

/* What a region has executed before, and how often, on this rank; counting begins with 1. */
struct bsim_context {
    unsigned long execution; /* number of this execution at its place */
    unsigned long unchanged; /* executions in a row with the same features, this one included */
    int before;              /* the region that was executed before this one; -1: none */
};

/* The largest bucket: numbers are counted in 64 bits. */
#define BSIM_BUCKET_MAX 65

static inline int bsim_bucket(unsigned long number) {
    if (number <= 4)
        return number > 0 ? (int)number - 1 : 0;
    int bucket = 4;
    for (unsigned long last = 8; last < number && last != 0; last *= 2)
        bucket++;
    return bucket;
}

/* The first number in a bucket, and the last one of those that fit. */
static inline unsigned long bsim_bucket_first(int bucket) {
    return bucket < 4 ? (unsigned long)bucket + 1 : (1UL << (bucket - 2)) + 1;
}

static inline unsigned long bsim_bucket_last(int bucket) {
    return bucket < 4 ? (unsigned long)bucket + 1 : bucket < 65 ? 1UL << (bucket - 1) : ~0UL;
}

#endif
