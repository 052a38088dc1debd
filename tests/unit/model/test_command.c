/* SPDX-License-Identifier: Apache-2.0
 *
 * `mpiskel fit` as a whole, on bundles written by hand: exit codes, what it prints where, what it
 * leaves in the bundle. Each call is a process of its own, since argp ends it on --help.
 */
#include "support.h"

#include "base/file.h"
#include "base/json.h"
#include "base/str.h"
#include "cli/common/commands.h"
#include "model/eval/eval.h"

#include <argp.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char *output, *errors; /* of the last call */

static void run_child(char **argv, int argc) {
    if (freopen(test_path("out"), "w", stdout) == NULL ||
        freopen(test_path("err"), "w", stderr) == NULL || chdir(test_path(".")) != 0)
        _exit(99);
    argp_err_exit_status = EXIT_USAGE;
    exit(command_fit(argc, argv));
}

/* The exit code of `mpiskel fit ARGUMENTS` in the temporary directory. */
#define call(...) call_with((char *[]){"fit", __VA_ARGS__, NULL})
static int call_with(char **argv) {
    int argc = 0, status = 0;
    while (argv[argc] != NULL)
        argc++;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        run_child(argv, argc);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    free(output);
    free(errors);
    output = read_text(test_path("out"));
    errors = read_text(test_path("err"));
    return WEXITSTATUS(status);
}

/* Region 0 takes 1e-7 + 2e-9 n1 + 3e-9 n2, region 2 takes 5e-9 n1 (times `factor`), region 1 is
 * not reached. */
static void write_samples_as(int ranks, const char *name, int run, double factor,
                             double reference_s) {
    struct str text = {0};
    double n1 = 100 << run, n2 = 1000 * (1 + run * 7 % 4);
    str_printf(&text,
               "{\"format\":\"mpiskel-samples\",\"version\":1,\"bundle\":\"" TEST_BUNDLE
               "\",\"run\":\"%s\",\"ranks\":%d,\"host\":\"h\",\"cpu\":\"c\",\"args\":[],"
               "\"reference_s\":%g,\"timer_overhead_s\":0,\"complete\":%s}\n",
               name, ranks, reference_s, run == 0 ? "false" : "true");
    for (int rank = 0; rank < ranks; rank++)
        str_printf(&text,
                   "{\"region\":0,\"rank\":%d,\"features\":[%g,%g],\"count\":10,\"timed\":10,"
                   "\"seconds\":%.17g,\"squares\":0,\"min\":0,\"max\":0}\n"
                   "{\"region\":2,\"rank\":%d,\"features\":[%g],\"count\":10,\"timed\":10,"
                   "\"seconds\":%.17g,\"squares\":0,\"min\":0,\"max\":0}\n",
                   rank, n1, n2, 1e-6 + 2e-8 * n1 + 3e-8 * n2, rank, n1, 5e-8 * n1 * factor);
    str_printf(&text, "{\"end\":true,\"lines\":%d}\n", 2 * ranks);
    struct str path = {0};
    str_printf(&path, "a.skel/samples/%s.samples", name);
    write_text(test_path(path.text), text.text);
    str_dispose(&path);
    str_dispose(&text);
}

static void write_samples_on(int ranks, const char *name, int run, double factor) {
    write_samples_as(ranks, name, run, factor, 0);
}

static void write_samples(const char *name, int run, double factor) {
    write_samples_on(2, name, run, factor);
}

static void write_all_samples(void) {
    write_samples("r0", 0, 1);
    write_samples("r1", 1, 1);
    write_samples("r2", 2, 1);
    write_samples("r3", 3, 1);
}

/* Each test begins with a bundle without samples. */
static int new_bundle(void **state) {
    struct error error = {0};
    if (directory_remove(test_path("a.skel"), &error) != 0 ||
        directory_make(test_path("a.skel/samples"), &error) != 0)
        return -1;
    write_text(test_path("a.skel/regions.json"), regions_text());
    return 0;
}

static void check_model_file(const char *machine) {
    struct bsim_model *model = NULL;
    char text[256] = "";
    if (bsim_model_load(&model, test_path("a.skel/model.bsim"), TEST_BUNDLE, text, sizeof text) !=
        0)
        fail_msg("%s", text);
    assert_string_equal(bsim_model_machine(model), machine);
    assert_non_null(bsim_model_region(model, 0));
    assert_null(bsim_model_region(model, 1));
    double at = bsim_region_latency_s(bsim_model_region(model, 0), (double[]){1e4, 1e5});
    assert_true(fabs(at / 3.201e-4 - 1) < 1e-3);
    bsim_model_free(model);
}

TEST_WITH(samples_become_a_model_and_a_table, new_bundle, NULL) {
    write_all_samples();
    assert_int_equal(call("a.skel"), EXIT_FINE);
    assert_contains(output, "heat3d.c:120");
    assert_contains(output, "1e-07 + 2e-09*n1 + 3e-09*n2");
    assert_contains(output, "n1 100..800, n2 1000..4000");
    assert_contains(output, "5e-09*n1  n1 100..800");
    assert_contains(output, "heat3d.c:20  no samples");
    assert_contains(output, "error, weighted by time: 0.0% (of runs left out of the fit)");
    assert_contains(output, "1 of 3 regions have no samples");
    assert_contains(errors, "4 profiling runs imported");
    assert_contains(errors, "r0.samples: this run ended early");
    check_model_file("default");
}

TEST_WITH(runs_on_a_disturbed_machine_are_told, new_bundle, NULL) {
    static const double references_s[] = {0.0101, 0.01, 0.0138, 0.0108};
    for (int run = 0; run < 4; run++) {
        char name[] = {'r', (char)('0' + run), '\0'};
        write_samples_as(2, name, run, 1, references_s[run]);
    }
    assert_int_equal(call("a.skel"), EXIT_FINE);
    assert_contains(errors, "1 of 4 profiling runs were made while the machine was slower, by up "
                            "to 38 %: others used its cores, or its clock was lower (r2).");
    write_samples_as(2, "r4", 0, 1, 0);
    write_samples_as(2, "r5", 0, 1, 0.0137);
    assert_int_equal(call("a.skel"), EXIT_FINE);
    assert_contains(errors, "2 of 6 profiling runs were made while the machine was slower");
    assert_contains(errors, "(r2, r5)");
    assert_int_equal(call("a.skel"), EXIT_FINE);
    assert_true(strstr(errors, "slower") == NULL); /* it was told */
    write_samples_as(2, "r6", 1, 1, 0.0101);
    assert_int_equal(call("a.skel"), EXIT_FINE);
    assert_true(strstr(errors, "slower") == NULL); /* the new run is no news of it */
    write_samples_as(2, "r7", 2, 1, 0.009);
    assert_int_equal(call("a.skel"), EXIT_FINE);
    assert_contains(errors, "6 of 8 profiling runs were made while"); /* four that looked fine */
}

TEST_WITH(fitting_again_gives_the_same, new_bundle, NULL) {
    write_all_samples();
    assert_int_equal(call("a.skel"), EXIT_FINE);
    char *model = read_text(test_path("a.skel/model.bsim")), *table = strdup(output);
    assert_int_equal(call("a.skel"), EXIT_FINE);
    assert_true(file_is(test_path("a.skel/model.bsim"), model, strlen(model)));
    assert_string_equal(output, table);
    assert_string_equal(errors,
                        "mpiskel: no profiling run was repeated: by how much executions differ by "
                        "chance, which makes ranks wait for each other, is guessed from their "
                        "variance; make each run two or three times\n");
    free(model);
    free(table);
}

TEST_WITH(json_and_csv_say_the_same, new_bundle, NULL) {
    write_all_samples();
    assert_int_equal(call("--format=json", "a.skel"), EXIT_FINE);
    json_error_t place;
    json_t *report = json_loads(output, 0, &place);
    assert_non_null(report);
    assert_string_equal(json_get_text(report, "format"), "mpiskel-fit");
    const json_t *region = json_array_get(json_object_get(report, "regions"), 0);
    assert_string_equal(json_get_text(region, "formula"), "1e-07 + 2e-09*n1 + 3e-09*n2");
    assert_string_equal(json_get_text(region, "left_out"), "runs");
    assert_int_equal(json_get_integer(region, "points", 0), 4);
    assert_int_equal(json_array_size(json_object_get(region, "terms")), 3);
    assert_true(json_is_false(
        json_object_get(json_array_get(json_object_get(report, "regions"), 1), "fitted")));
    json_decref(report);
    assert_int_equal(call("--format=csv", "a.skel"), EXIT_FINE);
    assert_contains(output, "region,id,file,line,fitted,total_s,share,formula,points,runs,error,"
                            "left_out,note\n0,relax-3fa2c9d1,\"heat3d.c\",120,1,");
    assert_contains(output, ",\"1e-07 + 2e-09*n1 + 3e-09*n2\",4,4,");
    assert_contains(output, "\n1,setup-00000001,\"heat3d.c\",20,0,0,0,,0,0,,,\n");
}

TEST_WITH(runs_on_one_rank_only_are_told, new_bundle, NULL) {
    write_samples_on(1, "r1", 1, 1);
    write_samples_on(1, "r2", 2, 1);
    assert_int_equal(call("a.skel"), EXIT_FINE);
    assert_contains(errors, "all profiling runs were on one rank");
    assert_contains(output, "2 configurations only, profile others");
    write_samples("r3", 3, 1);
    assert_int_equal(call("a.skel"), EXIT_FINE);
    assert_null(strstr(errors, "one rank"));
}

TEST_WITH(runs_that_were_not_repeated_are_told, new_bundle, NULL) {
    write_samples_on(1, "r1", 1, 1);
    write_samples_on(2, "r2", 2, 1);
    assert_int_equal(call("a.skel"), EXIT_FINE);
    assert_contains(errors, "no profiling run was repeated");
    write_samples_on(2, "r3", 2, 1);
    assert_int_equal(call("a.skel"), EXIT_FINE);
    assert_null(strstr(errors, "repeated"));
}

TEST_WITH(formulas_are_printed_in_the_asked_style, new_bundle, NULL) {
    write_all_samples();
    assert_int_equal(call("--formulas=latex", "a.skel"), EXIT_FINE);
    assert_contains(output, "1 \\cdot 10^{-7} + 2 \\cdot 10^{-9} \\, n_{1} + ");
    assert_int_equal(call("--formulas=fortran", "a.skel"), EXIT_USAGE);
}

TEST_WITH(a_large_error_misses_the_asked_quality, new_bundle, NULL) {
    write_samples("r0", 0, 1);
    write_samples("r1", 1, 3);
    write_samples("r2", 2, 0.2);
    write_samples("r3", 3, 5);
    assert_int_equal(call("--max-error", "5", "a.skel"), EXIT_MISSED);
    assert_contains(errors, "more than --max-error 5");
    assert_contains(output, "heat3d.c:120");
    check_model_file("default");
    assert_int_equal(call("--max-error", "100000", "a.skel"), EXIT_FINE);
}

TEST_WITH(machines_are_fitted_apart, new_bundle, NULL) {
    write_all_samples();
    assert_int_equal(call("--machine", "cluster-1", "a.skel"), EXIT_FINE);
    check_model_file("cluster-1");
    assert_int_equal(call("a.skel"), EXIT_FAILED);
    assert_contains(errors, "no profiling run of machine 'default', only of: cluster-1");
    check_model_file("cluster-1");
}

TEST_WITH(missing_things_are_told, new_bundle, NULL) {
    assert_int_equal(call("none.skel"), EXIT_FAILED);
    assert_contains(errors, "there is no bundle none.skel");
    assert_contains(errors, "mpiskel generate -o none.skel");
    assert_int_equal(call("a.skel"), EXIT_FAILED);
    assert_contains(errors,
                    "a.skel has no samples; run `mpirun --oversubscribe -np 2 a.skel/profile");
    assert_false(file_exists(test_path("a.skel/model.bsim")));
}

TEST_WITH(bad_samples_files_are_all_told_and_no_model_is_written, new_bundle, NULL) {
    write_all_samples();
    write_text(test_path("a.skel/samples/s1.samples"), "{\"format\":\"mpiskel-sam");
    write_text(test_path("a.skel/samples/s2.samples"),
               "{\"format\":\"mpiskel-samples\",\"version\":1,\"bundle\":\"ffffffffffffffff\"}\n");
    assert_int_equal(call("a.skel"), EXIT_FAILED);
    assert_contains(errors, "a.skel/samples/s1.samples:1: error: the file is truncated");
    assert_contains(errors, "a.skel/samples/s2.samples:1: error: these samples are foreign");
    assert_contains(errors, "2 of 6 samples files cannot be used");
    assert_string_equal(output, "");
    assert_false(file_exists(test_path("a.skel/model.bsim")));
    assert_int_equal(unlink(test_path("a.skel/samples/s1.samples")), 0);
    assert_int_equal(unlink(test_path("a.skel/samples/s2.samples")), 0);
    assert_int_equal(call("a.skel"), EXIT_FINE);
}

TEST_WITH(a_run_without_regions_is_left_out, new_bundle, NULL) {
    write_all_samples();
    write_text(test_path("a.skel/samples/s1.samples"),
               "{\"format\":\"mpiskel-samples\",\"version\":1,\"bundle\":\"" TEST_BUNDLE
               "\",\"run\":\"s1\",\"ranks\":2,\"host\":\"\",\"cpu\":\"\",\"args\":[],"
               "\"clock\":\"none\",\"complete\":true}\n{\"end\":true,\"lines\":0}\n");
    assert_int_equal(call("a.skel"), EXIT_FINE);
    assert_contains(errors, "a.skel/samples/s1.samples: this run measured no regions");
    assert_contains(errors, "4 profiling runs imported");
}

TEST_WITH(a_foreign_store_is_told, new_bundle, NULL) {
    write_all_samples();
    write_text(test_path("a.skel/store.db"), "hello");
    assert_int_equal(call("a.skel"), EXIT_FAILED);
    assert_contains(errors, "a.skel/store.db: error: file is not a database");
    assert_true(file_is(test_path("a.skel/store.db"), "hello", 5));
}

TEST_WITH(one_size_is_told, new_bundle, NULL) {
    write_samples("r1", 1, 1);
    assert_int_equal(call("a.skel"), EXIT_FINE);
    assert_contains(output, "there is one problem size only; profile others");
    assert_contains(output, "(one feature vector only, taken as proportional to n2)");
}

TEST_WITH(sizes_that_are_no_feature_are_not_said_to_be_one_size, new_bundle, NULL) {
    write_samples("r1", 1, 1);
    write_text(test_path("a.skel/samples/r2.samples"),
               "{\"format\":\"mpiskel-samples\",\"version\":1,\"bundle\":\"" TEST_BUNDLE
               "\",\"run\":\"r2\",\"ranks\":2,\"host\":\"h\",\"cpu\":\"c\",\"args\":[\"2\"],"
               "\"timer_overhead_s\":0,\"complete\":true}\n"
               "{\"region\":2,\"rank\":0,\"features\":[200],\"count\":10,\"timed\":10,"
               "\"seconds\":2e-5,\"squares\":0,\"min\":0,\"max\":0}\n"
               "{\"end\":true,\"lines\":1}\n");
    assert_int_equal(call("a.skel"), EXIT_FINE);
    assert_null(strstr(output, "one problem size"));
    assert_contains(output, "all runs have the same features: profile sizes by which loops");
}

TEST_WITH(usage_errors_exit_with_64, new_bundle, NULL) {
    assert_int_equal(call(NULL), EXIT_USAGE);
    assert_contains(errors, "which bundle?");
    assert_int_equal(call("a.skel", "b.skel"), EXIT_USAGE);
    assert_contains(errors, "one bundle only");
    assert_int_equal(call("--format=xml", "a.skel"), EXIT_USAGE);
    assert_contains(errors, "not 'xml'");
    assert_int_equal(call("--machine", "a b", "a.skel"), EXIT_USAGE);
    assert_contains(errors, "a machine's name has");
    assert_int_equal(call("--max-error=-1", "a.skel"), EXIT_USAGE);
    assert_int_equal(call("--max-error=nan", "a.skel"), EXIT_USAGE);
    assert_int_equal(call("--max-error=5x", "a.skel"), EXIT_USAGE);
    assert_contains(errors, "not '5x'");
}

TEST_WITH(help_is_complete, new_bundle, NULL) {
    assert_int_equal(call("--help"), EXIT_FINE);
    assert_contains(output, "Usage: mpiskel fit [OPTION...] APP.skel");
    assert_contains(output, "--machine=NAME");
    assert_contains(output, "--max-error=PERCENT");
    assert_contains(output, "--format=text|json|csv");
    assert_contains(output, "mpirun -np 2 APP.skel/profile");
}

static int teardown(void **state) {
    free(output);
    free(errors);
    return directory_teardown(state);
}

#define COMMAND_TEST(name) cmocka_unit_test_setup(name, new_bundle)

FIXTURE(directory_setup, teardown)
