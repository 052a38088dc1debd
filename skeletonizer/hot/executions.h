/* SPDX-License-Identifier: Apache-2.0
 *
 * How often statements are executed: as a scout run counted it, else as loops and calls let guess.
 */
#pragma once

#include "skeletonizer/hot/counts.h"
#include "skeletonizer/hot/work_estimate.h"

struct executions {
    const struct counts *counts;
    struct weights weights; /* the estimate; with counts, who is recursive */
    const call_list *callers;
    double *share;  /* by function: this instance's of what its lines count */
    double *rarest; /* by function: its rarest call's of all its calls */
};

void executions_init(struct executions *out, const struct slice *slice,
                     const struct counts *counts);
void executions_dispose(struct executions *executions);

bool executions_are_estimated(const struct executions *executions);

double executions_of(const struct executions *executions, const struct node *node);

/* Of its lines, in all instances of its function together. */
double executions_of_line(const struct executions *executions, const struct node *node);

/* On behalf of the rarest call of its function that happens at all: what is executed once per call
 * is not frequent just because others call the function often. */
double executions_for_rarest(const struct executions *executions, const struct node *node);

/* By function: how much of its executions comes from calls that the slice keeps. The caller frees
 * it. */
double *executions_kept(const struct executions *executions, const struct slice *slice);
