/* SPDX-License-Identifier: Apache-2.0
 *
 * A solver calls its operator through a member of a record; the operator communicates.
 *
 * kept: problem->apply(
 * gone: * 0.3
 */
#include <mpi.h>

struct problem {
    int n, rank;
    double *x;
    void (*apply)(struct problem *);
};

static void exchange(struct problem *problem) {
    MPI_Sendrecv_replace(problem->x, problem->n, MPI_DOUBLE, problem->rank ^ 1, 0,
                         problem->rank ^ 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < problem->n; i++)
        problem->x[i] = problem->x[i] * 0.3;
}

static void solve(struct problem *problem, int iterations) {
    for (int k = 0; k < iterations; k++)
        problem->apply(problem);
}

int main(int argc, char **argv) {
    double x[14] = {0};
    struct problem problem = {.n = 14, .x = x, .apply = exchange};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &problem.rank);
    solve(&problem, 5);
    MPI_Finalize();
    return 0;
}
