/* SPDX-License-Identifier: Apache-2.0
 *
 * Time steps on meshes that were not profiled: those of the nearest mesh, longer or shorter by a
 * law that the profiled ones tell.
 */
#include "sized_runs.h"
#include "support.h"

#include "model/eval/eval.h"
#include "model/eval/eval_stretch.h"

#include <math.h>
#include <string.h>

#define NUMBERS_MAX 8000

/* Time after j steps, of which the first ones are of length `step`: they become longer. */
static double time_after(double step, double j) {
    double x = step * j;
    return x + 0.2 * x * x;
}

enum kind { STEPS, CLOCK };

/* Until the end, to which the last step is cut short; returns how many there are. */
static size_t make_numbers(double *out, enum kind kind, double step, double end) {
    size_t count = 0;
    double time = 0;
    while (time < end && count < NUMBERS_MAX) {
        double now = fmin(time_after(step, (double)count + 1), end);
        out[count++] = kind == CLOCK ? now : now - time;
        time = now;
    }
    return count;
}

static void add_mesh(struct world *world, const char *arguments, enum kind kind, double cells,
                     int ranks, double step, double end) {
    double numbers[NUMBERS_MAX];
    size_t count = make_numbers(numbers, kind, step, end);
    world_add_run(world, arguments, cells / ranks, true, numbers, count);
    world->runs.items[world->runs.count - 1].ranks = ranks;
}

static void begin(struct world *world) {
    world_init(world, VALUE_FLOATING);
}

/* Of the run with the vector, or else the nearest one. */
static const struct bsim_value_seen *seen_of(const struct world *world, const double *vector) {
    const struct bsim_value_seen *seen = bsim_value_recall(world->value, vector);
    return seen != NULL ? seen : bsim_value_nearest(world->value, vector);
}

/* How many steps the skeleton takes to the end, at most `limit`. */
static int steps_to(const struct world *world, const double *vector, enum kind kind, double end,
                    int limit) {
    struct bsim_stretched stretched;
    const struct bsim_value_seen *seen = seen_of(world, vector);
    double time = 0;
    int count = 0;
    assert_non_null(seen);
    assert_non_null(bsim_value_nearest(world->value, vector));
    bsim_value_stretch(&stretched, world->value, vector, seen);
    while (time < end && count < limit) {
        double number = bsim_stretched_next(&stretched);
        time = kind == CLOCK ? number : time + number;
        count++;
    }
    return count;
}

static void assert_about(int found, size_t wanted, int slack) {
    if (abs(found - (int)wanted) > slack)
        fail_msg("%d steps instead of %zu", found, wanted);
}

/* Meshes of 20^3 to 60^3 cells, of which ranks have parts, and steps that go by the width of a
 * cell. */
TEST(steps_of_larger_meshes_are_shorter) {
    for (int kind = STEPS; kind <= CLOCK; kind++) {
        struct world world;
        double numbers[NUMBERS_MAX];
        begin(&world);
        for (int n = 20; n <= 60; n += 20)
            for (int ranks = 1; ranks <= 4; ranks *= 2)
                add_mesh(&world, "[]", (enum kind)kind, pow(n, 3), ranks, 0.3 / n, 1);
        world_fit(&world);
        for (int n = 10; n <= 640; n *= 2) {
            size_t wanted = make_numbers(numbers, (enum kind)kind, 0.3 / n, 1);
            const double *vector = VECTOR(world.value, "ranks n1@0", 64, pow(n, 3) / 64);
            assert_about(steps_to(&world, vector, (enum kind)kind, 1, NUMBERS_MAX), wanted,
                         1 + (int)wanted / 500);
        }
        assert_contains(world.models.items[VALUE].value_formula,
                        "; with other sizes steps of time as in the nearest run, times "
                        "(n1@0 of all ranks)^-0.333");
        world_dispose(&world);
    }
}

/* Meshes of 20^2 to 60^2 cells that a file describes, so that a rank's part of them is all that the
 * value's feature tells, and a clock that steps add up to. */
static void make_meshes_of_files(struct world *world, int largest, int most_ranks, bool adds_up) {
    static const struct feature cells = {"n1", "", "", false};
    double numbers[NUMBERS_MAX];
    begin(world);
    world->items[VALUE].features = &cells;
    world->items[VALUE].feature_count = 1;
    world->items[VALUE].adds_up = adds_up;
    for (int n = 20; n <= largest; n += 20)
        for (int ranks = 1; ranks <= most_ranks; ranks *= 4) {
            double part = pow(n, 2) / ranks;
            size_t count = make_numbers(numbers, CLOCK, 0.3 / n, 1);
            vec_push(&world->runs,
                     (struct run){.id = "r", .ranks = ranks, .arguments = "[\"file\"]"});
            world_add_sample(world, VALUE, &part, numbers, count);
        }
    world_fit(world);
}

TEST(sizes_are_among_the_features) {
    for (int adds_up = 0; adds_up < 2; adds_up++) {
        struct world world;
        double numbers[NUMBERS_MAX];
        make_meshes_of_files(&world, 60, 4, adds_up);
        assert_contains(world.models.items[VALUE].value_formula, "(n1 of all ranks)^-0.5");
        assert_string_equal(world.models.items[VALUE].note, "");
        for (int n = 10; n <= 640; n *= 2) {
            size_t wanted = make_numbers(numbers, CLOCK, 0.3 / n, 1);
            const double *vector = VECTOR(world.value, "n1 ranks", pow(n, 2) / 16, 16);
            assert_about(steps_to(&world, vector, CLOCK, 1, NUMBERS_MAX), wanted,
                         1 + (int)wanted / 500);
        }
        world_dispose(&world);
    }
}

/* Two meshes are no law: whoever reads the table of models is told whose steps other meshes take.
 */
TEST(a_clock_of_which_nothing_tells_the_steps_is_said_to_be_one) {
    struct world world;
    make_meshes_of_files(&world, 40, 1, true);
    assert_null(strstr(world.models.items[VALUE].value_formula, ", times"));
    assert_contains(world.models.items[VALUE].note,
                    "nothing tells how long steps of other sizes are");
    world_dispose(&world);
}

/* Exactly, to the last number, though another mesh was run for longer. */
TEST(a_mesh_that_was_seen_has_its_own_steps) {
    for (int kind = STEPS; kind <= CLOCK; kind++) {
        struct world world;
        double numbers[NUMBERS_MAX];
        begin(&world);
        for (int n = 20; n <= 60; n += 20)
            for (int ranks = 1; ranks <= 4; ranks *= 2)
                add_mesh(&world, "[]", (enum kind)kind, pow(n, 2), ranks, 0.3 / n, 40. / n);
        world_fit(&world);
        for (int n = 20; n <= 60; n += 20) {
            size_t count = make_numbers(numbers, (enum kind)kind, 0.3 / n, 40. / n);
            const double *vector = VECTOR(world.value, "ranks n1@0", 16, pow(n, 2) / 16);
            struct bsim_stretched stretched;
            bsim_value_stretch(&stretched, world.value, vector, seen_of(&world, vector));
            for (size_t k = 0; k < count; k++)
                assert_near(bsim_stretched_next(&stretched), numbers[k]);
        }
        world_dispose(&world);
    }
}

/* The mesh and the end time are arguments; no run has gone as far. */
TEST(time_goes_on_beyond_what_was_seen) {
    struct world world;
    double numbers[NUMBERS_MAX];
    begin(&world);
    for (int n = 20; n <= 80; n *= 2)
        for (double end = 1; end <= 4; end *= 2)
            add_mesh(&world, arena_printf(&world.arena, "[\"-n\",\"%d\",\"-t\",\"%g\"]", n, end),
                     CLOCK, n, 4, 0.3 / n, end);
    world_fit(&world);
    for (int n = 40; n <= 160; n *= 2) {
        assert_about(steps_to(&world, VECTOR(world.value, "-n -t", n, 3), CLOCK, 3, NUMBERS_MAX),
                     make_numbers(numbers, CLOCK, 0.3 / n, 3), 2);
        size_t wanted = make_numbers(numbers, CLOCK, 0.3 / n, 5);
        assert_about(steps_to(&world, VECTOR(world.value, "-n -t", n, 5), CLOCK, 5, NUMBERS_MAX),
                     wanted, (int)wanted / 20);
    }
    world_dispose(&world);
}

/* All meshes take the same steps: then it is the time that is another. */
TEST(steps_that_are_the_same_everywhere_go_on) {
    struct world world;
    double numbers[NUMBERS_MAX];
    begin(&world);
    for (double end = 1; end <= 4; end *= 2)
        add_mesh(&world, arena_printf(&world.arena, "[\"%g\"]", end), CLOCK, 100, 4, 0.01, end);
    world_fit(&world);
    assert_about(steps_to(&world, VECTOR(world.value, "arg1", 3), CLOCK, 3, NUMBERS_MAX),
                 make_numbers(numbers, CLOCK, 0.01, 3), 0);
    world_dispose(&world);
}

static void assert_no_law(struct world *world) {
    world_fit(world);
    assert_null(strstr(world->models.items[VALUE].lines, "stretch"));
    world_dispose(world);
}

/* A law of one exponent wants three sizes that agree on it. */
TEST(two_sizes_or_sizes_that_say_otherwise_tell_no_law) {
    struct world world;
    begin(&world);
    for (int n = 20; n <= 40; n += 20)
        add_mesh(&world, "[]", STEPS, n, 1, 0.3 / n, 1);
    assert_no_law(&world);
    begin(&world);
    for (int n = 20; n <= 100; n += 20)
        add_mesh(&world, "[]", STEPS, n, 1, n % 40 == 0 ? 0.01 : 0.004, 1);
    assert_no_law(&world);
}

static void check_damaged(const char *path, bool is_cut) {
    struct bsim_model *read = NULL;
    char text[512];
    int result = bsim_model_load(&read, path, NULL, text, sizeof text);
    assert_true(!is_cut || result != 0);
    const struct bsim_value_model *value = result == 0 ? bsim_model_value(read, VALUE) : NULL;
    double vector[64] = {2, 1e4};
    struct bsim_stretched stretched;
    if (value != NULL && bsim_value_feature_count(value) + bsim_value_context_count(value) <= 64) {
        const struct bsim_value_seen *seen = bsim_value_nearest(value, vector);
        if (seen != NULL)
            bsim_value_stretch(&stretched, value, vector, seen);
        if (seen != NULL)
            for (int i = 0; i < 20; i++)
                bsim_stretched_next(&stretched);
    }
    bsim_model_free(read);
}

TEST(damaged_laws_are_refused_or_read) {
    struct world world;
    begin(&world);
    for (int n = 20; n <= 40; n += 10)
        for (int ranks = 1; ranks <= 2; ranks++)
            add_mesh(&world, "[]", STEPS, n, ranks, 2. / n, 1);
    world_fit(&world);
    assert_contains(world.models.items[VALUE].lines, "stretch steps 0 1 1 total -1");
    each_damaged("model.bsim", 3000, 7, check_damaged);
    world_dispose(&world);
}

FIXTURE(directory_setup, directory_teardown)
