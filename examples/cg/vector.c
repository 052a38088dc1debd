/* SPDX-License-Identifier: Apache-2.0
 *
 * Vectors: allocation, the exchange of border lines, and the dot product over all ranks. In and
 * out: arrays as described in cg.h. The dot product keeps the time it takes, since at scale its
 * allreduce is what limits the method.
 */
#include "cg.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { TAG_TO_LOWER = 1, TAG_TO_UPPER = 2 };

static double dot_s;

double *vector_new(long length) {
    double *vector = calloc((size_t)length, sizeof(double));
    if (vector == NULL) {
        fprintf(stderr, "cg: no memory for a vector of %ld numbers\n", length);
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    }
    return vector;
}

double *vector_new_padded(const struct domain *d) {
    return vector_new((long)d->rows + 2L * d->n);
}

void vector_exchange(const struct domain *d, double *padded) {
    double *own = padded + d->n;
    double *above = own + d->rows;
    MPI_Sendrecv(own, d->n, MPI_DOUBLE, d->lower, TAG_TO_LOWER, above, d->n, MPI_DOUBLE, d->upper,
                 TAG_TO_LOWER, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(above - d->n, d->n, MPI_DOUBLE, d->upper, TAG_TO_UPPER, padded, d->n, MPI_DOUBLE,
                 d->lower, TAG_TO_UPPER, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

double vector_dot(const double *a, const double *b, int n) {
    double start_s = MPI_Wtime();
    double local = 0.0, global = 0.0;
    for (int i = 0; i < n; i++)
        local += a[i] * b[i];
    MPI_Allreduce(&local, &global, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    dot_s += MPI_Wtime() - start_s;
    return global;
}

double vector_dot_seconds(void) {
    return dot_s;
}
