/* SPDX-License-Identifier: Apache-2.0
 *
 * Samples of a value that have the same numbers but for rounding, or that scatter.
 */
#include "support.h"

#include "model/values/value_agreement.h"

/* Three executions with one number. */
static struct sample sample_of(struct repeat *out, double number) {
    *out = (struct repeat){number, 3};
    return (struct sample){
        .count = 3, .timed = 3, .seconds = 3 * number, .sequence = out, .repeat_count = 1};
}

static bool agree(double left, double right) {
    struct repeat repeats[2];
    struct sample one = sample_of(&repeats[0], left), other = sample_of(&repeats[1], right);
    bool agrees = value_agrees(&one, &other, false);
    assert_int_equal(agrees, value_agrees(&other, &one, false));
    return agrees;
}

static bool nearly_agree(double left, double right) {
    struct repeat repeats[2];
    struct sample one = sample_of(&repeats[0], left), other = sample_of(&repeats[1], right);
    return value_nearly_agrees(&one, &other);
}

/* A thousand-millionth is what sums over other numbers of ranks differ by. */
TEST(rounding_is_no_difference) {
    assert_true(agree(7, 7));
    assert_true(agree(7, 7 * (1 + 0.7e-9)));
    assert_false(agree(7, 7 * (1 + 1.4e-9)));
    assert_false(agree(7, 8));
}

TEST(amounts_may_differ_by_a_tenth) {
    assert_true(nearly_agree(100, 93));
    assert_false(nearly_agree(100, 86));
}

/* Ranks of a run have 1, 2 and 3, and together 6: they are off by 2. */
TEST(ranks_of_one_group_are_compared_with_their_mean) {
    static const double vector[] = {7};
    struct sample samples[3];
    for (int rank = 0; rank < 3; rank++)
        samples[rank] = (struct sample){.rank = rank,
                                        .features = vector,
                                        .feature_count = 1,
                                        .count = 1,
                                        .timed = 1,
                                        .seconds = rank + 1};
    const struct samples all = {.items = samples, .count = 3, .run_count = 1};
    assert_float_equal(value_agreement_spread(&all, samples, 3), 1.0 / 3, 1e-12);
}
