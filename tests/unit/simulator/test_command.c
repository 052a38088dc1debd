/* SPDX-License-Identifier: Apache-2.0
 *
 * `mpiskel run` and `mpiskel verify` as a whole, on a bundle whose programs are application.c: exit
 * codes, and what is printed where. Each call is a process of its own, since argp may end it.
 */
#include "support.h"

#include "base/file.h"
#include "base/json.h"
#include "cli/common/commands.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char *output, *errors; /* of the last call */

#define REGIONS                                                                                    \
    "{\"format\":\"mpiskel-regions\",\"version\":3,\"bundle\":"                                    \
    "\"0123456789abcdef\","                                                                        \
    "\"program\":\"app\",\"root\":\"/r\",\"regions\":["                                            \
    "{\"index\":0,\"id\":\"a-1\",\"function\":\"a\",\"file\":\"a.c\",\"line\":1,\"end_line\":2,"   \
    "\"summary\":\"1 loop\",\"features\":[{\"name\":\"n1\",\"expression\":\"n\","                  \
    "\"meaning\":\"m\"}]}]}"
#define MODEL                                                                                      \
    "mpiskel-model 1\nbundle 0123456789abcdef\nmachine default\n"                                  \
    "region 0 a-1 features 1 terms 1 range 64 64\nterm 1e-6 1\nend 1\n"
#define PLATFORM                                                                                   \
    "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"      \
    "<platform version=\"4.1\"><zone id=\"w\" routing=\"Full\">\n"                                 \
    "<cluster id=\"c\" prefix=\"h\" suffix=\"\" radical=\"0-1\" speed=\"1Gf\" bw=\"1GBps\" "       \
    "lat=\"1us\"/>\n</zone></platform>\n"

static int setup(void **state) {
    directory_setup(state);
    write_text(test_path("app.skel/regions.json"), REGIONS);
    write_text(test_path("app.skel/model.bsim"), MODEL);
    write_text(test_path("p.xml"), PLATFORM);
    write_text(test_path("broken.xml"), "<platform>\n<host");
    write_text(test_path("empty.skel/x"), "");
    compile_application(test_path("app.skel/original"), NULL);
    compile_application(test_path("app.skel/skeleton"), "-DSKELETON");
    return 0;
}

static int teardown(void **state) {
    free(output);
    free(errors);
    return directory_teardown(state);
}

static void run_child(int (*command)(int, char **), char **argv, int argc) {
    if (freopen(test_path("out"), "w", stdout) == NULL ||
        freopen(test_path("err"), "w", stderr) == NULL || chdir(test_path(".")) != 0)
        _exit(99);
    setenv("TMPDIR", test_path("."), 1);
    argp_err_exit_status = EXIT_USAGE;
    exit(command(argc, argv));
}

/* The exit code of a command that runs in the temporary directory. */
#define run(...) call(command_run, (char *[]){"run", __VA_ARGS__, NULL})
#define verify(...) call(command_verify, (char *[]){"verify", __VA_ARGS__, NULL})
static int call(int (*command)(int, char **), char **argv) {
    int argc = 0, status = 0;
    while (argv[argc] != NULL)
        argc++;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        run_child(command, argv, argc);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    free(output);
    free(errors);
    output = read_text(test_path("out"));
    errors = read_text(test_path("err"));
    return WEXITSTATUS(status);
}

TEST(run_reports_after_the_applications_output) {
    assert_int_equal(run("app.skel", "-np", "4", "--", "fine"), 0);
    assert_contains(output, "argument [fine]\napp on 4 ranks: predicted time ");
    assert_contains(output, "           4            1  50.00%        ?  a.c:1 a: 1 loop");
    assert_contains(output, "2x  a.c:1 n1: m was 64 to 128, fitted on 64 to 64");
    assert_contains(errors, "MiB of memory");
}

TEST(run_prints_nothing_but_json_on_stdout) {
    assert_int_equal(run("app.skel", "-np", "4", "--format=json"), 0);
    json_t *first = json_loads(output, 0, NULL);
    assert_non_null(first);
    assert_int_equal(run("app.skel", "-np", "4", "--format=json", "--", "fine"), 0);
    assert_contains(errors, "argument [fine]");
    json_t *second = json_loads(output, 0, NULL);
    json_t *fine = json_pack("[s]", "fine");
    assert_int_equal(json_array_size(json_object_get(first, "arguments")), 0);
    assert_true(json_equal(json_object_get(second, "arguments"), fine));
    json_decref(fine);
    static const char *const differing[] = {"simulation", "arguments"};
    for (size_t i = 0; i < sizeof differing / sizeof differing[0]; i++) {
        assert_int_equal(json_object_del(first, differing[i]), 0);
        assert_int_equal(json_object_del(second, differing[i]), 0);
    }
    assert_true(json_equal(first, second));
    json_decref(first);
    json_decref(second);
}

TEST(run_tells_failures) {
    assert_int_equal(run("app.skel", "-np", "3", "--", "abort"), 1);
    assert_contains(errors, "mpiskel: error: rank 1 called MPI_Abort");
    assert_null(strstr(output, "predicted"));
    assert_int_equal(run("app.skel", "-np", "3", "--", "deadlock"), 1);
    assert_contains(errors, "mpiskel: error: deadlock at");
    assert_int_equal(run("app.skel", "-np", "3", "--", "crash"), 1);
    assert_contains(errors, "signal 11");
    assert_int_equal(run("app.skel", "-np", "3", "--", "silent"), 1);
    assert_int_equal(run("app.skel", "-np", "3", "--", "partial"), 1);
    assert_int_equal(run("app.skel", "-np", "3", "--", "returns-5"), 5);
    assert_contains(output, "predicted time");
}

TEST(run_tells_mistakes) {
    assert_int_equal(run("none.skel", "-np", "2"), 1);
    assert_contains(errors, "there is no bundle none.skel");
    assert_int_equal(run("empty.skel", "-np", "2"), 1);
    assert_contains(errors, "empty.skel is not a bundle");
    assert_int_equal(run("app.skel", "-np", "0"), 64);
    assert_contains(errors, "-np is zero");
    assert_int_equal(run("app.skel"), 64);
    assert_int_equal(run("app.skel", "-np", "3", "--platform", "p.xml"), 1);
    assert_contains(errors, "p.xml has 2 hosts");
    assert_contains(errors, "--ranks-per-node 2");
    assert_int_equal(run("app.skel", "-np", "3", "--platform", "broken.xml"), 1);
    assert_contains(errors, "broken.xml:2:1: error: not well-formed XML");
    assert_int_equal(run("app.skel", "-np", "3", "--platform", "p.xml", "--bandwidth", "1GBps"),
                     64);
    assert_int_equal(run("app.skel", "-np", "3", "--hostfile", "h"), 64);
    assert_int_equal(run("app.skel", "-np", "3", "--platform", "p.xml", "--ranks-per-node", "2"),
                     0);
    assert_contains(output, "app on 3 ranks");
}

TEST(run_refuses_missing_and_foreign_models) {
    remove(test_path("app.skel/model.bsim"));
    assert_int_equal(run("app.skel", "-np", "2"), 1);
    assert_contains(errors, "has no model.bsim");
    assert_contains(errors, "mpiskel fit");
    assert_int_equal(run("app.skel", "-np", "2", "--original"), 0);
    assert_contains(output, "app (the original) on 2 ranks: simulated time");
    write_text(test_path("app.skel/model.bsim"),
               "mpiskel-model 1\nbundle ffffffffffffffff\nmachine default\nend 0\n");
    assert_int_equal(run("app.skel", "-np", "2"), 1);
    assert_contains(errors, "model.bsim");
    write_text(test_path("app.skel/model.bsim"), MODEL);
}

#define SPREAD "spread 0.1 0 0 0 0.5\n"

TEST(run_repeats_with_other_draws) {
    assert_int_equal(run("app.skel", "-np", "2", "--distribution", "--repeat", "2"), 1);
    assert_contains(errors, "model.bsim tells nothing of the errors of its models; profile at");
    write_text(test_path("app.skel/model.bsim"),
               "mpiskel-model 1\nbundle 0123456789abcdef\nmachine default\n"
               "region 0 a-1 features 1 terms 1 range 64 64\nterm 1e-6 1\n" SPREAD "end 1\n");
    assert_int_equal(run("app.skel", "-np", "2", "--distribution", "--repeat", "5", "--seed", "10",
                         "--format=json", "--", "fine"),
                     0);
    json_t *root = json_loads(output, 0, NULL);
    json_t *noise = json_object_get(root, "noise");
    assert_non_null(noise);
    assert_int_equal(json_array_size(json_object_get(noise, "times_s")), 5);
    assert_true(json_number_value(json_array_get(json_object_get(noise, "times_s"), 4)) == 14);
    assert_true(json_get_number(noise, "median_s", 0) == 12);
    assert_true(json_get_number(noise, "mean_s", 0) == 12);
    assert_true(json_get_number(noise, "min_s", 0) == 10);
    assert_true(json_get_number(noise, "max_s", 0) == 14);
    assert_true(json_get_number(noise, "low_s", 0) == 10.1);
    assert_true(json_get_number(noise, "high_s", 0) == 13.9);
    assert_true(json_get_number(root, "predicted_s", 0) < 1); /* with no other draws */
    json_decref(root);
    assert_int_equal(run("app.skel", "-np", "2", "--distribution", "--repeat=3", "--", "fine"), 0);
    assert_contains(output,
                    "distribution: median 2 s, mean 2 s, 95 % of 3 simulations from 1.05 to "
                    "2.95 s, all from 1 to 3 s (seed 1)");
    assert_int_equal(run("app.skel", "-np", "2", "--distribution", "--repeat=1", "--format=csv"),
                     0);
    assert_contains(output, "\nnoise_time_s,0,,,1,,\n");
    assert_int_equal(run("app.skel", "-np", "2", "--distribution", "--", "noise-abort"), 1);
    assert_contains(errors, "error: with other draws (simulation 0): rank 1 called MPI_Abort");
    assert_int_equal(run("app.skel", "-np", "2", "--repeat=2"), 64);
    assert_contains(errors, "--repeat goes with --distribution");
    assert_int_equal(run("app.skel", "-np", "2", "--distribution", "--original"), 64);
    assert_int_equal(run("app.skel", "-np", "2", "--distribution", "--seed=-1"), 64);
    assert_contains(errors, "--seed takes a whole number, not '-1'");
    write_text(test_path("app.skel/model.bsim"), MODEL);
}

TEST(verify_compares_both_sides) {
    assert_int_equal(verify("app.skel", "-np", "3", "--", "fine"), 0);
    assert_string_equal(output, "identical: 9 calls on 3 ranks\n");
    assert_int_equal(verify("app.skel", "-np", "3", "--", "tag"), 2);
    assert_contains(output, "different: 2 of 3 ranks; the lowest is rank 1, at its call 2");
    assert_contains(output, "at application.c:2\n");
    assert_contains(output, "at application.c:12\n");
    assert_int_equal(verify("app.skel", "-np", "3", "--multiset", "--format=json", "--", "tag"), 2);
    json_t *root = json_loads(output, 0, NULL);
    assert_non_null(root);
    assert_true(json_is_false(json_object_get(root, "identical")));
    json_decref(root);
}

/* The programs here write no volume files. */
TEST(verify_cannot_tolerate_what_it_cannot_sum_up) {
    assert_int_equal(verify("app.skel", "-np", "3", "--", "tag"), 2);
    assert_contains(errors, "mpiskel: no sums of calls and bytes: there is no ");
    assert_int_equal(verify("app.skel", "-np", "3", "--tolerance", "50", "--", "tag"), 1);
    assert_contains(errors, "mpiskel: error: no sums of calls and bytes: there is no ");
    assert_int_equal(verify("app.skel", "-np", "3", "--tolerance=50%", "--", "fine"), 0);
    assert_string_equal(output, "identical: 9 calls on 3 ranks\n");
    assert_int_equal(verify("app.skel", "-np", "3", "--tolerance=50", "--", "lone-abort"), 1);
    assert_int_equal(verify("app.skel", "-np", "3", "--tolerance", "-1", "--", "fine"), 64);
    assert_int_equal(verify("app.skel", "-np", "3", "--tolerance", "1%%", "--", "fine"), 64);
    assert_int_equal(verify("app.skel", "-np", "3", "--tolerance", "inf", "--", "fine"), 64);
    assert_contains(errors, "--tolerance takes a number of percent, not 'inf'");
    assert_int_equal(verify("app.skel", "-np", "3", "--rank-tolerance", "5", "--", "fine"), 64);
    assert_contains(errors, "say with --tolerance by how much all of them together may differ");
    assert_int_equal(verify("app.skel", "-np", "3", "--tolerance=5", "--rank-tolerance=4"), 64);
    assert_contains(errors, "--rank-tolerance is at least --tolerance");
}

TEST(verify_tells_which_side_fails) {
    assert_int_equal(verify("app.skel", "-np", "3", "--", "abort"), 0);
    assert_contains(errors, "identical up to MPI_Abort");
    assert_int_equal(verify("app.skel", "-np", "3", "--", "lone-abort"), 1);
    assert_contains(errors, "error: the skeleton failed: rank 1 called MPI_Abort");
    assert_null(strstr(errors, "the original failed"));
    assert_int_equal(verify("app.skel", "-np", "3", "--", "crash"), 1);
    assert_contains(errors, "error: the original failed: the simulation was ended by signal 11");
    assert_contains(output, "not verified: the ");
    assert_contains(output, " that were recorded before it failed agree");
    assert_int_equal(verify("app.skel", "-np", "3", "--", "silent"), 1);
    assert_null(strstr(output, "identical"));
}

TEST(verify_keeps_records_on_demand) {
    assert_int_equal(verify("app.skel", "-np", "2", "--keep", "kept"), 0);
    assert_true(file_exists(test_path("kept/skeleton/rank-1.calls")));
    assert_int_equal(verify("app.skel", "-np", "2", "--keep", "kept"), 1);
    assert_contains(errors, "not empty");
}

FIXTURE(setup, teardown)
