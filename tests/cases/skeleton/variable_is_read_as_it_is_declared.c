/* SPDX-License-Identifier: Apache-2.0
 *
 * One operation reduces ints and doubles. The ints steer; that the doubles are a time and no ints
 * is told by their declaration.
 *
 * gone: sum += sin(i)
 * kept: errors = argc > 5
 * args: 5
 * generate: --assume=no-abnormal-exit
 */
#include <math.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum type { INTS, DOUBLES };

static void largest(int n, const void *in, void *inout, enum type type) {
    if (type == INTS) {
        const int *a = in;
        int *b = inout;
        for (int i = 0; i < n; i++)
            b[i] = a[i] > b[i] ? a[i] : b[i];
    } else {
        const double *a = in;
        double *b = inout;
        for (int i = 0; i < n; i++)
            b[i] = a[i] > b[i] ? a[i] : b[i];
    }
}

int main(int argc, char **argv) {
    void (*operation)(int, const void *, void *, enum type) = largest;
    double time, sum = 0, other = 1;
    int errors, none = 0;
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 1000; i++)
        sum += sin(i);
    memcpy(&time, &sum, sizeof time);
    operation(1, &other, &time, DOUBLES);
    errors = argc > 5;
    operation(1, &none, &errors, INTS);
    if (errors == 0)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
