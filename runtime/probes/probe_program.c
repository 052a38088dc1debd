/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of probe_kernels.c as an MPI program, of which `mpiskel generate` tells the
 * signature: region by region in the order of probe_machine.c.
 */
#include "probe_kernels.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define WAIT MPI_Barrier(MPI_COMM_WORLD)

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int n = argc > 1 ? atoi(argv[1]) : 100;
    size_t length = (size_t)n * (size_t)n * (size_t)n;
    double *a = malloc(length * sizeof *a), *b = malloc(length * sizeof *b);
    double *c = malloc(length * sizeof *c), sum = 0;
    int *index = malloc(length * sizeof *index), *out = malloc(length * sizeof *out);
    WAIT;
    probe_fill(a, 1.0, n);
    WAIT;
    probe_triad(a, b, c, n);
    WAIT;
    sum += probe_dot(a, b, n);
    WAIT;
    probe_divide(a, b, c, n);
    WAIT;
    sum += probe_norms(a, b, n);
    WAIT;
    probe_exponentials(a, b, n);
    WAIT;
    sum += probe_horner(a, n);
    WAIT;
    sum += probe_forces(a, n);
    WAIT;
    probe_stencil(a, b, n);
    WAIT;
    probe_relax(a, b, n);
    WAIT;
    sum += probe_columns(a, n);
    WAIT;
    probe_transpose(a, b, n);
    WAIT;
    probe_multiply(c, a, b, n);
    WAIT;
    sum += probe_gather(a, index, n);
    WAIT;
    probe_scatter(a, index, n);
    WAIT;
    sum += probe_chase(index, n);
    WAIT;
    sum += probe_count(a, 0.5, n);
    WAIT;
    sum += probe_hash(index, n);
    WAIT;
    sum += probe_remainders(out, index, n);
    WAIT;
    sum += probe_calls(a, n);
    WAIT;
    printf("%g\n", sum);
    MPI_Finalize();
    return 0;
}
