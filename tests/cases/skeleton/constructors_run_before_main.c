/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions that nothing calls run before main, by an attribute, of the definition, of an earlier
 * declaration, or of a macro; one of them calls another function, which main calls as well. What runs before main stays
 * as it is.
 *
 * kept: solvers[count++] = size
 * kept: last = size
 * kept: first = 3
 * kept: total += values[i]
 * gone: x[i] = 0.5 * i
 */
#include <mpi.h>
#include <stdio.h>

#define MODULE(name) static void __attribute__((__constructor__)) name(void)

static int solvers[4], count, first, last, sum;
static int values[5] = {1, 2, 3, 4, 5};

static void add_solver(int size) {
    solvers[count++] = size;
    last = size;
}

static int sum_of(int number) {
    int total = 0;
    for (int i = 0; i < number; i++)
        total += values[i];
    return total;
}

MODULE(add_jacobi) {
    add_solver(5);
}

static void set_first(void) __attribute__((constructor));
static void set_first(void) {
    first = 3;
}

__attribute__((constructor(200))) static void set_sum(void) {
    sum = sum_of(4);
}

int main(int argc, char **argv) {
    double x[64];
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 64; i++)
        x[i] = 0.5 * i;
    for (int i = 0; i < count; i++)
        MPI_Bcast(x, solvers[i], MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(x, first, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(x, sum + sum_of(2), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    printf("%g %d\n", x[1], last);
    MPI_Finalize();
    return 0;
}
