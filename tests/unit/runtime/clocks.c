/* SPDX-License-Identifier: Apache-2.0
 *
 * A program that times itself, for originals whose computation SMPI simulates. Each line of output
 * says what came out, with seconds where there are some.
 */
#include <mpi.h>
#include <stdio.h>
#include <sys/time.h>
#include <time.h>

#define STEPS 5
#define CALLS 20000
#define WAITS 1000000

static void compute(void) {
    volatile double sum = 0;
    for (int i = 0; i < 2000000; i++) /* some ms: the reference is taken each 30 ms */
        sum += i;
}

static double clock_s(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double day_s(void) {
    struct timeval now;
    gettimeofday(&now, NULL);
    return (double)now.tv_sec + 1e-6 * (double)now.tv_usec;
}

/* Whether each step takes time by three clocks, all of them the same. */
static void time_steps(int rank) {
    double begin_s = MPI_Wtime(), sum_s[2] = {0, 0};
    int stood = 0;
    for (int i = 0; i < STEPS; i++) {
        double before_s[2] = {clock_s(), day_s()};
        compute();
        double after_s[2] = {clock_s(), day_s()};
        for (int k = 0; k < 2; k++) {
            sum_s[k] += after_s[k] - before_s[k];
            stood += after_s[k] <= before_s[k];
        }
        printf("rank %d step %d\n", rank, i);
        fflush(stdout);
    }
    double all_s = MPI_Wtime() - begin_s;
    MPI_Barrier(MPI_COMM_WORLD);
    int agree = stood == 0 && sum_s[0] > 0.8 * all_s && sum_s[0] <= all_s &&
                sum_s[1] > 0.8 * all_s && sum_s[1] < all_s + STEPS * 1e-6 &&
                MPI_Wtime() - begin_s >= all_s;
    if (!agree)
        printf("rank %d: clocks differ: %g %g %g, %d stood\n", rank, sum_s[0], sum_s[1], all_s,
               stood);
}

/* Rank 1 does what rank 0 waits for, looking at nothing but memory and the clock. */
static void wait_for_other(int rank) {
    volatile int *flag;
    MPI_Win window;
    MPI_Win_allocate_shared(rank == 0 ? sizeof *flag : 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &flag,
                            &window);
    if (rank == 0)
        *flag = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {
        MPI_Aint size;
        int unit;
        MPI_Win_shared_query(window, 0, &size, &unit, &flag);
        compute();
        *flag = 1;
    }
    for (int i = 0; rank == 0 && *flag == 0; i++) {
        clock_s();
        if (i == WAITS) {
            puts("clocks differ: nobody else went on");
            break;
        }
    }
    MPI_Win_free(&window);
}

int main(int argc, char **argv) {
    int rank, other, key;
    double outside_s = clock_s();
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0 && outside_s > 1)
        puts("the clock before MPI_Init is the machine's");
    time_steps(rank);
    wait_for_other(rank);

    /* Calls for which SMPI does not stop the rank's clock must not swallow what is computed. */
    double before_s = MPI_Wtime();
    for (int i = 0; i < STEPS; i++)
        compute();
    double plain_s = MPI_Wtime() - before_s;
    before_s = MPI_Wtime();
    for (int i = 0; i < STEPS; i++) {
        compute();
        MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &key, NULL);
        MPI_Type_free_keyval(&key);
    }
    double called_s = MPI_Wtime() - before_s;

    before_s = MPI_Wtime();
    for (int i = 0; i < CALLS; i++)
        MPI_Sendrecv(&rank, 1, MPI_INT, 0, 0, &other, 1, MPI_INT, 0, 0, MPI_COMM_SELF,
                     MPI_STATUS_IGNORE);
    double calls_s = MPI_Wtime() - before_s;
    if (rank == 0)
        printf("ratio %g\ncalls %g\n", called_s / plain_s, calls_s);
    MPI_Finalize();
    return 0;
}
