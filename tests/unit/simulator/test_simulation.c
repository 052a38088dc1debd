/* SPDX-License-Identifier: Apache-2.0
 *
 * Real simulations of application.c: each way to end is told from the others.
 */
#include "support.h"

#include "base/file.h"
#include "simulator/network/platform.h"
#include "simulator/run/outcome.h"
#include "simulator/run/stats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RANKS 3

static int setup(void **state) {
    struct error error = {0};
    struct platform_spec spec = platform_spec_default(RANKS);
    static const char *const hosts[] = {"node-0", "node-1", "node-2"};
    directory_setup(state);
    compile_application(test_path("application"), NULL);
    assert_fine(platform_write(test_path("p.xml"), &spec, &error), &error);
    assert_fine(hostfile_write(test_path("hosts"), hosts, RANKS, RANKS, 1, false, "p", &error),
                &error);
    return 0;
}

/* Paths of the result belong to the arena. */
static int simulate(struct launch_result *out, char **arguments, size_t count, struct arena *arena,
                    struct error *error) {
    remove(test_path("stats.json"));
    struct launch launch = {
        .program = test_path("application"),
        .arguments = arguments,
        .argument_count = count,
        .ranks = RANKS,
        .platform_file = test_path("p.xml"),
        .host_file = test_path("hosts"),
        .work_directory = test_path("."),
        .collectives = "tree",
        .output = OUTPUT_TO_LOG,
    };
    return launch_run(out, &launch, arena, error);
}

static struct outcome outcome_of(char *mode) {
    struct arena arena;
    struct launch_result result;
    struct outcome outcome;
    struct run_stats stats;
    struct error error = {0}, no_stats = {0};
    arena_init(&arena);
    assert_fine(simulate(&result, &mode, 1, &arena, &error), &error);
    bool finalized = run_stats_read(&stats, result.stats_file, &no_stats) == 0;
    if (finalized) {
        finalized = stats.finalized == RANKS;
        run_stats_dispose(&stats);
    }
    outcome_read(&outcome, &result, finalized);
    arena_dispose(&arena);
    return outcome;
}

TEST(endings_are_told_apart) {
    static const struct {
        char mode[16];
        enum outcome_kind kind;
        const char *text;
    } table[] = {
        {"fine", OUTCOME_FINE, ""},
        {"liar", OUTCOME_FINE, ""},
        {"returns-5", OUTCOME_FINE, ""},
        {"abort", OUTCOME_ABORTED, "rank 1 called MPI_Abort"},
        {"deadlock", OUTCOME_DEADLOCKED, "Actor 2 (1@node-1)"},
        {"crash", OUTCOME_CRASHED, "signal 11 (Segmentation fault)"},
        {"no-finalize", OUTCOME_UNFINISHED, "not every rank reached MPI_Finalize"},
        {"silent", OUTCOME_UNFINISHED, "not every rank reached MPI_Finalize"},
        {"partial", OUTCOME_UNFINISHED, "not every rank reached MPI_Finalize"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct outcome outcome = outcome_of((char *)table[i].mode);
        if (outcome.kind != table[i].kind)
            print_error("%s: %s\n", table[i].mode, outcome.text);
        assert_int_equal(outcome.kind, table[i].kind);
        assert_contains(outcome.text, table[i].text);
    }
    assert_int_equal(outcome_of("returns-5").exit_code, 5);
}

TEST(arguments_arrive_as_they_are) {
    static char *arguments[] = {"fine", "two words", "", "--help", "--cfg=a:b", "*", "$HOME"};
    struct arena arena;
    struct launch_result result;
    struct error error = {0};
    arena_init(&arena);
    assert_fine(simulate(&result, arguments, 7, &arena, &error), &error);
    char *log = read_text(result.log_file);
    assert_contains(log, "argument [fine]\nargument [two words]\nargument []\nargument [--help]\n"
                         "argument [--cfg=a:b]\nargument [*]\nargument [$HOME]\n");
    free(log);
    arena_dispose(&arena);
}

TEST(double_dash_is_refused) {
    static char *arguments[] = {"fine", "--"};
    struct arena arena;
    struct launch_result result;
    struct error error = {0};
    arena_init(&arena);
    assert_int_equal(simulate(&result, arguments, 2, &arena, &error), -1);
    assert_contains(error.text, "'--'");
    arena_dispose(&arena);
}

FIXTURE(setup, directory_teardown)
