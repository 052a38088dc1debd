/* SPDX-License-Identifier: Apache-2.0
 *
 * A table of counts is filled through a pointer to its rows, and read by both indices.
 *
 * kept: row[j] = i * 3 + j
 * gone: x[i * 4 + j] *= 0.5
 */
#include <mpi.h>

static void fill(int (*table)[4], int rows) {
    for (int i = 0; i < rows; i++) {
        int *row = table[i];
        for (int j = 0; j < 4; j++)
            row[j] = i * 3 + j;
    }
}

int main(int argc, char **argv) {
    int table[3][4];
    double x[100] = {0};
    MPI_Init(&argc, &argv);
    fill(table, 3);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            x[i * 4 + j] *= 0.5;
    for (int i = 0; i < 3; i++)
        for (int j = 3; j >= 0; j--)
            MPI_Bcast(x, table[i][j], MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
