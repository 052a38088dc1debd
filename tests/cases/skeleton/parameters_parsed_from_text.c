/* SPDX-License-Identifier: Apache-2.0
 *
 * Options in one argument: strtok, strchr, strtol, sscanf, strcmp.
 *
 * kept: strtok(
 * kept: sscanf(
 * gone: u[i] / 3
 * args: n=12,mode=ring,steps=3
 * args: steps=2,mode=all
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    char text[200] = "n=5", mode[20] = "all";
    double u[100] = {1};
    int n = 5, steps = 1;
    MPI_Init(&argc, &argv);
    if (argc > 1)
        strncpy(text, argv[1], sizeof text - 1);
    for (char *word = strtok(text, ","); word != NULL; word = strtok(NULL, ",")) {
        char *equals = strchr(word, '=');
        if (strncmp(word, "n=", 2) == 0)
            n = (int)strtol(equals + 1, NULL, 10);
        else if (strncmp(word, "steps=", 6) == 0)
            steps = atoi(equals + 1);
        else
            sscanf(word, "mode=%19s", mode);
    }
    for (int step = 0; step < steps; step++) {
        for (int i = 0; i < n; i++)
            u[i] = u[i] / 3;
        if (strcmp(mode, "all") == 0)
            MPI_Allreduce(MPI_IN_PLACE, u, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        else
            MPI_Bcast(u, n, MPI_DOUBLE, 1, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
