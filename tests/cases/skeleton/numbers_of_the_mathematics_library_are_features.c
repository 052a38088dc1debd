/* SPDX-License-Identifier: Apache-2.0
 *
 * Bounds of loops that go by functions which work numbers out: as C converts what they return, with
 * what the program assigns it to, in a function that is called, up to a floating bound. A function
 * whose result goes by hidden state is none of them.
 *
 * args: 48
 * ranks: 1 4
 * gone: x[i] = x[i] * 0.5 + i
 * gone: x[i] += 3
 * gone: x[i] -= 2
 * gone: x[i] *= 0.75
 * gone: x[i] *= 0.5
 * feature: bsim_trips(0, (n / ((int)sqrt(p))), 1)
 * feature: bsim_trips(0, (n % ((int)sqrt(p))), 1)
 * feature: bsim_trips(2, ((long)sqrt(n)) + 1, 1)
 * feature: bsim_trips(0, ceil((n / 2.5)), 1)
 * feature: bsim_trips(0, ((int)pow(2.0, floor((log(((double)n)) / log(2.0))))), 1)
 * features: 6
 */
#include <math.h>
#include <mpi.h>
#include <stdlib.h>

static void by_blocks(double *x, int n, int p) {
    int q = (int)sqrt(p), block = n / q;
    for (int i = 0; i < block; i++)
        x[i] = x[i] * 0.5 + i;
}

static int side(int p) {
    return sqrt(p);
}

static void by_rest(double *x, int n, int p) {
    int rest = n % side(p);
    for (int i = 0; i < rest; i++)
        x[i] += 3;
}

static void by_divisors(double *x, int n) {
    for (int i = 2; i <= sqrt(n); i++)
        x[i] -= 2;
}

static void by_part(double *x, int n) {
    for (int i = 0; i < ceil(n / 2.5); i++)
        x[i] *= 0.75;
}

static void by_power(double *x, int n) {
    double levels = floor(log((double)n) / log(2.0));
    int size = (int)pow(2.0, levels);
    for (int i = 0; i < size; i++)
        x[i] *= 0.5;
}

static void by_chance(double *x, int n) {
    int until = rand() % n;
    for (int i = 0; i < until; i++)
        x[i] *= 1.25;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int n = atoi(argv[1]), p;
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    double *x = calloc((size_t)n, sizeof *x);
    MPI_Barrier(MPI_COMM_WORLD);
    by_blocks(x, n, p);
    MPI_Barrier(MPI_COMM_WORLD);
    by_rest(x, n, p);
    MPI_Barrier(MPI_COMM_WORLD);
    by_divisors(x, n);
    MPI_Barrier(MPI_COMM_WORLD);
    by_part(x, n);
    MPI_Barrier(MPI_COMM_WORLD);
    by_power(x, n);
    MPI_Barrier(MPI_COMM_WORLD);
    by_chance(x, n);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return x[0] < 0;
}
