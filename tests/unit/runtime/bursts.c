/* SPDX-License-Identifier: Apache-2.0
 *
 * Ten bursts of 10 ms on each of two ranks, half a percent longer or shorter, which differs from
 * run to run; rank 1 takes twice as long in each. By the environment's HOW: `quiet`, a number, is
 * that; with `late` bursts take twice as long and others still disturb at their end, with `gone`
 * they no longer do. BASE: how many seconds instead of 10 ms; HITS: a bit for each burst, even ones
 * of rank 0 and odd ones of rank 1, that 15 us more come upon. With READS in the environment the
 * program reads a clock before and in the middle of each burst, with OTHERS bursts differ by up to
 * a half from run to run. Rank 0 tells how long all took, and what it has timed. Time passes by
 * slow_clock.c.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void pass_time(double seconds, int is_disturbed_behind);

int main(int argc, char **argv) {
    int rank, i;
    double begin, now, timed = 0, by = getenv("OTHERS") != NULL ? 0.25 : 0.0025;
    double base = getenv("BASE") != NULL ? atof(getenv("BASE")) : 0.01;
    int hits = getenv("HITS") != NULL ? atoi(getenv("HITS")) : 0;
    const char *how = getenv("HOW");
    int is_late = strcmp(how, "late") == 0, is_slow = is_late || strcmp(how, "gone") == 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    begin = MPI_Wtime();
    MPI_Barrier(MPI_COMM_WORLD);
    for (i = 0; i < 10; i++) {
        double seconds = base * (1 + by * ((atoi(how) + i) % 5 - 2)) * (rank + 1);
        seconds *= is_slow ? 2 : 1;
        seconds += (hits >> i & 1) && rank == i % 2 ? 15e-6 : 0;
        if (getenv("READS") != NULL) {
            seconds /= 2;
            now = MPI_Wtime();
            pass_time(seconds, is_late);
            timed += MPI_Wtime() - now;
        }
        pass_time(seconds, is_late);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("took %.6f\ntimed %.6f\n", MPI_Wtime() - begin, timed);
    MPI_Finalize();
    return 0;
}
