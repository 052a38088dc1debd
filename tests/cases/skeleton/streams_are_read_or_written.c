/* SPDX-License-Identifier: Apache-2.0
 *
 * A stream that is opened for reading in one branch and for writing in another one: what is written
 * is not what is read again. Streams for both ways are both.
 *
 * args: 3
 * args: 5
 * flags: -Wno-unused-result
 * note: this may open what the program has written before
 * gone: x[i] = x[i] * 0.5 + i;
 * kept: y[i] = i * steps;
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static FILE *file;
static int steps;

static void bytes(void *data, size_t size, int reading) {
    if (reading)
        fread(data, size, 1, file);
    else
        fwrite(data, size, 1, file);
}

static void restart(double *x, int reading) {
    if (reading)
        file = fopen("restart.bin", "rb");
    else
        file = fopen("restart.bin", "wb");
    if (file == NULL)
        return;
    bytes(&steps, sizeof steps, reading);
    bytes(x, 100 * sizeof *x, reading);
    fclose(file);
}

int main(int argc, char **argv) {
    double x[100] = {0};
    int y[4], back[4] = {0};
    MPI_Init(&argc, &argv);
    steps = argc > 1 ? atoi(argv[1]) : 2;
    if (steps < 0)
        restart(x, 1);
    for (int step = 0; step < steps; step++) {
        for (int i = 0; i < 100; i++)
            x[i] = x[i] * 0.5 + i;
        MPI_Barrier(MPI_COMM_WORLD);
    }
    if (steps > 100)
        restart(x, 0);

    FILE *both = fopen("/dev/null", "r");
    if (both != NULL)
        fclose(both);
    both = tmpfile();
    for (int i = 0; i < 4; i++)
        y[i] = i * steps;
    fwrite(y, sizeof y, 1, both);
    rewind(both);
    fread(back, sizeof back, 1, both);
    for (int i = 0; i < back[3]; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    fclose(both);
    MPI_Finalize();
    return 0;
}
