/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs that name a wrong datatype work where there is room behind the variable: an int goes as
 * MPI_DOUBLE, a record with an int as two of them, an int behind a cast. A table of doubles that
 * goes as such is still nobody's.
 *
 * kept: MPI_Bcast(&room.count, 1, MPI_DOUBLE
 * kept: MPI_Bcast(&pair, 2, MPI_DOUBLE
 * kept: MPI_Bcast((void *)other, 1, MPI_DOUBLE
 * made: MPI_Bcast(BSIM_SCRATCH, 8, MPI_DOUBLE
 * gone: table[0] = 3.0
 */
#include <mpi.h>

struct pair {
    double weight;
    int count, unused;
};

static int steps(int n) {
    int done = 0;
    for (int i = 0; i < n; i++) {
        MPI_Barrier(MPI_COMM_WORLD);
        done++;
    }
    return done;
}

int main(int argc, char **argv) {
    int rank, other[2] = {1, 0};
    struct {
        int count, behind;
    } room = {1, 0};
    struct pair pair = {1.0, 1, 0};
    double table[8] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        room.count = 3;
        pair.count = 4;
        other[0] = 5;
        table[0] = 3.0;
    }
    MPI_Bcast(&room.count, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(&pair, 2, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast((void *)other, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(table, 8, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    steps(room.count + pair.count + other[0]);
    MPI_Finalize();
    return 0;
}
