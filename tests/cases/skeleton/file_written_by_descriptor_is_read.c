/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers go through a file: by descriptor, and by a stream that is closed and opened again.
 *
 * generate: --assume=no:files-apart
 * kept: write(file, &count, sizeof count)
 * kept: fprintf(out, "%d\n", steps)
 * gone: x[i] = 0.5 * i
 */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv) {
    double x[64];
    int rank, count = 5, back = 0, steps = 3, read_steps = 0;
    char name[64];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 64; i++)
        x[i] = 0.5 * i;
    snprintf(name, sizeof name, "numbers.%d", rank);
    int file = open(name, O_CREAT | O_RDWR | O_TRUNC, 0666);
    write(file, &count, sizeof count);
    lseek(file, 0, SEEK_SET);
    read(file, &back, sizeof back);
    close(file);
    FILE *out = fopen(name, "w");
    fprintf(out, "%d\n", steps);
    fclose(out);
    FILE *in = fopen(name, "r");
    if (fscanf(in, "%d", &read_steps) != 1)
        read_steps = 0;
    fclose(in);
    unlink(name);
    MPI_Bcast(x, back, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    for (int i = 0; i < read_steps; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
