/* SPDX-License-Identifier: Apache-2.0
 *
 * Least squares against certified answers (NIST Statistical Reference Datasets, linear regression:
 * Norris, Pontius, NoInt1, Longley, Wampler1), and non-negative least squares against the
 * conditions that tell an optimum (Karush, Kuhn, Tucker).
 */
#include "support.h"

#include "model/solve/nnls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const double norris[][2] = {/* y, x */
                                   {0.1, 0.2},     {338.8, 337.4}, {118.1, 118.2}, {888.0, 884.6},
                                   {9.2, 10.1},    {228.1, 226.5}, {668.5, 666.3}, {998.5, 996.3},
                                   {449.1, 448.6}, {778.9, 777.0}, {559.2, 558.2}, {0.3, 0.4},
                                   {0.1, 0.6},     {778.1, 775.5}, {668.8, 666.9}, {339.3, 338.0},
                                   {448.9, 447.5}, {10.8, 11.6},   {557.7, 556.0}, {228.3, 228.1},
                                   {998.0, 995.8}, {888.8, 887.6}, {119.6, 120.2}, {0.3, 0.3},
                                   {0.6, 0.3},     {557.6, 556.8}, {339.3, 339.1}, {888.0, 887.2},
                                   {998.5, 999.0}, {778.9, 779.0}, {10.2, 11.1},   {117.6, 118.3},
                                   {228.9, 229.2}, {668.4, 669.1}, {449.2, 448.9}, {0.2, 0.5}};

/* Loads are 150000, 300000, ..., 3000000, twice. */
static const double pontius_y[] = {
    .11019,  .21956,  .32949,  .43899,  .54803,  .65694,  .76562,  .87487,  .98292,  1.09146,
    1.20001, 1.30822, 1.41599, 1.52399, 1.63194, 1.73947, 1.84646, 1.95392, 2.06128, 2.16844,
    .11052,  .22018,  .32939,  .43886,  .54798,  .65739,  .76596,  .87474,  .98300,  1.09150,
    1.20004, 1.30818, 1.41613, 1.52408, 1.63159, 1.73965, 1.84696, 1.95445, 2.06177, 2.16829};

static const double longley[][7] = {/* y, x1..x6 */
                                    {60323, 83.0, 234289, 2356, 1590, 107608, 1947},
                                    {61122, 88.5, 259426, 2325, 1456, 108632, 1948},
                                    {60171, 88.2, 258054, 3682, 1616, 109773, 1949},
                                    {61187, 89.5, 284599, 3351, 1650, 110929, 1950},
                                    {63221, 96.2, 328975, 2099, 3099, 112075, 1951},
                                    {63639, 98.1, 346999, 1932, 3594, 113270, 1952},
                                    {64989, 99.0, 365385, 1870, 3547, 115094, 1953},
                                    {63761, 100.0, 363112, 3578, 3350, 116219, 1954},
                                    {66019, 101.2, 397469, 2904, 3048, 117388, 1955},
                                    {67857, 104.6, 419180, 2822, 2857, 118734, 1956},
                                    {68169, 108.4, 442769, 2936, 2798, 120445, 1957},
                                    {66513, 110.8, 444546, 4681, 2637, 121950, 1958},
                                    {68655, 112.6, 482704, 3813, 2552, 123366, 1959},
                                    {69564, 114.2, 502601, 3931, 2514, 125368, 1960},
                                    {69331, 115.7, 518173, 4806, 2572, 127852, 1961},
                                    {70551, 116.9, 554894, 4007, 2827, 130081, 1962}};

typedef void (*solver)(double *x, const struct least_squares *problem);

static void solve_compressed(double *x, const struct least_squares *problem) {
    double a[64 * 8], b[9];
    struct least_squares small = {.a = a, .b = b, .columns = problem->columns};
    small.stride = problem->columns;
    small.rows = least_squares_compress(a, b, problem);
    assert_true(small.rows <= problem->columns + 1);
    least_squares_solve(x, &small);
}

static void assert_near(const double *found, const double *wanted, size_t count, double relative) {
    for (size_t i = 0; i < count; i++)
        if (!(fabs(found[i] - wanted[i]) <= relative * fabs(wanted[i])))
            fail_msg("value %zu is %.15g instead of %.15g", i, found[i], wanted[i]);
}

static void check_norris(solver solve) {
    double a[COUNT(norris)][2], b[COUNT(norris)], x[2];
    for (size_t i = 0; i < COUNT(norris); i++) {
        a[i][0] = 1;
        a[i][1] = norris[i][1];
        b[i] = norris[i][0];
    }
    solve(x, &(struct least_squares){a[0], b, COUNT(norris), 2, 2, 0});
    assert_near(x, (double[]){-0.262323073774029, 1.00211681802045}, 2, 1e-11);
}

static void check_pontius(solver solve) {
    double a[40][3], x[3];
    for (size_t i = 0; i < 40; i++) {
        double load = 150000.0 * (double)(i % 20 + 1);
        a[i][0] = 1;
        a[i][1] = load;
        a[i][2] = load * load;
    }
    solve(x, &(struct least_squares){a[0], pontius_y, 40, 3, 3, 0});
    assert_near(x, (double[]){0.673565789473684E-03, 0.732059160401003E-06, -0.316081871345029E-14},
                3, 1e-10);
}

static void check_longley(solver solve) {
    double a[16][7], b[16], x[7];
    for (size_t i = 0; i < 16; i++) {
        memcpy(a[i], longley[i], sizeof a[i]);
        a[i][0] = 1;
        b[i] = longley[i][0];
    }
    solve(x, &(struct least_squares){a[0], b, 16, 7, 7, 0});
    assert_near(x,
                (double[]){-3482258.63459582, 15.0618722713733, -0.358191792925910E-01,
                           -2.02022980381683, -1.03322686717359, -0.511041056535807E-01,
                           1829.15146461355},
                7, 1e-8);
}

static void check_noint1(solver solve) {
    double a[11], b[11], x[1];
    for (int i = 0; i < 11; i++) {
        a[i] = 60 + i;
        b[i] = 130 + i;
    }
    solve(x, &(struct least_squares){a, b, 11, 1, 1, 0});
    assert_near(x, (double[]){2.07438016528926}, 1, 1e-13);
}

static void check_wampler1(solver solve) {
    double a[21][6], b[21], x[6];
    for (int i = 0; i < 21; i++) {
        b[i] = 0;
        for (int j = 0; j < 6; j++) {
            a[i][j] = pow(i, j);
            b[i] += a[i][j];
        }
    }
    solve(x, &(struct least_squares){a[0], b, 21, 6, 6, 0});
    assert_near(x, (double[]){1, 1, 1, 1, 1, 1}, 6, 1e-8);
}

TEST(least_squares_agree_with_nist) {
    check_norris(least_squares_solve);
    check_pontius(least_squares_solve);
    check_longley(least_squares_solve);
    check_noint1(least_squares_solve);
    check_wampler1(least_squares_solve);
}

TEST(compressed_problems_agree_with_nist) {
    check_norris(solve_compressed);
    check_longley(solve_compressed);
    check_noint1(solve_compressed);
    check_wampler1(solve_compressed);
}

/* Where the certified answer is positive it is the non-negative answer as well. */
TEST(non_negative_agrees_with_nist) {
    check_noint1(nnls_solve);
    check_wampler1(nnls_solve);
}

TEST(negative_coefficients_become_zero) {
    double a[COUNT(norris)][2], b[COUNT(norris)], x[2], xy = 0, xx = 0;
    for (size_t i = 0; i < COUNT(norris); i++) {
        a[i][0] = 1;
        a[i][1] = norris[i][1];
        b[i] = norris[i][0];
        xy += a[i][1] * b[i];
        xx += a[i][1] * a[i][1];
    }
    nnls_solve(x, &(struct least_squares){a[0], b, COUNT(norris), 2, 2, 0});
    assert_true(x[0] == 0);
    assert_near(&x[1], (double[]){xy / xx}, 1, 1e-13);
}

TEST(identity_clips) {
    const double a[] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, b[] = {1, -2, 3};
    double x[3];
    nnls_solve(x, &(struct least_squares){a, b, 3, 3, 3, 0});
    assert_near(x, (double[]){1, 0, 3}, 3, 1e-14);
}

/* x is the optimum if and only if the gradient is zero where x is positive and points into the
 * forbidden side where x is zero. */
static void assert_optimal(const struct least_squares *problem, const double *x) {
    double length = 0;
    for (size_t i = 0; i < problem->rows; i++)
        length += problem->b[i] * problem->b[i];
    for (size_t j = 0; j < problem->columns; j++) {
        double descent = 0, column = 0;
        for (size_t i = 0; i < problem->rows; i++) {
            double residual = problem->b[i];
            for (size_t k = 0; k < problem->columns; k++)
                residual -= problem->a[i * problem->stride + k] * x[k];
            descent += residual * problem->a[i * problem->stride + j];
            column += pow(problem->a[i * problem->stride + j], 2);
        }
        assert_true(x[j] >= 0);
        descent /= sqrt(column * length) + 1e-300;
        assert_true(descent < 1e-8);
        if (x[j] > 0)
            assert_true(descent > -1e-8);
    }
}

TEST(random_problems_are_solved_to_the_optimum) {
    struct random random;
    random_seed(&random, 4);
    int zeroes = 0, positives = 0;
    for (int round = 0; round < 500; round++) {
        double a[20 * 8], b[20], x[8];
        struct least_squares problem = {
            a, b, 1 + random_bits(&random) % 20, 1 + random_bits(&random) % 8, 8, 0};
        for (size_t i = 0; i < 20 * 8; i++)
            a[i] = random_normal(&random) * pow(10, (double)(i % 8) * 2 - 8);
        for (size_t i = 0; i < 20; i++)
            b[i] = random_normal(&random);
        nnls_solve(x, &problem);
        assert_optimal(&problem, x);
        for (size_t j = 0; j < problem.columns; j++) {
            zeroes += x[j] == 0;
            positives += x[j] > 0;
        }
    }
    assert_true(zeroes > 500 && positives > 500);
}

TEST(planted_coefficients_come_back) {
    struct random random;
    random_seed(&random, 5);
    const double planted[] = {1e-7, 0, 3e-9, 0, 5e-12};
    double a[200 * 5], b[200], x[5];
    for (size_t i = 0; i < 200; i++) {
        b[i] = 0;
        for (size_t j = 0; j < 5; j++) {
            a[i * 5 + j] = random_uniform(&random) * pow(10, (double)j);
            b[i] += a[i * 5 + j] * planted[j];
        }
        b[i] *= 1 + 0.01 * random_normal(&random);
    }
    nnls_solve(x, &(struct least_squares){a, b, 200, 5, 5, 0});
    assert_near(x, (double[]){1e-7}, 1, 0.02);
    assert_near(x + 2, (double[]){3e-9}, 1, 0.02);
    assert_near(x + 4, (double[]){5e-12}, 1, 0.02);
    assert_true(x[1] < 0.02 * 1e-8 && x[3] < 0.02 * 1e-10);
}

TEST(of_equal_columns_the_first_is_taken) {
    const double a[] = {1, 2, 1, 2, 4, 2, 3, 6, 3}, b[] = {5, 10, 15};
    double x[3];
    nnls_solve(x, &(struct least_squares){a, b, 3, 3, 3, 0});
    assert_near(x, (double[]){5, 0, 0}, 3, 1e-13);
    least_squares_solve(x, &(struct least_squares){a, b, 3, 3, 3, 0});
    assert_near(x, (double[]){5, 0, 0}, 3, 1e-13);
}

TEST(empty_and_zero_problems_give_zero) {
    const double a[] = {0, 0, 0, 0}, b[] = {1, 2};
    double x[2] = {7, 7}, small_a[6], small_b[3];
    nnls_solve(x, &(struct least_squares){a, b, 2, 2, 2, 0});
    assert_true(x[0] == 0 && x[1] == 0);
    x[0] = 7;
    nnls_solve(x, &(struct least_squares){a, b, 0, 2, 2, 0});
    assert_true(x[0] == 0 && x[1] == 0);
    nnls_solve(x, &(struct least_squares){a, b, 2, 0, 0, 0});
    least_squares_solve(x, &(struct least_squares){a, b, 0, 2, 2, 0});
    assert_true(x[0] == 0 && x[1] == 0);
    assert_int_equal(
        least_squares_compress(small_a, small_b, &(struct least_squares){a, b, 0, 2, 2, 0}), 0);
}

TEST(more_columns_than_rows_do_no_harm) {
    const double a[] = {1, 2, 3, 4}, b[] = {8};
    double x[4];
    nnls_solve(x, &(struct least_squares){a, b, 1, 4, 4, 0});
    assert_near((double[]){x[0] + 2 * x[1] + 3 * x[2] + 4 * x[3]}, b, 1, 1e-13);
}
/* Of the length of b a thousand-millionth is rounding. */
TEST(what_hardly_lowers_the_error_is_left_out) {
    const double a[] = {1, 0, 0, 1};
    double x[2];
    nnls_solve(x, &(struct least_squares){a, (double[]){1, 1.4e-9}, 2, 2, 2, 0});
    assert_true(x[0] == 1 && x[1] > 0);
    nnls_solve(x, &(struct least_squares){a, (double[]){1, 0.7e-9}, 2, 2, 2, 0});
    assert_true(x[0] == 1 && x[1] == 0);
}
