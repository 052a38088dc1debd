/* SPDX-License-Identifier: Apache-2.0
 *
 * fft: repeated 2-D complex FFT, forward and back, of an n x n array.
 * In: n and the number of iterations. Out, on rank 0: time and rate of the slowest rank, the error
 * of the forward transform of a plane wave (one peak, zero elsewhere) and of the array after all
 * iterations against what it was. Both transforms are checked once before the clock starts, for
 * wrong inverses can cancel each other. Algorithm: rows, transposition, rows; the result of the
 * forward transform stays transposed and the inverse transform turns it back. Limits: n is a power
 * of two and a multiple of the number of ranks.
 */
#include "fft.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define DEFAULT_N 256
#define DEFAULT_ITERATIONS 5
#define MAX_N 32768
#define TOLERANCE 1e-13 /* per iteration: rounding errors add up */
#define CELL(a, row, column) ((a)->cells[(size_t)(row) * (size_t)(a)->n + (size_t)(column)])

/* The plane wave's wave numbers along rows and columns. */
static int wave_row, wave_column;

static struct complex_number wave_at(int n, int row, int column) {
    long phase = ((long)wave_row * row + (long)wave_column * column) % n;
    double angle = 2.0 * 3.14159265358979323846 * (double)phase / n;
    struct complex_number value = {cos(angle), sin(angle)};
    return value;
}

static void fill_wave(struct array *a) {
    wave_row = a->n / 3;
    wave_column = a->n / 5;
    for (int row = 0; row < a->rows; row++)
        for (int column = 0; column < a->n; column++)
            CELL(a, row, column) = wave_at(a->n, a->rank * a->rows + row, column);
}

static void transform_rows(struct array *a, const struct plan *p, enum direction direction) {
    for (int row = 0; row < a->rows; row++)
        fft_row(p, &CELL(a, row, 0), direction);
}

static void scale(struct array *a, double factor) {
    size_t count = (size_t)a->rows * (size_t)a->n;
    for (size_t i = 0; i < count; i++) {
        a->cells[i].re *= factor;
        a->cells[i].im *= factor;
    }
}

static void transform(struct array *a, const struct plan *p, enum direction direction) {
    transform_rows(a, p, direction);
    array_transpose(a);
    transform_rows(a, p, direction);
    if (direction == INVERSE)
        scale(a, 1.0 / ((double)a->n * a->n));
}

static double largest_anywhere(double value) {
    double result = 0.0;
    MPI_Allreduce(&value, &result, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return result;
}

/* The transform of the wave, transposed: n^2 at (wave_column, wave_row), relative to n^2. */
static double error_of_peak(const struct array *a) {
    double largest = 0.0, peak = (double)a->n * a->n;
    for (int row = 0; row < a->rows; row++)
        for (int column = 0; column < a->n; column++) {
            int at_peak = a->rank * a->rows + row == wave_column && column == wave_row;
            struct complex_number c = CELL(a, row, column);
            largest = fmax(largest, hypot(c.re - (at_peak ? peak : 0.0), c.im) / peak);
        }
    return largest_anywhere(largest);
}

static double error_of_wave(const struct array *a) {
    double largest = 0.0;
    for (int row = 0; row < a->rows; row++)
        for (int column = 0; column < a->n; column++) {
            struct complex_number c = CELL(a, row, column);
            struct complex_number w = wave_at(a->n, a->rank * a->rows + row, column);
            largest = fmax(largest, hypot(c.re - w.re, c.im - w.im));
        }
    return largest_anywhere(largest);
}

static void report(const struct array *a, int iterations, double elapsed_s) {
    double n = a->n;
    double flops = 2.0 * iterations * 2.0 * n * 5.0 * n * log2(n);
    printf("fft %d x %d, %d iterations, %d ranks\n", a->n, a->n, iterations, a->ranks);
    printf("time %.6f s, %.3f GFlop/s\n", elapsed_s,
           elapsed_s > 0.0 ? flops / elapsed_s * 1e-9 : 0.0);
}

/* Fills the array, transforms it, checks it. Whether the results are correct. */
static int run(struct array *a, const struct plan *p, int iterations) {
    fill_wave(a);
    transform(a, p, FORWARD);
    double peak_error = error_of_peak(a);
    transform(a, p, INVERSE);
    double first_error = error_of_wave(a);

    MPI_Barrier(MPI_COMM_WORLD);
    double start_s = MPI_Wtime();
    for (int i = 0; i < iterations; i++) {
        transform(a, p, FORWARD);
        transform(a, p, INVERSE);
    }
    double elapsed_s = largest_anywhere(MPI_Wtime() - start_s);

    double wave_error = error_of_wave(a);
    double tolerance = TOLERANCE * (iterations + 1.0);
    int correct = peak_error < TOLERANCE && first_error < TOLERANCE && wave_error < tolerance;
    if (a->rank == 0) {
        report(a, iterations, elapsed_s);
        printf("error of peak %.3e, of array %.3e: %s\n", peak_error, wave_error,
               correct ? "correct" : "WRONG");
    }
    return correct;
}

static int parse_positive(const char *text, int limit) {
    char *end;
    long value = strtol(text, &end, 10);
    return end != text && *end == '\0' && value >= 1 && value <= limit ? (int)value : -1;
}

int main(int argc, char **argv) {
    struct array array;
    struct plan plan;
    int rank, ranks;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int n = argc > 1 ? parse_positive(argv[1], MAX_N) : DEFAULT_N;
    int iterations = argc > 2 ? parse_positive(argv[2], 100000000) : DEFAULT_ITERATIONS;
    if (argc > 3 || n < 1 || iterations < 1 || (n & (n - 1)) != 0 || n % ranks != 0) {
        if (rank == 0)
            fprintf(stderr,
                    "usage: fft [n [iterations]], n a power of two up to %d and a "
                    "multiple of the number of ranks\n",
                    MAX_N);
        MPI_Finalize();
        return EXIT_FAILURE;
    }
    if (plan_init(&plan, n) != 0 || array_init(&array, n) != 0) {
        fprintf(stderr, "fft: rank %d: no memory for %d rows of %d\n", rank, n / ranks, n);
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    }
    int correct = run(&array, &plan, iterations);
    array_dispose(&array);
    plan_dispose(&plan);
    MPI_Finalize();
    return correct ? EXIT_SUCCESS : EXIT_FAILURE;
}
