/* SPDX-License-Identifier: Apache-2.0
 *
 * `mpiskel synthesize`: recordings of small runs -> a bundle of the program, for any number of
 * ranks and size; with --check, what it says of recorded runs that were left out.
 *
 * Steps: read the recordings; learn; compare with the runs to check; write the bundle; report.
 */
#include "cli/common/command_syntax.h"
#include "cli/common/commands.h"
#include "cli/common/opened.h"
#include "cli/synthesize/synthesize_print.h"

#include "base/file.h"
#include "base/output_format.h"
#include "base/process.h"
#include "base/str.h"
#include "synthesis/bundle/replay_bundle.h"
#include "synthesis/bundle/synth_bundle.h"
#include "synthesis/recorded/assumed_grid.h"
#include "synthesis/recorded/recorded_load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct synthesize_options {
    VEC(const char *) directories;
    const char *output; /* NULL: nothing is written */
    option_texts checks;
    const char *target; /* NULL: not given */
    bool as_recorded, steady;
    enum output_format format;
};

struct synthesize_command {
    struct synthesize_options options;
    struct recorded_runs runs;
    struct learned_program learned;
    struct checked_run *checks;
    ambiguity_list ambiguities;
    struct error error;
};

#define OPTIONS struct synthesize_options

static int take_argument(void *input, const char *text, struct error *error) {
    struct synthesize_options *options = input;
    (void)error;
    vec_push(&options->directories, text);
    return 0;
}

static int check_options(void *input, struct error *error) {
    const struct synthesize_options *options = input;
    if (options->directories.count == 0)
        return error_set(error,
                         "which recordings? Give the directories that `mpiskel record` wrote");
    if (options->as_recorded && (options->directories.count > 1 || options->output == NULL ||
                                 options->checks.count > 0 || options->target != NULL))
        return error_set(error, "--as-recorded takes one DIR and -o APP.synth, and nothing else");
    if (options->steady && !options->as_recorded)
        return error_set(error, "--steady goes with --as-recorded");
    if (options->output == NULL && options->checks.count == 0 && options->target == NULL)
        return error_set(error, "what for? Give -o APP.synth, --check DIR or --target");
    return 0;
}

static const struct command_option rows[] = {
    {COMMON_OUTPUT(output), .value = "APP.synth",
     .help = "The bundle that is written, for run, whatif, sweep, scale and others"},
    {OPTION_TEXTS("check", "DIR", checks),
     .help = "Compare with this recording, which is not learned from: sequences of calls, peers, "
             "sizes, bytes; may be given again"},
    {OPTION_FILLED("target", "ranks=N,NAME=VALUE,...", target),
     .help = "Tell where hypotheses that all recordings confirm say different things of this run, "
             "and which small run would decide"},
    {OPTION_ON("as-recorded", as_recorded),
     .help = "APP.synth makes the calls of the one DIR as they were recorded, with the processor "
             "times before them: what a synthesised run is held against"},
    {OPTION_ON("steady", steady),
     .help =
         "With --as-recorded: before each call the mean of all times before calls of its path on "
         "its rank, since ranks that share a core interrupt each other"},
    {COMMON_FORMAT(format)},
    {0}};

static const struct command_syntax syntax = {
    .name = "mpiskel synthesize",
    .usage = "DIR... -o APP.synth [--check DIR]...",
    .about =
        "Learn from recordings of small runs what a program does in large ones.\v"
        "Each DIR is what `mpiskel record` wrote; all are of one program, with the same --set "
        "names, on different numbers of ranks and with different sizes. What was learned is kept "
        "in APP.synth, a bundle like that of `mpiskel generate`; its parameters are the names of "
        "`record --set`:\n\n"
        "  mpiskel synthesize runs/* -o app.synth\n"
        "  mpiskel fit app.synth\n"
        "  mpiskel run app.synth -np 64 -- n=800\n",
    .options = {rows, check_options},
    .take = take_argument,
};

/* ---- Steps ---- */

static void tell_left_out(const struct recorded_left_out *left_out) {
    if (left_out->calls > 0)
        note("%zu calls are left out, which a synthesised program does not make: %s%s",
             left_out->calls, left_out->function, left_out->calls > 1 ? " and others" : "");
}

/* Those that are learned from, and those that it is checked by. */
static int check_programs(struct synthesize_command *command) {
    const struct synthesize_options *options = &command->options;
    const char *machines = NULL;
    option_texts all = {0};
    for (size_t i = 0; i < options->directories.count; i++)
        vec_push(&all, options->directories.items[i]);
    for (size_t i = 0; i < options->checks.count; i++)
        vec_push(&all, options->checks.items[i]);
    int result =
        recorded_check_same(&machines, &command->runs.arena, all.items, all.count, &command->error);
    if (machines != NULL)
        note("%s: processor times of different machines are learned as one's", machines);
    vec_dispose(&all);
    return result;
}

static int learn(struct synthesize_command *command) {
    struct recorded_left_out left_out = {0};
    const struct synthesize_options *options = &command->options;
    recorded_runs_init(&command->runs);
    if (check_programs(command) != 0 ||
        recorded_load(&command->runs, &left_out, options->directories.items,
                      options->directories.count, &command->error) != 0)
        return -1;
    tell_left_out(&left_out);
    recorded_runs_assume_grid(&command->runs);
    return learned_program_make(&command->learned, &command->runs, &command->error);
}

/* The other runs have the names of the parameters, and no calls that are learned from. */
static int check_run(struct checked_run *out, struct synthesize_command *command,
                     const char *directory) {
    struct recorded_left_out left_out = {0};
    struct recorded_runs others;
    struct synth_run made;
    recorded_runs_init(&others);
    int result = recorded_load(&others, &left_out, &directory, 1, &command->error);
    out->directory = directory;
    if (result == 0) {
        double values[SYNTH_PARAMETERS_MOST];
        const struct recorded_run *run = others.items.items[0];
        result = checked_parameters(values, &command->runs, &others, directory, &command->error);
        out->made =
            result == 0 && bsim_synth_run_make(&made, &command->learned.model, run->ranks, values,
                                               out->problem, sizeof out->problem) == 0;
        if (out->made)
            run_check_make(&out->check, &made, &others, run);
        if (result == 0)
            bsim_synth_run_dispose(&made);
    }
    recorded_runs_dispose(&others);
    return result;
}

static int check_runs(struct synthesize_command *command) {
    const struct synthesize_options *options = &command->options;
    command->checks = xcalloc(options->checks.count + 1, sizeof *command->checks);
    for (size_t i = 0; i < options->checks.count; i++)
        if (check_run(&command->checks[i], command, options->checks.items[i]) != 0)
            return -1;
    return 0;
}

/* APP of APP.synth. */
static const char *program_name(struct arena *arena, const char *output) {
    const char *base = path_base(output);
    size_t length = strlen(base);
    if (length > 6 && text_has_suffix(base, ".synth"))
        length -= 6;
    return arena_strndup(arena, base, length);
}

static int write_bundle(struct synthesize_command *command) {
    const char *output = command->options.output;
    if (output == NULL)
        return 0;
    return synth_bundle_write(output, program_name(&command->runs.arena, output), &command->learned,
                              &command->runs, &command->error);
}

static int find_ambiguities(struct synthesize_command *command) {
    double values[SYNTH_PARAMETERS_MOST];
    const char *target = command->options.target;
    int ranks;
    if (target == NULL)
        return 0;
    if (target_parse(&ranks, values, &command->learned.model, target, &command->error) != 0 ||
        ambiguities_find(&command->ambiguities, &command->learned.model, ranks, values,
                         &command->error) != 0)
        return -1;
    ambiguities_decide(&command->ambiguities, &command->learned.model, &command->runs, ranks);
    return 0;
}

static int take_as_recorded(struct synthesize_command *command) {
    struct recorded_left_out left_out = {0};
    const struct synthesize_options *options = &command->options;
    recorded_runs_init(&command->runs);
    if (recorded_load(&command->runs, &left_out, options->directories.items, 1, &command->error) !=
        0)
        return -1;
    tell_left_out(&left_out);
    if (replay_bundle_write(options->output, program_name(&command->runs.arena, options->output),
                            &command->runs, options->steady, &command->error) != 0)
        return -1;
    if (options->format == OUTPUT_TEXT)
        printf("next: mpiskel run %s -np %d\n", options->output,
               command->runs.items.items[0]->ranks);
    return output_finish(&command->error);
}

static int synthesize(struct synthesize_command *command) {
    const struct synthesize_options *options = &command->options;
    if (options->as_recorded)
        return take_as_recorded(command);
    if (learn(command) != 0 || check_runs(command) != 0 || find_ambiguities(command) != 0 ||
        write_bundle(command) != 0)
        return -1;
    const struct synthesize_report report = {.learned = &command->learned,
                                             .runs = &command->runs,
                                             .checks = command->checks,
                                             .check_count = options->checks.count,
                                             .target = options->target,
                                             .ambiguities = &command->ambiguities};
    synthesize_print(&report, options->format);
    return output_finish(&command->error);
}

int command_synthesize(int argc, char **argv) {
    struct synthesize_command command = {.options = {.format = OUTPUT_TEXT}};
    command_syntax_parse(&syntax, &command.options, argc, argv);
    process_end_when_interrupted(true);
    int result = synthesize(&command);
    if (result != 0)
        error_print(&command.error);
    else if (command.options.output != NULL && command.options.format == OUTPUT_TEXT &&
             !command.options.as_recorded)
        printf("next: mpiskel fit %s\n", command.options.output);
    learned_program_dispose(&command.learned);
    recorded_runs_dispose(&command.runs);
    free(command.checks);
    vec_dispose(&command.ambiguities);
    vec_dispose(&command.options.directories);
    vec_dispose(&command.options.checks);
    return result == 0 ? EXIT_FINE : EXIT_FAILED;
}
