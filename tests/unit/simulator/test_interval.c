/* SPDX-License-Identifier: Apache-2.0
 *
 * The interval in worlds where the truth is known: programs whose regions, runs, ranks and
 * executions are off by as much as their models say, and by what no model knows. Random, with a
 * fixed seed.
 */
#include "support.h"

#include "model/eval/normal_scores.h"
#include "model/eval/splitmix.h"
#include "simulator/prediction/interval.h"
#include "simulator/prediction/validation.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define REGIONS 5
#define RANKS 64
#define WORLDS 200
#define TRUTHS 20

static uint64_t state_of_random = 42;

static double uniform(double from, double to) {
    state_of_random += BSIM_SPLITMIX_STEP;
    return from + (to - from) * (double)(bsim_splitmix_output(state_of_random) >> 11) * 0x1p-53;
}

static double normal(void) {
    return sqrt(-2 * log(1 - uniform(0, 1))) * cos(2 * M_PI * uniform(0, 1));
}

/* What a deviation turns out to be that was measured with so many degrees of freedom. */
static double another(double deviation, int degrees) {
    double squares = 0;
    for (int i = 0; i < degrees; i++)
        squares += pow(normal(), 2);
    return deviation * sqrt(squares / degrees);
}

/* Ranks meet after each execution of each region. */
struct program {
    int ranks;
    double compute_s[REGIONS]; /* of a rank, on average */
    struct bsim_spread spreads[REGIONS];
    double executions; /* on a rank */
    struct region regions_of[REGIONS];
    struct regions regions;
    struct region_stats seen[REGIONS];
    struct rank_stats per_rank[RANKS];
    struct run_stats stats;
    struct bsim_model *model;
};

static void load(struct program *out) {
    char text[4000], error[500];
    int length =
        snprintf(text, sizeof text, "mpiskel-model 1\nbundle 0123456789abcdef\nmachine default\n");
    for (int i = 0; i < REGIONS; i++) {
        const struct bsim_spread *spread = &out->spreads[i];
        length += snprintf(
            text + length, sizeof text - (size_t)length,
            "region %d r-%d features 0 terms 1 range\nterm 1\nspread %g %g %g %g %g\n", i, i,
            spread->model, spread->run, spread->rank, spread->execution, spread->beyond);
    }
    snprintf(text + length, sizeof text - (size_t)length, "end %d\n", REGIONS);
    write_text(test_path("model.bsim"), text);
    assert_int_equal(
        bsim_model_load(&out->model, test_path("model.bsim"), NULL, error, sizeof error), 0);
}

/* With what ranks wait for each other. */
static double seconds_of(const struct program *program, int region, double rank, double execution) {
    double slowest = bsim_largest_score(program->ranks);
    bool is_drawn = program->executions > BSIM_JITTER_FROM;
    return program->compute_s[region] * (1 + slowest * (rank + (is_drawn ? execution : 0)));
}

/* The summary of its simulation, from which the interval is made. */
static void predict(struct program *out) {
    double compute_s = 0;
    out->regions = (struct regions){.items = out->regions_of, .count = REGIONS};
    out->stats = (struct run_stats){.ranks = (size_t)out->ranks,
                                    .per_rank = out->per_rank,
                                    .regions = out->seen,
                                    .region_count = REGIONS};
    for (int i = 0; i < REGIONS; i++) {
        out->seen[i] = (struct region_stats){.index = (size_t)i,
                                             .executions = out->executions * out->ranks,
                                             .seconds = out->compute_s[i] * out->ranks};
        compute_s += out->compute_s[i];
        out->stats.makespan_s +=
            seconds_of(out, i, out->spreads[i].rank, out->spreads[i].execution);
    }
    for (int i = 0; i < out->ranks; i++)
        out->per_rank[i] = (struct rank_stats){.mpi_s = out->stats.makespan_s - compute_s};
    load(out);
}

static void make_program(struct program *out) {
    double run = uniform(0.02, 0.15);
    *out = (struct program){.ranks = (int)pow(2, floor(uniform(0, 7))),
                            .executions = uniform(0, 1) < 0.2 ? 1 : 100};
    for (int i = 0; i < REGIONS; i++) {
        out->compute_s[i] = pow(uniform(0, 1), 3);
        out->spreads[i] =
            (struct bsim_spread){uniform(0.02, 0.15), run, uniform(0, 0.05), uniform(0, 0.05), 0.5};
    }
    predict(out);
}

/* How long it would really take: the median of three runs. */
static double measure(const struct program *program) {
    double seconds = 0, slowest = bsim_largest_score(program->ranks);
    for (int i = 0; i < REGIONS; i++) {
        const struct bsim_spread *spread = &program->spreads[i];
        double rank = another(spread->rank, 4), execution = another(spread->execution, 4);
        double wait = program->executions > BSIM_JITTER_FROM ? slowest : fmax(normal(), 0);
        seconds += program->compute_s[i] * exp(spread->model * normal()) *
                   (1 + slowest * rank + wait * execution);
    }
    double runs[] = {normal(), normal(), normal()};
    double median = fmax(fmin(runs[0], runs[1]), fmin(fmax(runs[0], runs[1]), runs[2]));
    return seconds * exp(program->spreads[0].run * median + INTERVAL_FLOOR * normal());
}

TEST(of_twenty_truths_nineteen_are_inside) {
    int inside = 0, above = 0;
    for (int world = 0; world < WORLDS; world++) {
        struct program program;
        struct interval interval;
        make_program(&program);
        interval_make(&interval, &program.stats, &program.regions, program.model, NULL);
        assert_true(interval.known);
        for (int i = 0; i < TRUTHS; i++) {
            double seconds = measure(&program);
            inside += seconds >= interval.low_s && seconds <= interval.high_s;
            above += seconds > interval.high_s;
        }
        bsim_model_free(program.model);
    }
    double share = inside / (double)(WORLDS * TRUTHS), missed = WORLDS * TRUTHS - inside;
    if (share < 0.93 || share > 0.98)
        fail_msg("%g of the truths are inside", share);
    assert_true(above > 0.2 * missed && above < 0.8 * missed); /* neither always short nor long */
}

/* ---- One part at a time ---- */

static const double quantile = 1.959964;

/* Two ranks, which are in MPI for half of the time; the first region has all of it. */
static struct interval part_alone(struct bsim_spread spread, double executions) {
    struct program program = {.ranks = 2, .executions = executions};
    struct interval out;
    for (int i = 0; i < REGIONS; i++) {
        program.compute_s[i] = i == 0 ? 2 : 0;
        program.spreads[i] = spread;
    }
    predict(&program);
    program.stats.makespan_s = 4;
    program.per_rank[0].mpi_s = program.per_rank[1].mpi_s = 2;
    interval_make(&out, &program.stats, &program.regions, program.model, NULL);
    bsim_model_free(program.model);
    return out;
}

static void assert_near(double found, double wanted) {
    if (fabs(found - wanted) > 1e-6)
        fail_msg("%g instead of %g", found, wanted);
}

/* The slower one of two is above the mean by 0.589 deviations; half of it is not known. */
TEST(what_ranks_wait_for_each_other_is_half_known) {
    double drawn_s = quantile * 0.5 * 4 * 0.05 * 0.5894558;
    struct interval executions = part_alone((struct bsim_spread){.execution = 0.05}, 7);
    struct interval ranks = part_alone((struct bsim_spread){.rank = 0.05}, 7);
    double others_s = ranks.parts_s[INTERVAL_OTHERS];
    assert_near(executions.parts_s[INTERVAL_EXECUTIONS], drawn_s);
    assert_near(executions.parts_s[INTERVAL_RANKS], 0);
    assert_near(ranks.parts_s[INTERVAL_RANKS], drawn_s);
    assert_near(others_s, 4 * expm1(quantile * INTERVAL_FLOOR));
    assert_near(ranks.high_s, 4 + hypot(drawn_s, others_s));
    assert_near(4 - ranks.low_s, hypot(drawn_s, 4 * -expm1(-quantile * INTERVAL_FLOOR)));
}

/* The prediction has nothing of it, so that it can only be longer. */
TEST(executions_that_are_not_drawn_make_it_longer) {
    struct interval twice = part_alone((struct bsim_spread){.execution = 0.05}, 2);
    struct interval never = part_alone((struct bsim_spread){0}, 2);
    assert_near(twice.parts_s[INTERVAL_EXECUTIONS], quantile * 4 * 0.05 * 0.5894558);
    assert_near(twice.low_s, never.low_s);
    assert_true(twice.high_s > never.high_s);
}

/* However much they differ: 0.25 counts, and what they are in MPI is all that they wait. */
TEST(nobody_waits_longer_than_in_mpi) {
    struct interval wide = part_alone((struct bsim_spread){.rank = 9}, 7);
    assert_near(wide.parts_s[INTERVAL_RANKS], quantile * 0.5 * 4 * 0.25 * 0.5894558);
    struct program program = {.ranks = 2, .executions = 7, .compute_s = {4}};
    struct interval alone;
    program.spreads[0].rank = 0.25;
    predict(&program);
    program.stats.makespan_s = 4;
    program.per_rank[0].mpi_s = program.per_rank[1].mpi_s = 0.1;
    interval_make(&alone, &program.stats, &program.regions, program.model, NULL);
    assert_near(alone.parts_s[INTERVAL_RANKS], 0.1);
    bsim_model_free(program.model);
}

/* Half a second of 4 is computation, on each of two ranks; messages are off by a twentieth. */
static struct interval of_messages(double ideal_share, double network_error) {
    const struct interval_basis basis = {ideal_share, network_error};
    struct program program = {.ranks = 2, .executions = 7, .compute_s = {0.5}};
    struct interval out;
    program.spreads[0] = (struct bsim_spread){.model = 0.3, .run = 0.2};
    predict(&program);
    program.stats.makespan_s = 4;
    program.per_rank[0].mpi_s = program.per_rank[1].mpi_s = 3.5;
    interval_make(&out, &program.stats, &program.regions, program.model, &basis);
    bsim_model_free(program.model);
    return out;
}

TEST(models_err_on_what_computation_can_make_longer) {
    struct interval simulated = of_messages(0.2, 0), bound = of_messages(0, 0);
    assert_near(simulated.parts_s[INTERVAL_MODELS], 0.8 * expm1(quantile * 0.3));
    assert_near(simulated.parts_s[INTERVAL_RUNS], 0.8 * expm1(quantile * 0.67 * 0.2));
    assert_near(bound.parts_s[INTERVAL_MODELS], 1 * expm1(quantile * 0.3)); /* of both ranks */
    assert_near(bound.parts_s[INTERVAL_NETWORK], 0);
    assert_near(simulated.parts_s[INTERVAL_OTHERS], 4 * expm1(quantile * INTERVAL_FLOOR));
}

TEST(the_networks_error_is_a_part) {
    struct interval simulated = of_messages(0.2, 0.05), bound = of_messages(0, 0.05);
    struct interval without = of_messages(0.2, 0);
    assert_near(simulated.parts_s[INTERVAL_NETWORK], 3.2 * expm1(quantile * 0.05));
    assert_near(bound.parts_s[INTERVAL_NETWORK], 3.5 * expm1(quantile * 0.05));
    assert_near(pow(simulated.high_s - 4, 2) - pow(without.high_s - 4, 2),
                pow(3.2 * expm1(quantile * 0.05), 2));
    assert_near(pow(4 - simulated.low_s, 2) - pow(4 - without.low_s, 2),
                pow(3.2 * expm1(-quantile * 0.05), 2));
}

static struct program one_region(void) {
    struct program program = {.ranks = 2, .executions = 7, .compute_s = {4}};
    predict(&program);
    program.stats.makespan_s = 4;
    program.per_rank[0].mpi_s = program.per_rank[1].mpi_s = 2;
    return program;
}

static struct interval interval_of(struct program *program) {
    const struct interval_basis basis = {0, 0};
    struct interval out;
    program->stats.regions = program->seen;
    program->stats.per_rank = program->per_rank;
    program->regions.items = program->regions_of;
    interval_make(&out, &program->stats, &program->regions, program->model, &basis);
    bsim_model_free(program->model);
    return out;
}

/* What each rank of a synthesised program is predicted with (runtime/skeleton/latency_noise.c). */
TEST(ranks_of_synthesised_programs_differ_by_more) {
    for (int i = 0; i < 2; i++) {
        struct program program = {.ranks = 2, .executions = 7, .compute_s = {4}};
        program.spreads[0].rank = 0.8;
        predict(&program);
        program.regions.is_synthesised = i > 0;
        program.stats.makespan_s = 4;
        program.per_rank[0].mpi_s = program.per_rank[1].mpi_s = 2;
        struct interval out = interval_of(&program);
        assert_near(out.parts_s[INTERVAL_RANKS],
                    quantile * 0.5 * 4 * (i > 0 ? 0.8 : 0.25) * 0.5894558);
    }
}

/* A tenth of its time is of terms whose shares are larger than in any sample. */
TEST(mixtures_that_no_sample_had_widen_it) {
    for (int i = 0; i < 2; i++) {
        struct program program = {.ranks = 2, .executions = 7, .compute_s = {4}};
        program.spreads[0].model = 0.03;
        predict(&program);
        program.stats.makespan_s = 4;
        program.seen[0].unseen_seconds = i * 0.1 * program.seen[0].seconds;
        assert_near(interval_of(&program).parts_s[INTERVAL_MODELS],
                    4 * expm1(quantile * sqrt(0.03 * (0.03 + i * 0.1))));
    }
}

/* Of which one says a half, and another three times as much. */
TEST(numbers_that_tell_the_samples_alike_are_inside) {
    struct program program = one_region();
    program.seen[0].others_min = 0.5;
    program.seen[0].others_max = 3;
    struct interval out = interval_of(&program);
    assert_near(out.parts_s[INTERVAL_ALIKE], 8);
    assert_near(out.high_s, 4 + hypot(8, 4 * expm1(quantile * INTERVAL_FLOOR)));
    assert_near(out.low_s, 4 - hypot(2, 4 * -expm1(-quantile * INTERVAL_FLOOR)));
}

TEST(messages_of_counted_programs_are_unsure) {
    struct program program = one_region();
    program.per_rank[0].mpi_s = program.per_rank[1].mpi_s = 3;
    program.regions.counted = "blocks";
    struct interval out = interval_of(&program);
    assert_near(out.parts_s[INTERVAL_OTHERS], hypot(2 * expm1(quantile * INTERVAL_FLOOR),
                                                    4 * expm1(quantile * INTERVAL_FLOOR_COUNTED)));
}

/* A fifth off what is communicated, on ranks that are in MPI for 2 of 4 seconds. */
TEST(given_values_that_are_off_are_a_part) {
    static const char *const kinds[] = {"integer", "trips"};
    for (int i = 0; i < 2; i++) {
        char text[500], error[500];
        struct bsim_model *model = NULL;
        struct untold_count untold = {.index = 0, .count = 1};
        struct rank_stats ranks[2] = {{.mpi_s = 2}, {.mpi_s = 2}};
        struct run_stats stats = {.makespan_s = 4,
                                  .ranks = 2,
                                  .per_rank = ranks,
                                  .untold_values = &untold,
                                  .untold_count = 1};
        struct regions regions = {0};
        struct interval out;
        snprintf(
            text, sizeof text,
            "mpiskel-model 1\nbundle 0123456789abcdef\nmachine default\nvalue 0 v %s features 0 "
            "context 0 answers 3 key 0\nround 0\nerror 0.2 untold runs 0.2\nformula -1 1\n"
            "case 0 terms 1\nterm 5\nend 1\n",
            kinds[i]);
        write_text(test_path("model.bsim"), text);
        if (bsim_model_load(&model, test_path("model.bsim"), NULL, error, sizeof error) != 0)
            fail_msg("%s", error);
        interval_make(&out, &stats, &regions, model, NULL);
        assert_near(out.parts_s[INTERVAL_VALUES], i == 0 ? 2 * expm1(quantile * 1.2533 * 0.2) : 0);
        assert_near(out.high_s, 4 + out.parts_s[INTERVAL_VALUES]);
        bsim_model_free(model);
    }
}

/* An interval of 1 to 2 s, and a measured time with a standard error in percent; NAN: of one run.
 */
static enum validation_verdict verdict_of(double measured_s, double percent, bool is_counted) {
    const struct validated one = {.interval = {.known = true, .low_s = 1, .high_s = 2},
                                  .is_counted = is_counted};
    const struct times times = {3, measured_s, measured_s, measured_s, percent / 100, 0};
    return validation_verdict_of(&one, &times);
}

TEST(no_verdict_beyond_the_measurements_own_error) {
    assert_int_equal(verdict_of(1.5, 5, false), VERDICT_INSIDE);
    assert_int_equal(verdict_of(2.5, 5, false), VERDICT_OUTSIDE);
    assert_int_equal(verdict_of(0.5, 5, false), VERDICT_OUTSIDE);
    assert_int_equal(verdict_of(1.9, 5, false), VERDICT_TOO_NEAR);
    assert_int_equal(verdict_of(2.1, 5, false), VERDICT_TOO_NEAR);
    assert_int_equal(verdict_of(1.05, 5, false), VERDICT_TOO_NEAR);
    assert_int_equal(verdict_of(1.9, 1, false), VERDICT_INSIDE);
    assert_int_equal(verdict_of(1.5, NAN, false), VERDICT_ONE_RUN);
    assert_int_equal(verdict_of(2.1, NAN, true), VERDICT_OUTSIDE);
    struct validated disturbed = {.interval = {.known = true, .low_s = 1, .high_s = 2},
                                  .original = {3, 2.5, 2.5, 2.5, 0.01, 0},
                                  .is_disturbed = true};
    assert_int_equal(validation_verdict_of(&disturbed, &disturbed.original), VERDICT_DISTURBED);
    disturbed.is_corrected = true; /* without what interrupted it */
    assert_int_equal(validation_verdict_of(&disturbed, &disturbed.original), VERDICT_OUTSIDE);
    const struct validated unknown = {.interval = {.low_s = 1, .high_s = 2}};
    const struct times times = {3, 1.5, 1.5, 1.5, 0.01, 0};
    assert_int_equal(validation_verdict_of(&unknown, &times), VERDICT_NO_INTERVAL);
}

FIXTURE(directory_setup, directory_teardown)
