/* SPDX-License-Identifier: Apache-2.0
 *
 * Loops that something else ends in some runs (`k < 50`), loops that iterate at least once, and a
 * power law whose coefficient is exactly 1.
 */
#include "sized_runs.h"
#include "support.h"

#include "model/eval/eval.h"
#include "model/eval/eval_value.h"
#include "model/fit.h"

#include <math.h>
#include <string.h>

#define CAP 50

/* Three loops that iterate n times, at most CAP times: then their condition never says no. */
static void add_capped(struct world *world, int n) {
    double decisions[3 * (CAP + 1)];
    size_t count = 0;
    for (int loop = 0; loop < 3; loop++) {
        for (int k = 0; k < n && k < CAP; k++)
            decisions[count++] = 1;
        if (n < CAP)
            decisions[count++] = 0;
    }
    world_add_run(world, arena_printf(&world->arena, "[\"%d\"]", n), 100, true, decisions, count);
}

TEST(runs_in_which_loops_ended_tell_how_often_they_iterate) {
    static const int sizes[] = {10, 20, 30, 40, 60, 80};
    struct world world;
    world_init(&world, VALUE_TRIPS);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        add_capped(&world, sizes[i]);
    world_fit(&world);
    assert_near(bsim_value_formula(world.value, VECTOR(world.value, "arg1", 15)), 15);
    assert_near(bsim_value_formula(world.value, VECTOR(world.value, "arg1", 100)), 100);
    assert_string_equal(world.models.items[VALUE].note,
                        "a loop that something else ended in some runs");
    world_dispose(&world);
}

/* Where what the other runs tell would end it too early, it goes on. */
TEST(loops_that_would_end_too_early_go_on) {
    static const int sizes[] = {40, 30, 20, 10};
    double decisions[CAP];
    struct world world;
    world_init(&world, VALUE_TRIPS);
    for (int k = 0; k < CAP; k++)
        decisions[k] = 1;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        decisions[sizes[i]] = 0; /* the larger the number, the fewer */
        world_add_run(&world, arena_printf(&world.arena, "[\"%d\"]", 50 - sizes[i]), 100, true,
                      decisions, (size_t)sizes[i] + 1);
        decisions[sizes[i]] = 1;
    }
    world_add_run(&world, "[\"90\"]", 100, true, decisions, CAP);
    world_fit(&world);
    assert_true(bsim_value_recall(world.value, VECTOR(world.value, "arg1", 90))->mean > 1e9);
    assert_true(bsim_value_formula(world.value, VECTOR(world.value, "arg1", 90)) > 1e9);
    world_dispose(&world);
}

static void add_loop(struct world *world, int n, int trips) {
    double decisions[200];
    for (int k = 0; k < trips; k++)
        decisions[k] = 1;
    decisions[trips] = 0;
    world_add_run(world, arena_printf(&world->arena, "[\"%d\"]", n), 100, true, decisions,
                  (size_t)trips + 1);
}

TEST(loops_that_always_iterated_do_so_at_least_once) {
    struct world world;
    world_init(&world, VALUE_TRIPS);
    for (int n = 10; n <= 40; n += 10)
        add_loop(&world, n, 50 - n);
    world_fit(&world);
    assert_true(bsim_value_least(world.value) == 1);
    world_dispose(&world);
    world_init(&world, VALUE_TRIPS);
    for (int n = 10; n <= 50; n += 10)
        add_loop(&world, n, 50 - n);
    world_fit(&world);
    assert_true(bsim_value_least(world.value) == 0);
    world_dispose(&world);
}

/* The logarithm of the coefficient, one of the unknowns, is exactly 0. */
TEST(products_of_powers_need_no_coefficient) {
    struct world world;
    world_init(&world, VALUE_INTEGER);
    for (int n = 30; n <= 90; n += 30)
        for (int ranks = 1; ranks <= 4; ranks *= 2) {
            double number = n * n / ranks;
            world_add_run(&world, arena_printf(&world.arena, "[\"%d\"]", n), 100, true, &number, 1);
            world.runs.items[world.runs.count - 1].ranks = ranks;
        }
    world_fit(&world);
    assert_string_equal(world.models.items[VALUE].value_formula, "1*ranks^-1*arg1^2");
    assert_near(bsim_value_formula(world.value, VECTOR(world.value, "ranks arg1", 16, 200)), 2500);
    world_dispose(&world);
}

/* A solver's iterations on 1, 2 and 4 ranks, which go by the mesh and by how long the run is. */
static void add_solves(struct world *world, int ranks, int n, int steps, int trips) {
    add_loop(world, n, trips);
    world->runs.items[world->runs.count - 1].ranks = ranks;
    world->runs.items[world->runs.count - 1].arguments =
        arena_printf(&world->arena, "[\"%d\", \"%d\"]", n, steps);
}

static void make_solver(struct world *world, int last) {
    world_init(world, VALUE_TRIPS);
    add_solves(world, 1, 32, 5, 61);
    add_solves(world, 2, 32, 5, 61);
    add_solves(world, 1, 48, 5, 97);
    add_solves(world, 4, 48, 5, 97);
    add_solves(world, 2, 64, 5, 103);
    add_solves(world, 4, 64, 5, last);
    add_solves(world, 4, 64, 10, 110);
    add_solves(world, 4, 96, 5, 181);
    world_fit(world);
}

TEST(numbers_that_ranks_do_not_change_are_those_of_the_same_arguments) {
    struct world world;
    make_solver(&world, 103);
    const struct bsim_value_seen *seen =
        bsim_value_recall(world.value, VECTOR(world.value, "ranks arg1 arg2", 16, 64, 5));
    assert_non_null(seen);
    assert_true(seen->mean == 103);
    assert_true(
        bsim_value_recall(world.value, VECTOR(world.value, "ranks arg1 arg2", 16, 96, 5))->mean ==
        181);
    assert_true(bsim_value_doubt(world.value, VECTOR(world.value, "ranks arg1 arg2", 16, 64, 5)) ==
                0);
    world_dispose(&world);
}

/* One case in which they do. */
TEST(numbers_that_ranks_change_are_not) {
    struct world world;
    make_solver(&world, 104);
    assert_null(bsim_value_recall(world.value, VECTOR(world.value, "ranks arg1 arg2", 16, 64, 5)));
    world_dispose(&world);
}

FIXTURE(directory_setup, directory_teardown)
