/* SPDX-License-Identifier: Apache-2.0
 *
 * Values of programs whose sizes are in a file: neither ranks nor arguments tell the runs apart,
 * but a size that another region has as a feature does. All the way to what the skeleton reads.
 */
#include "sized_runs.h"
#include "support.h"

#include "model/eval/eval.h"
#include "model/eval/eval_value.h"
#include "model/fit.h"

#include <math.h>
#include <string.h>

/* A solver that takes 4 sqrt(n) iterations. */
static void add_solver(struct world *world, const char *arguments, double n, bool sweeps_first) {
    double decisions[1000];
    size_t trips = (size_t)(4 * sqrt(n));
    for (size_t k = 0; k < trips; k++)
        decisions[k] = 1;
    decisions[trips] = 0;
    world_add_run(world, arguments, n, sweeps_first, decisions, trips + 1);
}

/* Time steps that become longer, by 1 % for each unit of n. */
/* With one of zero, and not rising: time steps and clocks have laws of their own. */
static void add_steps(struct world *world, double n, size_t count) {
    double steps[100];
    for (size_t k = 0; k < count; k++)
        steps[k] = (1 + 0.01 * n) * (double)(k ^ 1);
    world_add_run(world, "[]", n, true, steps, count);
}

TEST(iterations_follow_a_size_that_is_in_a_file) {
    struct world world;
    world_init(&world, VALUE_TRIPS);
    for (double root = 10; root <= 50; root += 10)
        add_solver(&world, "[]", root * root, true);
    world_fit(&world);
    assert_int_equal(world.models.items[VALUE].run_count, 5);
    assert_int_equal(bsim_value_context_count(world.value), 1);
    assert_string_equal(bsim_value_context_name(world.value, 0), "n1@0");
    assert_near(bsim_value_recall(world.value, VECTOR(world.value, "n1@0", 400))->mean, 80);
    assert_null(bsim_value_recall(world.value, VECTOR(world.value, "n1@0", 10000)));
    assert_near(bsim_value_formula(world.value, VECTOR(world.value, "n1@0", 10000)), 400);
    world_dispose(&world);
}

static void add_trips(struct world *world, const char *arguments, double n, size_t trips) {
    double decisions[1000];
    for (size_t k = 0; k < trips; k++)
        decisions[k] = 1;
    decisions[trips] = 0;
    world_add_run(world, arguments, n, true, decisions, trips + 1);
}

/* Of a solver that takes off as much of the error each time. */
TEST(iterations_go_by_the_logarithm_of_a_tolerance) {
    struct world world;
    world_init(&world, VALUE_TRIPS);
    for (double tolerance = 1e-2; tolerance > 1e-7; tolerance /= 10)
        add_trips(&world, arena_printf(&world.arena, "[\"%g\"]", tolerance), 100,
                  (size_t)(9 - 5 * log2(tolerance)));
    world_fit(&world);
    assert_contains(world.models.items[VALUE].value_formula, "*log2(arg1)");
    double iterations = bsim_value_formula(world.value, VECTOR(world.value, "arg1", 1e-12));
    assert_true(fabs(iterations - (9 - 5 * log2(1e-12))) < 1);
    assert_true(isnan(bsim_value_formula(world.value, VECTOR(world.value, "arg1", 0))));
    world_dispose(&world);
}

/* 1.61 n + 2.4, rounded: errors of half an iteration in all of them, so that small numbers of
 * iterations do not count more. With errors relative to them it would be 208.4. */
TEST(rounded_iterations_count_alike) {
    static const int iterations[] = {54, 80, 105, 131, 157, 183};
    struct world world;
    world_init(&world, VALUE_TRIPS);
    for (int i = 0; i < 6; i++)
        add_trips(&world, arena_printf(&world.arena, "[\"%d\"]", 32 + 16 * i), 100,
                  (size_t)iterations[i]);
    world_fit(&world);
    assert_int_equal(lround(bsim_value_formula(world.value, VECTOR(world.value, "arg1", 128))),
                     209);
    world_dispose(&world);
}

static double trips_at(struct world *world, const int *sizes, const int *trips, int count,
                       double size) {
    world_init(world, VALUE_TRIPS);
    for (int i = 0; i < count; i++)
        add_trips(world, arena_printf(&world->arena, "[\"%d\"]", sizes[i]), 100, (size_t)trips[i]);
    world_fit(world);
    double found = bsim_value_formula(world->value, VECTOR(world->value, "arg1", size));
    world_dispose(world);
    return found;
}

/* Heat that comes no further: 81 n^0.5 - 4.6 n fits within 1 %, and is negative from 318 on. */
TEST(what_does_not_rise_any_more_stays) {
    static const int sizes[] = {40, 60, 80, 100}, trips[] = {333, 360, 360, 360};
    struct world world;
    assert_true(fabs(trips_at(&world, sizes, trips, 4, 160) - 360) < 0.02 * 360);
    assert_true(fabs(trips_at(&world, sizes, trips, 4, 6400) - 360) < 0.02 * 360);
}

TEST(what_falls_does_not_fall_below_nothing_nor_rise_again) {
    static const int sizes[] = {10, 20, 30, 40, 50}, trips[] = {100, 91, 79, 71, 60};
    struct world world;
    double near = trips_at(&world, sizes, trips, 5, 80),
           far = trips_at(&world, sizes, trips, 5, 800);
    assert_true(near < 65 && far > 0 && far <= near);
}

/* Cells inside of a square: falls below 2, where no square is. */
TEST(laws_of_several_signs_are_found) {
    static const int sizes[] = {4, 8, 12, 16, 20}, trips[] = {4, 36, 100, 196, 324};
    struct world world;
    assert_near(trips_at(&world, sizes, trips, 5, 1002), 1e6);
}

/* Halved until each part has one, in four steps each. */
TEST(levels_go_by_logarithms_of_two_numbers) {
    struct world world;
    world_init(&world, VALUE_TRIPS);
    for (int size = 4; size <= 10; size++)
        for (int parts = 0; parts <= 3; parts++)
            add_trips(&world, arena_printf(&world.arena, "[\"%d\", \"%d\"]", 1 << size, 1 << parts),
                      100, (size_t)(1 + 4 * (size - parts)));
    world_fit(&world);
    assert_near(bsim_value_formula(world.value, VECTOR(world.value, "arg1 arg2", 1 << 20, 64)), 57);
    world_dispose(&world);
}

TEST(what_arguments_tell_goes_by_no_other_region) {
    struct world world;
    world_init(&world, VALUE_TRIPS);
    for (double root = 10; root <= 50; root += 10)
        add_solver(&world, arena_printf(&world.arena, "[\"%g\"]", root), root * root, true);
    world_fit(&world);
    assert_int_equal(bsim_value_context_count(world.value), 1);
    assert_string_equal(bsim_value_context_name(world.value, 0), "arg1");
    assert_near(bsim_value_formula(world.value, VECTOR(world.value, "arg1", 100)), 400);
    world_dispose(&world);
}

TEST(sizes_that_are_known_only_later_are_not_used) {
    struct world world;
    world_init(&world, VALUE_TRIPS);
    for (double root = 10; root <= 50; root += 10)
        add_solver(&world, "[]", root * root, false);
    world_fit(&world);
    assert_int_equal(bsim_value_context_count(world.value), 0);
    world_dispose(&world);
}

/* Of floating-point numbers there is no formula over such sizes, as their mean depends on how many
 * there were; but each size has its own back. */
TEST(steps_of_a_size_that_was_seen_are_its_own) {
    struct world world;
    world_init(&world, VALUE_FLOATING);
    add_steps(&world, 1, 20);
    add_steps(&world, 2, 30);
    add_steps(&world, 3, 40);
    world_fit(&world);
    for (int n = 1; n <= 3; n++) {
        const struct bsim_value_seen *seen =
            bsim_value_recall(world.value, VECTOR(world.value, "n1@0", n));
        assert_non_null(seen);
        assert_int_equal(seen->repeat_count, 10 + 10 * n);
        for (int k = 0; k < 10 + 10 * n; k++)
            assert_near(seen->repeats[k].number, (1 + 0.01 * n) * (k ^ 1));
    }
    world_dispose(&world);
}

/* That two numbers of ranks take as many steps on the same mesh tells nothing of other meshes. */
TEST(iterations_of_other_arguments_are_not_those_of_a_run_on_other_ranks) {
    struct world world;
    world_init(&world, VALUE_TRIPS);
    for (int i = 0; i < 6; i++) {
        double decisions[41] = {0}, cells = 10 << i % 3;
        for (int k = 0; k < (int)cells; k++)
            decisions[k] = 1;
        world_add_run(&world, arena_printf(&world.arena, "[\"%g\"]", cells), 1, true, decisions,
                      (size_t)cells + 1);
        world.runs.items[i].ranks = 1 + i / 3;
    }
    world_fit(&world);
    assert_near(bsim_value_recall(world.value, VECTOR(world.value, "ranks arg1", 1, 20))->mean, 20);
    assert_near(bsim_value_doubt(world.value, VECTOR(world.value, "ranks arg1", 1, 20)), 0);
    assert_null(bsim_value_recall(world.value, VECTOR(world.value, "ranks arg1", 2, 30)));
    assert_near(bsim_value_doubt(world.value, VECTOR(world.value, "ranks arg1", 2, 30)), 1);
    assert_near(bsim_value_doubt(world.value, VECTOR(world.value, "ranks arg1", 1, 120)), 3);
    assert_near(bsim_value_doubt(world.value, VECTOR(world.value, "ranks arg1", 2, 5)), 2);
    assert_true(bsim_value_error(world.value) >= 0 && bsim_value_error(world.value) < 1e-6);
    assert_near(bsim_value_formula(world.value, VECTOR(world.value, "ranks arg1", 2, 30)), 30);
    world_dispose(&world);
}

TEST(errors_are_told) {
    struct world world;
    world_init(&world, VALUE_TRIPS);
    for (double root = 10; root <= 50; root += 10)
        add_solver(&world, "[]", root * root + 3 * sin(root), true);
    world_fit(&world);
    double error = bsim_value_error(world.value);
    assert_true(error > 0 && error < 0.1);
    world_dispose(&world);
}

static void check_damaged(const char *path, bool is_cut) {
    struct bsim_model *read = NULL;
    char text[512];
    int result = bsim_model_load(&read, path, NULL, text, sizeof text);
    assert_true(!is_cut || result != 0);
    const struct bsim_value_model *value = result == 0 ? bsim_model_value(read, VALUE) : NULL;
    double vector[64] = {2};
    if (value != NULL && bsim_value_feature_count(value) + bsim_value_context_count(value) <= 64) {
        bsim_value_recall(value, vector);
    }
    bsim_model_free(read);
}

TEST(damaged_lists_are_refused_or_read) {
    struct world world;
    world_init(&world, VALUE_FLOATING);
    add_steps(&world, 1, 3);
    add_steps(&world, 2, 4);
    world_fit(&world);
    each_damaged("model.bsim", 3000, 7, check_damaged);
    world_dispose(&world);
}

FIXTURE(directory_setup, directory_teardown)
