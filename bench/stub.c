/* SPDX-License-Identifier: Apache-2.0
 *
 * What BSIM_ADD_TIME costs, in nanoseconds of real time: with the same features as the last time
 * (none, two), with features that change each time, so that the model is evaluated (two features in
 * products; three with a logarithm, a power and a step), with a ratio of 100 trees that is
 * evaluated each time, and with the same features and executions that differ by chance; and of a
 * stub behind which a clock is read, so that it is charged, as at each MPI call. Built as a
 * skeleton, run on one rank: smpirun -np 1 -platform P -hostfile H ./stub with a model for the
 * regions 0 (no features), 6 (one feature), 1, 2, 3, 5 (two features) and 4 (three features).
 * Prints one JSON object.
 */
#include <mpi.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define EXECUTIONS 20000000
#define RATIO_EXECUTIONS 1000000
#define CHARGED_EXECUTIONS 1000000

/* The kernel's clock: the library's functions tell simulated time in a skeleton. */
static double real_s(void) {
    struct timespec now;
    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static volatile int zero;

int main(int argc, char **argv) {
    double start_s, none_ns, same_ns, changed_ns, three_ns, ratio_ns, jitter_ns, charged_ns;
    int i, n, m = 100;
    MPI_Init(&argc, &argv);
    n = zero + 64;
    start_s = real_s();
    for (i = 0; i < EXECUTIONS; i++)
        BSIM_ADD_TIME(0);
    none_ns = (real_s() - start_s) / EXECUTIONS * 1e9;
    start_s = real_s();
    for (i = 0; i < EXECUTIONS; i++)
        BSIM_ADD_TIME(1, n, m);
    same_ns = (real_s() - start_s) / EXECUTIONS * 1e9;
    start_s = real_s();
    for (i = 0; i < EXECUTIONS; i++)
        BSIM_ADD_TIME(2, i, m);
    changed_ns = (real_s() - start_s) / EXECUTIONS * 1e9;
    start_s = real_s();
    for (i = 0; i < EXECUTIONS; i++)
        BSIM_ADD_TIME(4, i, n, m);
    three_ns = (real_s() - start_s) / EXECUTIONS * 1e9;
    start_s = real_s();
    for (i = 0; i < RATIO_EXECUTIONS; i++)
        BSIM_ADD_TIME(3, i * 20.0, m);
    ratio_ns = (real_s() - start_s) / RATIO_EXECUTIONS * 1e9;
    start_s = real_s();
    for (i = 0; i < EXECUTIONS; i++)
        BSIM_ADD_TIME(5, n, m);
    jitter_ns = (real_s() - start_s) / EXECUTIONS * 1e9;
    start_s = real_s();
    for (i = 0; i < CHARGED_EXECUTIONS; i++) {
        BSIM_ADD_TIME(6, n);
        MPI_Wtime();
    }
    charged_ns = (real_s() - start_s) / CHARGED_EXECUTIONS * 1e9;
    printf("{\"no_features_ns\":%.2f,\"same_features_ns\":%.2f,\"changed_features_ns\":%.2f,"
           "\"three_features_ns\":%.2f,\"ratio_ns\":%.2f,\"jitter_ns\":%.2f,\"charged_ns\":%.2f}\n",
           none_ns, same_ns, changed_ns, three_ns, ratio_ns, jitter_ns, charged_ns);
    MPI_Finalize();
    return 0;
}
