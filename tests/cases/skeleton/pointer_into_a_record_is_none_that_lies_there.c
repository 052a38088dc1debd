/* SPDX-License-Identifier: Apache-2.0
 *
 * Where a library puts a pointer into what it has read, what is written through that is not written to where pointers
 * in there lead.
 *
 * kept: steering = 3 + argc
 * gone: sum += i % 3
 */
#include <mpi.h>
#include <stdlib.h>

struct box {
    int *number;
};

static int steering;
static struct box box;

int main(int argc, char **argv) {
    double x[100] = {0};
    char *end;
    int sum = 0;
    MPI_Init(&argc, &argv);
    steering = 3 + argc;
    box.number = &steering;
    x[0] = strtol((char *)&box, &end, 10);
    for (int i = 0; i < 100; i++)
        sum += i % 3;
    *end = (char)sum;
    MPI_Bcast(x, steering, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
