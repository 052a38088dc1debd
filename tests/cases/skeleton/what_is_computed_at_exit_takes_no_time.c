/* SPDX-License-Identifier: Apache-2.0
 *
 * A function that runs when all ranks are done, and has a computation that stays in part: nobody is
 * there any more whose time it could take.
 *
 * args: 5
 * kept: atexit(finish)
 * gone: setup_field[i] = i * rows;
 */
#include <mpi.h>
#include <stdlib.h>

static int rows;
static double field[1000], setup_field[1000];

static void finish(void) {
    rows--;
    for (int i = 0; i < 1000; i++)
        field[i] += rows;
}

static void setup(int n) {
    rows += n;
    for (int i = 0; i < 1000; i++)
        setup_field[i] = i * rows;
    for (int i = 0; i < rows; i++)
        if (i % 2)
            rows++;
    if (rows > 100)
        exit(2);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    atexit(finish);
    setup(atoi(argv[1]));
    MPI_Bcast(field, rows, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
