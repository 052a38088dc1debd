/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COPIED_WRAPPERS_H
#define COPIED_WRAPPERS_H

#include <mpi.h>

static inline void spread(void *data, int n, MPI_Datatype type) {
    MPI_Bcast(data, n, type, 0, MPI_COMM_WORLD);
}

void shift(double *data, int n, int rank);
void distribute(double *data, int *n);

#endif
