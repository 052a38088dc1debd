/* SPDX-License-Identifier: Apache-2.0
 *
 * heat3d: explicit time integration of the 3-D heat equation on the unit cube.
 * In: nx ny nz steps. Out, on rank 0: the size of the change every 20 steps, the error against the
 * exact discrete solution, and cells and flops per second of the slowest rank.
 * Algorithm: 3-D domain decomposition; per step a halo exchange and one Jacobi sweep over two
 * fields that swap roles. The change is reduced for printing only and steers nothing.
 * With -DHEAT3D_QUIET the printing goes and the reductions stay.
 */
#include "domain.h"
#include "halo.h"
#include "options.h"
#include "stencil.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define REPORT_INTERVAL 20
#define TOLERANCE 1e-12

static double global_max(const struct domain *d, double value) {
    double largest = 0.0;
    MPI_Allreduce(&value, &largest, 1, MPI_DOUBLE, MPI_MAX, d->comm);
    return largest;
}

static void report_change(const struct domain *d, int step, double local_change) {
    double change = 0.0;
    MPI_Allreduce(&local_change, &change, 1, MPI_DOUBLE, MPI_SUM, d->comm);
#ifndef HEAT3D_QUIET
    if (d->rank == 0)
        printf("step %6d  change %.6e\n", step, sqrt(change));
#else
    (void)step;
#endif
}

/* Runs all steps; returns the seconds they took on this rank. *u is the newest field. */
static double integrate(const struct domain *d, const struct stencil *s, double **u, double **next,
                        int steps) {
    struct halo halo;
    halo_init(&halo, d);
    MPI_Barrier(d->comm);
    double start_s = MPI_Wtime();
    for (int step = 1; step <= steps; step++) {
        halo_exchange(&halo, d, *u);
        double change = stencil_step(s, d, *next, *u);
        double *old = *u;
        *u = *next;
        *next = old;
        if (step % REPORT_INTERVAL == 0)
            report_change(d, step, change);
    }
    double elapsed_s = MPI_Wtime() - start_s;
    halo_dispose(&halo);
    return elapsed_s;
}

static void report(const struct domain *d, int steps, double elapsed_s, double error) {
    double cells = (double)d->global[0] * d->global[1] * d->global[2] * steps;
    double cells_per_s = elapsed_s > 0.0 ? cells / elapsed_s : 0.0;
    if (d->rank != 0)
        return;
    printf("heat3d %d x %d x %d, %d steps, %d x %d x %d ranks\n", d->global[0], d->global[1],
           d->global[2], steps, d->dims[0], d->dims[1], d->dims[2]);
    printf("time %.6f s, %.3f Mcells/s, %.3f GFlop/s\n", elapsed_s, cells_per_s * 1e-6,
           cells_per_s * FLOPS_PER_CELL * 1e-9);
    printf("error %.3e: %s\n", error, error < TOLERANCE ? "correct" : "WRONG");
}

int main(int argc, char **argv) {
    struct options options;
    struct domain domain;
    struct stencil stencil;
    int world_rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
    if (options_parse(&options, argc, argv) != 0) {
        if (world_rank == 0)
            fprintf(stderr, "usage: heat3d [nx [ny [nz [steps]]]], sizes from 1 to 100000\n");
        MPI_Finalize();
        return EXIT_FAILURE;
    }
    if (domain_init(&domain, options.cells) != 0) {
        if (world_rank == 0)
            fprintf(stderr, "heat3d: fewer cells than ranks in one direction, use a larger grid\n");
        MPI_Finalize();
        return EXIT_FAILURE;
    }

    double *u = domain_new_field(&domain);
    double *next = domain_new_field(&domain);
    stencil_init(&stencil, &domain);
    stencil_initial(&domain, u);
    double elapsed_s = integrate(&domain, &stencil, &u, &next, options.steps);
    double error = global_max(&domain, stencil_error(&stencil, &domain, u, options.steps));
    report(&domain, options.steps, global_max(&domain, elapsed_s), error);

    free(u);
    free(next);
    domain_dispose(&domain);
    MPI_Finalize();
    return error < TOLERANCE ? EXIT_SUCCESS : EXIT_FAILURE;
}
