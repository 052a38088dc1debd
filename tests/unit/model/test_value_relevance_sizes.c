/* SPDX-License-Identifier: Apache-2.0
 *
 * A solver whose groups converge one after the other: whether one has is decided in each iteration,
 * and told by the number of groups and that of the iteration, on a mesh of any size or on one of
 * that size only.
 */
#include "sized_runs.h"
#include "support.h"

#include "model/eval/eval.h"
#include "model/eval/eval_value.h"

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
    double vector[FEATURES + 1] = {cells, groups, k, cells};
    bsim_value_clear_irrelevant(world->value, vector);
    return bsim_value_seen(world->value, vector);
}

static void sizes_that_others_show_to_decide_nothing_are_left_out(void **state) {
    (void)state;
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
static void sizes_that_decide_are_not_left_out(void **state) {
    (void)state;
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

/* The number of cells decides 6 of 140 iterations: as few as that make it no size that tells, but
 * runs that were profiled are what they were. */
static void what_was_profiled_stays_as_it_was(void **state) {
    (void)state;
    struct world world;
    solver_init(&world);
    for (int cells = 10; cells <= 60; cells += 10) {
        vec_push(&world.runs,
                 (struct run){.id = "r",
                              .ranks = 2,
                              .arguments = arena_printf(&world.arena, "[\"%d\"]", cells)});
        for (int k = 0; k < 140; k++)
            world_add_sample(&world, VALUE, (double[]){cells, 1, k},
                             (double[]){k < 100 + cells / 10}, 1);
    }
    world_fit(&world);
    assert_contains(world.models.items[VALUE].lines, " irrelevant 1 0\n");
    assert_contains(world.models.items[VALUE].value_formula, "; whatever cells is");
    for (int cells = 10; cells <= 60; cells += 10)
        for (int k = 0; k < 140; k++)
            assert_near(seen(&world, cells, 1, k)->mean, k < 100 + cells / 10);
    assert_near(seen(&world, 58, 1, 105)->mean, 1); /* of the nearest */
    assert_near(seen(&world, 12, 1, 105)->mean, 0);
    world_dispose(&world);
}

/* No two runs differ in one of them alone. */
static void sizes_that_went_together_are_not_told_apart(void **state) {
    (void)state;
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
    assert_null(strstr(world.models.items[VALUE].lines, " irrelevant "));
    world_dispose(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_that_others_show_to_decide_nothing_are_left_out),
        cmocka_unit_test(sizes_that_decide_are_not_left_out),
        cmocka_unit_test(what_was_profiled_stays_as_it_was),
        cmocka_unit_test(sizes_that_went_together_are_not_told_apart),
    };
    return cmocka_run_group_tests(tests, directory_setup, directory_teardown);
}
