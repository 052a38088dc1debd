/* SPDX-License-Identifier: Apache-2.0
 *
 * Assignments through a conditional, in chains, through two levels, by a comma, in an index, in
 * Duff's device; differences of pointers.
 *
 * args: 5
 * args: 2
 * kept: *(wanted > 3 ? &small : &large) = wanted
 * kept: **again = 3
 * gone: x[i] = 0.5 * i
 */
#include <mpi.h>
#include <stdlib.h>

static int next(void) {
    static int state = 1;
    return state = state * 3 % 7;
}

int main(int argc, char **argv) {
    double x[64];
    int wanted = argc > 1 ? atoi(argv[1]) : 4, small = 1, large = 2, a, b, c, list[8] = {0}, k = 0;
    int *one = &a, **again = &one, (*table)[2], pairs[3][2] = {{1, 2}, {3, 4}, {5, 6}};
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 64; i++)
        x[i] = 0.5 * i;
    *(wanted > 3 ? &small : &large) = wanted;
    a = b = c = wanted + 1;
    **again = 3;
    list[k++] = next();
    list[k++] = (b += 2, c - 1);
    table = &pairs[1];
    int n = (wanted + 7) / 4, steps = 0;
    switch (wanted % 4) {
    case 0:
        do {
            steps++;
        case 3:
            steps++;
        case 2:
            steps++;
        case 1:
            steps++;
        } while (--n > 0);
    }
    int *end = list;
    while (*end != 0)
        end++;
    MPI_Bcast(x, small + 2 * large, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(x, a + b + c, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(x, steps + (int)(end - list), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(x, (*table)[1] + table[1][0] + list[1], MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
