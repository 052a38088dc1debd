/* SPDX-License-Identifier: Apache-2.0
 *
 * What makes a prediction or a validation doubtful, on summaries that are made up; and that nothing
 * is found where nothing is wrong.
 */
#include "support.h"

#include "cli/print/findings_print.h"
#include "simulator/prediction/run_findings.h"
#include "simulator/prediction/validation.h"

#include <string.h>

#define RANKS 4
#define REGIONS 3

/* Of one second on each rank: `work` has 0.9 s, `print` writes on rank 0 alone. */
struct made_up {
    struct feature features[1];
    struct region region_items[REGIONS];
    struct regions regions;
    struct region_stats region_stats[REGIONS];
    struct run_stats stats;
    struct latency_model model_items[REGIONS];
    struct models models;
    struct prediction prediction;
    struct run_findings_options options;
};

static struct region region_of(int index, const char *function, struct feature *features) {
    return (struct region){.index = index,
                           .file = "app.c",
                           .line = 10 * index + 10,
                           .function = function,
                           .features = features,
                           .feature_count = features != NULL,
                           .prints = strcmp(function, "print") == 0};
}

static struct latency_model model_of(int region, int features) {
    return (struct latency_model){.region = region,
                                  .fitted = true,
                                  .feature_count = features,
                                  .point_count = 6,
                                  .error = 0.1,
                                  .validation = VALIDATION_RUNS};
}

static void make_up(struct made_up *m) {
    *m = (struct made_up){.features = {{.name = "n1"}}};
    static const char *const functions[REGIONS] = {"work", "print", "rest"};
    for (int i = 0; i < REGIONS; i++) {
        m->region_items[i] = region_of(i, functions[i], i == 1 ? NULL : m->features);
        m->model_items[i] = model_of(i, i != 1);
    }
    m->regions = (struct regions){.items = m->region_items, .count = REGIONS};
    m->region_stats[0] =
        (struct region_stats){.index = 0, .executions = 400, .seconds = 3.6, .most_seconds = 0.9};
    m->region_stats[1] = (struct region_stats){.index = 1, .seconds = 0.05, .most_seconds = 0.05};
    m->region_stats[2] = (struct region_stats){.index = 2, .seconds = 0.12, .most_seconds = 0.04};
    m->stats = (struct run_stats){
        .ranks = RANKS, .makespan_s = 1, .regions = m->region_stats, .region_count = REGIONS};
    m->models = (struct models){.items = m->model_items, .count = REGIONS};
    m->prediction = (struct prediction){.stats = &m->stats,
                                        .regions = &m->regions,
                                        .interval = {.known = true},
                                        .calls = {.mean = 1000},
                                        .compute_s = {.mean = 0.9}};
    m->options = (struct run_findings_options){.models = &m->models};
}

/* The kinds, separated by blanks, in their order. */
static const char *found(const struct made_up *m) {
    static char kinds[200];
    struct findings findings;
    kinds[0] = '\0';
    run_findings_make(&findings, &m->prediction, &m->options);
    for (size_t i = 0; i < findings.items.count; i++) {
        assert_true(findings.items.items[i].share > 0 && findings.items.items[i].share <= 1);
        strcat(strcat(kinds, i > 0 ? " " : ""), findings.items.items[i].kind);
    }
    findings_dispose(&findings);
    return kinds;
}

TEST(nothing_is_found_where_nothing_is_wrong) {
    struct made_up m;
    make_up(&m);
    assert_string_equal(found(&m), "");
    m.model_items[2].error = 3; /* of 4 % of the time */
    m.model_items[2].point_count = 1;
    m.model_items[1].point_count = 1; /* it has no features that could vary */
    assert_string_equal(found(&m), "");
    m.options.models = NULL;
    assert_string_equal(found(&m), "");
}

TEST(regions_that_matter_need_support) {
    struct made_up m;
    make_up(&m);
    m.model_items[0].error = 0.31;
    assert_string_equal(found(&m), "error");
    m.model_items[0].validation = VALIDATION_NONE; /* of what it was fitted to */
    assert_string_equal(found(&m), "");
    m.model_items[0].point_count = 2;
    assert_string_equal(found(&m), "configurations");
    m.region_stats[2].most_seconds = 0.06; /* on one rank, for which others wait */
    m.model_items[2].error = 0.5;
    assert_string_equal(found(&m), "configurations error");
    m.region_items[2].value = VALUE_INTEGER;
    assert_string_equal(found(&m), "configurations");
}

TEST(text_of_one_rank_is_told) {
    struct made_up m;
    make_up(&m);
    m.region_stats[1].seconds = m.region_stats[1].most_seconds = 0.11;
    assert_string_equal(found(&m), "output");
    m.region_stats[1].seconds = 0.44; /* all ranks write */
    assert_string_equal(found(&m), "");
    m.region_stats[1].seconds = 0.11;
    m.region_items[1].prints = false;
    assert_string_equal(found(&m), "");
}

TEST(regions_shorter_than_a_clock_are_told) {
    struct made_up m;
    make_up(&m);
    m.region_stats[0].executions = 1.7e7; /* 212 ns */
    m.region_stats[2].executions = 1e9;   /* of 4 % of the time */
    assert_string_equal(found(&m), "");
    m.region_stats[0].executions = 1.9e7; /* 189 ns */
    assert_string_equal(found(&m), "fine");
}

TEST(short_bursts_need_measured_costs) {
    struct made_up m;
    make_up(&m);
    m.prediction.calls.mean = 4000; /* 225 us */
    assert_string_equal(found(&m), "");
    m.prediction.calls.mean = 10000; /* 90 us */
    assert_string_equal(found(&m), "bursts");
    m.options.knows_costs = true;
    assert_string_equal(found(&m), "bursts");
    m.options.knows_noise = true;
    assert_string_equal(found(&m), "");
    m.options.knows_costs = false;
    assert_string_equal(found(&m), "bursts");
    m.options.knows_noise = false;
    m.stats.makespan_s = 10; /* others are waited for, much longer than all calls take */
    assert_string_equal(found(&m), "");
}

TEST(what_touches_most_comes_first) {
    struct made_up m;
    make_up(&m);
    m.region_stats[1].seconds = m.region_stats[1].most_seconds = 0.2;
    m.model_items[0].error = 0.4;
    m.prediction.calls.mean = 10000;
    m.prediction.interval.unvaried = (struct unvaried){
        .region = &m.region_items[2], .profiled = 1, .seen_max = 2, .weight = 0.5};
    assert_string_equal(found(&m), "error unvaried output bursts");
    m.prediction.original = true;
    assert_string_equal(found(&m), "");
}

TEST(a_line_says_what_to_do) {
    struct findings findings = {0};
    char text[400];
    FILE *file = fmemopen(text, sizeof text, "w");
    findings_add(&findings, "a", 0.2, "do this", "region %d", 1);
    findings_add(&findings, "b", 3, "do that", "region %d", 2);
    findings_add(&findings, "c", 0.3, "look there", "what is told elsewhere");
    findings.items.items[2].is_told = true;
    findings_sort(&findings);
    findings_print(file, &findings);
    fclose(file);
    assert_string_equal(text, "warning: region 2; do that\nwarning: region 1; do this\n");
    findings_dispose(&findings);
}

TEST(measured_times_are_doubted) {
    struct disturbance quiet = {.known = true, .others = 0.02},
                       busy = {.known = true, .others = 0.5};
    struct disturbance unknown = {.others = 0.5};
    struct validated one = {.original = {.count = 3, .median_s = 0.021}};
    validated_find_doubts(&one, &quiet);
    validated_find_doubts(&one, &unknown);
    assert_int_equal(one.findings.items.count, 0);
    validated_find_doubts(&one, &busy);
    assert_string_equal(one.findings.items.items[0].kind, "disturbed");
    one.original.median_s = 0.019;
    validated_find_doubts(&one, &quiet);
    assert_string_equal(one.findings.items.items[0].kind, "short");
    findings_dispose(&one.findings);
}
