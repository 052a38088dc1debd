/* SPDX-License-Identifier: Apache-2.0
 *
 * What is computed between two readings of a clock has passed at the second one, whichever clock it
 * is, whether it gives its time as a result or through a pointer, and however deep it is read.
 *
 * regions: 7
 * made: BSIM_ADD_TIME(6
 * kept: spent += of_table(n)
 * gone: total += k * 0.5
 */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <time.h>

static double total;

static void work(int n) {
    for (int k = 0; k < n; k++)
        total += k * 0.5;
}

static double read_day(void) {
    struct timeval now;
    gettimeofday(&now, NULL);
    return (double)now.tv_sec + 1e-6 * (double)now.tv_usec;
}

static double read_system(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double read_usage(void) {
    struct rusage now;
    getrusage(RUSAGE_SELF, &now);
    return (double)now.ru_utime.tv_sec;
}

static double read_spec(void) {
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec;
}

static int (*by_pointer)(clockid_t, struct timespec *) = clock_gettime;

static double read_by_pointer(void) {
    struct timespec now;
    by_pointer(CLOCK_REALTIME, &now);
    return (double)now.tv_sec;
}

static double deeper(void) {
    return read_day();
}

struct clock_of {
    double (*read)(void);
};

static const struct clock_of table[2] = {{read_system}, {read_usage}};

static double of_day(int n) {
    double begin = read_day();
    work(n);
    return read_day() - begin;
}

static double of_system(int n) {
    double begin = read_system();
    work(n);
    return read_system() - begin;
}

static double of_usage(int n) {
    double begin = read_usage();
    work(n);
    return read_usage() - begin;
}

static double of_spec(int n) {
    double begin = read_spec();
    work(n);
    return read_spec() - begin;
}

static double of_pointer(int n) {
    double begin = read_by_pointer();
    work(n);
    return read_by_pointer() - begin;
}

static double of_depth(int n) {
    double begin = deeper();
    work(n);
    return deeper() - begin;
}

static double of_table(int n) {
    double begin = table[n % 2].read();
    work(n);
    return table[n % 2].read() - begin;
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 1000;
    double spent = 0, x[4] = {0};
    MPI_Init(&argc, &argv);
    for (int k = 0; k < 3; k++)
        spent += of_day(n);
    for (int k = 0; k < 3; k++)
        spent += of_system(n);
    for (int k = 0; k < 3; k++)
        spent += of_usage(n);
    for (int k = 0; k < 3; k++)
        spent += of_spec(n);
    for (int k = 0; k < 3; k++)
        spent += of_pointer(n);
    for (int k = 0; k < 3; k++)
        spent += of_depth(n);
    for (int k = 0; k < 3; k++)
        spent += of_table(n);
    MPI_Bcast(x, spent > 1e3 ? 4 : 2, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
