/* SPDX-License-Identifier: Apache-2.0
 *
 * Differences between ranks: what is planted comes back, what chance, features or the work of one
 * rank explain is none; and the scores by which simulated ranks differ.
 */
#include "support.h"

#include "model/eval/normal_scores.h"
#include "model/latency/rank_spread.h"

#include <math.h>
#include <stdlib.h>

#define CONFIGURATIONS 6
#define REPETITIONS 3
#define RANKS 8
#define SAMPLES (CONFIGURATIONS * REPETITIONS * RANKS)

/* One sample for each configuration, repetition and rank; all of a configuration have the same
 * feature, or each rank has its own. */
struct world {
    struct sample samples[SAMPLES];
    double features[SAMPLES];
    int configuration[SAMPLES];
    size_t count;
};

struct planted {
    double stays, chance; /* deviations: of a rank in a configuration, and of it in a run */
    double timed;
    int repetitions;
    bool own_features; /* each rank has its own */
    int workers;       /* ranks that have something to do; 0: all */
    uint64_t seed;
};

static void add_sample(struct world *world, const struct planted *planted, int run, int rank,
                       double latency_s) {
    size_t i = world->count++;
    bool works = planted->workers == 0 || rank < planted->workers;
    double feature = world->configuration[run];
    world->features[i] = planted->own_features ? feature * RANKS + rank : feature;
    world->samples[i] = (struct sample){.run = run,
                                        .rank = rank,
                                        .features = &world->features[i],
                                        .feature_count = 1,
                                        .count = planted->timed,
                                        .timed = planted->timed,
                                        .seconds = planted->timed * (works ? 1 : 1e-4) * latency_s};
}

static int by_feature(const void *left, const void *right) {
    const struct sample *l = left, *r = right;
    if (l->features[0] != r->features[0])
        return l->features[0] < r->features[0] ? -1 : 1;
    return l->run != r->run ? l->run - r->run : l->rank - r->rank;
}

static void make(struct world *world, const struct planted *planted) {
    struct random random;
    random_seed(&random, planted->seed);
    world->count = 0;
    for (int k = 0; k < CONFIGURATIONS; k++) {
        double stays[RANKS];
        for (int rank = 0; rank < RANKS; rank++)
            stays[rank] = planted->stays * random_normal(&random);
        for (int i = 0; i < planted->repetitions; i++) {
            int run = k * planted->repetitions + i;
            world->configuration[run] = k * planted->repetitions;
            for (int rank = 0; rank < RANKS; rank++)
                add_sample(world, planted, run, rank,
                           1e-3 * (1 + 0.2 * i) *
                               exp(stays[rank] + planted->chance * random_normal(&random)));
        }
    }
    qsort(world->samples, world->count, sizeof world->samples[0], by_feature);
}

static double spread(struct planted planted, double execution) {
    static struct world world;
    make(&world, &planted);
    return rank_spread_of_region(world.samples, world.count,
                                 planted.repetitions > 1 ? world.configuration : NULL, execution);
}

static const struct planted usual = {
    .stays = 0.15, .chance = 0.05, .timed = 10, .repetitions = REPETITIONS, .seed = 3};

TEST(what_stays_comes_back) {
    struct planted large = usual;
    large.chance = 0.2;
    assert_within(spread(usual, 0), 0.15, 0.15);
    assert_within(spread(large, 0), 0.15, 0.3); /* ranks' means differ by 0.19 */
}

TEST(what_does_not_come_back_is_chance) {
    int found = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct planted planted = usual;
        planted.stays = 0;
        planted.seed = seed;
        found += spread(planted, 0) > 0;
    }
    assert_true(found <= 2);
}

TEST(features_that_tell_ranks_apart_leave_nothing) {
    struct planted planted = usual;
    planted.own_features = true;
    assert_true(spread(planted, 0) == 0);
}

TEST(the_work_of_a_few_ranks_is_no_spread) {
    for (int workers = 1; workers <= RANKS / 2; workers++) {
        struct planted planted = usual;
        planted.workers = workers;
        assert_true(spread(planted, 0) == 0);
    }
}

/* Of ten executions that differ by 30 % each, means differ by 9.5 %. */
TEST(without_repetitions_executions_tell_what_is_chance) {
    struct planted planted = usual;
    planted.repetitions = 1;
    assert_within(spread(planted, 0), 0.158, 0.3);
    planted.stays = 0;
    planted.chance = 0.3 / sqrt(10);
    assert_true(spread(planted, 0.3) == 0);
    planted.timed = 1; /* and a single one tells nothing */
    assert_true(spread(planted, 0) == 0);
}

static int compare_doubles(const void *left, const void *right) {
    const double *l = left, *r = right;
    return (*l > *r) - (*l < *r);
}

TEST(each_rank_has_another_score) {
    static const int counts[] = {1, 2, 3, 4, 7, 64, 100, 1000};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        static double scores[1000];
        int count = counts[k];
        double sum = 0, squares = 0;
        for (int i = 0; i < count; i++) {
            scores[i] = bsim_rank_score(i, count);
            sum += scores[i];
            squares += scores[i] * scores[i];
        }
        assert_true(fabs(sum) < 1e-9 * count);
        assert_true(fabs(squares / count - bsim_score_square(count)) < 1e-9);
        qsort(scores, (size_t)count, sizeof *scores, compare_doubles);
        for (int i = 1; i < count; i++)
            assert_true(scores[i] > scores[i - 1]);
        assert_true(scores[count - 1] == bsim_largest_score(count));
    }
    assert_true(fabs(bsim_largest_score(64) - 2.344) < 0.02);
    assert_true(bsim_score_square(1 << 20) == 1);
}

/* Of ranks beside each other, and of every eighth: as far apart as others. */
TEST(neighbours_are_not_alike) {
    enum { COUNT = 1024 };
    for (int apart = 1; apart <= 64; apart *= 2) {
        double sum = 0;
        for (int i = 0; i + apart < COUNT; i++)
            sum += bsim_rank_score(i, COUNT) * bsim_rank_score(i + apart, COUNT);
        if (fabs(sum / COUNT) > 0.12)
            fail_msg("%g, %d apart", sum / COUNT, apart);
    }
}
