/* SPDX-License-Identifier: Apache-2.0
 *
 * The steady state of series that are made up: what further iterations take is then known.
 */
#include "model/eval/steady.h"

#include "support.h"

#include <math.h>

#define MOST 400

struct series {
    double times_s[MOST + 1];
    int count;
};

static void add(struct series *series, double seconds) {
    series->times_s[series->count + 1] = series->times_s[series->count] + seconds;
    series->count++;
}

static struct bsim_steady find(const struct series *series, double more) {
    struct bsim_steady steady;
    assert_int_equal(bsim_steady_find(&steady, series->times_s, series->count, more), 0);
    return steady;
}

TEST(equal_iterations_go_on) {
    struct series series = {.times_s = {1e3}};
    for (int i = 0; i < 20; i++)
        add(&series, 0.001);
    struct bsim_steady steady = find(&series, 1980);
    assert_int_equal(steady.start, 0);
    assert_int_equal(steady.period, 1);
    assert_within(steady.more_s, 1.98, 1e-9);
    assert_true(steady.off_s < 1e-6);
}

TEST(start_up_is_left_out) {
    struct series series = {.times_s = {5}};
    for (int i = 0; i < 20; i++)
        add(&series, i == 0 ? 0.5 : i == 1 ? 0.02 : 0.01);
    struct bsim_steady steady = find(&series, 980);
    assert_int_equal(steady.start, 2);
    assert_within(steady.more_s, 9.8, 1e-9);
}

/* Each fourth one is longer; 3 start-ups and 18 seen leave the phase in the middle of a period. */
TEST(periods_are_followed) {
    struct series series = {0};
    add(&series, 9);
    for (int i = 1; i <= 22; i++)
        add(&series, i % 4 == 0 ? 3 : 1);
    struct bsim_steady steady = find(&series, 6);
    assert_int_equal(steady.period, 4);
    assert_within(steady.more_s, 1 + 3 + 1 + 1 + 1 + 3, 1e-9); /* 23 to 28 */
    assert_true(steady.off_s < 1e-6);
}

/* Seen once: it counts with the share that it has, and the error says that this is not sure. */
TEST(what_was_seen_once_is_not_sure) {
    struct series series = {0};
    for (int i = 1; i <= 20; i++)
        add(&series, i == 20 ? 1.5 : 1);
    struct bsim_steady steady = find(&series, 2000);
    assert_within(steady.more_s, 2000 * 1.025, 1e-9);
    assert_true(steady.off_s > 2000 * 0.025 && steady.off_s < 2000 * 0.1);
}

TEST(noise_gives_an_interval) {
    uint64_t random = 42;
    int inside = 0;
    for (int run = 0; run < 200; run++) {
        struct series series = {0};
        for (int i = 0; i < 40; i++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            add(&series, 1 + 0.1 * ((double)(random >> 11) / 9007199254740992.0 - 0.5));
        }
        struct bsim_steady steady = find(&series, 1000);
        inside += fabs(steady.more_s - 1000) <= steady.off_s;
    }
    if (inside < 170)
        fail_msg("the interval holds in %d of 200 cases", inside);
}

/* A factorisation: each step is a little shorter than the one before. */
TEST(shrinking_steps_are_not_steady) {
    struct series series = {0};
    for (int i = 0; i < 20; i++)
        add(&series, 2000 - i);
    struct bsim_steady steady = find(&series, 1980);
    assert_true(steady.off_s > 0.3 * steady.more_s);
}

TEST(few_iterations_tell_nothing) {
    struct series series = {0};
    struct bsim_steady steady;
    for (int i = 0; i < BSIM_STEADY_LEAST - 1; i++)
        add(&series, 1);
    assert_int_equal(bsim_steady_find(&steady, series.times_s, series.count, 10), -1);
}
