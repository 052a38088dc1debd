/* SPDX-License-Identifier: Apache-2.0
 *
 * cg: solves the 2-D Poisson problem with conjugate gradients on a distributed sparse matrix.
 * In: grid size n, the largest number of iterations, and the reduction of the residual at which to
 * stop. Out, on rank 0: iterations, residual, time and rate of the slowest rank, and the error
 * against the known solution. Limits: at least as many grid lines as ranks.
 */
#include "cg.h"

#include <limits.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define PI 3.14159265358979323846
#define DEFAULT_N 256
#define DEFAULT_ITERATIONS 1000
#define DEFAULT_TOLERANCE 1e-8
#define MAX_N 2000000
#define MAX_ITERATIONS 1000000000
#define ROUNDING 1e-15

static int parse_int(int *out, const char *text, int limit) {
    char *end;
    long value = strtol(text, &end, 10);
    if (end == text || *end != '\0' || value < 1 || value > limit)
        return -1;
    *out = (int)value;
    return 0;
}

static int parse_tolerance(double *out, const char *text) {
    char *end;
    *out = strtod(text, &end);
    return end != text && *end == '\0' && *out >= 0.0 && *out < 1.0 ? 0 : -1;
}

static int parse_arguments(int argc, char **argv, int *n, struct limits *limits) {
    *n = DEFAULT_N;
    *limits = (struct limits){DEFAULT_ITERATIONS, DEFAULT_TOLERANCE};
    if (argc > 4)
        return -1;
    if (argc > 1 && parse_int(n, argv[1], MAX_N) != 0)
        return -1;
    if (argc > 2 && parse_int(&limits->iterations, argv[2], MAX_ITERATIONS) != 0)
        return -1;
    return argc > 3 ? parse_tolerance(&limits->tolerance, argv[3]) : 0;
}

/* The entries of the matrix that one rank has are counted by ints. */
static int fits(int n, int ranks) {
    return n >= ranks && 5.0 * n * (n / ranks + 1) <= INT_MAX;
}

static void usage(int rank) {
    if (rank == 0)
        fprintf(stderr,
                "usage: cg [n [iterations [tolerance]]], ranks <= n <= %d, 5 n^2 / ranks < 2^31, "
                "iterations >= 1, 0 <= tolerance < 1\n",
                MAX_N);
}

static double relative_error(const double *x, double *solution, int rows) {
    double size = sqrt(vector_dot(solution, solution, rows));
    for (int i = 0; i < rows; i++)
        solution[i] -= x[i];
    return sqrt(vector_dot(solution, solution, rows)) / size;
}

static void report(const struct domain *d, const struct csr *a, const struct outcome *outcome,
                   double elapsed_s, double dot_s) {
    double local = 2.0 * a->nonzeros + 10.0 * a->rows, flops, slowest_s;
    MPI_Reduce(&local, &flops, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(&elapsed_s, &slowest_s, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (d->rank != 0)
        return;
    printf("cg %d x %d grid, %d iterations, %d ranks\n", d->n, d->n, outcome->iterations, d->ranks);
    printf("time %.6f s (%.6f s in dot products on rank 0), %.3f GFlop/s\n", slowest_s, dot_s,
           slowest_s > 0.0 ? flops * outcome->iterations / slowest_s * 1e-9 : 0.0);
}

/* Whether the error is as small as the residual promises: their ratio is at most the condition
 * number of the matrix. Says so on rank 0. */
static int judge(const struct domain *d, const struct limits *limits, const struct outcome *outcome,
                 double error) {
    double width = (d->n + 1) / PI;
    double condition = 4.0 * width * width;
    int correct = error <= condition * (outcome->residual + ROUNDING);
    if (d->rank != 0)
        return correct;
    printf("residual %.3e of the first: %s\n", outcome->residual,
           outcome->residual < limits->tolerance ? "converged" : "not converged");
    printf("error %.3e: %s\n", error, correct ? "correct" : "WRONG");
    return correct;
}

int main(int argc, char **argv) {
    struct domain domain;
    struct csr matrix;
    struct limits limits;
    int rank, ranks, n;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (parse_arguments(argc, argv, &n, &limits) != 0 || !fits(n, ranks)) {
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
    struct outcome outcome = cg_solve(&domain, &matrix, x, b, &limits);
    double elapsed_s = MPI_Wtime() - start_s;

    report(&domain, &matrix, &outcome, elapsed_s, vector_dot_seconds());
    int correct = judge(&domain, &limits, &outcome, relative_error(x, solution, domain.rows));

    free(solution);
    free(x);
    free(b);
    csr_dispose(&matrix);
    MPI_Finalize();
    return correct ? EXIT_SUCCESS : EXIT_FAILURE;
}
