/* SPDX-License-Identifier: Apache-2.0
 *
 * Lines are tags and lengths, and __COUNTER__ counts on: in macros, behind what goes, in calls that
 * lose their statement, in copies of a function, and where macros that count go.
 *
 * gone: x[i] = sin(x[i] + i)
 * gone: double unique(first) = sqrt(argc)
 * gone: weight += 0.5 *
 * made: share__2(
 * made: BSIM_COUNTS(
 * made: #line
 * args: 5
 */
#include <assert.h>
#include <math.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#define JOINED(a, b) a##b
#define JOINED_NAMES(a, b) JOINED(a, b)
#define unique(name) JOINED_NAMES(name, __COUNTER__)
#define HERE (__LINE__ % 50)
#define SEND(n, tag)                                                                               \
    MPI_Sendrecv_replace(x, n, MPI_DOUBLE, right, tag, left, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE)

static double x[1000], weight;

static void share(void *buffer, int count, MPI_Datatype type) {
    int size;
    double w = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    for (int i = 0; i < 10; i++)
        w += sqrt(i);
    weight += w;

    if (size > 1)
        MPI_Bcast(buffer, count, type, 0, MPI_COMM_WORLD);
    if (size > 1)
        MPI_Bcast(x, __LINE__ + (int)strlen(__func__), MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

static double exchange(int line) {
    MPI_Bcast(x, line, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    return x[0];
}

int main(int argc, char **argv) {
    int steps = 0, rank, size;
    double unique(first) = sqrt(argc), unique(second) = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int right = (rank + 1) % size, left = (rank + size - 1) % size;
    if (rank == 0)
        steps = argc > 1 ? atoi(argv[1]) : 2;
    share(&steps, 1, MPI_INT);
    for (int step = 0; step < steps; step++) {
        for (int i = 0; i < 1000; i++)
            x[i] = sin(x[i] + i);
        weight += 0.5 *
                  x[1] *
                  exchange(__LINE__);
        SEND(HERE, __LINE__);
        for (int i = 0; i < 1000; i++) {
            x[i] += i * weight;

            x[i] *= 0.5;
        }
        SEND(HERE,
             __COUNTER__ + 1);
        share(x, 1000, MPI_DOUBLE);
        assert(steps > step);
        MPI_Bcast(x, __LINE__ + __COUNTER__ + (int)strlen(__FILE__) % 7, MPI_DOUBLE, 0,
                  MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
