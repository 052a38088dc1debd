/* SPDX-License-Identifier: Apache-2.0
 *
 * Assembly may change each of its operands, and what they point to; it stays where that steers
 * communication, and goes with the computation that it is part of. (Empty templates: any machine
 * has these instructions.)
 *
 * kept: __asm__ volatile("" : "+r"(n));
 * kept: __asm__ volatile("" : : "r"(&m) : "memory");
 * kept: __asm__ volatile("" : "=m"(*length) : "r"(n));
 * gone: "+m"(work[i])
 * gone: (work) : "memory"
 * gone: nobody_calls
 * args: 50
 */
#include <mpi.h>
#include <stdlib.h>

static double work[100];

static inline unsigned nobody_calls(void) {
    unsigned a = 1, b;
    __asm__ volatile("" : "=r"(b) : "0"(a));
    return b;
}

static void compute(int n) {
    for (int i = 0; i < n; i++) {
        work[i] += 0.5;
        __asm__ volatile("" : "+m"(work[i]));
    }
    __asm__ volatile("" : : "r"(work) : "memory");
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int n = atoi(argv[1]), m = 3, rest = 5, *length = &rest;
    __asm__ volatile("" : "+r"(n));
    __asm__ volatile("" : : "r"(&m) : "memory");
    __asm__ volatile("" : "=m"(*length) : "r"(n));
    compute(n);
    __asm__ volatile("" ::: "memory");
    MPI_Bcast(work, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(work, m, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(work, rest, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
