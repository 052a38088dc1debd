/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows have lengths, and what is in them says how much is sent. A model of the lengths would have the skeleton
 * read elements that nobody wrote, while the elements themselves are computed.
 *
 * scout: -
 * generate: --assume=cuts
 * cut: while (change > 1e-3)
 * kept: lengths[i] = length;
 * kept: for (int k = 0; k < lengths[i]; k++)
 * gone: x[k] = 0.5 * x[k]
 * args:
 */
#include <mpi.h>

#define ROWS 60
#define WIDTH 100
#define CELLS 3000

static int lengths[ROWS], columns[ROWS][WIDTH];
static double x[CELLS], buffer[ROWS * WIDTH];

int main(int argc, char **argv) {
    int size, sent = 0;
    double change = 1, sum;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < ROWS; i++) {
        int length = 0, *column = columns[i];
        for (int k = 0; k < WIDTH; k++) {
            if (k * (i + 3) % 7 == 0) {
                *column++ = k;
                length++;
            }
        }
        lengths[i] = length;
    }
    for (int i = 0; i < ROWS; i++)
        for (int k = 0; k < lengths[i]; k++)
            if (columns[i][k] > WIDTH / 2)
                sent++;
    for (int k = 0; k < CELLS; k++)
        x[k] = k;
    while (change > 1e-3) {
        change = 0;
        for (int k = 0; k < CELLS; k++) {
            x[k] = 0.5 * x[k];
            change += x[k];
        }
        MPI_Bcast(buffer, sent, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        MPI_Allreduce(MPI_IN_PLACE, &change, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        MPI_Reduce(&change, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
