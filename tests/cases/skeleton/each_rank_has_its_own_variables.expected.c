/* SPDX-License-Identifier: Apache-2.0
 *
 * Ranks share one copy of the skeleton; what they write has to stay their own: variables of files
 * and of functions, initialised or not, with pointers and in other units.
 *
 * with: second_unit.c
 * kept: calls++
 * made: BSIM_PRIVATE static int calls = 3;
 * made: BSIM_PRIVATE int table[5], *last = 0;
 * made: BSIM_PRIVATE extern int rounds;
 * made: BSIM_PRIVATE static const char *word = "ab";
 * gone: u[i] +=
 */
#include <mpi.h>
#include <string.h>

BSIM_PRIVATE extern int rounds;
void advance(double *u);

static const int limits[] = {1, 2, 3};
BSIM_PRIVATE int table[5], *last = 0;
BSIM_PRIVATE static struct pair {
    int left, right;
} pair = {4, 5};

static int count(int rank) {
    BSIM_PRIVATE static int calls = 3;
    BSIM_PRIVATE static const char *word = "ab";
    calls++;
    if (rank % 2 == 1)
        word = "abcd";
    return calls + (int)strlen(word);
}

int main(int argc, char **argv) {
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    BSIM_ENTER(0) for (int step = 0; BSIM_GOES_OUTERMOST(0, bsim_trips(step, 4, 1), step < 4); step++) {
        BSIM_ADD_TIME(0, bsim_trips_of(1, 0, 400, 1)); /* lines 42-43: 1 loop */
        advance(0);
        pair.left += rank;
        table[step] = rank + step;
        last = &table[step];
        int n = count(rank) + *last + pair.left + limits[step % 3] + rounds;
        MPI_Send(BSIM_SCRATCH, n, MPI_DOUBLE, (rank + 1) % size, step, MPI_COMM_WORLD);
        MPI_Recv(BSIM_SCRATCH, 400, MPI_DOUBLE, (rank + size - 1) % size, step, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
