/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions that end the program with an error where they are given a status other than 0, and
 * finalize MPI, or go on, where it is 0: with such a constant they are error exits.
 *
 * generate: --assume=no-abnormal-exit
 * gone: if (sum < 0)
 * gone: if (sum < -1)
 * gone: if (sum < -2)
 * kept: if (longest > 2000)
 * kept: if (longest > 3000)
 * kept: if (longest > 4000)
 * kept: if (ensured > 1e300)
 * kept: if (checked > 1e300)
 * kept: if (required > 1e300)
 * args: 3
 * args: 40
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static void end_run(int error) {
    if (error) {
        printf("error %d\n", error);
        MPI_Abort(MPI_COMM_WORLD, error);
        exit(0);
    }
    MPI_Finalize();
    exit(0);
}

static void check(int error) {
    if (error == 0)
        return;
    fprintf(stderr, "error %d\n", error);
    exit(1);
}

static void check_fine(const char *what, int error) {
    if (!(0 != error))
        printf("%s\n", what);
    else
        check(error);
}

static void ensure(int fine) {
    if (fine)
        ;
    else
        exit(1);
    MPI_Barrier(MPI_COMM_SELF);
}

static void require(int fine) {
    if (!fine)
        exit(1);
    MPI_Barrier(MPI_COMM_SELF);
}

static void check_byte(int error) {
    if ((char)error)
        exit(1);
    MPI_Finalize();
    exit(0);
}

static void reversed(int fine) {
    if (fine)
        return;
    exit(1);
}

int main(int argc, char **argv) {
    double x[100] = {0}, y[100] = {0}, z[100] = {0}, v[100] = {0}, sum = 0, ensured = 0, checked = 0,
           required = 0;
    int steps = argc > 1 ? atoi(argv[1]) : 1, longest = 0;
    MPI_Init(&argc, &argv);
    for (int step = 0; step < steps; step++) {
        for (int i = 0; i < 100; i++) {
            x[i] = x[i] * 0.5 + i;
            sum += x[i];
        }
        longest = longest * 2 % 5000 + 7 * step;
        if (sum < 0)
            end_run(7);
        if (sum < -1)
            check(EXIT_FAILURE);
        if (sum < -2)
            check_fine("sum", -3);
        reversed(1);
        if (longest > 2000)
            end_run(longest % 2);
        if (longest > 3000)
            end_run(0);
        if (longest > 4000)
            check_fine("longest", 0);
        for (int i = 0; i < 100; i++)
            ensured += y[i] = y[i] * 0.25 + i;
        if (ensured > 1e300)
            ensure(1);
        for (int i = 0; i < 100; i++)
            checked += z[i] = z[i] * 0.125 + i;
        if (checked > 1e300)
            check_byte(256);
        for (int i = 0; i < 100; i++)
            required += v[i] = v[i] * 0.75 + i;
        if (required > 1e300)
            require(1);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    end_run(0);
    return 0;
}
