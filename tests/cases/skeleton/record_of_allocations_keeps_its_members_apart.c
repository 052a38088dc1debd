/* SPDX-License-Identifier: Apache-2.0
 *
 * A function returns a record of two blocks that it has allocated: what is written to one of them is not read from the
 * other.
 *
 * kept: made.steering[0] = 3 + argc
 * gone: made.work[i] = i * i
 */
#include <mpi.h>
#include <stdlib.h>

struct pair {
    int *steering, *work;
};

static struct pair make(int n) {
    struct pair made;
    made.steering = malloc(sizeof(int));
    made.work = malloc(n * sizeof(int));
    return made;
}

int main(int argc, char **argv) {
    double x[100] = {0};
    struct pair made = make(100);
    MPI_Init(&argc, &argv);
    made.steering[0] = 3 + argc;
    for (int i = 0; i < 100; i++)
        made.work[i] = i * i;
    x[0] = made.work[99];
    MPI_Bcast(x, made.steering[0], MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
