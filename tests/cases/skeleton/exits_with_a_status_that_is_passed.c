/* SPDX-License-Identifier: Apache-2.0
 *
 * A function ends the program with the status that it is given, another one hands its own on: with
 * a constant other than 0 both are error exits; with 0, with what is computed, and where the status
 * is set to 0 before, or becomes 0 as it is cut off, they are not.
 *
 * generate: --assume=no-abnormal-exit
 * gone: if (sum < 0)
 * gone: if (sum < -1)
 * kept: if (longest > 1000)
 * kept: if (longest > 2000)
 * kept: if (longest > 3000)
 * kept: if (longest > 4000)
 * flags: -Wno-overflow
 * args: 3
 * args: 40
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static void quit(int status) {
    MPI_Finalize();
    exit(status);
}

static void fail(const char *what, int code) {
    for (const char *at = what; *at != '\0'; at++)
        fputc(*at, stderr);
    if (code > 7)
        fprintf(stderr, "badly\n");
    quit(code);
}

static void cut(unsigned char status) {
    quit(status);
}

static void leave(int status) {
    status = 0;
    quit(status);
}

int main(int argc, char **argv) {
    double x[100] = {0}, sum = 0;
    int steps = argc > 1 ? atoi(argv[1]) : 1, longest = 0;
    MPI_Init(&argc, &argv);
    for (int step = 0; step < steps; step++) {
        for (int i = 0; i < 100; i++) {
            x[i] = x[i] * 0.5 + i;
            sum += x[i];
        }
        longest = longest * 2 % 5000 + 7 * step;
        if (sum < 0)
            quit(EXIT_FAILURE);
        if (sum < -1)
            fail("less than that", 8);
        if (longest > 1000)
            fail("enough", longest % 2);
        if (longest > 2000)
            quit(EXIT_SUCCESS);
        if (longest > 3000)
            leave(1);
        if (longest > 4000)
            cut(256);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    quit(EXIT_SUCCESS);
    return 0;
}
