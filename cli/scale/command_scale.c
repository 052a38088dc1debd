/* SPDX-License-Identifier: Apache-2.0
 *
 * `mpiskel scale`: run time over ranks (docs/how-to/scaling-curves.md).
 *
 * Steps: simulate the points or read them; fit curves and choose one (model/scaling/scaling.h);
 * predict; simulate what was predicted, where that does not take too long, so that the curve and
 * the skeleton's own answer stand side by side; report and draw.
 */
#include "cli/common/commands.h"
#include "cli/common/unexplained_note.h"
#include "cli/scale/scale.h"

#include "base/numbers.h"
#include "base/str.h"
#include "base/words.h"
#include "model/scaling/scaling_read.h"
#include "simulator/run/bundle.h"

#include <math.h>
#include <stdlib.h>

struct scale_command {
    struct scale_options options;
    struct scaling_source source; /* what is fitted */
    struct scaling scaling;       /* of the points, which predicts targets, */
    struct scaling all;           /* and of those that were simulated to compare with as well */
    struct scale_run *points, *targets;
    struct scale_report report;
    struct error error;
};

/* ---- Points ---- */

static struct scale_run *new_runs(struct scale_command *command, const rank_list *ranks) {
    struct scale_run *runs =
        ARENA_ARRAY(&command->options.arena, struct scale_run, ranks->count + 1);
    for (size_t i = 0; i < ranks->count; i++)
        runs[i] = (struct scale_run){.ranks = ranks->items[i], .wanted = true};
    return runs;
}

static int name_program(struct scale_command *command) {
    struct bundle bundle;
    if (bundle_open(&bundle, command->options.bundle, &command->error) != 0)
        return -1;
    bool is_even_if_wrong = words_contain(command->options.run_options.items,
                                          command->options.run_options.count, "--even-if-wrong");
    struct bundle_use use = {.name = command->options.bundle,
                             .arguments = (char *const *)command->options.arguments,
                             .argument_count = command->options.argument_count,
                             .even_if_unknown = words_contain(command->options.run_options.items,
                                                              command->options.run_options.count,
                                                              "--even-if-unknown")};
    unexplained_note(command->options.bundle, NULL);
    int result = bundle_check_verdict(&bundle, is_even_if_wrong, &command->error) != 0
                     ? -1
                     : bundle_check_arguments(&bundle, &use, &command->error);
    command->source.program = arena_strdup(&command->source.arena, bundle.regions.program);
    bundle_close(&bundle);
    command->source.arguments =
        words_text(&command->source.arena, (const char *const *)command->options.arguments,
                   command->options.argument_count);
    return result;
}

static int simulate_points(struct scale_command *command) {
    struct scale_options *options = &command->options;
    if (name_program(command) != 0)
        return -1;
    command->points = new_runs(command, &options->ranks);
    if (scale_simulate(command->points, options->ranks.count, options, &command->error) != 0)
        return -1;
    for (size_t i = 0; i < options->ranks.count; i++) {
        const struct scale_run *run = &command->points[i];
        if (!run->done)
            return error_set(&command->error, "on %zu ranks: %s", run->ranks, run->why);
        double computation_s =
            run->computation_s >= 0 ? fmin(run->computation_s, run->time_s) : NAN;
        vec_push(&command->source.points,
                 (struct scaling_point){(double)run->ranks, run->time_s, computation_s});
    }
    return 0;
}

static int read_points(struct scale_command *command) {
    struct scale_options *options = &command->options;
    struct scaling_source *source = &command->source;
    for (size_t i = 0; i < options->files.count; i++) {
        struct scaling_file file = {options->files.items[i], options->where_column,
                                    options->where_value};
        if (scaling_read(source, &file, &command->error) != 0)
            return -1;
    }
    if (source->other_program != NULL)
        return error_set(&command->error,
                         "the points are of different programs, '%s' and '%s': a curve is of one",
                         source->program, source->other_program);
    if (source->other_arguments != NULL && !options->weak)
        return error_set(&command->error,
                         "the points have different arguments, '%s' and '%s': choose with --where "
                         "'arguments=%s', or give --weak if the work grows with the ranks",
                         source->arguments, source->other_arguments, source->arguments);
    return 0;
}

/* ---- Targets ---- */

static void choose_targets(struct scale_command *command) {
    const scaling_point_list *points = &command->scaling.points;
    rank_list *targets = &command->options.targets;
    double largest = points->items[points->count - 1].ranks;
    for (int factor = 2; factor <= 8 && targets->count < 3; factor *= 2)
        vec_push(targets, (size_t)largest * (size_t)factor);
}

/* How long the simulations of the points took tells how long others will take. */
static bool fit_wall_times(struct scaling *out, const struct scale_command *command) {
    struct scaling_point *walls = xmalloc((command->options.ranks.count + 1) * sizeof *walls);
    struct error ignored = {0};
    size_t count = 0;
    for (size_t i = 0; i < command->options.ranks.count; i++)
        if (command->points[i].wall_s > 0)
            walls[count++] = (struct scaling_point){(double)command->points[i].ranks,
                                                    command->points[i].wall_s, NAN};
    bool known = scaling_fit(out, walls, count, &ignored) == 0;
    free(walls);
    return known;
}

static void leave_out_long_ones(struct scale_command *command) {
    struct scale_options *options = &command->options;
    struct scaling walls;
    if (!fit_wall_times(&walls, command))
        return;
    for (size_t i = 0; i < options->targets.count; i++) {
        struct scale_run *run = &command->targets[i];
        double wall_s = scaling_time_s(&walls, (double)run->ranks);
        if (wall_s <= options->target_limit_s)
            continue;
        run->wanted = false;
        run->why = arena_printf(
            &options->arena, "not simulated: it would take about %.0f s (--target-limit)", wall_s);
    }
    scaling_dispose(&walls);
}

/* A point that was simulated before is not simulated again. */
static void take_over(struct scale_run *target, const struct scale_command *command) {
    for (size_t i = 0; i < command->options.ranks.count; i++)
        if (command->points[i].ranks == target->ranks) {
            *target = command->points[i];
            target->wanted = false;
        }
}

static int simulate_targets(struct scale_command *command) {
    struct scale_options *options = &command->options;
    if (options->bundle == NULL || options->no_targets)
        return 0;
    command->targets = new_runs(command, &options->targets);
    leave_out_long_ones(command);
    for (size_t i = 0; i < options->targets.count; i++)
        take_over(&command->targets[i], command);
    return scale_simulate(command->targets, options->targets.count, options, &command->error);
}

/* ---- The report ---- */

static void add_targets(struct scale_command *command) {
    const struct scaling *scaling = &command->scaling;
    for (size_t i = 0; i < command->options.targets.count; i++) {
        struct scale_target target = {.ranks = (double)command->options.targets.items[i]};
        target.time_s = scaling_time_s(scaling, target.ranks);
        target.has_band = scaling_band(&target.low_s, &target.high_s, scaling, target.ranks);
        if (command->targets != NULL)
            target.run = &command->targets[i];
        vec_push(&command->report.targets, target);
    }
}

static void compare_targets(struct scale_report *report) {
    double *errors = xmalloc((report->targets.count + 1) * sizeof *errors);
    for (size_t i = 0; i < report->targets.count; i++) {
        const struct scale_target *target = &report->targets.items[i];
        if (target->run == NULL || !target->run->done)
            continue;
        double error = fabs(target->time_s / target->run->time_s - 1);
        errors[report->compared++] = error;
        report->largest_error = fmax(report->largest_error, error);
    }
    if (report->compared > 0)
        report->median_error = numbers_median(errors, report->compared);
    free(errors);
}

/* What was simulated to compare with is a point as well: of the curve of all of them are the turn
 * and where the efficiency ends, and what was not simulated. */
static int fit_all(struct scale_command *command) {
    scaling_point_list all = {0};
    for (size_t i = 0; i < command->source.points.count; i++)
        vec_push(&all, command->source.points.items[i]);
    for (size_t i = 0; i < command->report.targets.count; i++) {
        const struct scale_run *run = command->report.targets.items[i].run;
        if (run == NULL || !run->done)
            continue;
        double computation_s =
            run->computation_s >= 0 ? fmin(run->computation_s, run->time_s) : NAN;
        vec_push(&all, (struct scaling_point){(double)run->ranks, run->time_s, computation_s});
    }
    int result = scaling_fit(&command->all, all.items, all.count, &command->error);
    vec_dispose(&all);
    return result;
}

/* Only what a point shows is told: one on more ranks that takes longer. */
static void find_turn(struct scale_report *out, const struct scaling *all) {
    const scaling_point_list *points = &all->points;
    size_t fastest = 0;
    for (size_t i = 1; i < points->count; i++)
        if (points->items[i].time_s < points->items[fastest].time_s)
            fastest = i;
    out->shown_ranks = points->items[points->count - 1].ranks;
    if (fastest + 1 == points->count)
        return;
    double turn = scaling_turn(all), least = points->items[fastest > 0 ? fastest - 1 : 0].ranks;
    bool is_between = turn >= least && turn <= points->items[fastest + 1].ranks;
    out->turn_ranks = is_between ? turn : points->items[fastest].ranks;
}

static void predict_what_is_not_simulated(struct scale_command *command) {
    for (size_t i = 0; i < command->report.targets.count; i++) {
        struct scale_target *target = &command->report.targets.items[i];
        if (target->run != NULL && target->run->done)
            continue;
        target->time_s = scaling_time_s(&command->all, target->ranks);
        target->has_band =
            scaling_band(&target->low_s, &target->high_s, &command->all, target->ranks);
    }
}

static int make_report(struct scale_command *command) {
    const struct scaling *scaling = &command->scaling;
    command->report = (struct scale_report){
        .is_weak = command->options.weak,
        .is_simulated = command->options.bundle != NULL,
        .scaling = scaling,
        .program = command->source.program != NULL ? command->source.program : "the program",
        .arguments = command->source.arguments,
        .repeated = command->source.points.count - scaling->points.count,
        .without_time = command->source.without_time,
    };
    add_targets(command);
    compare_targets(&command->report);
    if (fit_all(command) != 0)
        return -1;
    predict_what_is_not_simulated(command);
    find_turn(&command->report, &command->all);
    command->report.half_ranks = scaling_efficiency_end(&command->all, 0.5, command->options.weak);
    return 0;
}

static int run(struct scale_command *command) {
    struct scale_options *options = &command->options;
    struct error *error = &command->error;
    if ((options->bundle != NULL ? simulate_points(command) : read_points(command)) != 0 ||
        scaling_fit(&command->scaling, command->source.points.items, command->source.points.count,
                    error) != 0)
        return -1;
    if (options->targets.count == 0)
        choose_targets(command);
    if (simulate_targets(command) != 0)
        return -1;
    if (make_report(command) != 0)
        return -1;
    scale_print(&command->report, options->format, options->top);
    if (output_finish(error) != 0)
        return -1;
    return options->plot != NULL ? scale_plot(&command->report, options->plot, error) : 0;
}

int command_scale(int argc, char **argv) {
    struct scale_command command = {0};
    scale_options_parse(&command.options, argc, argv);
    int result = run(&command);
    if (result != 0)
        error_print(&command.error);
    vec_dispose(&command.report.targets);
    scaling_dispose(&command.scaling);
    scaling_dispose(&command.all);
    scaling_source_dispose(&command.source);
    scale_options_dispose(&command.options);
    return result == 0 ? EXIT_FINE : EXIT_FAILED;
}
