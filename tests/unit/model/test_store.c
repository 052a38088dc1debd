/* SPDX-License-Identifier: Apache-2.0
 *
 * The store: what goes in comes out, imports happen once, foreign and damaged files are refused
 * and left as they were.
 */
#include "support.h"

#include "base/file.h"
#include "model/fit.h"
#include "model/store/store.h"
#include "model/store/store_points.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static struct regions regions;

static int setup(void **state) {
    struct error error = {0};
    if (directory_setup(state) != 0)
        return -1;
    write_text(test_path("regions.json"), regions_text());
    return regions_read(&regions, test_path("regions.json"), &error);
}

static int teardown(void **state) {
    regions_dispose(&regions);
    return directory_teardown(state);
}

/* Each test begins without a store. */
static int remove_store(void **state) {
    unlink(test_path("store.db"));
    return 0;
}

static struct store *open_store(void) {
    struct store *store = NULL;
    struct error error = {0};
    if (store_open(&store, test_path("store.db"), &error) != 0)
        fail_msg("%s", error.text);
    return store;
}

static void refuse_store(const char *wanted) {
    struct store *store = NULL;
    struct error error = {0};
    assert_int_equal(store_open(&store, test_path("store.db"), &error), -1);
    assert_null(store);
    assert_contains(error.text, wanted);
    assert_contains(error.text, test_path("store.db"));
}

static void run_sql(const char *sql) {
    sqlite3 *database = NULL;
    assert_int_equal(sqlite3_open(test_path("store.db"), &database), SQLITE_OK);
    char *text = NULL;
    if (sqlite3_exec(database, sql, NULL, NULL, &text) != SQLITE_OK)
        fail_msg("%s", text);
    sqlite3_close(database);
}

static long long ask_sql(const char *sql) {
    sqlite3 *database = NULL;
    sqlite3_stmt *statement = NULL;
    assert_int_equal(sqlite3_open(test_path("store.db"), &database), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(database, sql, -1, &statement, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    long long answer = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    sqlite3_close(database);
    return answer;
}

static const double features0[] = {64, 4096.125}, features2[] = {1e-300};
static const struct sample_context contexts0[] = {
    {.execution = 0, .unchanged = 0, .before = -1, .timed = 1, .seconds = 0.01},
    {.execution = 7, .unchanged = 4, .before = 2, .timed = 49, .seconds = 1.0 / 3}};
static struct sample sample_items[] = {
    {.region = 0,
     .rank = 2,
     .features = features0,
     .feature_count = 2,
     .count = 100,
     .timed = 50,
     .seconds = 0.1,
     .squares = 1e-5,
     .min = 1e-3,
     .max = 1.0 / 3,
     .contexts = contexts0,
     .context_count = 2},
    {.region = 1, .rank = 0, .features = features2, .feature_count = 0, .count = 1},
    {.region = 2,
     .rank = 3,
     .features = features2,
     .feature_count = 1,
     .count = 2,
     .timed = 2,
     .seconds = -1e-9}};

/* Rank 0 has most of one site, rank 2 most of all together; it waits most before the second. */
static struct call_count calls[] = {
    {.rank = 0, .name = "MPI_Send", .file = "a.c", .line = 1, .count = 1, .kept_s = 0.5},
    {.rank = 2, .name = "MPI_Recv", .file = "a.c", .line = 2, .count = 1, .kept_s = 0.3},
    {.rank = 2, .name = "MPI_Bcast", .file = "b.c", .line = 3, .count = 2, .kept_s = 1.0 / 3}};

static struct run make_run(const char *id) {
    return (struct run){.id = id,
                        .host = "node 'x'",
                        .cpu = "cpu",
                        .arguments = "[\"1\"]",
                        .ranks = 4,
                        .timer_overhead_s = 2e-8,
                        .elapsed_s = 1.5,
                        .reference_s = 0.0125,
                        .clock = "cpu",
                        .cache = "cold",
                        .calls = {.items = calls, .count = 3},
                        .complete = true};
}

static bool import(struct store *store, const char *run_id, const char *machine) {
    struct run run = make_run(run_id);
    struct samples samples = {.runs = &run, .run_count = 1, .items = sample_items, .count = 3};
    struct error error = {0};
    bool added = false;
    if (store_import(&added, store, &samples, &regions, machine, &error) != 0)
        fail_msg("%s", error.text);
    return added;
}

static struct samples read_samples(struct store *store, const char *machine) {
    struct samples samples;
    struct error error = {0};
    if (store_samples(&samples, store, &regions, machine, &error) != 0)
        fail_msg("%s", error.text);
    return samples;
}

static void expect_kept(const struct run *run) {
    assert_true(run->kept.seconds == 0.3 + 1.0 / 3);
    assert_string_equal(run->kept.site.name, "MPI_Bcast");
    assert_string_equal(run->kept.site.file, "b.c");
    assert_int_equal(run->kept.site.line, 3);
    assert_true(run->kept.site.kept_s == 1.0 / 3);
}

static struct samples read_runs(struct store *store) {
    struct samples runs;
    struct error error = {0};
    if (store_runs(&runs, store, &regions, "default", &error) != 0)
        fail_msg("%s", error.text);
    return runs;
}

TEST_WITH(time_in_kept_code_is_a_sum_of_the_run, remove_store, NULL) {
    struct store *store = open_store();
    assert_true(import(store, "r1", "default"));
    struct samples runs = read_runs(store);
    expect_kept(&runs.runs[0]);
    assert_int_equal(runs.runs[0].calls.count, 0);
    samples_dispose(&runs);
    struct samples samples = read_samples(store, "default");
    expect_kept(&samples.runs[0]);
    assert_int_equal(samples.runs[0].calls.count, 3);
    samples_dispose(&samples);
    store_close(store);
}

TEST_WITH(time_in_kept_code_is_not_known_where_a_call_does_not_tell, remove_store, NULL) {
    struct kept_time kept;
    struct call_count untold[] = {calls[0], calls[1]};
    untold[1].kept_s = -1;
    call_counts_kept(&kept, &(struct call_counts){.items = untold, .count = 2});
    assert_true(kept.seconds < 0 && kept.site.name == NULL);
    call_counts_kept(&kept, &(struct call_counts){0});
    assert_true(kept.seconds < 0 && kept.site.name == NULL);
}

TEST_WITH(samples_come_back_exactly, remove_store, NULL) {
    struct store *store = open_store();
    assert_true(import(store, "r1", "default"));
    store_close(store);
    store = open_store();
    struct samples samples = read_samples(store, "default");
    assert_int_equal(samples.run_count, 1);
    assert_string_equal(samples.runs[0].id, "r1");
    assert_string_equal(samples.runs[0].host, "node 'x'");
    assert_string_equal(samples.runs[0].arguments, "[\"1\"]");
    assert_int_equal(samples.runs[0].ranks, 4);
    assert_true(samples.runs[0].timer_overhead_s == 2e-8 && samples.runs[0].complete);
    assert_true(samples.runs[0].elapsed_s == 1.5);
    assert_true(samples.runs[0].reference_s == 0.0125);
    assert_string_equal(samples.runs[0].clock, "cpu");
    assert_string_equal(samples.runs[0].cache, "cold");
    assert_int_equal(samples.count, 3);
    for (size_t i = 0; i < 3; i++) {
        const struct sample *found = &samples.items[i], *wanted = &sample_items[i];
        assert_int_equal(found->region, wanted->region);
        assert_int_equal(found->rank, wanted->rank);
        assert_int_equal(found->feature_count, wanted->feature_count);
        for (int j = 0; j < found->feature_count; j++)
            assert_true(found->features[j] == wanted->features[j]);
        assert_true(found->count == wanted->count && found->timed == wanted->timed);
        assert_true(found->seconds == wanted->seconds && found->squares == wanted->squares);
        assert_true(found->min == wanted->min && found->max == wanted->max);
        assert_int_equal(found->context_count, wanted->context_count);
        for (size_t k = 0; k < found->context_count; k++) {
            const struct sample_context *f = &found->contexts[k], *w = &wanted->contexts[k];
            assert_true(f->execution == w->execution && f->unchanged == w->unchanged);
            assert_true(f->before == w->before && f->timed == w->timed && f->seconds == w->seconds);
        }
    }
    samples_dispose(&samples);
    store_close(store);
}

TEST_WITH(a_run_is_imported_once, remove_store, NULL) {
    struct store *store = open_store();
    assert_true(import(store, "r1", "default"));
    assert_false(import(store, "r1", "default"));
    assert_false(import(store, "r1", "other"));
    assert_true(import(store, "r2", "default"));
    struct samples samples = read_samples(store, "default");
    assert_int_equal(samples.run_count, 2);
    assert_int_equal(samples.count, 6);
    assert_int_equal(samples.items[5].run, 1);
    samples_dispose(&samples);
    store_close(store);
    assert_int_equal(ask_sql("SELECT count(*) FROM samples"), 6);
    assert_int_equal(ask_sql("SELECT count(*) FROM regions"), 3);
    assert_int_equal(ask_sql("SELECT count(*) FROM programs"), 1);
}

TEST_WITH(rank_files_of_a_run_that_ended_early_are_one_run, remove_store, NULL) {
    struct store *store = open_store();
    struct error error = {0};
    struct run run = make_run("r1");
    run.complete = false;
    for (int i = 0; i < 4; i++) {
        bool added = false;
        struct samples part = {
            .runs = &run, .run_count = 1, .items = &sample_items[i % 2 * 2], .count = 1};
        assert_int_equal(store_import(&added, store, &part, &regions, "default", &error), 0);
        assert_int_equal(added, i < 2);
    }
    struct samples samples = read_samples(store, "default");
    assert_int_equal(samples.run_count, 1);
    assert_int_equal(samples.count, 2);
    assert_int_equal(samples.items[1].run, 0);
    samples_dispose(&samples);
    store_close(store);
}

TEST_WITH(machines_are_kept_apart, remove_store, NULL) {
    struct store *store = open_store();
    struct arena arena;
    struct error error = {0};
    const char *machines = NULL;
    arena_init(&arena);
    assert_int_equal(store_machines(&machines, &arena, store, &regions, &error), 0);
    assert_string_equal(machines, "");
    import(store, "r1", "old");
    import(store, "r2", "new");
    struct samples samples = read_samples(store, "new");
    assert_int_equal(samples.run_count, 1);
    assert_string_equal(samples.runs[0].id, "r2");
    samples_dispose(&samples);
    samples = read_samples(store, "none");
    assert_int_equal(samples.run_count, 0);
    samples_dispose(&samples);
    assert_int_equal(store_machines(&machines, &arena, store, &regions, &error), 0);
    assert_string_equal(machines, "new old");
    arena_dispose(&arena);
    store_close(store);
}

/* A trigger stands for a disk that is full in the middle of an import. */
TEST_WITH(a_failed_import_leaves_nothing_behind, remove_store, NULL) {
    struct store *store = open_store();
    struct run run = make_run("r1");
    struct samples samples = {.runs = &run, .run_count = 1, .items = sample_items, .count = 3};
    struct error error = {0};
    bool added = true;
    run_sql("CREATE TRIGGER full BEFORE INSERT ON samples WHEN new.region = 2 "
            "BEGIN SELECT raise(FAIL, 'the disk is full'); END");
    assert_int_equal(store_import(&added, store, &samples, &regions, "default", &error), -1);
    assert_contains(error.text, "the disk is full");
    store_close(store);
    assert_int_equal(ask_sql("SELECT count(*) FROM samples"), 0);
    assert_int_equal(ask_sql("SELECT count(*) FROM runs"), 0);
    assert_int_equal(ask_sql("SELECT count(*) FROM machines"), 0);
    run_sql("DROP TRIGGER full");
    store = open_store();
    assert_true(import(store, "r1", "default"));
    store_close(store);
}

static void check_models(const struct models *found, const struct models *wanted) {
    assert_int_equal(found->count, wanted->count);
    for (int i = 0; i < found->count; i++) {
        const struct latency_model *f = &found->items[i], *w = &wanted->items[i];
        assert_int_equal(f->fitted, w->fitted);
        if (!f->fitted)
            continue;
        assert_string_equal(f->lines, w->lines);
        assert_int_equal(f->term_count, w->term_count);
        for (int k = 0; k < f->term_count; k++) {
            assert_true(f->terms[k].coefficient_s == w->terms[k].coefficient_s);
            for (int j = 0; j < f->feature_count; j++)
                assert_true(f->terms[k].exponents[j] == w->terms[k].exponents[j]);
        }
        for (int j = 0; j < f->feature_count; j++)
            assert_true(f->min[j] == w->min[j] && f->max[j] == w->max[j]);
        assert_true(f->error == w->error && f->share == w->share && f->total_s == w->total_s);
        assert_int_equal(f->point_count, w->point_count);
        assert_int_equal(f->run_count, w->run_count);
        assert_int_equal(f->validation, w->validation);
        assert_string_equal(f->note, w->note);
    }
}

TEST_WITH(models_come_back_exactly, remove_store, NULL) {
    struct store *store = open_store();
    struct error error = {0};
    struct models models, found;
    import(store, "r1", "default");
    struct samples samples = read_samples(store, "default");
    models_fit(&models, &samples, &regions, "default");
    assert_true(models.items[0].fitted && !models.items[1].fitted);
    for (int round = 0; round < 2; round++)
        assert_int_equal(store_write_models(store, &models, &regions, &error), 0);
    assert_int_equal(store_models(&found, store, &regions, "default", &error), 0);
    check_models(&found, &models);
    models_dispose(&found);
    assert_int_equal(store_models(&found, store, &regions, "other", &error), 0);
    assert_false(found.items[0].fitted);
    models_dispose(&found);
    models_dispose(&models);
    samples_dispose(&samples);
    store_close(store);
    assert_int_equal(ask_sql("SELECT count(*) FROM models"), 2);
}

/* Its lines are not looked into. */
TEST_WITH(the_formula_of_a_value_comes_back, remove_store, NULL) {
    struct region value = {
        .id = "v", .function = "f", .file = "f.c", .summary = "", .code = "", .value = VALUE_TRIPS};
    const struct regions values = {
        .bundle = TEST_BUNDLE, .program = "p", .root = "/", .items = &value, .count = 1};
    struct latency_model item = {
        .fitted = true, .value_formula = "3*n1", .lines = "value 0 v\n", .note = ""};
    const struct models models = {
        .bundle = TEST_BUNDLE, .machine = "default", .items = &item, .count = 1};
    struct store *store = open_store();
    struct models found;
    struct error error = {0};
    import(store, "r1", "default");
    if (store_write_models(store, &models, &values, &error) != 0)
        fail_msg("%s", error.text);
    if (store_models(&found, store, &values, "default", &error) != 0)
        fail_msg("%s", error.text);
    assert_true(found.items[0].fitted);
    assert_string_equal(found.items[0].value_formula, "3*n1");
    models_dispose(&found);
    store_close(store);
}

TEST_WITH(models_of_several_statistics_lie_side_by_side, remove_store, NULL) {
    static const enum statistic order[] = {STATISTIC_MEAN, STATISTIC_MEDIAN, STATISTIC_MEAN};
    struct store *store = open_store();
    struct error error = {0};
    struct models models;
    import(store, "r1", "default");
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        struct samples samples = read_samples(store, "default");
        samples.statistic = order[i];
        models_fit(&models, &samples, &regions, "default");
        assert_int_equal(store_write_models(store, &models, &regions, &error), 0);
        models_dispose(&models);
        samples_dispose(&samples);
        assert_int_equal(store_models(&models, store, &regions, "default", &error), 0);
        assert_int_equal(models.statistic, order[i]);
        assert_true(models.items[0].fitted);
        models_dispose(&models);
    }
    enum statistic found[STATISTIC_COUNT];
    int count = 0;
    assert_int_equal(store_statistics(found, &count, store, regions.bundle, "default", &error), 0);
    assert_int_equal(count, 2);
    assert_true(found[0] == STATISTIC_MEDIAN && found[1] == STATISTIC_MEAN);
    assert_int_equal(
        store_models_of(&models, store, &regions, "default", STATISTIC_MINIMUM, &error), 0);
    assert_false(models.items[0].fitted);
    models_dispose(&models);
    store_close(store);
    assert_int_equal(ask_sql("SELECT count(*) FROM models"), 4);
}

TEST_WITH(damaged_rows_are_refused, remove_store, NULL) {
    static const char *const changes[] = {
        "UPDATE samples SET features = '[1' WHERE region = 0",
        "UPDATE samples SET features = '' WHERE region = 0",
        "UPDATE samples SET features = '[1,2,3]' WHERE region = 0",
        "UPDATE samples SET features = '[1,2e100]' WHERE region = 0",
        "UPDATE samples SET features = '[1,nan]' WHERE region = 0",
        "UPDATE samples SET features = '[1,2]x' WHERE region = 0",
        "UPDATE samples SET timed = 1000 WHERE region = 0",
        "UPDATE samples SET timed = 'x', count = -1 WHERE region = 0",
        "UPDATE samples SET seconds = 9e999 WHERE region = 0",
        "UPDATE samples SET sequence = '[1]' WHERE region = 0",
        "UPDATE samples SET sequence = '[1,2' WHERE region = 0",
        "UPDATE samples SET contexts = '[1,1,-1,1]' WHERE region = 0",
        "UPDATE samples SET contexts = '[1,2,-1,1,0]' WHERE region = 0",
        "UPDATE samples SET contexts = 'x' WHERE region = 0",
        "UPDATE samples SET region = 3 WHERE region = 1",
        "UPDATE samples SET region = -1 WHERE region = 1"};
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        remove_store(NULL);
        struct store *store = open_store();
        struct samples samples;
        struct error error = {0};
        import(store, "r1", "default");
        run_sql(changes[i]);
        assert_int_equal(store_samples(&samples, store, &regions, "default", &error), -1);
        assert_contains(error.text, "sample");
        store_close(store);
    }
}

TEST_WITH(damaged_models_are_refused, remove_store, NULL) {
    static const char *const changes[] = {
        "UPDATE models SET lines = '' WHERE region = 0",
        "UPDATE models SET lines = 'region 0' WHERE region = 0",
        "UPDATE models SET lines = replace(lines, 'region 0', 'region 1') WHERE region = 0",
        "UPDATE models SET lines = replace(lines, 'features 2', 'features 3') WHERE region = 0",
        "UPDATE models SET lines = replace(lines, 'terms 1', 'terms 2') WHERE region = 0",
        "UPDATE models SET lines = replace(lines, 'term ', 'term -') WHERE region = 0",
        "UPDATE models SET lines = lines || 'step 9 1 2 3' WHERE region = 0",
        "UPDATE models SET lines = 'value 0 x integer' WHERE region = 0",
        "UPDATE models SET ranges = '[[1,1],[2]]' WHERE region = 0",
        "UPDATE models SET ranges = '[[1,1],[2,inf]]' WHERE region = 0",
        "UPDATE models SET validation = 9 WHERE region = 0",
        "UPDATE models SET region = 77 WHERE region = 0"};
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        remove_store(NULL);
        struct store *store = open_store();
        struct models models;
        struct error error = {0};
        import(store, "r1", "default");
        struct samples samples = read_samples(store, "default");
        models_fit(&models, &samples, &regions, "default");
        assert_int_equal(store_write_models(store, &models, &regions, &error), 0);
        run_sql(changes[i]);
        models_dispose(&models);
        assert_int_equal(store_models(&models, store, &regions, "default", &error), -1);
        assert_contains(error.text, "model");
        samples_dispose(&samples);
        store_close(store);
    }
}

TEST_WITH(other_files_are_refused_and_left_alone, remove_store, NULL) {
    static const char text[] = "This is a letter, not a database. It is long enough to hold what "
                               "would be the header of a database file, had it been one.\n";
    write_text(test_path("store.db"), text);
    refuse_store("not a database");
    assert_true(file_is(test_path("store.db"), text, sizeof text - 1));
}

TEST_WITH(other_databases_are_refused_and_left_alone, remove_store, NULL) {
    struct error error = {0};
    char *before = NULL;
    size_t length = 0;
    run_sql("CREATE TABLE letters (text TEXT)");
    assert_int_equal(file_read(&before, &length, test_path("store.db"), &error), 0);
    refuse_store("database of another program");
    assert_true(file_is(test_path("store.db"), before, length));
    free(before);
}

/* The table of models, which importing and fitting never read. The caller frees the bytes. */
static char *damage_models(size_t *length) {
    struct error error = {0};
    char *bytes = NULL;
    size_t page = (size_t)ask_sql("SELECT rootpage FROM sqlite_master WHERE name = 'models'");
    size_t page_bytes = (size_t)ask_sql("PRAGMA page_size");
    assert_int_equal(file_read(&bytes, length, test_path("store.db"), &error), 0);
    memset(bytes + (page - 1) * page_bytes, 0xff, page_bytes);
    write_bytes(test_path("store.db"), bytes, *length);
    return bytes;
}

TEST_WITH(a_damaged_page_is_found_on_opening, remove_store, NULL) {
    size_t length = 0;
    store_close(open_store());
    char *bytes = damage_models(&length);
    refuse_store("the store is damaged");
    assert_true(file_is(test_path("store.db"), bytes, length));
    free(bytes);
}

TEST_WITH(who_reads_finds_a_damaged_page_where_it_is_read, remove_store, NULL) {
    struct error error = {0};
    struct samples runs;
    struct models models;
    size_t length = 0;
    struct store *store = open_store();
    import(store, "r1", "default");
    struct samples samples = read_samples(store, "default");
    models_fit(&models, &samples, &regions, "default");
    assert_int_equal(store_write_models(store, &models, &regions, &error), 0);
    models_dispose(&models);
    samples_dispose(&samples);
    store_close(store);
    char *bytes = damage_models(&length);
    assert_int_equal(store_open_to_read(&store, test_path("store.db"), &error), 0);
    assert_int_equal(store_runs(&runs, store, &regions, "default", &error), 0);
    assert_int_equal(runs.run_count, 1);
    assert_string_equal(runs.runs[0].id, "r1");
    samples_dispose(&runs);
    assert_int_equal(store_models(&models, store, &regions, "default", &error), -1);
    assert_contains(error.text, "malformed");
    store_close(store);
    assert_true(file_is(test_path("store.db"), bytes, length));
    free(bytes);
}

TEST_WITH(stores_of_other_versions_are_refused, remove_store, NULL) {
    store_close(open_store());
    run_sql("PRAGMA user_version = 14");
    refuse_store("store of another mpiskel version (14, this one needs 13): move it away");
    run_sql("PRAGMA user_version = 12");
    refuse_store("store of another mpiskel version (12, this one needs 13): move it away, then "
                 "`mpiskel fit` imports the samples again");
}

#define AT_ONCE 4

/* Opens the store as soon as the pipe is closed; 0: fine. */
static pid_t start_reader(const int *pipe_ends) {
    struct store *store = NULL;
    struct error error = {0};
    char byte;
    pid_t child = fork();
    if (child != 0)
        return child;
    close(pipe_ends[1]);
    ssize_t none = read(pipe_ends[0], &byte, 1);
    int result = store_open_to_read(&store, test_path("store.db"), &error);
    if (result != 0)
        fprintf(stderr, "%s\n", error.text);
    store_close(store);
    _exit(none != 0 || result != 0);
}

/* Such as parallel runs of a new bundle: none waits for a lock that another one holds until it has
 * what it waits for. */
TEST_WITH(an_empty_file_becomes_a_store_for_all_that_open_it_at_once, remove_store, NULL) {
    pid_t readers[AT_ONCE];
    int pipe_ends[2], failed = 0, status;
    write_text(test_path("store.db"), "");
    assert_int_equal(pipe(pipe_ends), 0);
    for (int i = 0; i < AT_ONCE; i++)
        readers[i] = start_reader(pipe_ends);
    close(pipe_ends[0]);
    close(pipe_ends[1]);
    for (int i = 0; i < AT_ONCE; i++) {
        assert_int_equal(waitpid(readers[i], &status, 0), readers[i]);
        failed += status != 0;
    }
    assert_int_equal(failed, 0);
    assert_int_equal(ask_sql("PRAGMA user_version"), 13);
}

TEST_WITH(an_empty_file_becomes_a_store, remove_store, NULL) {
    write_text(test_path("store.db"), "");
    struct store *store = open_store();
    assert_true(import(store, "r1", "default"));
    store_close(store);
}

TEST_WITH(a_directory_is_refused, remove_store, NULL) {
    struct store *store = NULL;
    struct error error = {0};
    assert_int_equal(store_open(&store, test_path("."), &error), -1);
    assert_contains(error.text, "a regular file, not a directory");
}

/* As `run` does it, which does not look at the whole file first. */
static void read_store(void) {
    struct store *store = NULL;
    struct error error = {0};
    struct samples runs;
    struct models models;
    if (store_open_to_read(&store, test_path("store.db"), &error) != 0)
        return;
    if (store_runs(&runs, store, &regions, "default", &error) == 0)
        samples_dispose(&runs);
    if (store_models(&models, store, &regions, "default", &error) == 0)
        models_dispose(&models);
    store_close(store);
}

/* Opens, reads and fits whatever is there; every step may fail, none may crash. */
static bool use_store(void) {
    struct store *store = NULL;
    struct error error = {0};
    struct samples samples;
    struct models models;
    bool used = false;
    if (store_open(&store, test_path("store.db"), &error) == 0 &&
        store_samples(&samples, store, &regions, "default", &error) == 0) {
        used = true;
        models_fit(&models, &samples, &regions, "default");
        models_dispose(&models);
        samples_dispose(&samples);
    } else {
        assert_true(error.set);
    }
    store_close(store);
    return used;
}

static char *make_bytes(size_t *length) {
    struct store *store = open_store();
    struct error error = {0};
    char *bytes = NULL;
    import(store, "r1", "default");
    import(store, "r2", "default");
    store_close(store);
    assert_int_equal(file_read(&bytes, length, test_path("store.db"), &error), 0);
    return bytes;
}

TEST_WITH(truncated_stores_are_refused_and_left_alone, remove_store, NULL) {
    size_t length = 0;
    char *bytes = make_bytes(&length);
    for (size_t kept = 1; kept < length; kept += kept < 128 ? 1 : 997) {
        write_bytes(test_path("store.db"), bytes, kept);
        if (use_store())
            fail_msg("%zu of %zu bytes were taken for a store", kept, length);
        assert_true(file_is(test_path("store.db"), bytes, kept));
    }
    free(bytes);
}

TEST_WITH(damaged_stores_do_no_harm, remove_store, NULL) {
    size_t length = 0;
    char *bytes = make_bytes(&length);
    char *copy = malloc(length);
    struct random random;
    random_seed(&random, 9);
    for (int round = 0; round < 1000; round++) {
        memcpy(copy, bytes, length);
        for (int i = 0; i < 20; i++)
            copy[random_bits(&random) % length] = (char)random_bits(&random);
        write_bytes(test_path("store.db"), copy, length);
        read_store();
        use_store();
    }
    free(copy);
    free(bytes);
}

/* What is rolled back at last takes along what was fine inside. */
TEST_WITH(a_transaction_inside_of_another_is_a_part_of_it, remove_store, NULL) {
    for (int result = -1; result <= 0; result++) {
        struct store *store = open_store();
        struct error error = {0};
        run_sql("INSERT OR REPLACE INTO drivers (id, host, boot, space, pid, started, seen_s) "
                "VALUES (1, '', '', '', 1, 1, 0)");
        assert_int_equal(store_begin(store, &error), 0);
        assert_int_equal(store_begin(store, &error), 0);
        assert_int_equal(store_see_driver(store, 1, 5, &error), 0);
        assert_int_equal(store_end(store, 0, &error), 0);
        assert_int_equal(store_end(store, result, &error), result);
        store_close(store);
        assert_int_equal(ask_sql("SELECT seen_s FROM drivers"), result == 0 ? 5 : 0);
    }
}

#define STORE_TEST(name) cmocka_unit_test_setup(name, remove_store)

FIXTURE(setup, teardown)
