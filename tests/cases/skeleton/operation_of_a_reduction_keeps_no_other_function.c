/* SPDX-License-Identifier: Apache-2.0
 *
 * The largest number of all ranks, by an operation of the program's own, decides how many messages there are: the function
 * behind the operation stays. Other functions have no part in it.
 *
 * kept: largest[i] = numbers[i]
 * gone: x[i] = 0.5 * (x[i - 1] + x[i])
 */
#include <mpi.h>

static void keep_largest(void *in, void *inout, int *length, MPI_Datatype *type) {
    const int *numbers = in;
    int *largest = inout;
    (void)type;
    for (int i = 0; i < *length; i++)
        if (numbers[i] > largest[i])
            largest[i] = numbers[i];
}

static void smooth(double *x, int n) {
    for (int i = 1; i < n; i++)
        x[i] = 0.5 * (x[i - 1] + x[i]);
}

int main(int argc, char **argv) {
    int rank, mine, most;
    double x[64] = {1};
    MPI_Op largest;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Op_create(keep_largest, 1, &largest);
    mine = 3 + rank;
    MPI_Allreduce(&mine, &most, 1, MPI_INT, largest, MPI_COMM_WORLD);
    smooth(x, 64);
    for (int k = 0; k < most; k++)
        MPI_Bcast(x, 64, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Op_free(&largest);
    MPI_Finalize();
    return 0;
}
