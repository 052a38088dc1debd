/* SPDX-License-Identifier: Apache-2.0
 *
 * Only the first rank finds the numbers, of which it is not known how many there are: the median of
 * all ranks would be that of those which do nothing.
 *
 * kept: numbers[i++] = (int)(x % 10)
 * gone: sum += 0.5 * i
 * feature: ((rank == 0) ? 1 : 0)
 * args: 90
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int find_numbers(int *numbers) {
    int i = 0;
    for (long x = 871; x != 1 && i < 100; x = x % 2 == 0 ? x / 2 : 3 * x + 1)
        numbers[i++] = (int)(x % 10);
    return i;
}

int main(int argc, char **argv) {
    int rank, size, count = 0, numbers[100] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0)
        count = find_numbers(numbers);
    MPI_Bcast(&count, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(numbers, count, MPI_INT, 0, MPI_COMM_WORLD);
    for (int i = 0; i < count; i++)
        MPI_Sendrecv(numbers, i % 3, MPI_INT, (rank + 1) % size, 1, numbers + 50, 50, MPI_INT,
                     (rank + size - 1) % size, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += 0.5 * i;
    if (sum < 0)
        puts("never");
    MPI_Finalize();
    return 0;
}
