/* SPDX-License-Identifier: Apache-2.0
 *
 * plu: LU factorisation with partial pivoting of a dense random matrix, block-cyclic over a P x Q
 * grid. In: the order n and the block size nb. Out, on rank 0: time and rate of the factorisation
 * by the slowest rank, how many rows changed places, and how good the factors are. Limit: n is a
 * multiple of nb.
 */
#include "plu.h"

#include <stdio.h>
#include <stdlib.h>

#define DEFAULT_N 512
#define DEFAULT_NB 32
#define MAX_N 500000 /* MAX_N * MAX_NB fits an int */
#define MAX_NB 4096
#define TOLERANCE 1e-10

/* The number in the text, 0 when it is none between 1 and `most`. */
static int parse_size(const char *text, int most) {
    char *end;
    long value = strtol(text, &end, 10);
    return end != text && *end == '\0' && value > 0 && value <= most ? (int)value : 0;
}

static int parse_arguments(int argc, char **argv, int *n, int *nb) {
    *n = argc > 1 ? parse_size(argv[1], MAX_N) : DEFAULT_N;
    *nb = argc > 2 ? parse_size(argv[2], MAX_NB) : DEFAULT_NB;
    return argc <= 3 && *n > 0 && *nb > 0 && *n % *nb == 0 ? 0 : -1;
}

static int count_swaps(const int *pivots, int n) {
    int swaps = 0;
    for (int i = 0; i < n; i++)
        swaps += pivots[i] != i;
    return swaps;
}

static double slowest(double seconds) {
    double result = 0.0;
    MPI_Reduce(&seconds, &result, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    return result;
}

static int is_correct(const struct quality *q) {
    return q->residual < TOLERANCE && q->multiplier <= 1.0;
}

static void report(const struct grid *g, const struct matrix *m, double elapsed_s, int swaps,
                   const struct quality *q) {
    double n = m->n;
    double flops = 2.0 / 3.0 * n * n * n - 0.5 * n * n;
    if (g->rank != 0)
        return;
    printf("plu n=%d nb=%d on %d x %d ranks\n", m->n, m->nb, g->rows, g->columns);
    printf("time %.6f s, %.3f GFlop/s\n", elapsed_s,
           elapsed_s > 0.0 ? flops / elapsed_s * 1e-9 : 0.0);
    printf("%d of %d rows changed places, largest multiplier %.6f\n", swaps, m->n, q->multiplier);
    printf("residual %.3e: %s\n", q->residual, is_correct(q) ? "correct" : "WRONG");
}

int main(int argc, char **argv) {
    struct grid grid;
    struct matrix matrix;
    int n, nb;

    MPI_Init(&argc, &argv);
    grid_init(&grid);
    if (parse_arguments(argc, argv, &n, &nb) != 0) {
        if (grid.rank == 0)
            fprintf(stderr, "usage: plu [n [nb]], n <= %d, nb <= %d, n a multiple of nb\n", MAX_N,
                    MAX_NB);
        grid_dispose(&grid);
        MPI_Finalize();
        return EXIT_FAILURE;
    }
    matrix_init(&matrix, &grid, n, nb);
    int *pivots = allocate((size_t)n, sizeof(int));

    MPI_Barrier(MPI_COMM_WORLD);
    double start_s = MPI_Wtime();
    plu_factor(&matrix, &grid, pivots);
    double elapsed_s = slowest(MPI_Wtime() - start_s);

    struct quality quality = plu_check(&matrix, &grid, pivots);
    report(&grid, &matrix, elapsed_s, count_swaps(pivots, n), &quality);
    free(pivots);
    matrix_dispose(&matrix);
    grid_dispose(&grid);
    MPI_Finalize();
    return is_correct(&quality) ? EXIT_SUCCESS : EXIT_FAILURE;
}
