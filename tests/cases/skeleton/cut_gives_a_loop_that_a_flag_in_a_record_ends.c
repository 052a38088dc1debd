/* SPDX-License-Identifier: Apache-2.0
 *
 * A loop over time waits for a flag in a record, which another function sets in the last step. How
 * often it steps is given, and neither the steps of time, of which one model is as good as the other
 * until the last, nor which step is the last, which would come at random.
 *
 * generate: --assume=cuts
 * scout: 40
 * gone: dt = least < dt ? least : dt
 * gone: domain->x[i] += step * (domain->x[i + 1] - domain->x[i])
 * cut: while (!domain.is_done)
 * cut: int wanted = (int)(t * 5 / domain->end)
 * cut: if (domain->x[0] > 1.5)
 * gone: if (t + *dt > end)
 * args: 40
 */
#include <mpi.h>
#include <stdlib.h>

struct domain {
    double t, end, *x;
    int count, is_done, is_refined;
};

static double smallest_step(const struct domain *domain) {
    double dt = 1;
    for (int i = 0; i < domain->count; i++) {
        double least = 0.02 / (1 + domain->x[i]);
        dt = least < dt ? least : dt;
    }
    MPI_Allreduce(MPI_IN_PLACE, &dt, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
    return( dt );
}

static void check_step(struct domain *domain, double *dt) {
    double t = domain->t, end = domain->end;
    int is_last = 0;
    if (t + *dt > end) {
        *dt = end - t;
        is_last = 1;
    }
    MPI_Allreduce(MPI_IN_PLACE, &is_last, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (is_last)
        domain->is_done = 1;
}

static void report(const struct domain *domain, int *reports) {
    double t = domain->t, sum = domain->x[0], all;
    int wanted = (int)(t * 5 / domain->end);
    if (*reports < wanted) {
        *reports = wanted;
        MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    }
}

static void refine(const struct domain *domain) {
    if (domain->x[0] > 1.5)
        MPI_Barrier(MPI_COMM_WORLD);
}

static void take_step(struct domain *domain, double step) {
    for (int k = 0; k < 20; k++)
        for (int i = 0; i + 1 < domain->count; i++)
            domain->x[i] += step * (domain->x[i + 1] - domain->x[i]);
    if (domain->is_refined)
        refine(domain);
    domain->t += step;
}

int main(int argc, char **argv) {
    struct domain domain = {0, 0.5, NULL, 0, 0, 0};
    int reports = 0;
    MPI_Init(&argc, &argv);
    domain.count = atoi(argv[1]);
    domain.x = malloc((size_t)domain.count * sizeof *domain.x);
    for (int i = 0; i < domain.count; i++)
        domain.x[i] = (i % 7) / 7.0;
    while (!domain.is_done) {
        double dt = smallest_step(&domain);
        check_step(&domain, &dt);
        report(&domain, &reports);
        take_step(&domain, dt);
    }
    free(domain.x);
    MPI_Finalize();
    return 0;
}
