/* SPDX-License-Identifier: Apache-2.0
 * A table of options keeps pointers to what they set, at a member that is not the first; sscanf
 * writes through it. The elements of an array are chosen by members, too.
 * args: 3
 * args: 5
 * kept: setting->target = target
 * kept: sscanf
 * kept: wanted[table.first] = n
 * gone: x[i] = i
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct setting {
    long number;
    void *target;
};

struct table {
    int first, last;
};

static struct setting *only;

static struct setting *setting_new(int *target) {
    struct setting *setting = malloc(sizeof *setting);
    setting->target = target;
    return setting;
}

int main(int argc, char **argv) {
    int n = 1, wanted[4] = {0};
    double x[100];
    struct table table = {2, 1};
    MPI_Init(&argc, &argv);
    only = setting_new(&n);
    if (argc > 1)
        sscanf(argv[1], "%d", (int *)only->target);
    wanted[table.first] = n;
    for (int i = 0; i < 100; i++)
        x[i] = i;
    for (int i = 0; i < wanted[2]; i++)
        MPI_Bcast(x, 100, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    free(only);
    MPI_Finalize();
    return 0;
}
