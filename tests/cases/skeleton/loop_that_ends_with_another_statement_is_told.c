/* SPDX-License-Identifier: Apache-2.0
 *
 * A macro closes a loop together with the one around it, and a macro leaves another: no region can
 * stand for these, so that they take no time, which is told.
 *
 * note: loop_that_ends_with_another_statement_is_told.c:35:9: warning: this loop takes no time in the skeleton
 * note: loop_that_ends_with_another_statement_is_told.c:37:5: warning: this loop takes no time in the skeleton
 * note: OPEN(i) own += a[i];
 * note: for (int i = 0; i < n; i++)
 * note: ^
 * regions: 1
 * gone: unused[i] = i;
 */
#include <mpi.h>
#include <stdlib.h>

#define N 40
#define OPEN(k) for (int k = 0; k < n; k++) {
#define CLOSE_BOTH } }
#define CHECK(x) if ((x) > 1e9) return 1

static int n = N;
static double a[N], unused[N];

int main(int argc, char **argv) {
    double own = argc, all = 0;
    MPI_Init(&argc, &argv);
    for (int i = 0; i < n; i++)
        unused[i] = i;
    for (int k = 0; k < 3; k++) {
        MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        if (all > 1e9)
            MPI_Barrier(MPI_COMM_WORLD);
        a[k] = all;
        OPEN(i) own += a[i];
    CLOSE_BOTH
    for (int i = 0; i < n; i++)
        CHECK(a[i]);
    MPI_Finalize();
    return 0;
}
