/* SPDX-License-Identifier: Apache-2.0
 *
 * The report of a run: sums, order, extrapolation factors, and its three forms.
 */
#include "support.h"

#include "base/json.h"
#include "cli/print/prediction_print.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REGIONS                                                                                    \
    "{\"format\":\"mpiskel-regions\",\"version\":3,\"bundle\":\"0123456789abcdef\","               \
    "\"program\":\"heat\",\"root\":\"/r\",\"regions\":["                                           \
    "{\"index\":0,\"id\":\"a-1\",\"function\":\"a\",\"file\":\"a.c\",\"line\":1,\"end_line\":2,"   \
    "\"summary\":\"1, "                                                                            \
    "loop\",\"features\":[{\"name\":\"n1\",\"expression\":\"n\",\"meaning\":\"m\"}]},"             \
    "{\"index\":1,\"id\":\"b-1\",\"function\":\"b\",\"file\":\"a.c\",\"line\":5,\"end_line\":6,"   \
    "\"summary\":\"s\",\"features\":[]},"                                                          \
    "{\"index\":2,\"id\":\"c-1\",\"function\":\"c\",\"file\":\"c.c\",\"line\":9,\"end_line\":9,"   \
    "\"summary\":\"a value\",\"features\":[],\"kind\":\"value\",\"value\":\"trips\"}]}"
#define HEAD "mpiskel-model 1\nbundle 0123456789abcdef\nmachine default\n"
#define REGION_A                                                                                   \
    "region 0 a-1 features 1 terms 1 range 10 50\nterm 1e-6 1\nspread 0.1 0.01 0 0 0.2\n"
#define REGION_B "region 1 b-1 features 0 terms 1 range\nterm 1e-6\n"
#define MODEL HEAD REGION_A REGION_B "spread 0.02 0.01 0 0 0.5\nend 2\n"
#define SILENT_MODEL HEAD REGION_A REGION_B "end 2\n"
#define STATS(min, max)                                                                            \
    "{\"format\":\"mpiskel-stats\",\"version\":1,\"ranks\":2,\"finalized\":2,\"makespan_s\":4,"    \
    "\"per_rank\":[{\"end_s\":4,\"compute_s\":3,\"mpi_s\":1,\"calls\":10},"                        \
    "{\"end_s\":4,\"compute_s\":1,\"mpi_s\":3,\"calls\":20}],\"regions\":["                        \
    "{\"index\":0,\"executions\":10,\"seconds\":1,\"features_min\":[" min                          \
    "],\"features_max\":[" max "]},"                                                               \
    "{\"index\":1,\"executions\":7,\"seconds\":3,\"features_min\":[],\"features_max\":[]}],"       \
    "\"calls\":[{\"name\":\"MPI_Send\",\"count\":5,\"seconds\":4,\"bytes\":40}],\"sites\":[]}"

static struct regions regions;
static struct bsim_model *model;
static struct run_stats stats;
static struct prediction prediction;

static int setup(void **state) {
    char text[500];
    struct error error = {0};
    directory_setup(state);
    write_text(test_path("regions.json"), REGIONS);
    write_text(test_path("model.bsim"), MODEL);
    assert_fine(regions_read(&regions, test_path("regions.json"), &error), &error);
    assert_int_equal(bsim_model_load(&model, test_path("model.bsim"), NULL, text, sizeof text), 0);
    return 0;
}

static int teardown(void **state) {
    bsim_model_free(model);
    regions_dispose(&regions);
    return directory_teardown(state);
}

/* Instead of the usual one, which the caller puts back. */
static void load_model(const char *lines) {
    char text[500];
    write_text(test_path("other.bsim"), lines);
    assert_int_equal(bsim_model_load(&model, test_path("other.bsim"), NULL, text, sizeof text), 0);
}

static void put_back(struct bsim_model *informed) {
    bsim_model_free(model);
    model = informed;
}

static int make(const char *text, bool original, struct error *error) {
    write_text(test_path("stats.json"), text);
    if (run_stats_read(&stats, test_path("stats.json"), error) != 0)
        return -1;
    int result = prediction_make(&prediction, &stats, &regions, model, NULL, original, error);
    if (result != 0)
        run_stats_dispose(&stats);
    return result;
}

static void dispose(void) {
    prediction_dispose(&prediction);
    run_stats_dispose(&stats);
}

static char *print(enum output_format format) {
    char *text = NULL;
    size_t size = 0;
    struct process_result cost = {.wall_s = 2, .peak_memory_kib = 1024};
    FILE *stream = open_memstream(&text, &size);
    prediction_print(stream, &prediction, format, 1, &cost);
    fclose(stream);
    return text;
}

TEST(sums_and_order_are_right) {
    struct error error = {0};
    assert_fine(make(STATS("10", "50"), false, &error), &error);
    assert_true(prediction.compute_s.min == 1 && prediction.compute_s.max == 3);
    assert_true(prediction.compute_s.mean == 2 && prediction.calls.mean == 15);
    assert_true(prediction.rank_seconds == 8);
    assert_int_equal(prediction.regions_by_time[0].index, 1);
    assert_int_equal(prediction.extrapolations.count, 0);
    dispose();
}

TEST(extrapolation_has_a_factor) {
    static const struct {
        const char *stats;
        double factor;
    } table[] = {
        {STATS("10", "200"), 4},
        {STATS("5", "60"), 2},
        {STATS("0", "50"), INFINITY},
        {STATS("10", "51"), 51.0 / 50},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct error error = {0};
        assert_fine(make(table[i].stats, false, &error), &error);
        assert_int_equal(prediction.extrapolations.count, 1);
        assert_true(prediction.extrapolations.items[0].factor == table[i].factor);
        dispose();
    }
}

TEST(text_has_the_first_rows) {
    struct error error = {0};
    assert_fine(make(STATS("10", "200"), false, &error), &error);
    char *text = print(OUTPUT_TEXT);
    assert_contains(text, "heat on 2 ranks: predicted time 4 s\n95 % interval 3.");
    assert_contains(text, "37.50%    +4.0%  a.c:5 b: s");
    assert_contains(text, "and 1 more");
    assert_null(strstr(text, "a.c:1 a"));
    assert_contains(text, "4x  a.c:1 n1: m was 10 to 200, fitted on 10 to 50");
    assert_contains(
        text,
        "\n\ncalls are not checked: `mpiskel fit` does that\npredicted: 4 s, 95 % interval 3.");
    assert_int_equal(text[strlen(text) - 2], 's'); /* and nothing behind it */
    free(text);
    dispose();
}

TEST(json_and_csv_have_all_rows) {
    struct error error = {0};
    assert_fine(make(STATS("0", "50"), false, &error), &error);
    char *text = print(OUTPUT_JSON);
    json_t *root = json_loads(text, 0, NULL);
    assert_non_null(root);
    assert_int_equal(json_array_size(json_object_get(root, "regions")), 2);
    assert_true(json_get_number(root, "predicted_s", 0) == 4);
    assert_true(json_is_number(json_object_get(json_object_get(root, "interval"), "low_s")));
    json_t *row = json_array_get(json_object_get(root, "extrapolation"), 0);
    assert_true(json_is_null(json_object_get(row, "factor")));
    json_decref(root);
    free(text);
    text = print(OUTPUT_CSV);
    assert_contains(text, "kind,name,place,count,value,share,bytes\n");
    assert_contains(text, "\nregion,b-1,a.c:5,7,1.5,0.375,\n");
    assert_contains(text, "\ncall,MPI_Send,,5,2,0.5,40\n");
    assert_contains(text, "\ninterval_low_s,,,,");
    assert_contains(text, "\ndeviation,b-1,a.c:5,,0.02,,\n");
    assert_contains(text, "\nextrapolation,a-1,n1,,inf,,\n");
    free(text);
    dispose();
}

TEST(changes_are_named_in_all_forms) {
    struct error error = {0};
    struct scenario scenario = {0};
    assert_fine(make(STATS("10", "50"), false, &error), &error);
    prediction.scenario = &scenario;
    char *text = print(OUTPUT_TEXT);
    assert_null(strstr(text, "changed"));
    free(text);
    scenario_add(&scenario, "--speed", "a=2x", "half as long");
    scenario_add(&scenario, "--latency", "0.5x, or so", "0.5 us");
    text = print(OUTPUT_TEXT);
    assert_contains(text, "predicted time 4 s\nchanged: --speed a=2x: half as long\n"
                          "         --latency 0.5x, or so: 0.5 us\n\n95 % interval");
    free(text);
    text = print(OUTPUT_CSV);
    assert_contains(text, "\nchange,--speed,a=2x,,,,\nchange,--latency,\"0.5x, or so\",,,,\n");
    free(text);
    text = print(OUTPUT_JSON);
    json_t *root = json_loads(text, 0, NULL);
    json_t *change = json_array_get(json_object_get(root, "scenario"), 1);
    assert_string_equal(json_get_text(change, "option"), "--latency");
    assert_string_equal(json_get_text(change, "value"), "0.5x, or so");
    assert_string_equal(json_get_text(change, "effect"), "0.5 us");
    json_decref(root);
    free(text);
    scenario_dispose(&scenario);
    dispose();
}

#define TYPICAL_RUN 0.67 /* the median of three over one */

static double square(double number) {
    return number * number;
}

/* a has a quarter of the 4 s, b three quarters. */
TEST(interval_adds_up_errors) {
    struct error error = {0};
    const double q = 1.959964;
    assert_fine(make(STATS("10", "50"), false, &error), &error);
    const struct interval *interval = &prediction.interval;
    double above = square(1 * expm1(q * 0.1)) + square(3 * expm1(q * 0.02)) +
                   square(4 * expm1(q * TYPICAL_RUN * 0.01)) +
                   square(4 * expm1(q * INTERVAL_FLOOR));
    double below = square(1 * expm1(-q * 0.1)) + square(3 * expm1(-q * 0.02)) +
                   square(4 * expm1(-q * TYPICAL_RUN * 0.01)) +
                   square(4 * expm1(-q * INTERVAL_FLOOR));
    assert_true(interval->known && interval->factor == 1);
    assert_true(fabs(interval->high_s - 4 - sqrt(above)) < 1e-9);
    assert_true(fabs(4 - interval->low_s - sqrt(below)) < 1e-9);
    dispose();
}

TEST(interval_is_wider_outside_of_the_training) {
    struct error error = {0};
    assert_fine(make(STATS("10", "50"), false, &error), &error);
    double inside = prediction.interval.high_s;
    dispose();
    assert_fine(make(STATS("10", "200"), false, &error), &error);
    double outside = prediction.interval.high_s;
    assert_true(prediction.interval.factor == 4);
    assert_true(prediction.errors[1].factor == 4 && prediction.errors[0].factor == 1);
    assert_true(fabs(prediction.errors[1].deviation - hypot(0.1, 0.2 * log(4))) < 1e-9);
    char *text = print(OUTPUT_TEXT);
    assert_contains(text, "; extrapolated by 4x\n");
    free(text);
    dispose();
    assert_true(outside > inside + 0.1);
}

/* All profiling runs had 10; a has a quarter of the time, and two of twelve iterations are new: of
 * the time they may have twice a twenty-fourth. */
TEST(features_that_never_varied_make_it_wider) {
    struct error error = {0};
    struct bsim_model *informed = model;
    load_model(HEAD "region 0 a-1 features 1 terms 1 range 10 10\nterm 1e-6 1\n"
                    "spread 0.1 0.01 0 0 0.2\n" REGION_B "spread 0.02 0.01 0 0 0.5\nend 2\n");
    assert_fine(make(STATS("10", "10"), false, &error), &error);
    assert_true(prediction.interval.known && prediction.interval.unvaried.region == NULL);
    double usual_s = prediction.interval.high_s - 4;
    dispose();
    assert_fine(make(STATS("10", "12"), false, &error), &error);
    assert_true(prediction.interval.known && prediction.interval.unvaried.region == NULL);
    assert_true(fabs(prediction.interval.parts_s[INTERVAL_UNVARIED] - 2 * 4 / 24.0) < 1e-9);
    assert_true(fabs(prediction.interval.high_s - 4 - hypot(usual_s, 8 / 24.0)) < 1e-9);
    dispose();
    assert_fine(make(STATS("10", "20"), false, &error), &error);
    assert_true(prediction.interval.known && prediction.interval.unvaried.region != NULL);
    char *report = print(OUTPUT_TEXT);
    assert_contains(report, ", from the models' errors\na.c:1 n1 (m) was 10 in all profiling runs "
                            "and is 10 to 20 here: what it costs is a guess; profile runs");
    free(report);
    dispose();
    put_back(informed);
}

/* Of a region that is predicted to take nothing, since its branch was never taken: a nanosecond for
 * each of the new iterations tells whether that matters. */
TEST(iterations_that_no_model_knows_count) {
    struct bsim_model *informed = model;
    load_model(HEAD "region 0 a-1 features 1 terms 0 range 0 0\nspread 0.1 0.01 0 0 0.2\n" REGION_B
                    "spread 0.02 0.01 0 0 0.5\nend 2\n");
    static const struct {
        const char *stats;
        bool known;
    } table[] = {{STATS("0", "1000"), true}, {STATS("0", "1e9"), false}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct error error = {0};
        char *without = strdup(table[i].stats);
        strstr(without, "\"seconds\":1,")[strlen("\"seconds\":")] = '0';
        assert_fine(make(without, false, &error), &error);
        assert_int_equal(prediction.interval.known, table[i].known);
        char *report = print(OUTPUT_JSON);
        assert_true((strstr(report, "\"profiled\": 0.0") == NULL) == table[i].known);
        free(report);
        report = print(OUTPUT_TEXT);
        if (!table[i].known)
            assert_contains(report,
                            "4 s\nno 95 % interval: a.c:1 n1 (m) was 0 in all profiling runs and "
                            "is 0 to 1e+09 here, so nobody knows what it costs; profile");
        free(report);
        free(without);
        dispose();
    }
    put_back(informed);
}

/* One rank spends all of its 3 s in a, which has a quarter of all time. */
TEST(interval_knows_the_busiest_rank) {
    struct error error = {0};
    char *text = strdup(STATS("10", "50"));
    const char *place = strstr(text, "\"seconds\":1,");
    char with[2000];
    snprintf(with, sizeof with, "%.*s\"most_seconds\":3,%s", (int)(place - text), text, place);
    assert_fine(make(with, false, &error), &error);
    const double q = 1.959964;
    double above = square(3 * expm1(q * 0.1)) + square(3 * expm1(q * 0.02)) +
                   square(4 * expm1(q * TYPICAL_RUN * 0.01)) +
                   square(4 * expm1(q * INTERVAL_FLOOR));
    assert_true(fabs(prediction.interval.high_s - 4 - sqrt(above)) < 1e-9);
    free(text);
    dispose();
}

/* With c, a value: the iterations of a loop that 3 of the 4 s are in, at twice the largest size. */
#define VALUE_C(answers, error)                                                                    \
    "value 2 c-1 trips features 0 context 0 answers " answers " key 0\n" error                     \
    "formula -1 1\ncase 0 terms 1\nterm 20\n"
#define LOOP(index)                                                                                \
    ",\"doubtful_loops\":[{\"index\":" index ",\"seconds\":3,\"factor\":2}],\"sites\":[]}"

static char *with_loop(const char *loop) {
    char *text = NULL;
    assert_true(asprintf(&text, "%.*s%s",
                         (int)(strlen(STATS("10", "50")) - strlen(",\"sites\":[]}")),
                         STATS("10", "50"), loop) > 0);
    return text;
}

TEST(interval_knows_that_iterations_are_a_formula) {
    static const struct {
        const char *lines, *told;
        double deviation;
    } table[] = {
        {VALUE_C("2", "error 0.05\n"), "it was off by 5.0 % on runs left out; a profiling run with",
         0.05 * 1.2533},
        {VALUE_C("2", "error 0\n"), "it was off by 0.0 % on runs left out; a", 0},
        {VALUE_C("1", ""), "nothing is known of its error; a", 0},
    };
    struct bsim_model *informed = model;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct error error = {0};
        char *stats_text = with_loop(LOOP("2")), lines[1000];
        snprintf(lines, sizeof lines, "%s%s%s", HEAD REGION_A REGION_B "spread 0.02 0.01 0 0 0.5\n",
                 table[i].lines, "end 3\n");
        load_model(lines);
        assert_fine(make(stats_text, false, &error), &error);
        const double q = 1.959964, loop = i == 2 ? 1 : table[i].deviation * hypot(1, log(2));
        double above = square(1 * expm1(q * 0.1)) + square(3 * expm1(q * 0.02)) +
                       square(4 * expm1(q * TYPICAL_RUN * 0.01)) + square(3 * expm1(q * loop)) +
                       square(4 * expm1(q * INTERVAL_FLOOR));
        assert_true(fabs(prediction.interval.high_s - 4 - sqrt(above)) < 1e-9);
        char *report = print(OUTPUT_TEXT);
        assert_contains(report, "\nc.c:9, 75 % of the time, iterates as often as a formula says");
        assert_contains(report, table[i].told);
        free(report);
        report = print(OUTPUT_JSON);
        assert_contains(report, "\"share\": 0.75");
        free(report);
        free(stats_text);
        dispose();
        bsim_model_free(model);
    }
    model = informed;
}

#define UNTOLD(index) ",\"untold_values\":[{\"index\":" index ",\"count\":12}],\"sites\":[]}"

TEST(values_that_models_do_not_tell_are_warned_of) {
    struct bsim_model *informed = model;
    struct error error = {0};
    char lines[1000], *stats_text = with_loop(UNTOLD("2"));
    snprintf(lines, sizeof lines, "%s%s%s", HEAD REGION_A REGION_B "spread 0.02 0.01 0 0 0.5\n",
             VALUE_C("2", "error -1 untold runs 0.55\n"), "end 3\n");
    load_model(lines);
    assert_fine(make(stats_text, false, &error), &error);
    char *report = print(OUTPUT_TEXT);
    assert_contains(
        report,
        "\nwarning: communication depends on given values that models predict badly: c.c:9 (off "
        "by up to 55 %); `mpiskel fit --keep-untold` has it computed\n");
    free(report);
    report = print(OUTPUT_JSON);
    assert_contains(report, "\"count\": 12.0,");
    assert_contains(report, "\"error\": 0.55");
    free(report);
    free(stats_text);
    dispose();
    stats_text = with_loop(UNTOLD("3"));
    assert_int_equal(make(stats_text, false, &error), -1);
    assert_contains(error.text, "another bundle");
    free(stats_text);
    put_back(informed);
}

TEST(loops_of_other_bundles_are_refused) {
    struct error error = {0};
    char *text = with_loop(LOOP("3"));
    assert_int_equal(make(text, false, &error), -1);
    assert_contains(error.text, "a value 3, but ");
    free(text);
}

/* b could be off by e^5, which counts like e^2: that makes a wide interval, not one of days. */
TEST(large_errors_are_cut) {
    struct error error = {0};
    struct bsim_model *informed = model;
    load_model(HEAD REGION_A REGION_B "spread 5 0.01 0 0 0.5\nend 2\n");
    assert_fine(make(STATS("10", "50"), false, &error), &error);
    assert_true(prediction.interval.known && prediction.interval.unknown_share == 0);
    double above = square(1 * expm1(1.959964 * 0.1)) + square(3 * expm1(1.959964 * 2)) +
                   square(4 * expm1(1.959964 * TYPICAL_RUN * 0.01)) +
                   square(4 * expm1(1.959964 * INTERVAL_FLOOR));
    assert_true(fabs(prediction.interval.high_s - 4 - sqrt(above)) < 1e-9);
    assert_true(prediction.errors[0].known && prediction.errors[0].deviation == 5);
    dispose();
    put_back(informed);
}

TEST(unknown_errors_give_no_interval) {
    struct error error = {0};
    struct bsim_model *informed = model;
    load_model(SILENT_MODEL);
    assert_fine(make(STATS("10", "50"), false, &error), &error);
    assert_false(prediction.interval.known);
    assert_true(prediction.interval.unknown_share == 0.75);
    char *report = print(OUTPUT_TEXT);
    assert_contains(report, "no 95 % interval: nothing is known of the error of 75 % of the "
                            "computation, first of all a.c:5; profile other");
    assert_contains(report, "37.50%        ?  a.c:5 b: s");
    free(report);
    report = print(OUTPUT_JSON);
    json_t *root = json_loads(report, 0, NULL);
    assert_true(json_is_null(json_object_get(json_object_get(root, "interval"), "low_s")));
    json_decref(root);
    free(report);
    report = print(OUTPUT_CSV);
    assert_null(strstr(report, "interval_low_s"));
    assert_contains(report, "\ninterval_unknown,,,,,0.75,\n");
    free(report);
    dispose();
    put_back(informed);
}

TEST(original_has_only_its_time) {
    struct error error = {0};
    assert_fine(make(STATS("10", "200"), true, &error), &error);
    char *text = print(OUTPUT_TEXT);
    assert_string_equal(text, "heat (the original) on 2 ranks: simulated time 4 s, 30 MPI calls\n");
    free(text);
    dispose();
}

TEST(foreign_summaries_are_refused) {
    struct error features = {0}, region = {0};
    assert_int_equal(make(STATS("1,2", "3,4"), false, &features), -1);
    assert_contains(features.text, "region a-1 was run with 2 features");
    char *text = strdup(STATS("1", "2"));
    *strstr(strstr(text, "index\":1"), "1") = '9';
    assert_int_equal(make(text, false, &region), -1);
    assert_contains(region.text, "region 9");
    free(text);
}

FIXTURE(setup, teardown)
