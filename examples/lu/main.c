/* SPDX-License-Identifier: Apache-2.0
 *
 * lu: LU factorisation of a dense, diagonally dominant matrix, block-cyclic over a P x Q grid.
 * In: the order n and the tile size nb. Out, on rank 0: time and rate of the factorisation by the
 * slowest rank, and the residual. If n is no multiple of nb the last tiles are filled up
 * (matrix.c). Limit: no pivoting.
 */
#include "lu.h"

#include <stdio.h>
#include <stdlib.h>

#define DEFAULT_N 512
#define DEFAULT_NB 32
#define MAX_N 500000 /* MAX_N * MAX_NB fits an int */
#define MAX_NB 4096
#define TOLERANCE 1e-12

static void fail(const struct grid *g, const char *message) {
    fprintf(stderr, "lu: rank %d: %s\n", g->rank, message);
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
}

/* Ends the program on all ranks, once rank 0 has spoken. */
static void usage(const struct grid *g) {
    if (g->rank == 0)
        fprintf(stderr, "usage: lu [n [nb]], n <= %d, nb <= %d\n", MAX_N, MAX_NB);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
}

/* The number in the text, 0 when it is none between 1 and MAX_N. */
static int parse_size(const char *text) {
    char *end;
    long value = strtol(text, &end, 10);
    return end != text && *end == '\0' && value > 0 && value <= MAX_N ? (int)value : 0;
}

static int parse_arguments(int argc, char **argv, int *n, int *nb) {
    *n = argc > 1 ? parse_size(argv[1]) : DEFAULT_N;
    *nb = argc > 2 ? parse_size(argv[2]) : DEFAULT_NB;
    return argc <= 3 && *n > 0 && *nb > 0 && *nb <= MAX_NB ? 0 : -1;
}

static double slowest(double seconds) {
    double result = 0.0;
    MPI_Reduce(&seconds, &result, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    return result;
}

static void report(const struct grid *g, const struct matrix *m, double elapsed_s,
                   double residual) {
    double n = m->order;
    double flops = 2.0 / 3.0 * n * n * n - 0.5 * n * n;
    if (g->rank != 0)
        return;
    printf("lu n=%d nb=%d on %d x %d ranks\n", m->order, m->nb, g->rows, g->columns);
    printf("time %.6f s, %.3f GFlop/s\n", elapsed_s,
           elapsed_s > 0.0 ? flops / elapsed_s * 1e-9 : 0.0);
    printf("residual %.3e: %s\n", residual, residual < TOLERANCE ? "correct" : "WRONG");
}

int main(int argc, char **argv) {
    struct grid grid;
    struct matrix matrix;
    int n, nb;

    MPI_Init(&argc, &argv);
    grid_init(&grid);
    if (parse_arguments(argc, argv, &n, &nb) != 0) {
        usage(&grid);
        return EXIT_FAILURE;
    }
    if (matrix_init(&matrix, &grid, n, nb) != 0)
        fail(&grid, "no memory for the matrix");

    MPI_Barrier(MPI_COMM_WORLD);
    double start_s = MPI_Wtime();
    if (lu_factor(&matrix, &grid) != 0)
        fail(&grid, "no memory for the panels");
    double elapsed_s = slowest(MPI_Wtime() - start_s);
    double residual = lu_residual(&matrix, &grid);
    report(&grid, &matrix, elapsed_s, residual);

    matrix_dispose(&matrix);
    grid_dispose(&grid);
    MPI_Finalize();
    return residual < TOLERANCE ? EXIT_SUCCESS : EXIT_FAILURE;
}
