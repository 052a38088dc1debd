/* SPDX-License-Identifier: Apache-2.0
 *
 * sweep: pipelined wavefront sweeps over a 3-D grid on a 2-D process grid.
 * In: nx ny nz, planes per block, number of sweeps. Out, on rank 0: time and cell updates per
 * second of the slowest rank, and the error against the exact solution. Algorithm: see sweep.c.
 * Limits: at least as many cells as ranks in x and in y.
 */
#include "sweep.h"

#include <stdio.h>
#include <stdlib.h>

#define MAX_ARGUMENT 40000 /* so that the size of any message fits an int */
#define TOLERANCE 1e-12

/* The command line, in this order. */
enum argument { NX, NY, NZ, BLOCK, SWEEPS, ARGUMENTS };
static int arguments[ARGUMENTS] = {64, 64, 64, 8, 4};

static int parse_arguments(int argc, char **argv) {
    if (argc > ARGUMENTS + 1)
        return -1;
    for (int i = 1; i < argc; i++) {
        char *end;
        long value = strtol(argv[i], &end, 10);
        if (end == argv[i] || *end != '\0' || value < 1 || value > MAX_ARGUMENT)
            return -1;
        arguments[i - 1] = (int)value;
    }
    return 0;
}

/* 0, or -1 when a direction has fewer cells than ranks. Collective. */
static int domain_init(struct domain *d) {
    int periods[2] = {0, 0};
    d->dims[0] = d->dims[1] = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &d->ranks);
    MPI_Dims_create(d->ranks, 2, d->dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, d->dims, periods, 0, &d->comm);
    MPI_Comm_rank(d->comm, &d->rank);
    MPI_Cart_coords(d->comm, d->rank, 2, d->coords);
    d->global[0] = arguments[NX];
    d->global[1] = arguments[NY];
    d->nz = arguments[NZ];
    d->block = arguments[BLOCK] < d->nz ? arguments[BLOCK] : d->nz;
    for (int axis = 0; axis < 2; axis++) {
        int cells = d->global[axis], at = d->coords[axis], places = d->dims[axis];
        if (cells < places)
            return -1;
        d->start[axis] = (int)((long)cells * at / places);
        d->local[axis] = (int)((long)cells * (at + 1) / places) - d->start[axis];
        MPI_Cart_shift(d->comm, axis, 1, &d->lower[axis], &d->upper[axis]);
    }
    return 0;
}

static double largest_anywhere(const struct domain *d, double value) {
    double result = 0.0;
    MPI_Allreduce(&value, &result, 1, MPI_DOUBLE, MPI_MAX, d->comm);
    return result;
}

/* All sweeps; returns the seconds that the slowest rank took. */
static double run(const struct domain *d, struct fields *f) {
    MPI_Barrier(d->comm);
    double start_s = MPI_Wtime();
    for (int n = 0; n < arguments[SWEEPS]; n++)
        sweep(d, f);
    return largest_anywhere(d, MPI_Wtime() - start_s);
}

static void report(const struct domain *d, double elapsed_s, double error) {
    double updates = 4.0 * d->global[0] * d->global[1] * d->nz * arguments[SWEEPS];
    if (d->rank != 0)
        return;
    printf("sweep %d x %d x %d, blocks of %d, %d sweeps, %d x %d ranks\n", d->global[0],
           d->global[1], d->nz, d->block, arguments[SWEEPS], d->dims[0], d->dims[1]);
    printf("time %.6f s, %.3f Mupdates/s\n", elapsed_s,
           elapsed_s > 0.0 ? updates / elapsed_s * 1e-6 : 0.0);
    printf("error %.3e: %s\n", error, error < TOLERANCE ? "correct" : "WRONG");
}

static int usage(int rank, const char *message) {
    if (rank == 0)
        fprintf(stderr, "sweep: %s\nusage: sweep [nx [ny [nz [block [sweeps]]]]]\n", message);
    MPI_Finalize();
    return EXIT_FAILURE;
}

int main(int argc, char **argv) {
    struct domain domain;
    struct fields fields;
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (parse_arguments(argc, argv) != 0)
        return usage(rank, "arguments are numbers from 1 to 40000");
    if (domain_init(&domain) != 0)
        return usage(rank, "fewer cells than ranks in one direction");
    if (fields_init(&fields, &domain) != 0) {
        fprintf(stderr, "sweep: rank %d: no memory for the fields\n", rank);
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    }
    double elapsed_s = run(&domain, &fields);
    double error = largest_anywhere(&domain, fields_error(&domain, &fields));
    report(&domain, elapsed_s, error);
    fields_dispose(&fields);
    MPI_Comm_free(&domain.comm);
    MPI_Finalize();
    return error < TOLERANCE ? EXIT_SUCCESS : EXIT_FAILURE;
}
