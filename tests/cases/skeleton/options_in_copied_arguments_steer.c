/* SPDX-License-Identifier: Apache-2.0
 *
 * Arguments that are copied, text by text, before options are looked for in the copies.
 *
 * args: -n 5
 * kept: memcpy(copies[i], argv[i], length)
 * gone: field[i] = 0.5 * i
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static double field[50];

int main(int argc, char **argv) {
    char **copies = calloc((size_t)argc + 1, sizeof *copies);
    int option, count = 1;
    for (int i = 0; i < argc; i++) {
        size_t length = strlen(argv[i]) + 1;
        copies[i] = malloc(length);
        memcpy(copies[i], argv[i], length);
    }
    while ((option = getopt(argc, copies, "n:")) != -1)
        if (option == 'n')
            count = atoi(optarg);
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 50; i++)
        field[i] = 0.5 * i;
    MPI_Bcast(field, 10 * count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
