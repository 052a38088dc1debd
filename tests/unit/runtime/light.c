/* SPDX-License-Identifier: Apache-2.0
 *
 * Messages and reductions of the scratch buffer, which the skeleton's runtime makes cheap, take the
 * same simulated time as those of real memory, whose contents still arrive. Prints both times of
 * each and the real results.
 */
#include <stdio.h>
#include <stdlib.h>

#define ROWS 500
#define STRIDE 20

static double exchange(void *out, void *in, MPI_Datatype type, int rank, int size) {
    double start = MPI_Wtime();
    MPI_Sendrecv(out, 3, type, (rank + 1) % size, 1, in, 3, type, (rank + size - 1) % size, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return MPI_Wtime() - start;
}

static double reduce(void *in, void *out) {
    double start = MPI_Wtime();
    MPI_Allreduce(in, out, ROWS, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return MPI_Wtime() - start;
}

int main(int argc, char **argv) {
    int rank, size, i;
    double *out = calloc(3 * ROWS * STRIDE, sizeof *out),
           *in = calloc(3 * ROWS * STRIDE, sizeof *in);
    double times[4];
    MPI_Datatype column;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Type_vector(ROWS, 2, STRIDE, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    for (i = 0; i < 3 * ROWS * STRIDE; i++)
        out[i] = rank;
    MPI_Barrier(MPI_COMM_WORLD);
    times[0] = exchange(out, in, column, rank, size);
    MPI_Barrier(MPI_COMM_WORLD);
    times[1] = exchange(BSIM_SCRATCH, BSIM_SCRATCH, column, rank, size);
    if (rank == 0)
        printf("received %g beside %g\nexchange %.9f\nexchange %.9f\n", in[0], in[2], times[0],
               times[1]);
    MPI_Barrier(MPI_COMM_WORLD);
    times[2] = reduce(out, in);
    MPI_Barrier(MPI_COMM_WORLD);
    times[3] = reduce(BSIM_SCRATCH, BSIM_SCRATCH);
    if (rank == 0)
        printf("sum %g\nreduce %.9f\nreduce %.9f\n", in[0], times[2], times[3]);
    MPI_Type_free(&column);
    free(out);
    free(in);
    MPI_Finalize();
    return 0;
}
