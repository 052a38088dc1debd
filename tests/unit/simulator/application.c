/* SPDX-License-Identifier: Apache-2.0
 *
 * A small MPI program that ends in the way its first argument says, and that plays the runtime: it
 * writes the records (BSIM_TRACE) and the summary (BSIM_STATS) that docs/reference/run-files.md
 * describes. With -DSKELETON it is a skeleton: `tag` then makes a call with another tag, and
 * `lone-abort` an MPI_Abort that the original does not call.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef SKELETON
static const int is_skeleton = 1;
#else
static const int is_skeleton = 0;
#endif

static FILE *record;
static int rank, size, calls;

static void note_call(int line, const char *text) {
    calls++;
    if (record == NULL)
        return;
    fprintf(record, "application.c:%d %s\n", line + 10 * is_skeleton, text);
    fflush(record);
}

static void open_record(void) {
    const char *directory = getenv("BSIM_TRACE");
    char path[4096];
    if (directory == NULL)
        return;
    snprintf(path, sizeof path, "%s/rank-%d.calls", directory, rank);
    record = fopen(path, "w");
}

/* With noise (BSIM_NOISE, "SEED REPETITION") the time is the sum of the two. */
static double makespan_s(void) {
    int seed, repetition;
    const char *noise = getenv("BSIM_NOISE");
    if (noise == NULL || sscanf(noise, "%d %d", &seed, &repetition) != 2)
        return MPI_Wtime();
    return seed + repetition;
}

static void write_stats(int finalized) {
    const char *path = getenv("BSIM_STATS");
    FILE *stats = path != NULL && rank == 0 ? fopen(path, "w") : NULL;
    if (stats == NULL)
        return;
    fprintf(stats,
            "{\"format\":\"mpiskel-stats\",\"version\":1,\"ranks\":%d,\"finalized\":%d,"
            "\"makespan_s\":%.17g,\"per_rank\":[",
            size, finalized, makespan_s());
    for (int i = 0; i < size; i++)
        fprintf(stats, "%s{\"end_s\":2,\"compute_s\":1.5,\"mpi_s\":0.5,\"calls\":%d}",
                i > 0 ? "," : "", calls);
    fprintf(stats,
            "],\"regions\":[{\"index\":0,\"executions\":%d,\"seconds\":%d,"
            "\"features_min\":[64],\"features_max\":[128]}],\"calls\":[],\"sites\":[]}\n",
            size, size);
    fclose(stats);
}

static void misbehave(const char *mode) {
    int nothing = 0;
    if (rank != 1)
        return;
    if (strcmp(mode, "abort") == 0 || (strcmp(mode, "noise-abort") == 0 && getenv("BSIM_NOISE")) ||
        (strcmp(mode, "lone-abort") == 0 && is_skeleton))
        MPI_Abort(MPI_COMM_WORLD, 7);
    if (strcmp(mode, "deadlock") == 0)
        MPI_Recv(&nothing, 1, MPI_INT, 0, 99, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (strcmp(mode, "crash") == 0)
        *(volatile int *)8 = 1;
    if (strcmp(mode, "no-finalize") == 0)
        _Exit(0);
}

int main(int argc, char **argv) {
    const char *mode = argc > 1 ? argv[1] : "fine";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    open_record();
    note_call(1, "MPI_Init");
    if (rank == 0)
        for (int i = 1; i < argc; i++)
            printf("argument [%s]\n", argv[i]);
    if (strcmp(mode, "liar") == 0 && rank == 0)
        fprintf(stderr, "[0.1] Deadlock detected, says the application\n");
    note_call(2, strcmp(mode, "tag") == 0 && is_skeleton && rank > 0 ? "MPI_Send tag=1"
                                                                     : "MPI_Send tag=0");
    misbehave(mode);
    MPI_Barrier(MPI_COMM_WORLD);
    note_call(3, "MPI_Barrier comm=0");
    if (strcmp(mode, "silent") == 0)
        return 0;
    if (record != NULL)
        fprintf(record, "end %d\n", calls);
    write_stats(strcmp(mode, "partial") == 0 ? size - 1 : size);
    MPI_Finalize();
    return strcmp(mode, "returns-5") == 0 ? 5 : 0;
}
