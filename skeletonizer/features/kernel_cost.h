/* SPDX-License-Identifier: Apache-2.0
 *
 * What a call of a library kernel costs, as C: the cost of its row in externs.def with arguments
 * for names; and its faces, which are the products with one factor less (of 2*m*n*k: m*n, m*k and
 * n*k). What BLAS takes is a sum of c0 + c1*m*n*k + c2*m*n + c3*m*k + c4*n*k: operations, and what
 * is read, written and packed on its faces (T. Cornebize, A. Legrand, Simulation-based optimization
 * and sensibility analysis of MPI applications: variability matters, JPDC 166, 2022).
 */
#pragma once

#include "skeletonizer/features/expression.h"

#define KERNEL_COST_WHOLE (-1)
#define KERNEL_FACTORS_MAX 4

/* A call, where it is. */
struct kernel_call {
    const struct frame *frame;
    const struct node *node;
    const struct call *call;
};

/* How many faces the call has; 0 if its cost is no product of sizes. */
int kernel_face_count(const struct kernel_call *kernel);

/* "m*n", in the names of the row; from the arena. */
const char *kernel_face_name(struct arena *arena, const struct kernel_call *kernel, int face);

/* Appends a face, or the whole cost. Equal faces of other calls have the same text. False: some
 * argument is not known. */
bool kernel_cost_print(struct str *out, const struct kernel_call *kernel, int face);
