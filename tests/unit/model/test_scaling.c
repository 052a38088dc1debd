/* SPDX-License-Identifier: Apache-2.0
 *
 * Scaling curves: planted ones are found again and carried on to eight times the ranks, the least
 * squares are least, and what is no point is refused.
 */
#include "support.h"

#include "model/scaling/scaling.h"
#include "model/scaling/scaling_read.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define SEEDS 100
#define NOISE 0.02

static const double doublings[] = {1, 2, 4, 8, 16, 32, 64, 128};

static double normal(struct random *random) {
    double u = 1 - random_uniform(random), v = random_uniform(random);
    return sqrt(-2 * log(u)) * cos(2 * acos(-1) * v);
}

static double rational(double q) {
    return 0.002 * q + 100 / q + 3 / sqrt(q);
}

static double log_squared(double q) {
    return exp(3 - 0.9 * log(q) + 0.06 * log(q) * log(q));
}

static double power_law(double q) {
    return 50 * pow(q, -0.83);
}

static double tree(double q) {
    return 0.05 + 80 / q + 0.02 * log2(q) * log2(q);
}

static double serial(double q) {
    return 0.4 + 100 / q;
}

static void plant(struct scaling_point *out, double (*curve)(double), double noise,
                  struct random *random) {
    for (size_t i = 0; i < COUNT(doublings); i++)
        out[i] = (struct scaling_point){
            doublings[i], curve(doublings[i]) * exp(noise > 0 ? noise * normal(random) : 0), NAN};
}

static void fit_all(struct scaling *out, const struct scaling_point *points, size_t count) {
    struct error error = {0};
    if (scaling_fit(out, points, count, &error) != 0)
        fail_msg("%s", error.text);
}

TEST(exact_curves_are_found_again) {
    static const struct {
        double (*curve)(double);
        const char *name;
        double coefficients[3];
    } plants[] = {{rational, "rational", {0.002, 100, 3}},
                  {log_squared, "log-squared", {3, -0.9, 0.06}},
                  {tree, "normal-form", {0.05, 80, 0.02}},
                  {power_law, "log-linear", {log(50), -0.83, 0}}};
    struct scaling_point points[COUNT(doublings)];
    for (size_t i = 0; i < COUNT(plants); i++) {
        struct scaling scaling;
        plant(points, plants[i].curve, 0, NULL);
        fit_all(&scaling, points, COUNT(points));
        assert_false(scaling.chosen->separate);
        assert_string_equal(scaling.chosen->whole.form->name, plants[i].name);
        for (int j = 0; j < 3; j++)
            assert_true(fabs(scaling.chosen->whole.coefficients[j] - plants[i].coefficients[j]) <
                        1e-6 * (1 + fabs(plants[i].coefficients[j])));
        assert_within(scaling_time_s(&scaling, 1024), plants[i].curve(1024), 1e-5);
        scaling_dispose(&scaling);
    }
}

/* How often the prediction for eight times the ranks lies within the limit, and in the band. */
static void noisy(double (*curve)(double), double limit, int near_needed, int inside_needed) {
    struct random random;
    int near = 0, inside = 0;
    random_seed(&random, 7);
    for (int seed = 0; seed < SEEDS; seed++) {
        struct scaling_point points[COUNT(doublings)];
        struct scaling scaling;
        double low_s, high_s, wanted = curve(1024);
        plant(points, curve, NOISE, &random);
        fit_all(&scaling, points, COUNT(points));
        near += fabs(log(scaling_time_s(&scaling, 1024) / wanted)) < limit;
        assert_true(scaling_band(&low_s, &high_s, &scaling, 1024));
        inside += low_s <= wanted && wanted <= high_s;
        scaling_dispose(&scaling);
    }
    if (near < near_needed || inside < inside_needed)
        fail_msg("%d of %d near, %d inside of the band", near, SEEDS, inside);
}

TEST(noisy_curves_are_carried_on) {
    noisy(power_law, 0.1, 95, 95);
    noisy(log_squared, 0.35, 85, 90);
    noisy(serial, 0.1, 60, 90);
    noisy(tree, 0.5, 70, 85);
}

/* Computation and the rest have forms of their own, which one curve for both has not. */
TEST(parts_are_added) {
    struct scaling_point points[COUNT(doublings)];
    struct scaling scaling;
    for (size_t i = 0; i < COUNT(points); i++) {
        double q = doublings[i], computation_s = 60 * pow(q, -0.97);
        points[i] = (struct scaling_point){q, computation_s + 0.3 * pow(q, 0.4), computation_s};
    }
    fit_all(&scaling, points, COUNT(points));
    assert_true(scaling.chosen->separate);
    assert_within(scaling_time_s(&scaling, 1024), 60 * pow(1024, -0.97) + 0.3 * pow(1024, 0.4),
                  0.01);
    scaling_dispose(&scaling);
}

/* ---- The least squares of a form ---- */

static double sum_of_squares(const double *c, const struct scaling_row *rows) {
    double sum = 0;
    for (size_t i = 0; i < COUNT(doublings); i++) {
        double q = rows[i].ranks;
        double off = (c[0] * q + c[1] / q + c[2] / sqrt(q)) / rows[i].seconds - 1;
        sum += off * off;
    }
    return sum;
}

/* A little more or less of any coefficient, as far as it may be less, is worse: the problem is
 * convex. */
static void assert_least(const struct scaling_curve *curve, const struct scaling_row *rows) {
    double least = sum_of_squares(curve->coefficients, rows);
    for (int k = 0; k < 3; k++)
        for (int sign = -1; sign <= 1; sign += 2) {
            double c[3] = {curve->coefficients[0], curve->coefficients[1], curve->coefficients[2]};
            c[k] += sign * fmax(1e-3 * c[k], sign > 0 ? 1e-6 : 0);
            assert_true(c[k] >= 0 && least <= sum_of_squares(c, rows));
        }
}

TEST(least_squares_are_least) {
    struct random random;
    random_seed(&random, 11);
    for (int round = 0; round < 200; round++) {
        struct scaling_row rows[COUNT(doublings)];
        struct scaling_curve curve;
        for (size_t i = 0; i < COUNT(doublings); i++) {
            double seconds = power_law(doublings[i]) * exp(0.3 * normal(&random));
            rows[i] = (struct scaling_row){doublings[i], seconds, seconds};
        }
        assert_true(scaling_curve_fit(&curve, &scaling_forms[0], rows, COUNT(rows)));
        assert_least(&curve, rows);
    }
}

/* ---- What is known no better ---- */

/* A power law, bent by so much, as log-linear is off by. */
static const char *form_of_bent(double bend, double *out_score) {
    static char name[32];
    struct scaling_point points[COUNT(doublings)];
    struct scaling scaling;
    for (size_t i = 0; i < COUNT(points); i++) {
        double x = log(doublings[i]);
        points[i] = (struct scaling_point){doublings[i], exp(0.7 * x + bend * x * x), NAN};
    }
    fit_all(&scaling, points, COUNT(points));
    for (size_t i = 0; i < scaling.candidates.count; i++)
        if (strcmp(scaling.candidates.items[i].whole.form->name, "log-linear") == 0)
            *out_score = scaling.candidates.items[i].score;
    snprintf(name, sizeof name, "%s", scaling.chosen->whole.form->name);
    scaling_dispose(&scaling);
    return name;
}

TEST(errors_below_a_thousandth_do_not_tell_forms_apart) {
    double score, unit;
    form_of_bent(1e-3, &unit);
    assert_string_equal(form_of_bent(1e-3 * 0.7e-3 / unit, &score), "log-linear");
    assert_within(score, 0.7e-3, 0.01);
    assert_string_equal(form_of_bent(1e-3 * 1.4e-3 / unit, &score), "log-squared");
    assert_within(score, 1.4e-3, 0.01);
}

TEST(no_band_is_narrower_than_a_percent_up_and_down) {
    struct scaling_point points[COUNT(doublings)];
    struct scaling scaling;
    double low_s, high_s;
    plant(points, power_law, 0, NULL);
    fit_all(&scaling, points, COUNT(points));
    assert_true(scaling_band(&low_s, &high_s, &scaling, 16));
    assert_within(log(high_s / power_law(16)), 0.01, 1e-3);
    assert_within(log(power_law(16) / low_s), 0.01, 1e-3);
    scaling_dispose(&scaling);
}

/* ---- Turns, shares, repeated points, few points ---- */

TEST(turns_are_found) {
    struct scaling_point points[COUNT(doublings)];
    struct scaling scaling;
    for (size_t i = 0; i < COUNT(points); i++)
        points[i] =
            (struct scaling_point){doublings[i], 0.01 * doublings[i] + 400 / doublings[i], NAN};
    fit_all(&scaling, points, COUNT(points));
    assert_within(scaling_turn(&scaling), 200, 0.02);
    /* 0.01 q + 400 / q = 2 * 400.01 / q */
    assert_within(scaling_efficiency_end(&scaling, 0.5, false), 200, 0.02);
    assert_within(scaling_speedup(&scaling, 4, 100, false), 4.0001, 1e-6);
    assert_within(scaling_efficiency(&scaling, 4, 100, true), 4.0001, 1e-6);
    scaling_dispose(&scaling);
    plant(points, power_law, 0, NULL);
    fit_all(&scaling, points, COUNT(points));
    assert_true(scaling_turn(&scaling) == 0);
    scaling_dispose(&scaling);
}

TEST(fastest_of_equal_runs_counts) {
    const struct scaling_point points[] = {{4, 30, 9},   {1, 90, NAN}, {4, 25, 8},
                                           {2, 48, NAN}, {4, 26, 7},   {1, 85, NAN}};
    struct scaling scaling;
    fit_all(&scaling, points, COUNT(points));
    assert_int_equal(scaling.points.count, 3);
    assert_true(scaling.points.items[0].time_s == 85 && scaling.points.items[2].time_s == 25);
    assert_true(scaling.points.items[2].computation_s == 8);
    assert_true(scaling.leave_one_out);
    scaling_dispose(&scaling);
}

TEST(two_points_give_a_power_law_of_unknown_error) {
    const struct scaling_point points[] = {{4, 100, NAN}, {16, 50, NAN}};
    struct scaling scaling;
    double low_s, high_s;
    fit_all(&scaling, points, 2);
    assert_within(scaling_time_s(&scaling, 64), 25, 1e-9);
    assert_true(isnan(scaling.chosen->error));
    assert_false(scaling_band(&low_s, &high_s, &scaling, 64));
    scaling_dispose(&scaling);
}

TEST(what_is_no_point_is_refused) {
    static const struct {
        struct scaling_point points[2];
        size_t count;
        const char *why;
    } bad[] = {
        {{{0}}, 0, "there are 0"},
        {{{4, 1, NAN}}, 1, "there is 1"},
        {{{4, 1, NAN}, {4, 2, NAN}}, 2, "there is 1"},
        {{{4, 0, NAN}, {8, 2, NAN}}, 2, "the time on 4 ranks is 0 s"},
        {{{4, -1, NAN}, {8, 2, NAN}}, 2, "the time on 4 ranks is -1 s"},
        {{{4, NAN, NAN}, {8, 2, NAN}}, 2, "nan"},
        {{{4, INFINITY, NAN}, {8, 2, NAN}}, 2, "inf"},
        {{{0, 1, NAN}, {8, 2, NAN}}, 2, "0 ranks"},
        {{{-3, 1, NAN}, {8, 2, NAN}}, 2, "-3 ranks"},
        {{{NAN, 1, NAN}, {8, 2, NAN}}, 2, "nan ranks"},
        {{{4, 1, 2}, {8, 2, 1}}, 2, "between 0 and the time"},
        {{{4, 1, -1}, {8, 2, 1}}, 2, "between 0 and the time"},
    };
    for (size_t i = 0; i < COUNT(bad); i++) {
        struct scaling scaling;
        struct error error = {0};
        assert_int_equal(scaling_fit(&scaling, bad[i].points, bad[i].count, &error), -1);
        if (strstr(error.text, bad[i].why) == NULL)
            fail_msg("'%s' instead of '%s'", error.text, bad[i].why);
    }
}

TEST(extreme_times_do_no_harm) {
    const struct scaling_point points[] = {{1, 1e-300, NAN},  {2, 1e300, NAN}, {3, 1e-300, 0},
                                           {1e9, 1e-9, 1e-9}, {5, 1e200, NAN}, {6, 1, NAN}};
    struct scaling scaling;
    struct error error = {0};
    if (scaling_fit(&scaling, points, COUNT(points), &error) == 0) {
        assert_true(scaling_time_s(&scaling, 100) >= 0);
        scaling_turn(&scaling);
        scaling_dispose(&scaling);
    }
}

/* ---- Files ---- */

static int read_source(struct scaling_source *out, const char *text, const char *where,
                       const char *value, struct error *error) {
    const char *path = test_path("points");
    write_text(path, text);
    *out = (struct scaling_source){0};
    return scaling_read(out, &(struct scaling_file){path, where, value}, error);
}

TEST(files_are_read) {
    static const struct {
        const char *text;
        double ranks, time_s, computation_s; /* of the last of two points */
    } files[] = {
        {"ranks,time_s\n1,8\n2,4.5\n", 2, 4.5, NAN},
        {"\r\nnote,time_s,\"ranks\",computation_s\r\n\"a \"\"b\"\", c\",8,1,7\r\n,4.5,2,4", 2, 4.5,
         4},
        {"ranks,time_s,compute_s\n1,8,8\n2,4.5,4.5000000001\n", 2, 4.5, 4.5},
        {"ranks,predicted_s,mpi_s\n1,8,0\n2,4.5,0.5\n", 2, 4.5, 4},
        {"kind,ranks,time_s\npoint,1,8\nprediction,8,1\npoint,2,4.5\n", 2, 4.5, NAN},
        {" [{\"ranks\":1,\"time_s\":8},{\"ranks\":2,\"time_s\":4.5,\"compute_s\":4}]", 2, 4.5, 4},
        {"{\"points\":[{\"ranks\":1,\"time_s\":8},{\"ranks\":2,\"time_s\":4.5}]}", 2, 4.5, NAN},
    };
    for (size_t i = 0; i < COUNT(files); i++) {
        struct scaling_source source;
        struct error error = {0};
        if (read_source(&source, files[i].text, NULL, NULL, &error) != 0)
            fail_msg("%s", error.text);
        assert_int_equal(source.points.count, 2);
        const struct scaling_point *last = &source.points.items[1];
        assert_true(last->ranks == files[i].ranks && last->time_s == files[i].time_s);
        assert_true(isnan(files[i].computation_s) ? isnan(last->computation_s)
                                                  : last->computation_s == files[i].computation_s);
        scaling_source_dispose(&source);
    }
}

TEST(reports_of_runs_are_read) {
    struct scaling_source source;
    struct error error = {0};
    assert_int_equal(
        read_source(&source,
                    "{\"format\":\"mpiskel-prediction\",\"program\":\"lu\",\"ranks\":64,"
                    "\"predicted_s\":2.5,\"per_rank\":{\"compute_s\":{\"min\":1,"
                    "\"mean\":1.5,\"max\":2}}}",
                    NULL, NULL, &error),
        0);
    assert_int_equal(source.points.count, 1);
    assert_true(source.points.items[0].computation_s == 1.5);
    assert_string_equal(source.program, "lu");
    scaling_source_dispose(&source);
}

TEST(rows_are_chosen) {
    static const char text[] = "ranks,arguments,time_s\n1,a,8\n1,b,80\n2,a,4\n2,b,40\n4,a,\n";
    struct scaling_source source;
    struct error error = {0};
    assert_int_equal(read_source(&source, text, NULL, NULL, &error), 0);
    assert_string_equal(source.other_arguments, "b");
    scaling_source_dispose(&source);
    assert_int_equal(read_source(&source, "ranks,arguments,options,time_s\n1,a,,8\n2,a,--x,4\n",
                                 NULL, NULL, &error),
                     0);
    assert_string_equal(source.other_arguments, "--x a");
    scaling_source_dispose(&source);
    assert_int_equal(read_source(&source, text, "arguments", "a", &error), 0);
    assert_int_equal(source.points.count, 2);
    assert_int_equal(source.without_time, 1);
    assert_null(source.other_arguments);
    scaling_source_dispose(&source);
}

TEST(broken_files_are_told) {
    static const char *const files[][2] = {
        {"", "the first line has to name the columns"},
        {"1,2\n3,4\n", ":1:1: error: there is no column ranks"},
        {"ranks,seconds\n1,2\n", "there is no column time_s"},
        {"ranks,time_s\n", "there is no point in it"},
        {"ranks,time_s\n1,2\n2\n", ":3:1: error: this line has more or fewer columns"},
        {"ranks,time_s\n1,2,3\n", ":2:1: error: this line has more or fewer columns"},
        {"ranks,time_s\n1,fast\n", ":2:1: error: a finite number is expected, not 'fast'"},
        {"ranks,time_s\n1,inf\n", "a finite number is expected, not 'inf'"},
        {"ranks,time_s\n1,-3\n", "a time greater than 0 is expected, not '-3'"},
        {"ranks,time_s\n1.5,3\n", "the number of ranks is a whole one"},
        {"ranks,time_s\n,3\n", "the number of ranks is a whole one"},
        {"ranks,time_s\n\"1,3\n", "a quoted cell has no end"},
        {"ranks,time_s\n\"1\"x,3\n", "a quoted cell has no end, or something behind it"},
        {"ranks,time_s,mpi_s\n1,3,4\n", "communication is from 0 to the whole time"},
        {"ranks,time_s,compute_s\n1,3,-4\n", "computation is from 0 to the whole time"},
        {"{\"ranks\":1", "not valid JSON"},
        {"{\"ranks\":1}", "no report of mpiskel run"},
        {"[1,2,{\"ranks\":[],\"time_s\":3}]", "a finite number is expected"},
        {"[{\"ranks\":1,\"time_s\":{}}]", "a finite number is expected"},
    };
    for (size_t i = 0; i < COUNT(files); i++) {
        struct scaling_source source;
        struct error error = {0};
        int result = read_source(&source, files[i][0], NULL, NULL, &error);
        if (result == 0 || strstr(error.text, files[i][1]) == NULL)
            fail_msg("'%s' instead of '%s'", error.text, files[i][1]);
        scaling_source_dispose(&source);
    }
}

TEST(truncated_files_do_no_harm) {
    static const char text[] =
        "ranks,time_s,\"x\"\"y\",computation_s\r\n1,8,\"a,\n\"\"b\",7\r\n2,4,c,3\r\n";
    static const char json[] =
        "{\"points\":[{\"ranks\":1,\"time_s\":8},{\"ranks\":2,\"time_s\":4}]}";
    for (size_t length = 0; length < sizeof text + sizeof json - 2; length++) {
        char cut[sizeof text + sizeof json] = "";
        struct scaling_source source;
        struct error error = {0};
        bool first = length < sizeof text;
        memcpy(cut, first ? text : json, first ? length : length - sizeof text + 1);
        read_source(&source, cut, NULL, NULL, &error);
        scaling_source_dispose(&source);
    }
}

FIXTURE(directory_setup, directory_teardown)
