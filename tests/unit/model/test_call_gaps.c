/* SPDX-License-Identifier: Apache-2.0
 *
 * Time in kept code before calls: from the call sites of counted runs to the call sites of the
 * skeleton, and what the skeleton reads of it.
 */
#include "support.h"

#include "model/eval/eval.h"
#include "model/eval/eval_gap.h"
#include "model/samples/call_gaps.h"

#include <math.h>
#include <string.h>

#define HEADER "mpiskel-model 1\nbundle " TEST_BUNDLE "\nmachine counted\n"

static const struct call_count sites[] = {
    /* Line 12 of the profiling build is line 10 of the original. */
    {0, "MPI_Send", "/work/app/sub/a.c", 12, 5, 40, 3e-8, 1e-8},
    {1, "MPI_Send", "/work/app/sub/a.c", 12, 3, 24, 5e-8, 3e-8},
    {0, "MPI_Finalize", "/work/app/sub/a.c", 30, 0, 0, 4e-8, 4e-8},
    {0, "MPI_Recv", "/work/elsewhere/a.c", 12, 5, 40, 3e-8, 1e-8},
};

static const char *lines_of(struct arena *arena, const char *clock) {
    const struct call_counts calls = {(struct call_count *)sites, sizeof sites / sizeof sites[0],
                                      0};
    const struct run run = {.clock = clock, .ranks = 2, .calls = calls};
    const struct regions regions = {.path = test_path("regions.json"), .root = "/work/app"};
    write_text(regions.path, "{\"profile_lines\": {\"sub/a.c\": [[1, 1], [12, 10]]},"
                             " \"lines\": {\"sub/a.c\": [[1, 1], [8, 10], [20, 0], [40, 10]]}}");
    return call_gaps_lines(arena, &run, 1, &regions);
}

/* 5.0e-9 = (2e-8 + 2e-8 ) / (4 + 2) calls; line 28 of the original is line 58 of the second copy.
 */
TEST(each_call_site_of_the_skeleton_has_its_gap) {
    struct arena arena;
    struct bsim_model *model = NULL;
    char text[512];
    arena_init(&arena);
    const char *lines = lines_of(&arena, "counted: block_ns 1");
    write_text(test_path("model.bsim"), arena_printf(&arena, HEADER "%send 0\n", lines));
    if (bsim_model_load(&model, test_path("model.bsim"), TEST_BUNDLE, text, sizeof text) != 0)
        fail_msg("%s", text);
    const struct bsim_gaps *gaps = bsim_model_gaps(model);
    static const int wanted[][2] = {{8, 1}, {40, 1}, {58, 0}};
    assert_int_equal(gaps->count, 3);
    for (int i = 0; i < 3; i++) {
        bool is_send = wanted[i][1] == 1;
        assert_string_equal(gaps->of[i].name, is_send ? "MPI_Send" : "MPI_Finalize");
        assert_string_equal(gaps->of[i].file, "sub/a.c");
        assert_int_equal(gaps->of[i].line, wanted[i][0]);
        assert_true(fabs(gaps->of[i].first_s - (is_send ? 2e-8 : 4e-8)) < 1e-15);
        assert_true(fabs(gaps->of[i].again_s - (is_send ? 4e-8 / 6 : 0)) < 1e-15);
    }
    bsim_model_free(model);
    arena_dispose(&arena);
}

TEST(elapsed_time_makes_no_gap) {
    struct arena arena;
    arena_init(&arena);
    assert_string_equal(lines_of(&arena, "cpu"), "");
    arena_dispose(&arena);
}

TEST(bad_gaps_are_refused) {
    static const char *const bad[] = {"gap MPI_Send 1 1 1\n", "gap MPI_Send x 1 1 a.c\n",
                                      "gap MPI_Send 1 -1 1 a.c\n", "gap MPI_Send 1 1 nan a.c\n",
                                      "gap\n"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct bsim_model *model = NULL;
        char text[512], file[512];
        snprintf(file, sizeof file, HEADER "%send 0\n", bad[i]);
        write_text(test_path("model.bsim"), file);
        assert_int_equal(
            bsim_model_load(&model, test_path("model.bsim"), TEST_BUNDLE, text, sizeof text), -1);
        assert_contains(text, "model.bsim:4: error: ");
    }
}

FIXTURE(directory_setup, directory_teardown)
