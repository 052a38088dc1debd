/* SPDX-License-Identifier: Apache-2.0
 *
 * Outcomes from logs written by hand; the real ones are in test_simulation.
 */
#include "support.h"

#include "base/str.h"
#include "simulator/run/outcome.h"

#include <string.h>

#define ABORT                                                                                      \
    "[node-1:1:(2) 0.5] ./src/x.cpp:138: [smpi_pmpi/WARNING] MPI_Abort was called, something\n"
#define DEADLOCK "[0.25] ./src/x.cpp:718: [ker_engine/CRITICAL] Oops! Deadlock detected, some\n"
#define ACTOR "[0.25] [ker_engine/INFO] Actor 2 (1@node-1): waiting for communication\n"
#define STALL "mpiskel: deadlock at 0.5 s: no message\n"
#define WAITS "mpiskel: rank 3 waits in MPI_Probe at src/x.c:12\n"

static struct outcome read_process(const char *log, struct process_result process,
                                   bool all_finalized) {
    struct outcome outcome;
    struct launch_result result = {.process = process, .log_file = test_path("log")};
    write_text(result.log_file, log);
    outcome_read(&outcome, &result, all_finalized);
    return outcome;
}

static struct outcome read_log(const char *log, int exit_code, bool all_finalized) {
    return read_process(log, (struct process_result){.exit_code = exit_code}, all_finalized);
}

static struct outcome read_killed(const char *log, int signal, bool all_finalized) {
    return read_process(log, (struct process_result){.exit_code = 128 + signal, .signal = signal},
                        all_finalized);
}

TEST(codes_above_128_are_no_signals) {
    const int codes[] = {128, 129, 134, 137, 139, 255};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        struct outcome finalized = read_log("", codes[i], true),
                       left = read_log("", codes[i], false);
        assert_int_equal(finalized.kind, OUTCOME_FINE);
        assert_int_equal(finalized.exit_code, codes[i]);
        assert_int_equal(left.kind, OUTCOME_UNFINISHED);
        assert_false(left.is_of_memory);
        assert_null(strstr(left.text, "signal"));
    }
}

TEST(usage_and_an_error_are_a_refusal) {
    struct outcome refused = read_log("\tUsage: app N\n", 1, true);
    assert_int_equal(refused.kind, OUTCOME_REFUSED);
    assert_non_null(strstr(refused.text, "returned 1 and printed its usage"));
    assert_int_equal(read_log("usage: app N\n", 0, true).kind, OUTCOME_FINE);
    assert_int_equal(read_log("memory usage: 3\nusage of 3\n", 1, true).kind, OUTCOME_FINE);
}

TEST(finalized_ranks_decide) {
    assert_int_equal(read_log("", 0, true).kind, OUTCOME_FINE);
    assert_int_equal(read_log(DEADLOCK ABORT, 0, true).kind, OUTCOME_FINE);
    assert_int_equal(read_log("", 5, true).exit_code, 5);
    assert_int_equal(read_log("", 5, true).kind, OUTCOME_FINE);
    assert_int_equal(read_killed("", 11, true).kind, OUTCOME_CRASHED);
    assert_int_equal(read_log("", 0, false).kind, OUTCOME_UNFINISHED);
}

TEST(models_that_the_skeleton_alone_cannot_read_ask_for_generate) {
    struct outcome outcome = read_log("a.skel/model.bsim:4: error: 'x' instead of 'end'; run "
                                      "`mpiskel fit` again to write a new model\n",
                                      1, false);
    assert_int_equal(outcome.kind, OUTCOME_UNFINISHED);
    assert_contains(outcome.text, "run `mpiskel generate` again");
    assert_null(strstr(outcome.text, "fit"));
}

TEST(words_of_simgrid_explain) {
    struct outcome aborted = read_log(ABORT DEADLOCK ACTOR, 0, false);
    assert_int_equal(aborted.kind, OUTCOME_ABORTED);
    assert_string_equal(aborted.text, "rank 1 called MPI_Abort at 0.5 s");
    struct outcome deadlocked = read_log(DEADLOCK ACTOR, 0, false);
    assert_int_equal(deadlocked.kind, OUTCOME_DEADLOCKED);
    assert_contains(deadlocked.text, "deadlock at 0.25 s");
    assert_contains(deadlocked.text, "\n  Actor 2 (1@node-1): waiting");
    struct outcome asking = read_log(WAITS STALL, 1, false);
    assert_int_equal(asking.kind, OUTCOME_DEADLOCKED);
    assert_string_equal(asking.text, "deadlock at 0.5 s: no message\n"
                                     "  rank 3 waits in MPI_Probe at src/x.c:12");
    struct outcome crashed = read_killed("", 11, false);
    assert_contains(crashed.text, "signal 11 (Segmentation fault)");
}

TEST(words_of_the_application_do_not) {
    struct outcome outcome = read_log("Deadlock detected\nMPI_Abort was called\n", 0, false);
    assert_int_equal(outcome.kind, OUTCOME_UNFINISHED);
    assert_contains(outcome.text, "\n  MPI_Abort was called");
}

TEST(long_logs_are_cut) {
    struct str log = {0};
    for (int i = 0; i < 100000; i++)
        str_add(&log, "all work and no play ");
    str_add(&log, "\n" DEADLOCK);
    for (int i = 0; i < 1000; i++)
        str_add(&log, ACTOR);
    struct outcome outcome = read_log(log.text, 0, false);
    assert_int_equal(outcome.kind, OUTCOME_DEADLOCKED);
    assert_true(strlen(outcome.text) < sizeof outcome.text);
    str_dispose(&log);
}

FIXTURE(directory_setup, directory_teardown)
