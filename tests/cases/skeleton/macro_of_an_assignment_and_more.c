/* SPDX-License-Identifier: Apache-2.0
 *
 * Macros that assign one argument to the other, and then do nothing, or something that goes.
 *
 * kept: SET(n, argc + 2)
 * kept: SET_AND_USE(m, 3)
 * kept: SET_AND_NOTE(k, 2)
 * gone: SET(unused, 5)
 * gone: sum += x[i]
 */
#include <mpi.h>
#include <stdio.h>

#define ID(x) x
#define SET(variable, value)                                                                       \
    variable = value;                                                                              \
    (void)0
#define SET_AND_USE(variable, value)                                                               \
    variable = value;                                                                              \
    (void)ID(variable)
#define SET_AND_NOTE(variable, value)                                                              \
    variable = value;                                                                              \
    noted = variable

static int noted;

int main(int argc, char **argv) {
    double x[16] = {0}, sum = 0;
    int n = 1, k = 1, m = 4, unused = 0;
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 16; i++)
        sum += x[i];
    SET(n, argc + 2);
    SET_AND_USE(m, 3);
    SET_AND_NOTE(k, 2);
    SET(unused, 5);
    for (int i = 0; i < n + k + m; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    printf("%g %d %d\n", sum, noted, unused);
    MPI_Finalize();
    return 0;
}
