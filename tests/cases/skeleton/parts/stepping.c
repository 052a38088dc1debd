/* SPDX-License-Identifier: Apache-2.0
 *
 * The text as a third function.
 */
#include <mpi.h>

void step_elsewhere(double *x, int n);

static int lengths[2];

#define GROWTH n
#define STEP step_here
#define ITEM double
#define KIND MPI_DOUBLE
#define LAST 0
#include "stepping.h"

void step_elsewhere(double *x, int n) {
    step_here(x, n);
    step_here(x, lengths[0] % 7);
}
