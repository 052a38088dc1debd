/* SPDX-License-Identifier: Apache-2.0
 *
 * Counts and a buffer go through variable arguments.
 *
 * kept: va_arg(list, int)
 * kept: counts[0] = 4
 * gone: x[i] = 0.5 * i
 */
#include <mpi.h>
#include <stdarg.h>

static int largest(int n, ...) {
    va_list list;
    int found = 0;
    va_start(list, n);
    for (int i = 0; i < n; i++) {
        int value = va_arg(list, int);
        if (value > found)
            found = value;
    }
    va_end(list);
    return found;
}

static void set_last(int n, ...) {
    va_list list;
    int *to = NULL;
    va_start(list, n);
    while (n-- > 0)
        to = va_arg(list, int *);
    va_end(list);
    *to += 3;
}

int main(int argc, char **argv) {
    double x[64];
    int counts[2];
    MPI_Init(&argc, &argv);
    counts[0] = 4;
    counts[1] = 6;
    set_last(2, &counts[0], &counts[1]);
    for (int i = 0; i < 64; i++)
        x[i] = 0.5 * i;
    MPI_Bcast(x, largest(3, counts[0], counts[1], 2), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
