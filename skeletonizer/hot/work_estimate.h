/* SPDX-License-Identifier: Apache-2.0
 *
 * A static estimate of how much work statements are, for ranking what stays and for telling what is
 * hot where nothing was counted; no prediction.
 */
#pragma once

#include "skeletonizer/slice/slice.h"

/* Of the whole program, or of what the skeleton keeps of it. */
struct weights {
    const struct slice *slice;
    bool kept_only;
    const bool *inside; /* by node: calls there do not count as executions; NULL: all do */
    double *executions; /* by function: how often it is called */
    double *weight;     /* by function: of one call, with all that it calls */
    int *component;     /* by function: the same for those that call each other in a circle */
    bool *is_recursive; /* by function */
};

void weights_compute(struct weights *out, const struct slice *slice, bool kept_only,
                     const bool *inside);
void weights_dispose(struct weights *weights);

/* A statement (and not the entry of a function, a label), and it counts: all do, or it is kept. */
bool weights_count(const struct weights *weights, const struct node *node);

/* Of all executions of the node; with_calls: with all that the functions do that it calls. */
double weights_of(const struct weights *weights, const struct node *node, bool with_calls);

/* The same for one execution of the node's function. */
double weights_within(const struct weights *weights, const struct node *node, bool with_calls);

/* How often it is executed. */
double weights_executions(const struct weights *weights, const struct node *node);

/* Of the largest product in the cost of a library kernel that it calls (2*m*n*k: 3); 0: none. */
int weights_kernel_factors(const struct node *node);

/* Of all statements of the program that count. */
double weights_total(const struct weights *weights);
