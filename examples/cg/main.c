/* SPDX-License-Identifier: Apache-2.0
 *
 * cg: solves the 2-D Poisson problem with conjugate gradients on a distributed sparse matrix.
 * In: grid size n and number of iterations. Out, on rank 0: residual, time and rate of the slowest
 * rank, and the error against the known solution. Limits: at least as many grid lines as ranks.
 */
#include "cg.h"

#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define DEFAULT_N 256
#define DEFAULT_ITERATIONS 100
#define MAX_N 20000
/* Iterations after which the solution has to be there: eight in exact arithmetic; rounding asks for
 * more on larger grids. */
#define CHECKED_FROM(n) (8 + (n) / 16)
#define TOLERANCE 1e-7

static int read_int(const char *text, int limit) {
    char *end;
    long value = strtol(text, &end, 10);
    if (end == text || *end != '\0' || value < 1 || value > limit)
        return -1;
    return (int)value;
}

static void usage(int rank) {
    if (rank == 0)
        fprintf(stderr, "usage: cg [n [iterations]], ranks <= n <= %d, iterations >= 1\n", MAX_N);
}

static double relative_error(const double *x, double *solution, int rows) {
    double size = sqrt(vector_dot(solution, solution, rows));
    for (int i = 0; i < rows; i++)
        solution[i] -= x[i];
    return sqrt(vector_dot(solution, solution, rows)) / size;
}

static void report(const struct domain *d, const struct csr *a, int iterations, double elapsed_s,
                   double dot_s, double residual) {
    double local = 2.0 * a->nonzeros + 10.0 * a->rows, flops, slowest_s;
    MPI_Reduce(&local, &flops, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(&elapsed_s, &slowest_s, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (d->rank != 0)
        return;
    printf("cg %d x %d grid, %d iterations, %d ranks\n", d->n, d->n, iterations, d->ranks);
    printf("time %.6f s (%.6f s in dot products on rank 0), %.3f GFlop/s\n", slowest_s, dot_s,
           slowest_s > 0.0 ? flops * iterations / slowest_s * 1e-9 : 0.0);
    printf("residual %.3e\n", residual);
}

/* Whether the result is acceptable; says so on rank 0. */
static int judge(const struct domain *d, int iterations, double error) {
    int correct = iterations < CHECKED_FROM(d->n) || error < TOLERANCE;
    if (d->rank == 0) {
        if (iterations < CHECKED_FROM(d->n))
            printf("error %.3e: not judged before iteration %d\n", error, CHECKED_FROM(d->n));
        else
            printf("error %.3e: %s\n", error, correct ? "correct" : "WRONG");
    }
    return correct;
}

int main(int argc, char **argv) {
    struct domain domain;
    struct csr matrix;
    int rank, ranks;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int n = argc > 1 ? read_int(argv[1], MAX_N) : DEFAULT_N;
    int iterations = argc > 2 ? read_int(argv[2], 1000000000) : DEFAULT_ITERATIONS;
    if (argc > 3 || n < ranks || iterations < 1) {
        usage(rank);
        MPI_Finalize();
        return EXIT_FAILURE;
    }

    domain_init(&domain, n);
    csr_init(&matrix, &domain);
    double *b = vector_new(domain.rows);
    double *x = vector_new(domain.rows);
    double *solution = vector_new(domain.rows);
    problem_fill(&domain, b, solution);

    MPI_Barrier(MPI_COMM_WORLD);
    double start_s = MPI_Wtime();
    double residual = cg_solve(&domain, &matrix, x, b, iterations);
    double elapsed_s = MPI_Wtime() - start_s;

    report(&domain, &matrix, iterations, elapsed_s, vector_dot_seconds(), residual);
    int correct = judge(&domain, iterations, relative_error(x, solution, domain.rows));

    free(solution);
    free(x);
    free(b);
    csr_dispose(&matrix);
    MPI_Finalize();
    return correct ? EXIT_SUCCESS : EXIT_FAILURE;
}
