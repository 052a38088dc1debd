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

extern int rounds;
void advance(double *u);

static const int limits[] = {1, 2, 3};
int table[5], *last = 0;
static struct pair {
    int left, right;
} pair = {4, 5};

static int count(int rank) {
    static int calls = 3;
    static const char *word = "ab";
    calls++;
    if (rank % 2 == 1)
        word = "abcd";
    return calls + (int)strlen(word);
}

int main(int argc, char **argv) {
    double u[400] = {0};
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int step = 0; step < 4; step++) {
        for (int i = 0; i < 400; i++)
            u[i] += step;
        advance(u);
        pair.left += rank;
        table[step] = rank + step;
        last = &table[step];
        int n = count(rank) + *last + pair.left + limits[step % 3] + rounds;
        MPI_Send(u, n, MPI_DOUBLE, (rank + 1) % size, step, MPI_COMM_WORLD);
        MPI_Recv(u, 400, MPI_DOUBLE, (rank + size - 1) % size, step, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
