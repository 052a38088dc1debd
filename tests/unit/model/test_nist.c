/* SPDX-License-Identifier: Apache-2.0
 *
 * The solvers on data with certified answers: the linear and nonlinear regression sets of NIST's
 * Statistical Reference Datasets, all of them (nist/NAME.dat: two starting points, the certified
 * parameters, the observations and predictors). So many digits of the worst parameter have to be
 * right, log10 of the relative error: of nonlinear sets all that are certified, from both starting
 * points; of linear ones what the condition of the problem leaves of double precision (of Filip 8,
 * since the powers of its predictor are rounded). Run with `-v` it prints how many are.
 *
 * The nonlinear models are functions of complex numbers, for their derivatives are imaginary parts:
 * f'(x) = Im f(x + ih) / h, without cancellation (W. Squire, G. Trapp, Using Complex Variables to
 * Estimate Derivatives of Real Functions, 1998).
 */
#include "support.h"

#include "base/vec.h"
#include "model/solve/curve.h"
#include "model/solve/nnls.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PARAMETERS_MAX 11
#define COLUMNS_MAX 7
#define H 1e-30
#define NONLINEAR_DIGITS 10.2 /* the rounding of the certified numbers themselves is 10.3 */
#define DEPENDENT 1e-15       /* the columns of Filip nearly are; all are wanted */
static const double pi = 3.14159265358979323846;

/* ---- Files ---- */

struct dataset {
    double start[2][PARAMETERS_MAX], certified[PARAMETERS_MAX], squares;
    size_t start_count, parameters, rows, columns;
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
    if (strncmp(line, "start ", 6) == 0) {
        assert_true(set->start_count < 2);
        read_numbers(set->start[set->start_count++], PARAMETERS_MAX, line + 6);
    } else if (strncmp(line, "certified ", 10) == 0) {
        set->parameters = read_numbers(set->certified, PARAMETERS_MAX, line + 10);
    } else if (strncmp(line, "squares ", 8) == 0) {
        set->squares = strtod(line + 8, NULL);
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

static void check_digits(const char *name, const char *what, double digits, double wanted) {
    if (unit_is_verbose)
        print_message("%-10s %-8s %5.1f digits\n", name, what, digits);
    if (digits < wanted)
        fail_msg("%s, %s: %.2f digits instead of %g", name, what, digits, wanted);
}

/* ---- Linear ---- */

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
        check_digits(sets[i].name, "linear", digits_of(&set, parameters), sets[i].digits);
        vec_dispose(&set.data);
    }
}

/* ---- Nonlinear: the certified models ---- */

typedef double complex number;

static number bennett5(const number *b, const double *x) {
    return b[0] * cpow(b[1] + x[0], -1 / b[2]);
}
static number boxbod(const number *b, const double *x) {
    return b[0] * (1 - cexp(-b[1] * x[0]));
}
static number chwirut(const number *b, const double *x) {
    return cexp(-b[0] * x[0]) / (b[1] + b[2] * x[0]);
}
static number danwood(const number *b, const double *x) {
    return b[0] * cpow(x[0], b[1]);
}
static number enso(const number *b, const double *x) {
    number year = 2 * pi * x[0] / 12, second = 2 * pi * x[0] / b[3], third = 2 * pi * x[0] / b[6];
    return b[0] + b[1] * ccos(year) + b[2] * csin(year) + b[4] * ccos(second) +
           b[5] * csin(second) + b[7] * ccos(third) + b[8] * csin(third);
}
static number eckerle4(const number *b, const double *x) {
    number z = (x[0] - b[2]) / b[1];
    return b[0] / b[1] * cexp(-0.5 * z * z);
}
static number gauss(const number *b, const double *x) {
    number first = (x[0] - b[3]) / b[4], second = (x[0] - b[6]) / b[7];
    return b[0] * cexp(-b[1] * x[0]) + b[2] * cexp(-first * first) + b[5] * cexp(-second * second);
}
static number cubic(const number *b, const double *x) {
    double z = x[0];
    return (b[0] + z * (b[1] + z * (b[2] + z * b[3]))) / (1 + z * (b[4] + z * (b[5] + z * b[6])));
}
static number kirby2(const number *b, const double *x) {
    double z = x[0];
    return (b[0] + z * (b[1] + z * b[2])) / (1 + z * (b[3] + z * b[4]));
}
static number lanczos(const number *b, const double *x) {
    return b[0] * cexp(-b[1] * x[0]) + b[2] * cexp(-b[3] * x[0]) + b[4] * cexp(-b[5] * x[0]);
}
static number mgh09(const number *b, const double *x) {
    double z = x[0];
    return b[0] * (z * z + z * b[1]) / (z * z + z * b[2] + b[3]);
}
static number mgh10(const number *b, const double *x) {
    return b[0] * cexp(b[1] / (x[0] + b[2]));
}
static number mgh17(const number *b, const double *x) {
    return b[0] + b[1] * cexp(-x[0] * b[3]) + b[2] * cexp(-x[0] * b[4]);
}
static number misra1b(const number *b, const double *x) {
    return b[0] * (1 - cpow(1 + b[1] * x[0] / 2, -2));
}
static number misra1c(const number *b, const double *x) {
    return b[0] * (1 - 1 / csqrt(1 + 2 * b[1] * x[0]));
}
static number misra1d(const number *b, const double *x) {
    return b[0] * b[1] * x[0] / (1 + b[1] * x[0]);
}
static number nelson(const number *b, const double *x) {
    return b[0] - b[1] * x[0] * cexp(-b[2] * x[1]);
}
static number rat42(const number *b, const double *x) {
    return b[0] / (1 + cexp(b[1] - b[2] * x[0]));
}
static number rat43(const number *b, const double *x) {
    return b[0] / cpow(1 + cexp(b[1] - b[2] * x[0]), 1 / b[3]);
}
static number roszman1(const number *b, const double *x) {
    return b[0] - b[1] * x[0] - catan(b[2] / (x[0] - b[3])) / pi;
}

struct nonlinear {
    const char *name;
    number (*model)(const number *b, const double *x);
};

struct task {
    const struct dataset *set;
    const struct nonlinear *nonlinear;
};

static number evaluate(const struct task *task, const double *parameters, size_t changed,
                       size_t row) {
    number b[PARAMETERS_MAX];
    for (size_t j = 0; j < task->set->parameters; j++)
        b[j] = parameters[j] + (j == changed ? H * I : 0);
    return task->nonlinear->model(b, row_of(task->set, row) + 1);
}

static void predict(double *out, const double *parameters, const void *data) {
    const struct task *task = data;
    for (size_t i = 0; i < task->set->rows; i++)
        out[i] = creal(evaluate(task, parameters, PARAMETERS_MAX, i));
}

static void derive(double *out, const double *parameters, const void *data) {
    const struct task *task = data;
    size_t columns = task->set->parameters;
    for (size_t i = 0; i < task->set->rows; i++)
        for (size_t j = 0; j < columns; j++)
            out[i * columns + j] = cimag(evaluate(task, parameters, j, i)) / H;
}

static void check_start(const struct dataset *set, const struct nonlinear *nonlinear, int start) {
    struct task task = {set, nonlinear};
    double parameters[PARAMETERS_MAX], *observed = malloc(set->rows * sizeof *observed);
    assert_non_null(observed);
    for (size_t i = 0; i < set->rows; i++)
        observed[i] = nonlinear->model == nelson ? log(row_of(set, i)[0]) : row_of(set, i)[0];
    memcpy(parameters, set->start[start], sizeof parameters);
    int result = curve_fit(parameters, &(struct curve){.predict = predict,
                                                       .derive = derive,
                                                       .data = &task,
                                                       .observed = observed,
                                                       .rows = set->rows,
                                                       .parameter_count = set->parameters});
    check_digits(nonlinear->name, start == 0 ? "start 1" : "start 2",
                 result == 0 ? digits_of(set, parameters) : -1, NONLINEAR_DIGITS);
    free(observed);
}

static const struct nonlinear nonlinear_sets[] = {
    {"Misra1a", boxbod},    {"Chwirut2", chwirut},  {"Chwirut1", chwirut},  {"Lanczos3", lanczos},
    {"Gauss1", gauss},      {"Gauss2", gauss},      {"DanWood", danwood},   {"Misra1b", misra1b},
    {"Kirby2", kirby2},     {"Hahn1", cubic},       {"Nelson", nelson},     {"MGH17", mgh17},
    {"Lanczos1", lanczos},  {"Lanczos2", lanczos},  {"Gauss3", gauss},      {"Misra1c", misra1c},
    {"Misra1d", misra1d},   {"Roszman1", roszman1}, {"ENSO", enso},         {"MGH09", mgh09},
    {"Thurber", cubic},     {"BoxBOD", boxbod},     {"Rat42", rat42},       {"MGH10", mgh10},
    {"Eckerle4", eckerle4}, {"Rat43", rat43},       {"Bennett5", bennett5},
};

TEST(nonlinear_sets_have_their_digits) {
    size_t count = sizeof nonlinear_sets / sizeof nonlinear_sets[0];
    assert_int_equal(count, 27);
    for (size_t i = 0; i < count; i++) {
        struct dataset set = read_dataset(nonlinear_sets[i].name);
        assert_int_equal(set.start_count, 2);
        for (int start = 0; start < 2; start++)
            check_start(&set, &nonlinear_sets[i], start);
        vec_dispose(&set.data);
    }
}
