/* SPDX-License-Identifier: Apache-2.0
 *
 * getopt reads words that the program has put into a table of its own, the first object of the text: what is printed into
 * one of them decides how many messages there are.
 *
 * kept: snprintf(number, sizeof number, "%d", 3 + argc)
 * gone: x[i] = 3 * i
 */
static char *words[3];

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv) {
    char number[12];
    double x[40];
    int option, steps = 0;
    MPI_Init(&argc, &argv);
    snprintf(number, sizeof number, "%d", 3 + argc);
    words[0] = argv[0];
    words[1] = "-n";
    words[2] = number;
    while ((option = getopt(3, words, "n:")) != -1)
        if (option == 'n')
            steps = atoi(optarg);
    for (int i = 0; i < 40; i++)
        x[i] = 3 * i;
    for (int k = 0; k < steps; k++)
        MPI_Bcast(x, 40, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
