/* SPDX-License-Identifier: Apache-2.0
 *
 * Jitter of executions: what is planted comes back, and nothing that repetitions have in common is
 * taken for it.
 */
#include "support.h"

#include "model/latency/jitter.h"

#include <math.h>

#define RUNS 12
#define RANKS 4
#define CONTEXTS 6

/* Samples of one region with their contexts: `runs` runs on RANKS ranks, each context one
 * execution or `timed` of them. */
struct world {
    struct sample samples[RUNS * RANKS];
    struct sample_context contexts[RUNS * RANKS][CONTEXTS];
    int configuration[RUNS];
    double feature;
    size_t count;
};

/* By which factor an execution takes longer than a millisecond. */
typedef double factor_of(struct random *random, int run, int rank, int context);

static void make(struct world *world, int runs, int repetitions, double timed, factor_of *factor) {
    struct random random;
    random_seed(&random, 7);
    world->count = 0;
    world->feature = 1;
    for (int run = 0; run < runs; run++) {
        world->configuration[run] = run - run % repetitions;
        for (int rank = 0; rank < RANKS; rank++) {
            struct sample_context *contexts = world->contexts[world->count];
            double seconds = 0;
            for (int i = 0; i < CONTEXTS; i++) {
                contexts[i] = (struct sample_context){.execution = i,
                                                      .before = -1,
                                                      .timed = timed,
                                                      .seconds = timed * 1e-3 *
                                                                 factor(&random, run, rank, i)};
                seconds += contexts[i].seconds;
            }
            world->samples[world->count++] = (struct sample){.run = run,
                                                             .rank = rank,
                                                             .features = &world->feature,
                                                             .feature_count = 1,
                                                             .count = CONTEXTS * timed,
                                                             .timed = CONTEXTS * timed,
                                                             .seconds = seconds,
                                                             .contexts = contexts,
                                                             .context_count = CONTEXTS};
        }
    }
}

static bool measure(double *deviation, const struct world *world) {
    return jitter_of_region(deviation, world->samples, world->count, world->configuration);
}

/* The first execution takes three times as long, each rank has something else to do in each, and
 * some runs are slower. */
static double reproducible(int run, int rank, int context) {
    return (context == 0 ? 3 : 1) * (1 + 0.5 * ((rank * 7 + context * 3) % 5)) * (1 + 0.2 * run);
}

static double without_chance(struct random *random, int run, int rank, int context) {
    (void)random;
    return reproducible(run, rank, context);
}

static double with_chance(struct random *random, int run, int rank, int context) {
    return reproducible(run, rank, context) * exp(0.05 * random_normal(random));
}

TEST(what_comes_back_is_no_jitter) {
    static struct world world;
    double deviation = -1;
    make(&world, RUNS, 3, 1, without_chance);
    assert_true(measure(&deviation, &world));
    assert_true(deviation >= 0 && deviation < 1e-9);
}

TEST(what_does_not_come_back_is_jitter) {
    static struct world world;
    double deviation;
    make(&world, RUNS, 3, 1, with_chance);
    assert_true(measure(&deviation, &world));
    assert_within(deviation, 0.05, 0.1);
    make(&world, 2, 2, 1, with_chance); /* no more than two runs: one degree of freedom a pair */
    assert_true(measure(&deviation, &world));
    assert_within(deviation, 0.05, 0.3);
}

/* Means of four executions differ by half as much. */
TEST(means_of_several_executions_count_as_such) {
    static struct world world;
    double one, four;
    make(&world, RUNS, 3, 1, with_chance);
    assert_true(measure(&one, &world));
    make(&world, RUNS, 3, 4, with_chance);
    assert_true(measure(&four, &world));
    assert_within(four, 2 * one, 1e-9);
}

/* One execution in a hundred takes six times as long. */
static double disturbed(struct random *random, int run, int rank, int context) {
    double factor = with_chance(random, run, rank, context);
    return (run * 31 + rank * 7 + context) % 101 == 0 ? 6 * factor : factor;
}

TEST(single_disturbed_executions_do_not_decide) {
    static struct world world;
    double deviation;
    make(&world, RUNS, 3, 1, disturbed);
    assert_true(measure(&deviation, &world));
    assert_within(deviation, 0.05, 0.2);
    make(&world, RUNS, 2, 1, disturbed);
    assert_true(measure(&deviation, &world));
    assert_within(deviation, 0.05, 0.3);
}

/* Each execution is of another size: two runs on two ranks are all that there is of one. */
TEST(disturbed_executions_of_other_sizes_do_not_decide) {
    enum { SIZES = 200, SAMPLES = 4 * SIZES };
    struct sample samples[SAMPLES];
    struct sample_context contexts[SAMPLES];
    double sizes[SIZES], deviation;
    struct random random;
    random_seed(&random, 7);
    for (int i = 0; i < SAMPLES; i++) {
        int size = i / 4, run = i % 2, rank = i / 2 % 2;
        sizes[size] = size + 1;
        contexts[i] = (struct sample_context){.execution = size,
                                              .before = -1,
                                              .timed = 1,
                                              .seconds = 1e-3 * (size + 1) *
                                                         with_chance(&random, run, rank, 0) *
                                                         (i % 101 == 0 ? 3 : 1)};
        samples[i] = (struct sample){.run = run,
                                     .rank = rank,
                                     .features = &sizes[size],
                                     .feature_count = 1,
                                     .count = 1,
                                     .timed = 1,
                                     .seconds = contexts[i].seconds,
                                     .contexts = &contexts[i],
                                     .context_count = 1};
    }
    assert_true(jitter_of_region(&deviation, samples, SAMPLES, (const int[]){0, 0}));
    assert_within(deviation, 0.05, 0.5);
}

TEST(nothing_is_known_without_repetitions) {
    static struct world world;
    double deviation = -1;
    make(&world, RUNS, 1, 1, with_chance);
    assert_false(measure(&deviation, &world));
    make(&world, RUNS, 3, 5, with_chance); /* over five executions the machine may have changed */
    assert_false(measure(&deviation, &world));
    for (size_t i = 0; i < world.count; i++)
        world.samples[i].context_count = 0;
    assert_false(measure(&deviation, &world));
    world.count = 0;
    assert_false(measure(&deviation, &world));
    assert_true(deviation == -1);
}

/* A sample that counts a thousand times as much by its time decides. */
TEST(longer_executions_count_more) {
    static struct world large, small;
    static struct world both;
    double deviation;
    make(&large, 6, 3, 1, without_chance);
    make(&small, 6, 3, 1, with_chance);
    for (size_t i = 0; i < large.count; i++) {
        for (int j = 0; j < CONTEXTS; j++)
            large.contexts[i][j].seconds *= 1000;
        large.samples[i].seconds *= 1000;
        both.samples[i] = small.samples[i];
        both.samples[small.count + i] = large.samples[i];
    }
    for (int i = 0; i < 6; i++)
        both.configuration[i] = small.configuration[i];
    large.feature = 1000;
    both.count = small.count + large.count;
    assert_true(measure(&deviation, &both));
    assert_true(deviation > 0 && deviation < 0.005);
}

/* Rank 0 writes a file, once a run; what others need to see that they do not is mostly chance. */
static double on_one_rank(struct random *random, int run, int rank, int context) {
    (void)run;
    double alike = 1 + 0.01 * random_normal(random);
    return context > 0 ? 1e-9 : rank == 0 ? alike : 1e-7 * exp(0.3 * random_normal(random));
}

TEST(other_ranks_tell_nothing_of_the_one_that_works) {
    static struct world world;
    double deviation = -1;
    make(&world, 6, 2, 1, on_one_rank);
    assert_true(measure(&deviation, &world));
    assert_true(deviation == 0);
}

/* Two of four ranks have nearly all of the time. */
static double on_two_ranks(struct random *random, int run, int rank, int context) {
    (void)run, (void)context;
    double normal = random_normal(random);
    return rank < 2 ? exp(0.02 * normal) : 1e-4 * exp(0.5 * normal);
}

TEST(ranks_count_by_their_time) {
    static struct world world;
    double deviation;
    make(&world, RUNS, 3, 1, on_two_ranks);
    assert_true(measure(&deviation, &world));
    assert_within(deviation, 0.02, 0.25);
}

/* Six runs of a size repeat each other, and one of another size has most of the time. */
TEST(what_was_not_repeated_has_no_jitter) {
    static struct world small, large, both;
    double deviation = -1;
    make(&small, 6, 6, 1, with_chance);
    make(&large, 1, 1, 1, with_chance);
    large.feature = 1000;
    for (int longer = 0; longer < 2; longer++) {
        both.count = 0;
        for (size_t i = 0; i < small.count; i++)
            both.samples[both.count++] = small.samples[i];
        for (size_t i = 0; i < large.count; i++) {
            both.samples[both.count] = large.samples[i];
            both.samples[both.count].seconds *= longer ? 1000 : 1;
            both.samples[both.count++].run = 6;
        }
        both.configuration[6] = 6;
        assert_true(measure(&deviation, &both));
        assert_true(longer ? deviation == 0 : deviation > 0.03);
    }
}
