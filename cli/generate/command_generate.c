/* SPDX-License-Identifier: Apache-2.0
 *
 * `mpiskel generate`: options and summary; the work is in skeletonizer/generate.c.
 */
#include "base/str.h"
#include "skeletonizer/generate.h"

#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/numbers.h"
#include "base/output_format.h"
#include "base/status_line.h"
#include "base/words.h"
#include "cli/common/command_syntax.h"
#include "cli/common/commands.h"
#include "cli/common/made_by.h"
#include "frontend/commands/compile_commands.h"
#include "model/samples/region.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct generate_arguments {
    struct generate_options options;
    enum output_format format;
    size_t jobs;
    bool no_progress;
};

#define OPTIONS struct generate_arguments

static int take_assumptions(void *out, const char *text, struct error *error) {
    struct generate_arguments *arguments = out;
    char *names = xstrdup(text), *rest = NULL;
    int result = 0;
    for (char *name = strtok_r(names, ",", &rest); name != NULL && result == 0;
         name = strtok_r(NULL, ",", &rest))
        if (assumptions_set(&arguments->options.assumptions, name) != 0)
            result = error_set(error, "no assumption '%s'", name);
    free(names);
    return result;
}

static int take_max_kept(void *out, const char *text, struct error *error) {
    struct generate_arguments *arguments = out;
    char *end;
    double percent = strtod(text, &end);
    if (end == text || *end != '\0' || !(percent >= 0 && percent <= 100))
        return error_set(error, "--max-kept wants a number from 0 to 100, not '%s'", text);
    arguments->options.max_kept = percent / 100;
    return 0;
}

static int take_cut_time(void *out, const char *text, struct error *error) {
    struct generate_arguments *arguments = out;
    char *end;
    double seconds = strtod(text, &end);
    if (end == text || *end != '\0' || !(seconds >= 0))
        return error_set(error, "--cut-time wants a number of seconds, not '%s'", text);
    arguments->options.cut_time_s = seconds;
    return 0;
}

static int take_counting(void *out, const char *text, struct error *error) {
    struct generate_arguments *arguments = out;
    for (enum counting i = COUNTING_BLOCKS; i <= COUNTING_ACCESSES; i++)
        if (text == NULL || strcmp(text, counting_name(i)) == 0) {
            arguments->options.counting = text == NULL ? COUNTING_ACCESSES : i;
            return 0;
        }
    return error_set(error, "--counted counts blocks or accesses, not '%s'", text);
}

static int take_memory(void *out, const char *text, struct error *error) {
    struct generate_arguments *arguments = out;
    double *bytes = &arguments->options.memory_bytes;
    return memory_size_parse(bytes, text) == 0 && *bytes > 0
               ? 0
               : error_set(error, "--memory wants a size such as 2GiB, not '%s'", text);
}

static int check(void *input, struct error *error) {
    struct generate_arguments *arguments = input;
    struct generate_options *options = &arguments->options;
    options->jobs = (int)arguments->jobs;
    return options->max_kept >= 0 && !options->assumptions.cuts
               ? error_set(error, "--max-kept says how much is cut; add --assume cuts")
               : 0;
}

static const struct command_option rows[] = {
    {OPTION_TEXT(NULL, "PATH", options.database), .letter = 'p',
     .help = "Compile database, or its directory (default: compile_commands.json)"},
    {OPTION_TEXT("link", "EXE", options.executable),
     .help = "The executable to skeletonize, if the build links several"},
    {COMMON_OUTPUT(options.output), .value = "APP.skel",
     .help = "Where to write the bundle (default: EXE.skel)"},
    {OPTION_TEXT("hints", "FILE", options.hints),
     .help = "What the source does not tell: effects of functions without source, statements to "
             "keep (default: EXE.hints beside the sources, if it is there)"},
    {OPTION_TEXT("scout", "COMMAND", options.scout),
     .help = "Count how often each statement is executed: a small run of the original, with the "
             "program as {}, such as 'mpirun --oversubscribe -np 4 {} 100'; the counts are kept in "
             "the bundle"},
    {OPTION_OWN("max-kept", "PERCENT", take_max_kept),
     .help = "With the assumption cuts: values are taken as given so that at most this share of "
             "all executed statements stays; less makes a smaller skeleton with more values to "
             "model (default: what is executed more often than MPI calls goes)"},
    {OPTION_OWN("cut-time", "SECONDS", take_cut_time),
     .help = "With the assumption cuts: the processor time after which the search for values ends "
             "with the best that it has found (default: 60)"},
    {OPTION_OWN("assume", "NAME[,NAME]", take_assumptions),
     .help = "Assumptions: no-abnormal-exit, type-classes, aligned-collectives, files-apart, cuts "
             "(best with --scout or its counts); no:NAME drops one, none drops all (default: all "
             "but no-abnormal-exit and cuts; type-classes not where the build has "
             "-fno-strict-aliasing)"},
    {OPTION_OWN("counted", "blocks|accesses", take_counting), .value_may_lack = true,
     .help = "Profiling build and original have a clock that counts what they execute: basic "
             "blocks, and accesses to memory through caches (accesses, the default); the same run "
             "takes the same time on any machine (docs/reference/processor.md)"},
    {OPTION_OWN("memory", "SIZE", take_memory),
     .help = "The most memory that the analysis may take, such as 2GiB; where it needs more it is "
             "ended, and an older bundle stays (default: half of what the system and the control "
             "group have available)"},
    {OPTION_WORDS("dump", "program|pointsto|slice|cut|plan|edits", options.dumps),
     .help = "Only print what stages of the analysis have made, for people who look into mpiskel: "
             "program, pointsto, slice, cut, plan, edits (docs/reference/dump.md)"},
    {COMMON_JOBS(jobs), .help = "Compile N files at a time (default: number of cores)"},
    {OPTION_OFF("no-compile", options.compile), .help = "Only analyse and write the sources"},
    {OPTION_ON("skeleton", options.with_skeleton),
     .help =
         "Build the skeleton at once, too, and not when fit, run or another command first needs "
         "it: to see at once that it compiles, and for where there is no compiler later"},
    {OPTION_ON("original", options.with_original),
     .help = "Build the original at once, too, and not when verify, validate or run --original "
             "first need it"},
    {OPTION_ON("fresh", options.fresh), .help = "Take nothing over from an older bundle's cache"},
    {COMMON_NO_PROGRESS(no_progress)},
    {COMMON_FORMAT(format)},
    {0}};

static const struct command_syntax syntax = {
    .name = "mpiskel generate",
    .about = "Make a bundle from the C source of an MPI program: skeleton, profiling build, and "
             "the original for verification.",
    .options = {rows, check},
    .too_many = "generate reads what a build compiled, and takes no source or command: `mpiskel "
                "capture -- make`, or capture and the compiler's command, records it",
};

static void print_json(const struct generate_summary *s, const char *output) {
    json_t *value = json_pack(
        "{s:s, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:b, s:f, "
        "s:f, s:f, s:f}",
        "bundle", output, "units", s->units, "units_parsed", s->units_parsed, "functions",
        s->functions, "functions_kept", s->functions_kept, "statements", s->statements,
        "statements_kept", s->statements_kept, "mpi_calls", s->mpi_calls, "scratch_buffers",
        s->scratch_buffers, "live_payloads", s->live_payloads, "regions", s->regions, "features",
        s->features, "values", s->values, "objects", s->objects, "objects_compiled",
        s->objects_compiled, "taken_over", s->is_taken_over, "executions", s->executions,
        "executions_kept", s->executions_kept, "analysis_s", s->analysis_s, "total_s", s->total_s);
    json_dumpf(value, stdout, JSON_INDENT(1));
    putchar('\n');
    json_decref(value);
}

static void print_text(const struct generate_summary *s, const char *output) {
    double kept_percent = s->executions > 0 ? 100 * s->executions_kept / s->executions : 0;
    double percent = s->statements > 0 ? 100.0 * s->statements_kept / s->statements : 0;
    printf("%s: %d unit%s, %d of %d functions and %d of %d statements (%.0f %%) kept\n", output,
           s->units, text_plural(s->units), s->functions_kept, s->functions, s->statements_kept,
           s->statements, percent);
    if (s->executions > 0)
        printf("%.3g of %.3g executed statements of the scout run (%.*g %%) kept\n",
               s->executions_kept, s->executions, numbers_percent_digits(kept_percent),
               kept_percent);
    printf("%d compute region%s with %d feature%s; %d MPI call%s, %d message buffer%s scratch, the "
           "contents of %d call%s messages are needed\n",
           s->regions - s->values, text_plural(s->regions - s->values), s->features,
           text_plural(s->features), s->mpi_calls, text_plural(s->mpi_calls), s->scratch_buffers,
           s->scratch_buffers == 1 ? " is" : "s are", s->live_payloads,
           s->live_payloads == 1 ? "'s" : "s'");
    if (s->values > 0)
        printf("%d value%s given by models (`mpiskel explain` lists them)\n", s->values,
               s->values == 1 ? " is" : "s are");
    printf("analysed in %.2f s, built in %.2f s", s->analysis_s, s->total_s - s->analysis_s);
    if (s->units_parsed < s->units || s->objects_compiled < s->objects)
        printf("; parsed %d of %d units, compiled %d of %d objects", s->units_parsed, s->units,
               s->objects_compiled, s->objects);
    puts(s->is_taken_over ? "; nothing has changed that the analysis goes by" : "");
}

#define HEAVY 0.5 /* of the work */

/* Where nothing may be cut; with cuts, generate_notes.c tells. */
static void tell_if_heavy(const struct generate_summary *s,
                          const struct generate_options *options) {
    double share = s->executions > 0 ? s->executions_kept / s->executions
                   : s->work > 0     ? s->work_kept / s->work
                                     : 0;
    if (share > HEAVY && !options->assumptions.cuts)
        printf("the skeleton computes nearly as much as the program: %.0f %% of the %s stays; "
               "`mpiskel generate --assume cuts %s` takes numbers that steer %s from models where "
               "it can\n",
               100 * share, s->executions > 0 ? "executions" : "work, by estimate,",
               scout_example(s->is_one_rank), s->is_one_rank ? "its way" : "communication");
}

static void tell_next(struct arena *arena, const char *output, bool is_one_rank) {
    const char *here = path_current(arena);
    output = path_inside(here, output) ? path_relative(arena, here, output) : output;
    const char *profile = path_join(arena, output, "profile");
    printf("next: mpiskel verify %s%s -- ARGUMENTS, or small runs of %s and mpiskel fit\n",
           words_text(arena, &output, 1), is_one_rank ? "" : " -np 4",
           words_text(arena, &profile, 1));
}

static char *default_output(struct arena *arena, const struct generate_options *options) {
    struct commands commands = {0};
    const struct link_command *link = NULL;
    struct error ignored = {0};
    const char *name = "app";
    if (commands_read(&commands, options->database, &ignored) == 0 &&
        commands_select(&commands, options->executable, &link, &ignored) == 0 && link != NULL)
        name = path_base(link->output);
    char *output = arena_printf(arena, "%s.skel", name);
    commands_dispose(&commands);
    return output;
}

int command_generate(int argc, char **argv) {
    struct generate_arguments arguments = {.options = {.database = "compile_commands.json",
                                                       .assumptions = assumptions_default,
                                                       .max_kept = -1,
                                                       .cut_time_s = 60,
                                                       .compile = true},
                                           .jobs = common_processors()};
    struct arena arena = {0};
    struct error error = {0};
    struct generate_summary summary;
    command_syntax_parse(&syntax, &arguments, argc, argv);
    struct generate_options *options = &arguments.options;
    if (arguments.no_progress)
        status_line_switch_off();
    if (options->output == NULL)
        options->output = default_output(&arena, options);
    options->libraries = path_directory(&arena, path_executable(&arena));
    int result = generate_bundle(&summary, options, &error);
    status_line_hide();
    if (result == 0 && options->dumps != 0) {
        arena_dispose(&arena);
        return EXIT_FINE;
    }
    if (result == 0)
        result =
            made_by_write(options->output, (const char *const *)argv + 1, (size_t)argc - 1, &error);
    if (error.set)
        error_print(&error);
    else if (result == 0 && arguments.format == OUTPUT_JSON)
        print_json(&summary, options->output);
    else if (result == 0)
        print_text(&summary, options->output);
    if (result == 0 && arguments.format == OUTPUT_TEXT)
        tell_if_heavy(&summary, options);
    if (result == 0 && arguments.format == OUTPUT_TEXT && options->compile)
        tell_next(&arena, options->output, summary.is_one_rank);
    arena_dispose(&arena);
    return result == 0 ? EXIT_FINE : EXIT_FAILED;
}
