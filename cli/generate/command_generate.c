/* SPDX-License-Identifier: Apache-2.0
 *
 * `mpiskel generate`: options and summary; the work is in skeletonizer/generate.c.
 */
#include "skeletonizer/generate.h"

#include "base/file.h"
#include "base/json.h"
#include "base/numbers.h"
#include "cli/common/commands.h"
#include "frontend/commands/compile_commands.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    KEY_LINK = 256,
    KEY_HINTS,
    KEY_SCOUT,
    KEY_MAX_KEPT,
    KEY_ASSUME,
    KEY_NO_COMPILE,
    KEY_NO_PROGRESS,
    KEY_FORMAT,
    KEY_FRESH
};

static const struct argp_option argp_options[] = {
    {NULL, 'p', "PATH", 0, "Compile database, or its directory (default: compile_commands.json)",
     0},
    {"link", KEY_LINK, "EXE", 0, "The executable to skeletonize, if the build links several", 0},
    {NULL, 'o', "APP.skel", 0, "Where to write the bundle (default: EXE.skel)", 0},
    {"hints", KEY_HINTS, "FILE", 0,
     "What the source does not tell: effects of functions without source, statements to keep "
     "(default: EXE.hints beside the sources, if it is there)",
     0},
    {"scout", KEY_SCOUT, "COMMAND", 0,
     "Count how often each statement is executed: a small run of the original, with the program "
     "as {}, such as 'mpirun -np 4 {} 100'; the counts are kept in the bundle",
     0},
    {"max-kept", KEY_MAX_KEPT, "PERCENT", 0,
     "With the assumption cuts: values are taken as given so that at most this share of all "
     "executed statements stays; less makes a smaller skeleton with more values to model "
     "(default: what is executed more often than MPI calls goes)",
     0},
    {"assume", KEY_ASSUME, "NAME[,NAME]", 0,
     "Assumptions: no-abnormal-exit, type-classes, aligned-collectives, files-apart, cuts (best "
     "with --scout or its counts); no:NAME drops one, none drops all (default: all but "
     "no-abnormal-exit and cuts; type-classes not where the build has -fno-strict-aliasing)",
     0},
    {NULL, 'j', "N", 0, "Compile N files at a time (default: number of cores)", 0},
    {"no-compile", KEY_NO_COMPILE, NULL, 0, "Only analyse and write the sources", 0},
    {"fresh", KEY_FRESH, NULL, 0, "Take nothing over from an older bundle's cache", 0},
    {"no-progress", KEY_NO_PROGRESS, NULL, 0, "No progress on the terminal", 0},
    {"format", KEY_FORMAT, "text|json", 0, "How the summary is printed (default: text)", 0},
    {0}};

struct arguments {
    struct generate_options options;
    bool json;
};

static void assume(struct argp_state *state, struct assumptions *assumptions, char *names) {
    char *rest = NULL;
    for (char *name = strtok_r(names, ",", &rest); name != NULL; name = strtok_r(NULL, ",", &rest))
        if (assumptions_set(assumptions, name) != 0)
            argp_error(state, "no assumption '%s'", name);
}

static double percentage(struct argp_state *state, const char *text) {
    char *end;
    double percent = strtod(text, &end);
    if (end == text || *end != '\0' || !(percent >= 0 && percent <= 100))
        argp_error(state, "--max-kept wants a number from 0 to 100, not '%s'", text);
    return percent / 100;
}

static error_t parse(int key, char *value, struct argp_state *state) {
    struct arguments *arguments = state->input;
    struct generate_options *options = &arguments->options;
    switch (key) {
    case 'p':
        options->database = value;
        return 0;
    case 'o':
        options->output = value;
        return 0;
    case 'j':
        options->jobs = atoi(value);
        if (options->jobs < 1)
            argp_error(state, "-j wants a number of at least 1, not '%s'", value);
        return 0;
    case KEY_LINK:
        options->executable = value;
        return 0;
    case KEY_HINTS:
        options->hints = value;
        return 0;
    case KEY_SCOUT:
        options->scout = value;
        return 0;
    case KEY_MAX_KEPT:
        options->max_kept = percentage(state, value);
        return 0;
    case KEY_ASSUME:
        assume(state, &options->assumptions, value);
        return 0;
    case KEY_NO_COMPILE:
        options->compile = false;
        return 0;
    case KEY_FRESH:
        options->fresh = true;
        return 0;
    case KEY_NO_PROGRESS:
        options->progress = false;
        return 0;
    case KEY_FORMAT:
        arguments->json = strcmp(value, "json") == 0;
        if (!arguments->json && strcmp(value, "text") != 0)
            argp_error(state, "no format '%s'; there are text and json", value);
        return 0;
    case ARGP_KEY_END:
        if (options->max_kept >= 0 && !options->assumptions.cuts)
            argp_error(state, "--max-kept says how much is cut; add --assume cuts");
        return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "unexpected argument '%s'", value);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {argp_options,
                                 parse,
                                 NULL,
                                 "Make a bundle from the C source of an MPI program: skeleton, "
                                 "profiling build, and the original "
                                 "for verification.",
                                 NULL,
                                 NULL,
                                 NULL};

static void print_json(const struct generate_summary *s, const char *output) {
    json_t *value = json_pack(
        "{s:s, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:f, s:f, "
        "s:f, s:f}",
        "bundle", output, "units", s->units, "units_parsed", s->units_parsed, "functions",
        s->functions, "functions_kept", s->functions_kept, "statements", s->statements,
        "statements_kept", s->statements_kept, "mpi_calls", s->mpi_calls, "scratch_buffers",
        s->scratch_buffers, "live_payloads", s->live_payloads, "regions", s->regions, "features",
        s->features, "values", s->values, "objects", s->objects, "objects_compiled",
        s->objects_compiled, "executions", s->executions, "executions_kept", s->executions_kept,
        "analysis_s", s->analysis_s, "total_s", s->total_s);
    json_dumpf(value, stdout, JSON_INDENT(1));
    putchar('\n');
    json_decref(value);
}

static void print_text(const struct generate_summary *s, const char *output) {
    double kept_percent = s->executions > 0 ? 100 * s->executions_kept / s->executions : 0;
    double percent = s->statements > 0 ? 100.0 * s->statements_kept / s->statements : 0;
    printf("%s: %d units, %d of %d functions and %d of %d statements (%.0f %%) kept\n", output,
           s->units, s->functions_kept, s->functions, s->statements_kept, s->statements, percent);
    if (s->executions > 0)
        printf("%.3g of %.3g executed statements of the scout run (%.*g %%) kept\n",
               s->executions_kept, s->executions, numbers_percent_digits(kept_percent),
               kept_percent);
    printf("%d compute regions with %d features; %d MPI calls, %d message buffers are scratch, the "
           "contents of %d calls' messages are needed\n",
           s->regions - s->values, s->features, s->mpi_calls, s->scratch_buffers, s->live_payloads);
    if (s->values > 0)
        printf("%d value%s given by models (`mpiskel explain` lists them)\n", s->values,
               s->values == 1 ? " is" : "s are");
    printf("analysed in %.2f s, built in %.2f s", s->analysis_s, s->total_s - s->analysis_s);
    if (s->units_parsed < s->units || s->objects_compiled < s->objects)
        printf("; parsed %d of %d units, compiled %d of %d objects", s->units_parsed, s->units,
               s->objects_compiled, s->objects);
    putchar('\n');
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
    struct arguments arguments = {.options = {.database = "compile_commands.json",
                                              .assumptions = assumptions_default,
                                              .max_kept = -1,
                                              .compile = true,
                                              .progress = isatty(2) != 0,
                                              .jobs = (int)sysconf(_SC_NPROCESSORS_ONLN)}};
    struct arena arena = {0};
    struct error error = {0};
    struct generate_summary summary;
    argp_parse(&argp, argc, argv, 0, NULL, &arguments);
    struct generate_options *options = &arguments.options;
    if (options->output == NULL)
        options->output = default_output(&arena, options);
    options->libraries = path_directory(&arena, path_executable(&arena));
    int result = generate_bundle(&summary, options, &error);
    if (error.set)
        error_print(&error);
    else if (result == 0 && arguments.json)
        print_json(&summary, options->output);
    else if (result == 0)
        print_text(&summary, options->output);
    arena_dispose(&arena);
    return result == 0 ? EXIT_FINE : EXIT_FAILED;
}
