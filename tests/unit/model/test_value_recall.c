/* SPDX-License-Identifier: Apache-2.0
 *
 * When numbers that runs have seen are kept: not those of vectors whose features change each time,
 * which from 16 of a rank on are taken to do so.
 */
#include "support.h"

#include "base/vec.h"
#include "model/eval/eval.h"
#include "model/fit.h"

#include <math.h>
#include <string.h>

/* Whether model.bsim has what was seen: each of so many ranks asked so often, each time for another
 * vector. */
static bool is_kept(int ranks, int times) {
    static const struct feature features[] = {{.name = "n1", .expression = "BSIM_NUMBER_OF_VECTOR"},
                                              {.name = "n2", .expression = ""}};
    struct region region = {.id = "v",
                            .function = "f",
                            .file = "f.c",
                            .summary = "",
                            .code = "",
                            .value = VALUE_FLOATING,
                            .features = features,
                            .feature_count = 2};
    struct regions regions = {
        .bundle = TEST_BUNDLE, .program = "p", .root = "/", .items = &region, .count = 1};
    struct run run = {.id = "r", .ranks = ranks, .arguments = "[]"};
    VEC(struct sample) items = {0};
    struct arena arena = {0};
    struct models models;
    for (int i = 0; i < ranks * times; i++) {
        double *vector = ARENA_ARRAY(&arena, double, 2), number = 3.0 * i;
        struct repeat *sequence = ARENA_ARRAY(&arena, struct repeat, 1);
        vector[0] = i % 4;
        vector[1] = 1 + i;
        *sequence = (struct repeat){number, 1};
        vec_push(&items, (struct sample){.rank = i / times,
                                         .features = vector,
                                         .feature_count = 2,
                                         .count = 1,
                                         .timed = 1,
                                         .seconds = number,
                                         .min = number,
                                         .max = number,
                                         .sequence = sequence,
                                         .repeat_count = 1});
    }
    struct samples samples = {
        .items = items.items, .count = items.count, .runs = &run, .run_count = 1};
    models_fit(&models, &samples, &regions, "default");
    bool kept = strstr(models.items[0].lines, "\nseen ") != NULL;
    models_dispose(&models);
    vec_dispose(&items);
    arena_dispose(&arena);
    return kept;
}

TEST(vectors_that_change_each_time_are_not_kept) {
    assert_true(is_kept(1, 15));
    assert_false(is_kept(1, 16));
    assert_true(is_kept(2, 15));
    assert_false(is_kept(2, 16));
}
