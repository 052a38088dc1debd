/* SPDX-License-Identifier: Apache-2.0
 *
 * A count goes through a string: snprintf, strlen, strcat, atoi.
 *
 * kept: snprintf(text
 * gone: x[i] += 0.5
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    char text[40], more[40] = "";
    double x[100] = {0};
    MPI_Init(&argc, &argv);
    for (int step = 1; step < 5; step++) {
        snprintf(text, sizeof text, "%d", step * 11);
        strcat(more, text);
        for (int i = 0; i < 100; i++)
            x[i] += 0.5;
        MPI_Bcast(x, atoi(text), MPI_DOUBLE, 0, MPI_COMM_WORLD);
        MPI_Bcast(x, (int)strlen(more), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
