/* SPDX-License-Identifier: Apache-2.0
 *
 * The shape of a counting loop: variable, first value, bound, step; and its trip count as text.
 * Internal to features.
 */
#ifndef SKELETONIZER_FEATURES_TRIP_COUNTS_H
#define SKELETONIZER_FEATURES_TRIP_COUNTS_H

#include "skeletonizer/features/expression.h"

struct loop {
    const struct tree *tree;
    const struct declaration *variable;
    const struct ast *first, *end, *step; /* step NULL: 1 */
    const struct node *first_node, *step_node;
    bool down, inclusive;
    bool guarded; /* the bound stands behind another condition, which may be what makes it safe */
    bool conditional; /* with another condition: it may end before its bound */
    bool geometric;   /* the step is a factor (down: a divisor) */
    int shift;        /* the factor is 2 to the power of the step */
};

/* False if it is no `for` that counts an integer variable up or down to a bound. */
bool loop_read(struct loop *out, const struct tree *tree);

/* Only the variable and its step; false if that is none. */
bool loop_read_step(struct loop *out, const struct ast *step);

/* "bsim_trips(0, n, 1)", in features of stubs "bsim_trips_of(3, 0, n, 1)"; false if something in it
 * is not known where the region begins. */
bool loop_print_trips(struct str *out, const struct frame *frame, const struct loop *loop);

/* The macro that sums over the loop's iterations, and what it wants to know of them: "bsim_last, 0,
 * bsim_trips(0, n, 1), 1". */
const char *loop_sum_name(const struct loop *loop);
bool loop_print_range(struct str *out, const struct frame *frame, const struct loop *loop);

#endif
