/* SPDX-License-Identifier: Apache-2.0
 *
 * How many numbers go to each rank is an array that all the work fills in: there is no number to
 * give instead, which has to be said.
 *
 * generate: --assume=cuts
 * scout: 5000
 * args: 5000
 * kept: counts[(int)(numbers[i] % ranks)]++;
 * gone: unused = 1;
 * note: no few numbers were found that models could give instead
 */
#include <mpi.h>
#include <stdlib.h>

static unsigned next(unsigned x) {
    return (x * 31 + 7) % 1000;
}

int main(int argc, char **argv) {
    int ranks, n = argc > 1 ? atoi(argv[1]) : 5000, unused;
    static int counts[64], places[64], received[64], starts[64];
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    unsigned *numbers = malloc((size_t)n * sizeof *numbers);
    unused = 1;
    numbers[0] = 5;
    for (int i = 1; i < n; i++)
        numbers[i] = next(numbers[i - 1]);
    for (int i = 0; i < n; i++)
        counts[(int)(numbers[i] % ranks)]++;
    MPI_Alltoall(counts, 1, MPI_INT, received, 1, MPI_INT, MPI_COMM_WORLD);
    for (int r = 1; r < ranks; r++) {
        places[r] = places[r - 1] + counts[r - 1];
        starts[r] = starts[r - 1] + received[r - 1];
    }
    unsigned *other = malloc((size_t)(starts[ranks - 1] + received[ranks - 1] + 1) * sizeof *other);
    MPI_Alltoallv(numbers, counts, places, MPI_UNSIGNED, other, received, starts, MPI_UNSIGNED,
                  MPI_COMM_WORLD);
    free(numbers);
    free(other);
    MPI_Finalize();
    return 0;
}
