/* SPDX-License-Identifier: Apache-2.0
 *
 * Machines in a store and as files: what is told of them, other names, runs that go, and files that
 * are carried to other stores; broken files are refused with their line and change nothing.
 */
#include "support.h"

#include "base/file.h"
#include "base/str.h"
#include "model/fit.h"
#include "model/store/exchange.h"
#include "model/store/store_machines.h"
#include "model/store/store_noises.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct regions regions, other_regions, foreign_regions;

/* The regions of the bundle with codes; `order` has them in another order and one is changed. */
static void read_regions(struct regions *out, const char *name, const char *bundle,
                         const char *const *codes, const int *order) {
    static const char *const texts[] = {
        "\"id\":\"relax-3fa2c9d1\",\"file\":\"heat3d.c\",\"line\":120,\"end_line\":145,"
        "\"features\":[{\"name\":\"n1\",\"expression\":\"a\"},{\"name\":\"n2\"}]",
        "\"id\":\"setup-00000001\",\"file\":\"heat3d.c\",\"line\":20,\"end_line\":22,\"features\":["
        "]",
        "\"id\":\"norm-00000002\",\"kernel\":\"norm\",\"file\":\"norm.c\",\"line\":7,\"end_line\":"
        "9,"
        "\"features\":[{\"name\":\"n1\"}]"};
    struct str text = {0};
    struct error error = {0};
    str_printf(
        &text,
        "{\"format\":\"mpiskel-regions\",\"version\":3,\"bundle\":\"%s\",\"program\":\"heat\","
        "\"root\":\"/heat\",\"regions\":[",
        bundle);
    for (int i = 0; i < 3; i++)
        str_printf(&text, "%s{\"index\":%d,\"code\":\"%s\",%s}", i > 0 ? "," : "", i,
                   codes[order[i]], texts[order[i]]);
    str_add(&text, "]}\n");
    write_text(test_path(name), text.text);
    if (regions_read(out, test_path(name), &error) != 0)
        fail_msg("%s", error.text);
    str_dispose(&text);
}

static int setup(void **state) {
    static const char *const codes[] = {"aa", "bb", "cc"}, *const edited[] = {"aa", "dd", "cc"},
                             *const others[] = {"ee", "ff", "gg"};
    if (directory_setup(state) != 0)
        return -1;
    read_regions(&regions, "regions.json", TEST_BUNDLE, codes, (int[]){0, 1, 2});
    read_regions(&other_regions, "other.json", "00000000000000ff", edited, (int[]){2, 1, 0});
    read_regions(&foreign_regions, "foreign.json", "00000000000000fe", others, (int[]){0, 1, 2});
    return 0;
}

static int teardown(void **state) {
    regions_dispose(&regions);
    regions_dispose(&other_regions);
    regions_dispose(&foreign_regions);
    return directory_teardown(state);
}

static int remove_stores(void **state) {
    unlink(test_path("store.db"));
    unlink(test_path("second.db"));
    return 0;
}

static struct store *open_store(const char *name) {
    struct store *store = NULL;
    struct error error = {0};
    if (store_open(&store, test_path(name), &error) != 0)
        fail_msg("%s", error.text);
    return store;
}

static const struct sample_context contexts[] = {
    {.execution = 0, .unchanged = 0, .before = -1, .timed = 1, .seconds = 0.25},
    {.execution = 6, .unchanged = 4, .before = 2, .timed = 9, .seconds = 1.0 / 3},
    {.execution = 6, .unchanged = 4, .before = 1, .timed = 1, .seconds = 0}};

/* Region 0 takes 1 s per unit of n1, in `run` 2^run units; region 2 half of that. */
static void add_run(struct store *store, int run, const char *cpu, const char *machine) {
    char id[32];
    snprintf(id, sizeof id, "20261120-10000%d-77", run);
    double n = 1 << run, features[] = {n, 3}, seconds = n * 10 / 3.0;
    struct run header = {.id = id,
                         .host = "node \"x\"",
                         .cpu = cpu,
                         .arguments = "[\"-n\",\"a b\"]",
                         .ranks = run + 1,
                         .timer_overhead_s = 1e-8,
                         .clock = "cpu",
                         .cache = "as is",
                         .complete = true};
    struct sample items[] = {{.region = 0,
                              .features = features,
                              .feature_count = 2,
                              .count = 20,
                              .timed = 10,
                              .seconds = seconds,
                              .squares = 0.1,
                              .contexts = contexts,
                              .context_count = 3},
                             {.region = 2,
                              .features = features,
                              .feature_count = 1,
                              .count = 10,
                              .timed = 10,
                              .seconds = seconds / 2}};
    struct samples samples = {.runs = &header, .run_count = 1, .items = items, .count = 2};
    struct error error = {0};
    bool added = false;
    if (store_import(&added, store, &samples, &regions, machine, &error) != 0)
        fail_msg("%s", error.text);
    assert_true(added);
}

static void fit(struct store *store, const char *machine, enum statistic statistic) {
    struct samples samples;
    struct models models;
    struct error error = {0};
    assert_int_equal(store_samples(&samples, store, &regions, machine, &error), 0);
    samples.statistic = statistic;
    models_fit(&models, &samples, &regions, machine);
    assert_int_equal(store_write_models(store, &models, &regions, &error), 0);
    models_dispose(&models);
    samples_dispose(&samples);
}

/* A store with three runs and two sets of models; its file is "machine". */
static struct store *make_store(void) {
    struct store *store = open_store("store.db");
    struct error error = {0};
    for (int run = 0; run < 3; run++)
        add_run(store, run, "cpu", "m");
    fit(store, "m", STATISTIC_MINIMUM);
    fit(store, "m", STATISTIC_MEDIAN);
    if (machine_export(test_path("machine"), store, &regions, "m", &error) != 0)
        fail_msg("%s", error.text);
    return store;
}

TEST_WITH(machines_are_told, remove_stores, NULL) {
    struct store *store = make_store();
    struct machines machines;
    struct error error = {0};
    add_run(store, 4, "other", "b");
    assert_int_equal(machines_read(&machines, store, &regions, &error), 0);
    assert_int_equal(machines.count, 2);
    assert_string_equal(machines.items[0].name, "b");
    const struct machine *machine = machine_find(&machines, "m");
    assert_null(machine_find(&machines, "none"));
    assert_int_equal(machine->run_count, 3);
    assert_int_equal(machine->region_count, 2);
    assert_string_equal(machine->statistics, "median minimum");
    assert_string_equal(machine->runs[1].run.id, "20261120-100001-77");
    assert_int_equal(machine->runs[1].run.ranks, 2);
    assert_int_equal(machine->runs[1].samples, 2);
    assert_true(machine->regions[1].samples == 0 && machine->regions[2].samples == 3);
    assert_float_equal(machine->runs[0].total_s, 20 / 3.0 + 5 / 3.0, 1e-12);
    assert_float_equal(machine->total_s, 7 * 25 / 3.0, 1e-12);
    machines_dispose(&machines);
    store_close(store);
}

TEST_WITH(machines_get_other_names, remove_stores, NULL) {
    struct store *store = make_store();
    struct machines machines;
    struct error error = {0}, taken = {0}, missing = {0};
    add_run(store, 4, "other", "b");
    assert_int_equal(store_rename_machine(store, "m", "b", &taken), -1);
    assert_contains(taken.text, "there is a machine 'b' already");
    assert_int_equal(store_rename_machine(store, "x", "y", &missing), -1);
    assert_contains(missing.text, "no machine 'x'");
    assert_int_equal(store_rename_machine(store, "m", "c", &error), 0);
    assert_int_equal(machines_read(&machines, store, &regions, &error), 0);
    assert_null(machine_find(&machines, "m"));
    assert_string_equal(machine_find(&machines, "c")->statistics, "median minimum");
    machines_dispose(&machines);
    store_close(store);
}

TEST_WITH(runs_go_to_other_machines_or_away, remove_stores, NULL) {
    struct store *store = make_store();
    struct machines machines;
    struct error error = {0}, missing[3] = {0};
    assert_int_equal(store_label_run(store, TEST_BUNDLE, "x", "new", &missing[0]), -1);
    assert_contains(missing[0].text, "no run 'x'");
    assert_int_equal(
        store_label_run(store, "00000000000000ff", "20261120-100000-77", "new", &missing[1]), -1);
    assert_int_equal(store_forget_run(store, TEST_BUNDLE, "x", &missing[2]), -1);
    assert_int_equal(store_label_run(store, TEST_BUNDLE, "20261120-100000-77", "new", &error), 0);
    assert_int_equal(store_forget_run(store, TEST_BUNDLE, "20261120-100001-77", &error), 0);
    assert_int_equal(machines_read(&machines, store, &regions, &error), 0);
    assert_int_equal(machines.count, 2);
    assert_int_equal(machine_find(&machines, "m")->run_count, 1);
    assert_string_equal(machine_find(&machines, "m")->runs[0].run.id, "20261120-100002-77");
    assert_int_equal(machine_find(&machines, "m")->regions[0].samples, 1);
    assert_int_equal(machine_find(&machines, "new")->run_count, 1);
    machines_dispose(&machines);
    store_close(store);
}

static void read_file(char **out, const char *name, size_t *length) {
    struct error error = {0};
    if (file_read(out, length, test_path(name), &error) != 0)
        fail_msg("%s", error.text);
}

static void import_file(struct import_summary *summary, struct store *store,
                        const struct regions *into, const char *name) {
    struct error error = {0};
    if (machine_import(summary, test_path("machine"), store, into, name, &error) != 0)
        fail_msg("%s", error.text);
}

TEST_WITH(export_import_export_gives_the_same_bytes, remove_stores, NULL) {
    struct import_summary summary;
    struct error error = {0};
    store_close(make_store());
    struct store *second = open_store("second.db");
    import_file(&summary, second, &regions, NULL);
    assert_true(summary.same_bundle && summary.runs == 3 && summary.samples == 6);
    assert_true(summary.runs_known == 0 && summary.models == 4 && summary.models_left == 0);
    assert_string_equal(summary.machine, "m");
    assert_int_equal(machine_export(test_path("again"), second, &regions, "m", &error), 0);
    size_t length = 0;
    char *bytes = NULL;
    read_file(&bytes, "machine", &length);
    assert_true(file_is(test_path("again"), bytes, length));
    assert_contains(bytes, "\"kernel\":\"norm\",\"features\"");
    assert_contains(bytes, "\"contexts\":[1,1,-1,1.0,0.25,17,");
    import_file(&summary, second, &regions, NULL);
    assert_true(summary.runs == 0 && summary.runs_known == 3);
    assert_true(summary.models == 0 && summary.models_left == 4);
    assert_int_equal(machine_export(test_path("again"), second, &regions, "m", &error), 0);
    assert_true(file_is(test_path("again"), bytes, length));
    free(bytes);
    store_close(second);
}

TEST_WITH(noise_is_carried_along, remove_stores, NULL) {
    static const struct stored_noise noise = {
        .made = "2026-11-20 10:00", .host = "n", .cpu = "cpu", .description = "detours 1 2 3\n"};
    const struct stored_noise *found = NULL;
    struct import_summary summary;
    struct error error = {0};
    struct arena arena = {0};
    struct store *store = make_store(), *second = open_store("second.db");
    assert_int_equal(store_write_noise(store, "m", &noise, &error), 0);
    assert_int_equal(machine_export(test_path("machine"), store, &regions, "m", &error), 0);
    import_file(&summary, second, &regions, NULL);
    assert_true(summary.noise && !summary.network);
    assert_int_equal(store_read_noise(&found, &arena, second, "m", &error), 0);
    assert_non_null(found);
    assert_string_equal(found->description, noise.description);
    arena_dispose(&arena);
    store_close(store);
    store_close(second);
}

/* The parts of a run that ended early stay parts. */
TEST_WITH(parts_of_a_run_are_carried_as_parts, remove_stores, NULL) {
    struct store *store = open_store("store.db"), *second = open_store("second.db");
    struct import_summary summary;
    struct error error = {0};
    for (int rank = 0; rank < 3; rank++) {
        struct run run = {.id = "r", .host = "", .cpu = "", .arguments = "[]", .ranks = 3};
        struct sample item = {.region = 1, .rank = rank, .count = 1};
        struct samples samples = {.runs = &run, .run_count = 1, .items = &item, .count = 1};
        bool added = false;
        assert_int_equal(store_import(&added, store, &samples, &regions, "m", &error), 0);
    }
    assert_int_equal(machine_export(test_path("machine"), store, &regions, "m", &error), 0);
    import_file(&summary, store, &regions, NULL);
    assert_true(summary.runs == 0 && summary.runs_known == 3);
    import_file(&summary, second, &regions, NULL);
    assert_true(summary.runs == 3);
    struct samples samples;
    assert_int_equal(store_samples(&samples, second, &regions, "m", &error), 0);
    assert_true(samples.run_count == 1 && samples.count == 3);
    samples_dispose(&samples);
    store_close(store);
    store_close(second);
}

TEST_WITH(samples_of_the_same_code_are_taken_from_other_bundles, remove_stores, NULL) {
    struct import_summary summary;
    struct error error = {0}, foreign = {0};
    struct samples samples;
    store_close(make_store());
    struct store *second = open_store("second.db");
    import_file(&summary, second, &other_regions, "there");
    assert_false(summary.same_bundle);
    assert_true(summary.regions_taken == 2 && summary.regions_in_file == 3);
    assert_true(summary.runs == 3 && summary.samples == 6 && summary.models == 0);
    assert_int_equal(store_samples(&samples, second, &other_regions, "there", &error), 0);
    assert_int_equal(samples.count, 6);
    assert_int_equal(samples.items[0].region, 2);
    assert_int_equal(samples.items[1].region, 0);
    assert_int_equal(samples.items[0].contexts[0].before, -1);
    assert_int_equal(samples.items[0].contexts[1].before, 0);
    assert_int_equal(samples.items[0].contexts[2].before, CONTEXT_LOST);
    samples_dispose(&samples);
    assert_int_equal(
        machine_import(&summary, test_path("machine"), second, &foreign_regions, NULL, &foreign),
        -1);
    assert_contains(foreign.text, "machine:1: error: these runs are foreign");
    store_close(second);
}

TEST_WITH(another_processor_needs_another_name, remove_stores, NULL) {
    struct import_summary summary;
    struct error error = {0};
    store_close(make_store());
    struct store *second = open_store("second.db");
    add_run(second, 5, "other", "m");
    assert_int_equal(machine_import(&summary, test_path("machine"), second, &regions, NULL, &error),
                     -1);
    assert_contains(error.text, "machine:5: error: this run is of processor 'cpu'");
    assert_contains(error.text, "--as NAME");
    import_file(&summary, second, &regions, "n");
    assert_int_equal(summary.models, 4);
    store_close(second);
}

/* Models of runs that the machine does not have alone are not its models. */
TEST_WITH(models_are_left_where_the_machine_has_other_runs, remove_stores, NULL) {
    struct import_summary summary;
    struct models models;
    struct error error = {0};
    store_close(make_store());
    struct store *second = open_store("second.db");
    add_run(second, 5, "cpu", "m");
    import_file(&summary, second, &regions, NULL);
    assert_true(summary.runs == 3 && summary.models == 0 && summary.models_left == 4);
    assert_int_equal(store_models(&models, second, &regions, "m", &error), 0);
    assert_false(models.items[0].fitted);
    models_dispose(&models);
    store_close(second);
}

/* ---- Broken files ---- */

static void replace(struct str *out, const char *text, const char *old, const char *new) {
    assert_non_null(strstr(text, old));
    size_t at = (size_t)(strstr(text, old) - text);
    str_addn(out, text, at);
    str_add(out, new);
    str_add(out, text + at + strlen(old));
}

static bool is_empty(struct store *store) {
    struct machines machines;
    struct error error = {0};
    assert_int_equal(machines_read(&machines, store, &regions, &error), 0);
    bool empty = machines.count == 0;
    machines_dispose(&machines);
    return empty;
}

TEST_WITH(broken_files_are_refused_with_their_line, remove_stores, NULL) {
    static const struct {
        const char *old, *new, *wanted;
    } cases[] = {
        {"{\"format\":\"mpiskel-machine\"", "{\"format\":\"x\"",
         ":1: error: this is not a machine"},
        {"\"version\":1", "\"version\":2", ":1: error: this version"},
        {"\"machine\":\"m\"", "\"machine\":\"a b\"", ":1: error: 'machine'"},
        {"\"bundle\":\"0", "\"bundle\":\"00", ":1: error: 'bundle'"},
        {"\"program\"", "program", ":1:"},
        {"\"index\":1", "\"index\":7", ":3: error: region number 1"},
        {"{\"region\":{\"index\":2", "{\"regio\":{\"index\":2", ":4: error:"},
        {"\"id\":\"norm-00000002\"", "\"id\":\"norm-00000003\"", ":5: error: the file has the id"},
        {"\"ranks\":1", "\"ranks\":0", ":5: error: 'ranks'"},
        {"{\"run\":", "{\"runs\":", ":5: error: the line is no region, run"},
        {"{\"sample\":{\"region\":0", "{\"sample\":{\"region\":3", ":6: error: 'region'"},
        {"\"features\":[1.0,3.0]", "\"features\":[1.0]", ":6: error: 'features'"},
        {"\"timed\":10.0", "\"timed\":1e3", ":6: error: 'timed'"},
        {"[1,1,-1,1.0,0.25", "[1,2,-1,1.0,0.25", ":6: error: 'contexts'"},
        {"\"statistic\":\"minimum\"", "\"statistic\":\"least\"", ":14: error: 'statistic'"},
        {"\"left_out\":\"", "\"left_out\":\"x", ":14: error: 'left_out'"},
        {"\"share\":", "\"share\":-", ":14: error: 'error', 'total_s' or 'share'"},
        {"\"points\":3", "\"points\":-3", ":14: error: 'points'"},
        {"\"min\":[1.0,3.0]", "\"min\":[1.0]", ":14: error: 'min'"},
        {"\"lines\":\"region 0", "\"lines\":\"region 1", ":14: error: 'lines'"},
        {"\"lines\":\"region 0", "\"lines\":\"end 0\\nregion 0", ":14: error: 'lines'"},
        {"relax-3fa2c9d1 features 2", "relax-3fa2c9d1 features 1", ":14: error: 'lines'"},
        {"\"lines\":", "\"line\":", ":14: error: 'lines'"},
        {"{\"model\":{\"region\":2,\"statistic\":\"minimum\"",
         "{\"model\":{\"region\":9,\"statistic\":\"minimum\"", ":15: error: 'region'"},
        {"{\"end\":true,\"lines\":16}", "{\"end\":true,\"lines\":15}", ":18: error: the end line"},
        {"{\"end\":true,\"lines\":16}", "", ":18:0: error: not valid JSON"},
        {"{\"end\":true,\"lines\":16}\n", "", ":18: error: the file is truncated"},
        {"\"lines\":16}\n", "\"lines\":16}\nx", ":18: error: there is something after"},
    };
    size_t length = 0;
    store_close(make_store());
    char *good = NULL;
    read_file(&good, "machine", &length);
    struct str text = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct import_summary summary;
        struct error error = {0};
        text.length = 0;
        remove_stores(NULL);
        struct store *store = open_store("store.db");
        replace(&text, good, cases[i].old, cases[i].new);
        write_bytes(test_path("machine"), text.text, text.length);
        assert_int_equal(
            machine_import(&summary, test_path("machine"), store, &regions, NULL, &error), -1);
        assert_contains(error.text, cases[i].wanted);
        assert_true(is_empty(store));
        store_close(store);
    }
    str_dispose(&text);
    free(good);
}

TEST_WITH(truncated_and_damaged_files_change_nothing, remove_stores, NULL) {
    struct random random;
    size_t length = 0;
    store_close(make_store());
    char *good = NULL;
    read_file(&good, "machine", &length);
    char *bytes = xmalloc(length + 64);
    remove_stores(NULL);
    struct store *store = open_store("store.db");
    random_seed(&random, 20261120);
    for (int i = 0; i < 400; i++) {
        struct import_summary summary;
        struct error error = {0};
        size_t used = i < 100 ? length * (size_t)i / 100 : length;
        memcpy(bytes, good, length);
        if (i >= 100)
            damage(bytes, &used, &random);
        write_bytes(test_path("machine"), bytes, used);
        int result = machine_import(&summary, test_path("machine"), store, &regions, NULL, &error);
        assert_true(i >= 100 || result == -1);
        assert_true((result == 0) == !error.set);
        assert_true(result == 0 || is_empty(store));
        if (result == 0) {
            store_close(store);
            remove_stores(NULL);
            store = open_store("store.db");
        }
    }
    store_close(store);
    free(bytes);
    free(good);
}

TEST_WITH(huge_lines_are_refused, remove_stores, NULL) {
    struct str text = {0};
    struct import_summary summary;
    struct error error = {0}, deep = {0}, empty = {0};
    struct store *store = open_store("store.db");
    str_add(&text, "[1");
    while (text.length <= MACHINE_FILE_LINE_BYTES)
        str_add(&text, ",1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1");
    write_bytes(test_path("machine"), text.text, text.length);
    assert_int_equal(machine_import(&summary, test_path("machine"), store, &regions, NULL, &error),
                     -1);
    assert_contains(error.text, "machine:1: error: the line is longer than 16 MiB");
    memset(text.text, '[', 1 << 20);
    write_bytes(test_path("machine"), text.text, 1 << 20);
    assert_int_equal(machine_import(&summary, test_path("machine"), store, &regions, NULL, &deep),
                     -1);
    write_bytes(test_path("machine"), "", 0);
    assert_int_equal(machine_import(&summary, test_path("machine"), store, &regions, NULL, &empty),
                     -1);
    assert_contains(empty.text, "machine:1: error: the file is empty");
    str_dispose(&text);
    store_close(store);
}

TEST_WITH(a_machine_without_runs_is_not_exported, remove_stores, NULL) {
    struct store *store = open_store("store.db");
    struct error error = {0};
    assert_int_equal(machine_export(test_path("none"), store, &regions, "m", &error), -1);
    assert_contains(error.text, "no run of this bundle on machine 'm'");
    assert_false(file_exists(test_path("none")));
    store_close(store);
}

#define MACHINES_TEST(name) cmocka_unit_test_setup(name, remove_stores)

FIXTURE(setup, teardown)
