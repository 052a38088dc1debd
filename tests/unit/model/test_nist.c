/* SPDX-License-Identifier: Apache-2.0
 *
 * The linear solver on data with certified answers: the linear regression sets of NIST's
 * Statistical Reference Datasets, all of them (nist/NAME.dat: the certified parameters, the
 * observations and predictors). So many digits of the worst parameter have to be right, log10 of
 * the relative error: what the condition of the problem leaves of double precision (of Filip 8,
 * since the powers of its predictor are rounded). Run with `-v` it prints how many are.
 */
#include "support.h"

#include "base/vec.h"
#include "model/solve/nnls.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PARAMETERS_MAX 11
#define COLUMNS_MAX 7
#define DEPENDENT 1e-15 /* the columns of Filip nearly are; all are wanted */

/* ---- Files ---- */

struct dataset {
    double certified[PARAMETERS_MAX];
    size_t parameters, rows, columns;
    VEC(double) data; /* row by row: y, then the predictors */
};

static size_t read_numbers(double *out, size_t max, const char *text) {
    size_t count = 0;
    for (char *end; count <= max; text = end) {
        double number = strtod(text, &end);
        if (end == text)
            break;
        assert_true(count < max);
        out[count++] = number;
    }
    return count;
}

static void read_line(struct dataset *set, const char *line) {
    double row[PARAMETERS_MAX];
    if (line[0] == '#')
        return;
    if (strncmp(line, "certified ", 10) == 0) {
        set->parameters = read_numbers(set->certified, PARAMETERS_MAX, line + 10);
    } else if (strncmp(line, "data ", 5) == 0) {
        assert_int_equal(sscanf(line, "data %zu %zu", &set->rows, &set->columns), 2);
    } else {
        assert_int_equal(read_numbers(row, COLUMNS_MAX, line), set->columns);
        for (size_t j = 0; j < set->columns; j++)
            vec_push(&set->data, row[j]);
    }
}

static struct dataset read_dataset(const char *name) {
    struct dataset set = {0};
    char path[512], line[512];
    snprintf(path, sizeof path, DATA "/%s.dat", name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL)
        read_line(&set, line);
    fclose(file);
    assert_true(set.rows > 0 && set.data.count == set.rows * set.columns && set.parameters > 0);
    return set;
}

static const double *row_of(const struct dataset *set, size_t row) {
    return &set->data.items[row * set->columns];
}

/* The digits that are right in the worst of the parameters. */
static double digits_of(const struct dataset *set, const double *parameters) {
    double least = 16;
    for (size_t j = 0; j < set->parameters; j++) {
        double error = fabs(parameters[j] - set->certified[j]) / fabs(set->certified[j]);
        if (!(error < 1))
            return 0;
        least = fmin(least, error > 0 ? -log10(error) : 16);
    }
    return least;
}

static void check_digits(const char *name, double digits, double wanted) {
    if (unit_is_verbose)
        print_message("%-10s %5.1f digits\n", name, digits);
    if (digits < wanted)
        fail_msg("%s: %.2f digits instead of %g", name, digits, wanted);
}

/* ---- Fits ---- */

enum shape { POLYNOMIAL, THROUGH_ORIGIN, PREDICTORS };

static double linear_cell(const struct dataset *set, enum shape shape, size_t row, size_t column) {
    const double *values = row_of(set, row);
    if (shape == PREDICTORS)
        return column == 0 ? 1 : values[column];
    return shape == THROUGH_ORIGIN ? values[1] : pow(values[1], (double)column);
}

static void solve_linear(double *out, const struct dataset *set, enum shape shape) {
    double *a = malloc(set->rows * set->parameters * sizeof *a);
    double *b = malloc(set->rows * sizeof *b);
    assert_true(a != NULL && b != NULL);
    for (size_t i = 0; i < set->rows; i++) {
        for (size_t j = 0; j < set->parameters; j++)
            a[i * set->parameters + j] = linear_cell(set, shape, i, j);
        b[i] = row_of(set, i)[0];
    }
    least_squares_solve(out, &(struct least_squares){.a = a,
                                                     .b = b,
                                                     .rows = set->rows,
                                                     .columns = set->parameters,
                                                     .stride = set->parameters,
                                                     .dependent = DEPENDENT});
    free(a);
    free(b);
}

TEST(linear_sets_have_their_digits) {
    static const struct {
        const char *name;
        enum shape shape;
        double digits;
    } sets[] = {{"Norris", POLYNOMIAL, 11.5},   {"Pontius", POLYNOMIAL, 12},
                {"NoInt1", THROUGH_ORIGIN, 14}, {"NoInt2", THROUGH_ORIGIN, 14},
                {"Filip", POLYNOMIAL, 7.5},     {"Longley", PREDICTORS, 11.5},
                {"Wampler1", POLYNOMIAL, 9.5},  {"Wampler2", POLYNOMIAL, 13},
                {"Wampler3", POLYNOMIAL, 9},    {"Wampler4", POLYNOMIAL, 7.5},
                {"Wampler5", POLYNOMIAL, 5.5}};
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++) {
        struct dataset set = read_dataset(sets[i].name);
        double parameters[PARAMETERS_MAX];
        solve_linear(parameters, &set, sets[i].shape);
        check_digits(sets[i].name, digits_of(&set, parameters), sets[i].digits);
        vec_dispose(&set.data);
    }
}
