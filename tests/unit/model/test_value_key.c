/* SPDX-License-Identifier: Apache-2.0
 *
 * A solver whose groups converge one after the other: whether one has is decided in each iteration,
 * and told by the number of groups and that of the iteration, on a mesh of any size or on one of
 * that size only. And one whose iterations go by the size of all ranks' parts.
 */
#include "sized_runs.h"
#include "support.h"

#include "model/eval/eval.h"
#include "model/eval/eval_value.h"

#include <math.h>
#include <string.h>

enum { CELLS, GROUPS, ITERATION, FEATURES };

static void solver_init(struct world *world) {
    static const struct feature features[FEATURES] = {
        {"cells", "", "", false}, {"groups", "", "", false}, {"iteration", "", "", false}};
    world_init(world, VALUE_BRANCH);
    world->items[VALUE].features = features;
    world->items[VALUE].feature_count = FEATURES;
}

/* In iteration k the first k - `late` groups have converged. */
static void add_solver(struct world *world, int cells, int groups, int late) {
    vec_push(&world->runs,
             (struct run){.id = "r",
                          .ranks = 4,
                          .arguments = arena_printf(&world->arena, "[\"%d\"]", cells)});
    for (int k = 0; k < groups + late; k++) {
        double decisions[8];
        for (int g = 0; g < groups; g++)
            decisions[g] = g < k - late;
        world_add_sample(world, VALUE, (double[]){cells, groups, k}, decisions, (size_t)groups);
    }
}

static const struct bsim_value_seen *seen(const struct world *world, int cells, int groups, int k) {
    return bsim_value_recall(world->value,
                             VECTOR(world->value, "cells groups k arg1", cells, groups, k, cells));
}

TEST(sizes_that_others_show_to_decide_nothing_are_left_out) {
    struct world world;
    solver_init(&world);
    for (int cells = 10; cells <= 40; cells += 10)
        for (int groups = 4; groups <= 8; groups += 4)
            add_solver(&world, cells, groups, 0);
    world_fit(&world);
    for (int groups = 4; groups <= 8; groups += 4) {
        const struct bsim_value_seen *found = seen(&world, 1000, groups, 3);
        assert_non_null(found);
        assert_near(found->mean, 3.0 / groups);
        assert_int_equal(found->repeat_count, 2);
        assert_near(found->repeats[0].number, 1);
        assert_near(found->repeats[0].times, 3);
        assert_near(found->repeats[1].number, 0);
    }
    assert_null(seen(&world, 1000, 6, 3)); /* the number of groups does decide */
    world_dispose(&world);
}

/* Each size twice, so that the same sizes tell it. */
TEST(sizes_that_decide_are_not_left_out) {
    struct world world;
    solver_init(&world);
    for (int run = 0; run < 2; run++)
        for (int cells = 10; cells <= 40; cells += 10)
            add_solver(&world, cells, 4, cells / 10);
    world_fit(&world);
    assert_near(seen(&world, 10, 4, 3)->mean, 0.5);
    assert_near(seen(&world, 30, 4, 3)->mean, 0);
    assert_null(seen(&world, 1000, 4, 3));
    world_dispose(&world);
}

/* No two runs differ in one of them alone. */
TEST(sizes_that_went_together_are_not_told_apart) {
    struct world world;
    solver_init(&world);
    for (int size = 1; size <= 3; size++)
        for (int seed = 1; seed <= 2; seed++) {
            vec_push(&world.runs,
                     (struct run){.id = "r",
                                  .ranks = 4,
                                  .arguments = arena_printf(&world.arena, "[\"%d\", \"%d\"]",
                                                            10 * size, seed)});
            for (int k = 0; k < 50; k++)
                world_add_sample(&world, VALUE, (double[]){10 * size, 2 * size, k},
                                 (double[]){k < 16 * size}, 1);
        }
    world_fit(&world);
    assert_contains(world.models.items[VALUE].lines, " key 4 0 1 2 3\n");
    world_dispose(&world);
}

/* About 1.6 iterations per column, whatever part of them a rank has. */
static int trips_of(int columns) {
    return columns * 8 / 5 + (columns == 150);
}

static void add_iterations(struct world *world, int ranks, int columns) {
    double decisions[400], part = (double)columns / ranks;
    int trips = trips_of(columns);
    vec_push(&world->runs,
             (struct run){.id = "r",
                          .ranks = ranks,
                          .arguments = arena_printf(&world->arena, "[\"%d\"]", columns)});
    for (int k = 0; k <= trips; k++)
        decisions[k] = k < trips;
    world_add_sample(world, VALUE, &part, decisions, (size_t)trips + 1);
}

TEST(iterations_are_those_of_the_same_size_on_other_ranks) {
    static const struct feature part = {"n1", "", "", false};
    static const int columns[] = {100, 150, 200, 125};
    struct world world;
    world_init(&world, VALUE_TRIPS);
    world.items[VALUE].features = &part;
    world.items[VALUE].feature_count = 1;
    for (int i = 0; i < 8; i++)
        add_iterations(&world, i < 4 ? 1 : 4, columns[i % 4]);
    world_fit(&world);
    for (int i = 0; i < 4; i++) {
        const struct bsim_value_seen *found = bsim_value_recall(
            world.value, VECTOR(world.value, "n1 ranks arg1", columns[i] / 16., 16, columns[i]));
        assert_non_null(found);
        assert_true(found->mean == trips_of(columns[i]));
    }
    const double *other = VECTOR(world.value, "n1 ranks arg1", 20, 16, 300);
    assert_null(bsim_value_recall(world.value, other));
    assert_true(fabs(bsim_value_formula(world.value, other) - 480) < 5);
    world_dispose(&world);
}

/* Of a box, as no formula tells it: up to `scatter` more or less from run to run. */
static double particles_of(int box, int ranks, double scatter) {
    return (box == 20 ? 9 : 1) * box * (1000 + scatter * (ranks * 7 % 5 - 2));
}

static void add_particles(struct world *world, int box, int ranks, double scatter) {
    double part = box, number = particles_of(box, ranks, scatter);
    vec_push(&world->runs, (struct run){.id = "r",
                                        .ranks = ranks,
                                        .arguments = arena_printf(&world->arena, "[\"%d\", \"%d\"]",
                                                                  box * ranks, box)});
    world_add_sample(world, VALUE, &part, &number, 1);
}

static void train_on_particles(struct world *world, double scatter) {
    static const struct feature box = {"box", "", "", false};
    world_init(world, VALUE_INTEGER);
    world->items[VALUE].features = &box;
    world->items[VALUE].feature_count = 1;
    for (int size = 10; size <= 40; size += 10)
        for (int ranks = 1; ranks <= 4; ranks *= 2)
            add_particles(world, size, ranks, scatter);
    world_fit(world);
}

/* `height`: of the system, which was as high as the box in all runs. */
static const struct bsim_value_seen *particles(const struct world *world, int box, int ranks,
                                               int height) {
    return bsim_value_recall(
        world->value, VECTOR(world->value, "box ranks arg1 arg2", box, ranks, box * ranks, height));
}

TEST(amounts_that_scatter_are_those_of_the_same_box) {
    struct world world;
    train_on_particles(&world, 5);
    assert_true(fabs(particles(&world, 20, 16, 40)->mean / particles_of(20, 16, 0) - 1) <= 0.02);
    assert_near(particles(&world, 20, 2, 20)->mean, particles_of(20, 2, 5)); /* its own */
    assert_null(particles(&world, 25, 16, 25));
    world_dispose(&world);
    train_on_particles(&world, 50); /* that is no scatter */
    assert_null(particles(&world, 20, 16, 20));
    world_dispose(&world);
}

/* Two numbers of the run went together, and the box tells nothing. */
TEST(amounts_that_the_run_tells_go_by_all_its_numbers) {
    static const struct feature box = {"box", "", "", false};
    struct world world;
    world_init(&world, VALUE_INTEGER);
    world.items[VALUE].features = &box;
    world.items[VALUE].feature_count = 1;
    for (int size = 64; size <= 256; size *= 2)
        for (int ranks = 1; ranks <= 4; ranks *= 2) {
            double number = (size == 128 ? 900 : 100) * size + ranks;
            vec_push(&world.runs,
                     (struct run){.id = "r",
                                  .ranks = ranks,
                                  .arguments = arena_printf(&world.arena, "[\"%d\", \"%d\"]", size,
                                                            size / 8)});
            world_add_sample(&world, VALUE, (double[]){5}, &number, 1);
        }
    world_fit(&world);
    assert_non_null(
        bsim_value_recall(world.value, VECTOR(world.value, "box ranks arg1 arg2", 5, 16, 256, 32)));
    assert_null(bsim_value_recall(world.value,
                                  VECTOR(world.value, "box ranks arg1 arg2", 5, 16, 1024, 32)));
    world_dispose(&world);
}

/* What tells them apart is in a file: they get their mean, which is 40 % off, and that is said. */
TEST(runs_with_the_same_numbers_that_had_others_are_off) {
    struct world world;
    world_init(&world, VALUE_INTEGER);
    for (double number = 20; number <= 100; number += 20) {
        vec_push(&world.runs, (struct run){.id = "r", .ranks = 4, .arguments = "[]"});
        world_add_sample(&world, VALUE, NULL, &number, 1);
    }
    world_fit(&world);
    assert_near(world.models.items[VALUE].error, 0.4);
    assert_near(bsim_value_untold(world.value), 0.4);
    world_dispose(&world);
}

/* What steps of time add up to goes by when a run ended: that of others is no error. */
TEST(runs_with_the_same_numbers_may_add_up_to_others) {
    struct world world;
    world_init(&world, VALUE_FLOATING);
    for (double number = 20; number <= 100; number += 20) {
        vec_push(&world.runs, (struct run){.id = "r", .ranks = 4, .arguments = "[]"});
        world_add_sample(&world, VALUE, NULL, &number, 1);
    }
    world_fit(&world);
    assert_true(world.models.items[VALUE].error < 0.01);
    world_dispose(&world);
}

FIXTURE(directory_setup, directory_teardown)
