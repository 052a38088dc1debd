/* SPDX-License-Identifier: Apache-2.0
 *
 * A function allocates a block and keeps a pointer in it to its caller's variable; what is called
 * with the block then, or with a copy of it, writes that variable, which decides on messages.
 *
 * kept: *job->flag = size > 7
 * kept: *job->count += 2
 * kept: run(job, size)
 * kept: rerun(&copy)
 * gone: job->sum += 1.5
 * args: 3
 * args: 9
 */
#include <mpi.h>
#include <stdlib.h>

struct job {
    int *flag, *count;
    double sum;
};

static struct job *make(int *flag, int *count) {
    struct job *job = malloc(sizeof *job);
    job->flag = flag;
    job->count = count;
    job->sum = 0;
    return job;
}

static void run(struct job *job, int size) {
    job->sum += 1.5;
    *job->flag = size > 7;
}

static void rerun(const struct job *job) {
    *job->count += 2;
}

int main(int argc, char **argv) {
    int flag = 1, count = 1, size = argc > 1 ? atoi(argv[1]) : 1;
    double x[8] = {0};
    MPI_Init(&argc, &argv);
    struct job *job = make(&flag, &count);
    run(job, size);
    struct job copy = *job;
    rerun(&copy);
    if (flag)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Bcast(x, count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    free(job);
    MPI_Finalize();
    return 0;
}
