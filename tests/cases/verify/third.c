/* SPDX-License-Identifier: Apache-2.0
 *
 * Does something else under SimGrid than under another MPI, as its argument says; what is under
 * both MPIs alike is `same`, `abort`, `returns` and `input`.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank, ranks;

static int is_real(void) {
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    MPI_Get_library_version(version, &length);
#ifdef NEVER_REAL
    return 0;
#endif
    return strncmp(version, "SMPI", 4) != 0;
}

static void reduce(int times) {
    for (int i = 0; i < times; i++) {
        int sum;
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
}

/* In a real run of three ranks, this one comes last; in a simulation it is one or the other. */
static int take_turns(int last, int with_replies) {
    int number = rank, first = 0;
    if (rank == last && is_real())
        while (access("first", F_OK) != 0)
            usleep(1000);
    if (rank != 0) {
        MPI_Send(&number, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
        if (with_replies)
            MPI_Recv(&number, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    for (int i = 1; rank == 0 && i < ranks; i++) {
        MPI_Status status;
        MPI_Recv(&number, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status);
        if (i == 1)
            first = status.MPI_SOURCE;
        if (is_real())
            fclose(fopen("first", "w"));
        if (with_replies)
            MPI_Send(&number, 1, MPI_INT, status.MPI_SOURCE, 2, MPI_COMM_WORLD);
    }
    return first;
}

/* How often it has been run really. */
static int count_runs(void) {
    FILE *file = fopen("runs", "a");
    long length = 0;
    if (file != NULL) {
        fputc('x', file);
        length = ftell(file);
        fclose(file);
    }
    return (int)length;
}

static int ask(void) {
    int times = 0;
    if (rank == 0 && scanf("%d", &times) != 1)
        times = 0;
    MPI_Bcast(&times, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return times;
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "same";
    int times = 3;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (strcmp(what, "calls") == 0 && is_real())
        times = 5;
    if (strcmp(what, "input") == 0)
        times = ask();
    if (strcmp(what, "twice") == 0) {
        if (rank == 0 && is_real())
            times += count_runs();
        MPI_Bcast(&times, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    reduce(times);
    if (strcmp(what, "turns") == 0 || strcmp(what, "replies") == 0 || strcmp(what, "first") == 0) {
        int first = take_turns(argc > 2 ? atoi(argv[2]) : 1, strcmp(what, "replies") == 0);
        MPI_Bcast(&first, 1, MPI_INT, 0, MPI_COMM_WORLD);
        reduce(strcmp(what, "first") == 0 ? first : 1);
    }
    if (strcmp(what, "hosts") == 0) {
        MPI_Comm host;
        MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
        MPI_Barrier(host);
    }
    if (strcmp(what, "hang") == 0 && is_real()) {
        FILE *file = fopen(rank == 0 ? "pid-0" : "pid-1", "w");
        fprintf(file, "%ld\n", (long)getpid());
        fclose(file);
        MPI_Recv(&times, 1, MPI_INT, rank, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    if (strcmp(what, "abort") == 0 || (strcmp(what, "aborts") == 0 && is_real()))
        if (rank == 0)
            MPI_Abort(MPI_COMM_WORLD, 4);
    if (strcmp(what, "crash") == 0 && is_real() && rank == 0)
        abort();
    reduce(1);
    MPI_Finalize();
    return strcmp(what, "returns") == 0 && rank == 0 ? 3 : 0;
}
