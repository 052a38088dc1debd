/* SPDX-License-Identifier: Apache-2.0
 *
 * `a ?: b` of numbers and of pointers, offsetof in an index, a range designator, alignof.
 *
 * args: 6
 * args: 8
 * kept: text ?: strcpy(spare, "4")
 * kept: table[3] = 2
 * gone: x[i] = 0.5 * i
 */
#include <mpi.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct pair {
    int first, second;
};

int main(int argc, char **argv) {
    static int table[8] = {[0 ... 7] = 1};
    char spare[4];
    double x[64];
    MPI_Init(&argc, &argv);
    const char *text = argc > 1 ? argv[1] : NULL;
    for (int i = 0; i < 64; i++)
        x[i] = 0.5 * i;
    table[3] = 2;
    int n = atoi(text ?: strcpy(spare, "4"));
    MPI_Bcast(x, n - 6 ?: 9, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(x, n + table[offsetof(struct pair, second) - 1] + (int)_Alignof(double), MPI_DOUBLE,
              0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
