/* SPDX-License-Identifier: Apache-2.0
 *
 * Control goes on behind an asm goto, or to one of its labels: it stays, with these, where that
 * steers communication, and goes with the computation that it is part of. (Empty templates never
 * jump; what would be reached by a jump stays all the same.)
 *
 * kept: asm goto("" : : "r"(n) : : often, never)
 * kept: never:
 * kept: often:
 * gone: skip
 * gone: sum +=
 */
#include <mpi.h>

static double work[1000];

static int times(long n) {
    asm goto("" : : "r"(n) : : often, never);
    return 3;
never:
    return 0;
often:
    return 7;
}

static double compute(int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
        __asm__ __volatile__ goto("" : : "r"(i) : "cc" : skip);
        sum += work[i];
    skip:;
    }
    return sum;
}

int main(int argc, char **argv) {
    double sum, all;
    MPI_Init(&argc, &argv);
    for (int i = 0; i < times(argc); i++) {
        sum = compute(900);
        MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
