/* SPDX-License-Identifier: Apache-2.0
 *
 * Values that are any of a range are drawn from it, on other numbers of ranks and in other columns
 * too; ranks that agreed draw alike, and runs that were profiled have their own numbers. Numbers
 * that come in turn, that rise, that a formula tells or that another value has are not drawn.
 * Decisions that one rank of all takes are drawn once for all. All the way to what the skeleton
 * reads.
 */
#include "support.h"

#include "base/vec.h"
#include "model/eval/eval.h"
#include "model/eval/eval_draw.h"
#include "model/eval/eval_value.h"
#include "model/fit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define COLUMNS_MAX 96

typedef VEC(struct sample) sample_list;

struct world {
    struct arena arena;
    struct region regions[2];
    VEC(struct run) runs;
    sample_list items;
    struct models models;
    struct bsim_model *read;
    const struct bsim_draws *draws;
};

/* The number on a rank of so many, for a column of so many. */
typedef double law(int rank, int ranks, int column, int columns);

static double chance(int a, int b, int c, int d) {
    struct random random;
    random_seed(&random, (unsigned)(a * 100003 + b * 10007 + c * 17 + d * 7919 + 1));
    random_uniform(&random);
    random_uniform(&random);
    return random_uniform(&random);
}

/* Without numbers yet, of the last run. */
static struct sample *add_sample(struct world *world, int region, int rank, double n1, double n2) {
    double *features = ARENA_ARRAY(&world->arena, double, 2);
    features[0] = n1;
    features[1] = n2;
    vec_push(&world->items, (struct sample){.region = region,
                                            .run = (int)world->runs.count - 1,
                                            .rank = rank,
                                            .features = features,
                                            .feature_count = 2,
                                            .min = INFINITY,
                                            .max = -INFINITY});
    return &world->items.items[world->items.count - 1];
}

static void add_to_sample(struct world *world, struct sample *sample, double number) {
    size_t count = sample->repeat_count;
    struct repeat *sequence = ARENA_ARRAY(&world->arena, struct repeat, count + 1);
    for (size_t i = 0; i < count; i++)
        sequence[i] = sample->sequence[i];
    sequence[count] = (struct repeat){number, 1};
    sample->sequence = sequence;
    sample->repeat_count++;
    sample->count++;
    sample->timed++;
    sample->seconds += number;
    sample->squares += number * number;
    sample->min = fmin(sample->min, number);
    sample->max = fmax(sample->max, number);
}

static void add_number(struct world *world, int region, int rank, int column, int columns,
                       law *value) {
    int ranks = world->runs.items[world->runs.count - 1].ranks;
    add_to_sample(world, add_sample(world, region, rank, column, ranks),
                  value(rank, ranks, column, columns));
}

static void world_init(struct world *world) {
    static const struct feature features[] = {{"n1", "", "", false}, {"n2", "", "", false}};
    memset(world, 0, sizeof *world);
    arena_init(&world->arena);
    for (int i = 0; i < 2; i++)
        world->regions[i] = (struct region){.index = i,
                                            .id = i == 0 ? "v" : "w",
                                            .function = "f",
                                            .file = "f.c",
                                            .summary = "",
                                            .code = "",
                                            .value = VALUE_INTEGER,
                                            .features = features,
                                            .feature_count = 2};
}

static void add_run(struct world *world, int ranks, int size) {
    const char *arguments = arena_printf(&world->arena, "[\"%d\"]", size);
    vec_push(&world->runs, (struct run){.id = "r", .ranks = ranks, .arguments = arguments});
}

static void world_fit(struct world *world, int region_count) {
    struct regions regions = {.bundle = TEST_BUNDLE,
                              .program = "p",
                              .root = "/",
                              .items = world->regions,
                              .count = region_count};
    struct samples samples = {.items = world->items.items,
                              .count = world->items.count,
                              .runs = world->runs.items,
                              .run_count = (int)world->runs.count};
    fit_and_read(&world->models, &world->read, &samples, &regions);
    world->draws = bsim_value_draws(bsim_model_value(world->read, 0));
}

static void train_two(struct world *world, law *value, law *other) {
    world_init(world);
    for (int ranks = 2; ranks <= 8; ranks += ranks < 4 ? 1 : 4)
        for (int columns = 48; columns <= COLUMNS_MAX; columns *= 2) {
            add_run(world, ranks, columns);
            for (int rank = 0; rank < ranks; rank++)
                for (int column = 0; column < columns; column++) {
                    add_number(world, 0, rank, column, columns, value);
                    if (other != NULL)
                        add_number(world, 1, rank, column, columns, other);
                }
        }
    world_fit(world, other != NULL ? 2 : 1);
}

/* Of a column on so many ranks, of so many. */
static const double *vector_at(const struct world *world, double column, double ranks,
                               double columns) {
    return VECTOR(bsim_model_value(world->read, 0), "n1 n2 ranks arg1", column, ranks, ranks,
                  columns);
}

static const struct bsim_value_seen *recall(const struct world *world, double column, double ranks,
                                            double columns) {
    return bsim_value_recall(bsim_model_value(world->read, 0),
                             vector_at(world, column, ranks, columns));
}

static void train(struct world *world, law *value) {
    train_two(world, value, NULL);
}

static void world_dispose(struct world *world) {
    bsim_model_free(world->read);
    models_dispose(&world->models);
    vec_dispose(&world->items);
    vec_dispose(&world->runs);
    arena_dispose(&world->arena);
}

/* Of many columns: between the bounds, each tenth of the range as often. */
static void assert_uniform(const struct world *world, const double *vector, double low,
                           double high) {
    int tenths[10] = {0}, count = 20000;
    for (int i = 0; i < count; i++) {
        double number = bsim_draws_uniform(world->draws, (uint64_t)i, 0, vector);
        assert_true(number >= low && number <= high && number == floor(number));
        tenths[(int)((number - low) * 10 / (high - low + 1))]++;
    }
    for (int i = 0; i < 10; i++)
        assert_in_range(tenths[i], count / 10 * 0.85, count / 10 * 1.15);
}

/* ---- Drawn ---- */

static double owner(int rank, int ranks, int column, int columns) {
    (void)rank;
    return floor(chance(0, ranks, column, columns) * ranks);
}

static void an_owner_is_any_of_all_ranks(void **state) {
    (void)state;
    struct world world;
    train(&world, owner);
    const double *vector = vector_at(&world, 10, 40, 10);
    assert_non_null(world.draws);
    assert_contains(world.models.items[0].value_formula,
                    "any from 0 to n2 - 1, drawn for all ranks");
    assert_true(world.models.items[0].is_drawn);
    assert_uniform(&world, vector, 0, 39);
    assert_true(bsim_draws_uniform(world.draws, 7, 3, vector) ==
                bsim_draws_uniform(world.draws, 7, 3, vector));
    world_dispose(&world);
}

/* Of the rows from the diagonal on. */
static double pivot(int rank, int ranks, int column, int columns) {
    (void)rank;
    return column + floor(chance(1, ranks, column, columns) * (columns - column));
}

static void a_pivot_is_any_of_the_rows_that_are_left(void **state) {
    (void)state;
    struct world world;
    train(&world, pivot);
    assert_non_null(world.draws);
    assert_contains(world.models.items[0].value_formula, "any from n1 to arg1 - 1");
    assert_uniform(&world, vector_at(&world, 100, 16, 300), 100, 299);
    world_dispose(&world);
}

/* How many of so many parts of the range have a pivot, of as many columns from this one on. */
static int parts_with_a_pivot(const struct world *world, int first, int count, int rows) {
    bool has[64] = {false};
    int found = 0;
    for (int column = first; column < first + count; column++) {
        double row = bsim_draws_uniform(world->draws, 5, 0, vector_at(world, column, 16, rows));
        int part = (int)((row - column + 0.5) / (rows - column) * count);
        found += !has[part];
        has[part] = true;
    }
    return found;
}

/* While one rank has the diagonal, others have about as many pivots as are expected of them: by
 * chance alone 16 columns would have theirs in 10 sixteenths of the rows. The order is another
 * one each time. */
static void pivots_of_columns_that_follow_each_other_are_spread(void **state) {
    (void)state;
    struct world world;
    int rises = 0;
    train(&world, pivot);
    for (int first = 0; first < 1024; first += 64) {
        for (int count = 2; count <= 64; count *= 2)
            assert_int_equal(parts_with_a_pivot(&world, first, count, 1000000), count);
        double here = bsim_draws_uniform(world.draws, 5, 0, vector_at(&world, first, 16, 1000000));
        rises +=
            here < bsim_draws_uniform(world.draws, 5, 0, vector_at(&world, first + 1, 16, 1000000));
    }
    assert_in_range(rises, 3, 13);
    world_dispose(&world);
}

static void profiled_runs_have_their_own_numbers(void **state) {
    (void)state;
    struct world world;
    train(&world, owner);
    for (int column = 0; column < 48; column++) {
        const struct bsim_value_seen *seen = recall(&world, column, 3, 48);
        assert_non_null(seen);
        assert_true(seen->repeats[0].number == owner(0, 3, column, 48));
    }
    assert_null(recall(&world, 5, 7, 48));
    world_dispose(&world);
}

/* More points than formulas are fitted to: those that are left out have to count as well. */
static void of_many_columns_some_are_looked_at(void **state) {
    (void)state;
    struct world world;
    world_init(&world);
    for (int ranks = 1; ranks <= 4; ranks *= 2)
        for (int columns = 512; columns <= 1024; columns *= 2) {
            add_run(&world, ranks, columns);
            for (int column = 0; column < columns; column++)
                add_number(&world, 0, 0, column, columns, pivot);
        }
    world_fit(&world, 1);
    assert_non_null(world.draws);
    assert_true(fabs(world.models.items[0].error - 1 / 6.0) < 0.01);
    world_dispose(&world);
}

/* Of a matrix that is the same on any number of ranks. */
static double pivot_of_matrix(int rank, int ranks, int column, int columns) {
    (void)ranks;
    return pivot(rank, 0, column, columns);
}

static void what_ranks_do_not_change_is_the_same_on_others(void **state) {
    (void)state;
    struct world world;
    train(&world, pivot_of_matrix);
    assert_non_null(world.draws);
    assert_contains(world.models.items[0].value_formula,
                    "any from n1 to arg1 - 1, drawn for all ranks");
    for (int column = 0; column < 48; column++) {
        const struct bsim_value_seen *seen = recall(&world, column, 32, 48);
        assert_non_null(seen);
        assert_true(seen->repeats[0].number == pivot_of_matrix(0, 32, column, 48));
    }
    assert_null(recall(&world, 5, 32, 50));
    world_dispose(&world);
    train(&world, pivot);
    assert_null(recall(&world, 5, 32, 48));
    world_dispose(&world);
}

/* Of panels of columns, of which nobody tells the skeleton where it is. */
static void train_panels(struct world *world, int width) {
    world_init(world);
    for (int ranks = 1; ranks <= 4; ranks *= 2)
        for (int columns = 64; columns <= 256; columns *= 2) {
            add_run(world, ranks, columns);
            for (int rank = 0; rank < ranks; rank++)
                for (int first = 0; first < columns; first += width) {
                    struct sample *sample = add_sample(world, 0, rank, first, width);
                    for (int i = 1; i < width; i++)
                        add_to_sample(world, sample, pivot(0, 0, first + i, columns));
                }
        }
    world_fit(world, 1);
}

static void bounds_rise_from_column_to_column(void **state) {
    (void)state;
    struct world world;
    train_panels(&world, 16);
    const double *vector = vector_at(&world, 64, 16, 500);
    assert_non_null(world.draws);
    assert_contains(world.models.items[0].value_formula,
                    "any from n1 + 1 (1 more each time, n2 - 1 times) to arg1 - 1");
    for (uint64_t number = 0; number < 45; number++) {
        double first = 65 + (double)(number % 15);
        assert_true(bsim_bound_value(&world.draws->low, number, vector) == first);
        assert_true(bsim_bound_value(&world.draws->high, number, vector) == 499);
        double row = bsim_draws_uniform(world.draws, 3, number, vector);
        assert_true(row >= first && row <= 499);
    }
    world_dispose(&world);
}

static double victim(int rank, int ranks, int column, int columns) {
    return floor(chance(rank + 2, ranks, column, columns) * ranks);
}

/* Of a program that draws another matrix each time. */
static void train_twice(struct world *world) {
    world_init(world);
    for (int round = 0; round < 2; round++)
        for (int columns = 48; columns <= COLUMNS_MAX; columns *= 2) {
            add_run(world, 2, columns);
            for (int rank = 0; rank < 2; rank++)
                for (int column = 0; column < columns; column++)
                    add_to_sample(world, add_sample(world, 0, rank, column, 2),
                                  pivot(0, round, column, columns));
        }
    world_fit(world, 1);
}

static void runs_that_do_not_repeat_themselves_tell_no_numbers(void **state) {
    (void)state;
    struct world world;
    train_twice(&world);
    assert_non_null(world.draws);
    assert_null(recall(&world, 5, 2, 48));
    world_dispose(&world);
}

/* In the loop over all columns, whose counter is no feature. */
static void pivots_of_a_loop_over_all_columns(void **state) {
    (void)state;
    struct world world;
    world_init(&world);
    for (int ranks = 1; ranks <= 4; ranks *= 2)
        for (int columns = 64; columns <= 256; columns *= 2) {
            add_run(&world, ranks, columns);
            for (int rank = 0; rank < ranks; rank++) {
                struct sample *sample = add_sample(&world, 0, rank, columns, 1);
                for (int column = 0; column < columns; column++)
                    add_to_sample(&world, sample, pivot(0, 0, column, columns));
            }
        }
    world_fit(&world, 1);
    assert_non_null(world.draws);
    assert_contains(world.models.items[0].value_formula,
                    "any from 0 (1 more each time, n1 times) to n1 - 1");
    world_dispose(&world);
}

/* ---- Not drawn ---- */

static void assert_not_drawn(law *value) {
    struct world world;
    train(&world, value);
    assert_null(world.draws);
    assert_false(world.models.items[0].is_drawn);
    world_dispose(&world);
}

static double in_turn(int rank, int ranks, int column, int columns) {
    (void)rank, (void)columns;
    return column % ranks;
}

static void what_goes_round_in_turn_is_not_drawn(void **state) {
    (void)state;
    assert_not_drawn(in_turn);
}

static void what_ranks_did_not_agree_on_is_not_drawn(void **state) {
    (void)state;
    assert_not_drawn(victim);
}

static double in_blocks(int rank, int ranks, int column, int columns) {
    (void)rank;
    return floor((double)column * ranks / columns);
}

static void what_rises_is_not_drawn(void **state) {
    (void)state;
    assert_not_drawn(in_blocks);
}

/* Twice as likely in the first half. */
static double lopsided(int rank, int ranks, int column, int columns) {
    double number = chance(0, ranks, column, columns);
    (void)rank;
    return floor((number < 2.0 / 3 ? number * 0.75 : number * 1.5 - 0.5) * 60);
}

static void what_is_not_as_likely_is_not_drawn_from_the_range(void **state) {
    (void)state;
    assert_not_drawn(lopsided);
}

/* What one rank sends the next one gets. */
static double from_the_last_rank(int rank, int ranks, int column, int columns) {
    return victim(rank / 2, ranks, column, columns);
}

static void what_comes_back_at_another_rank_is_not_drawn(void **state) {
    (void)state;
    assert_not_drawn(from_the_last_rank);
}

/* What a rank has of the matrix is a bound, so that its draws go by it. */
static void what_ranks_with_other_features_have_too_is_not_drawn(void **state) {
    (void)state;
    struct world world;
    world_init(&world);
    for (int columns = 48; columns <= COLUMNS_MAX; columns *= 2) {
        add_run(&world, 2, 0);
        for (int rank = 0; rank < 2; rank++)
            for (int column = 0; column < columns; column++)
                add_to_sample(&world, add_sample(&world, 0, rank, columns + rank, column),
                              pivot(0, 0, column, columns));
    }
    world_fit(&world, 1);
    assert_null(world.draws);
    world_dispose(&world);
}

/* ---- Files ---- */

static void ask(const struct bsim_value_model *value) {
    double vector[4] = {1, 2, 3, 4};
    bool fits = bsim_value_feature_count(value) + bsim_value_context_count(value) <= 4;
    if (fits && bsim_value_draws(value) != NULL)
        bsim_draws_uniform(bsim_value_draws(value), 1, 2, vector);
}

static void check(const char *path, bool is_cut) {
    struct bsim_model *read = NULL;
    char text[512] = "";
    if (bsim_model_load(&read, path, TEST_BUNDLE, text, sizeof text) != 0) {
        assert_true(text[0] != '\0');
    } else {
        assert_false(is_cut);
        if (bsim_model_value(read, 0) != NULL)
            ask(bsim_model_value(read, 0));
    }
    bsim_model_free(read);
}

static void damaged_files_are_read_or_refused(void **state) {
    (void)state;
    struct world world;
    train_twice(&world); /* without what was seen: a short file */
    each_damaged("model.bsim", 3000, 11, check);
    world_dispose(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_owner_is_any_of_all_ranks),
        cmocka_unit_test(a_pivot_is_any_of_the_rows_that_are_left),
        cmocka_unit_test(pivots_of_columns_that_follow_each_other_are_spread),
        cmocka_unit_test(profiled_runs_have_their_own_numbers),
        cmocka_unit_test(of_many_columns_some_are_looked_at),
        cmocka_unit_test(what_ranks_do_not_change_is_the_same_on_others),
        cmocka_unit_test(pivots_of_a_loop_over_all_columns),
        cmocka_unit_test(runs_that_do_not_repeat_themselves_tell_no_numbers),
        cmocka_unit_test(bounds_rise_from_column_to_column),
        cmocka_unit_test(what_ranks_did_not_agree_on_is_not_drawn),
        cmocka_unit_test(what_goes_round_in_turn_is_not_drawn),
        cmocka_unit_test(what_rises_is_not_drawn),
        cmocka_unit_test(what_is_not_as_likely_is_not_drawn_from_the_range),
        cmocka_unit_test(what_comes_back_at_another_rank_is_not_drawn),
        cmocka_unit_test(what_ranks_with_other_features_have_too_is_not_drawn),
        cmocka_unit_test(damaged_files_are_read_or_refused),
    };
    return cmocka_run_group_tests(tests, directory_setup, directory_teardown);
}
