/* SPDX-License-Identifier: Apache-2.0
 *
 * `mpiskel trace`: what is in a trace, a part of it, the same in another format.
 */
#include "cli/common/commands.h"

#include "analysis/convert/conversion.h"
#include "analysis/recording/recording_difference.h"
#include "analysis/trace/trace_cut.h"
#include "base/file.h"
#include "base/str.h"
#include "cli/common/opened.h"
#include "cli/trace/trace_event_print.h"
#include "cli/trace/trace_info_print.h"

#include <string.h>

struct trace_command {
    struct trace_options options;
    struct trace *trace; /* NULL: the action opens none */
    bool differs;        /* of compare */
    bool is_damaged;     /* so that a strict one fails */
    struct error error;
};

static void warn(struct trace_command *command, const char *text) {
    fprintf(stderr, "%s\n", text);
    command->is_damaged = true;
}

/* ---- Actions ---- */

/* A damaged block ends what is shown, and is told. */
static int or_warn(struct trace_command *command, int result) {
    if (result != 0)
        warn(command, command->error.text);
    command->error.set = false;
    return 0;
}

static int info(struct trace_command *command) {
    struct trace_summary summary;
    if (trace_summary_make(&summary, command->trace, &command->options.settings, &command->error) !=
        0)
        return -1;
    trace_info_print(stdout, command->trace, &summary, &command->options);
    trace_summary_dispose(&summary);
    return output_finish(&command->error);
}

static int print(struct trace_command *command) {
    int result = trace_events_print(stdout, command->trace, &command->options, &command->error);
    or_warn(command, result);
    return output_finish(&command->error);
}

static int check_trace(struct trace_command *command) {
    struct trace_summary summary;
    int result =
        trace_summary_make(&summary, command->trace, &command->options.settings, &command->error);
    if (result != 0)
        return or_warn(command, result);
    printf("%s: %llu events and %llu messages of %d ranks, %s\n", trace_path(command->trace),
           (unsigned long long)summary.counts.events, (unsigned long long)summary.counts.sends,
           trace_ranks(command->trace), command->is_damaged ? "as far as it is whole" : "whole");
    if (summary.unmatched > 0)
        printf("%llu ends of messages are without their other end\n",
               (unsigned long long)summary.unmatched);
    trace_summary_dispose(&summary);
    return output_finish(&command->error);
}

static int compare(struct trace_command *command) {
    struct trace *other = NULL;
    struct recording_difference difference;
    const char *path = command->options.arguments[2];
    if (trace_open(&other, path, &command->error) != 0)
        return -1;
    if (trace_damage(other) != NULL)
        warn(command, trace_damage(other));
    int result = trace_has_details(command->trace) && trace_has_details(other)
                     ? recording_compare(&difference, command->trace, other, &command->error)
                     : error_set(&command->error, "compare takes two recordings; `mpiskel record` "
                                                  "makes one");
    if (result == 0 && difference.differs)
        printf("rank %d differs behind %llu events: %s\n", difference.rank,
               (unsigned long long)difference.at, difference.text);
    else if (result == 0)
        printf("the same %llu events on %d ranks\n", (unsigned long long)difference.events,
               trace_ranks(other));
    command->differs = result == 0 && difference.differs;
    trace_close(other);
    return result != 0 ? -1 : output_finish(&command->error);
}

static int cut(struct trace_command *command) {
    uint64_t written = 0;
    const struct trace_options *options = &command->options;
    if (trace_cut(&written, options->output, command->trace, &options->settings, &command->error) !=
        0)
        return -1;
    note("%llu events written to %s", (unsigned long long)written, options->output);
    return 0;
}

static int fail_to_find(struct trace_command *command, const char *name, const char *path,
                        bool writes) {
    struct str names = {0};
    for (const struct conversion *one = conversions(); one->name != NULL; one++)
        if (writes ? one->write != NULL : one->read != NULL)
            str_printf(&names, "%s%s", names.length > 0 ? ", " : "", one->name);
    if (name != NULL)
        error_set(&command->error, "no format '%s': %s", name, str_text(&names));
    else
        error_set(&command->error,
                  "which format? The name %s does not tell; give %s with one of %s", path,
                  writes ? "--to" : "--from", str_text(&names));
    str_dispose(&names);
    return -1;
}

static int convert(struct trace_command *command) {
    const struct trace_options *options = &command->options;
    const struct conversion *to = conversion_find(options->to, options->output);
    if (to == NULL || to->write == NULL)
        return fail_to_find(command, options->to, options->output, true);
    if (conversion_export(options->output, to, command->trace, &options->settings,
                          &command->error) != 0)
        return -1;
    note("%s written to %s", to->name, options->output);
    return 0;
}

static int import(struct trace_command *command) {
    const struct trace_options *options = &command->options;
    const char *path = options->arguments[1];
    const struct conversion *from = conversion_find(options->from, path);
    uint64_t events;
    if (from == NULL || from->read == NULL)
        return fail_to_find(command, options->from, path, false);
    if (conversion_import(&events, options->output, path, from, &command->error) != 0)
        return -1;
    note("%llu events written to %s", (unsigned long long)events, options->output);
    return 0;
}

/* ---- The command line ---- */

#define OPTIONS struct trace_options

struct trace_action {
    const char *name;
    int (*run)(struct trace_command *command);
    bool writes, opens_no_trace, takes_two;
};

static const struct trace_action actions[] = {
    {.name = "info", .run = info},
    {.name = "print", .run = print},
    {.name = "check", .run = check_trace},
    {.name = "compare", .run = compare, .takes_two = true},
    {.name = "cut", .run = cut, .writes = true},
    {.name = "convert", .run = convert, .writes = true},
    {.name = "import", .run = import, .writes = true, .opens_no_trace = true},
};

static const struct trace_action *find_action(const char *name) {
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++)
        if (strcmp(actions[i].name, name) == 0)
            return &actions[i];
    return NULL;
}

#define ACTIONS "info, print, check, compare, cut, convert or import"

static int check_settings(struct trace_options *options, struct error *error) {
    char why[256];
    trace_settings_init(&options->settings);
    if (options->window != NULL &&
        trace_settings_window(&options->settings, options->window, why, sizeof why) != 0)
        return error_set(error, "--window %s: %s", options->window, why);
    if (options->ranks != NULL &&
        trace_settings_ranks(&options->settings, options->ranks, why, sizeof why) != 0)
        return error_set(error, "--ranks %s: %s", options->ranks, why);
    if (options->every != NULL &&
        trace_settings_every(&options->settings, options->every, why, sizeof why) != 0)
        return error_set(error, "--every %s: %s", options->every, why);
    return 0;
}

static int check(void *input, struct error *error) {
    struct trace_options *options = input;
    const struct trace_action *action = find_action(options->arguments[0]);
    if (action == NULL)
        return error_set(error, "no action '%s': " ACTIONS, options->arguments[0]);
    if (options->arguments[1] == NULL)
        return error_set(error, "which trace? `mpiskel run --trace=FILE` writes one");
    if (action->takes_two && options->arguments[2] == NULL)
        return error_set(error, "which other trace? %s takes two", action->name);
    const char *more = options->arguments[action->takes_two ? 3 : 2];
    if (more != NULL)
        return error_set(error, "'%s': %s takes %s", more, action->name,
                         action->takes_two ? "two files" : "one file");
    if (action->writes && options->output == NULL)
        return error_set(error, "where to? Give -o FILE");
    if (!action->writes && options->output != NULL)
        return error_set(error, "-o goes with cut, convert and import");
    if (options->every != NULL && action->run != cut)
        return error_set(error, "--every goes with cut");
    if ((options->to != NULL && action->run != convert) ||
        (options->from != NULL && action->run != import))
        return error_set(error, "--to goes with convert, --from with import");
    return check_settings(options, error);
}

static const struct command_option rows[] = {
    {COMMON_OUTPUT(output), .help = "Of cut, convert and import: what is written"},
    {OPTION_TEXT("to", "FORMAT", to),
     .help = "Of convert: otf2, paje, chrome, csv, stacks or smpi (default: by the name of -o: a "
             "name.otf2, .paje, .json, .json.gz, .csv, .stacks, .smpi)"},
    {OPTION_TEXT("from", "FORMAT", from),
     .help = "Of import: paje, otf2, smpi or records (default: by the name of the file)"},
    {OPTION_TEXT("window", "T0:T1", window),
     .help = "Only events between these seconds; either may be left out"},
    {OPTION_TEXT("ranks", "LIST", ranks), .help = "Only events of these ranks, such as 0-3,8"},
    {OPTION_TEXT("every", "K", every),
     .help = "Of cut: only each K-th message, collective, and execution of other sites"},
    {OPTION_ON("strict", strict), .help = "Exit code 2 where a trace is truncated or damaged"},
    {COMMON_FORMAT(format), .help = "Of info and print: how it is shown (default: text)"},
    {COMMON_TOP(top), .help = "Of info: rows of the table of sites (default: 10)"},
    {0}};

static const struct command_syntax syntax = {
    .name = "mpiskel trace",
    .usage = "info TRACE\nprint TRACE\ncheck TRACE\ncompare TRACE TRACE\ncut TRACE -o FILE\n"
             "convert TRACE -o FILE\nimport FILE -o TRACE",
    .about = "What happened in a run: events of its ranks.\v"
             "`mpiskel run --trace=FILE` records a simulation, and the profiling build a real run "
             "with BSIM_TRACE_FILE=FILE; `mpiskel record` makes a directory that is taken as well. "
             "`info` sums up, `print` lists events in the order of "
             "time, `check` reads all of it and looks for the other end of each message, `compare` "
             "tells whether two recordings of a program have the same calls on each rank, `cut` "
             "writes a part into a trace of its own, `convert` writes what other tools open, and "
             "`import` makes a trace of what they wrote.\n\n"
             "Examples: mpiskel trace info run.trace\n"
             "          mpiskel trace print run.trace --ranks 0-3 --window 0.5:0.6\n"
             "          mpiskel trace cut run.trace --window 0.5:0.6 -o part.trace\n"
             "          mpiskel trace convert run.trace -o run.json.gz\n"
             "          mpiskel trace import smpi.paje -o smpi.trace\n\n"
             "Exit code: 0 fine, also if the trace is truncated, which is told; 1 failed; 2 with "
             "--strict, if it is truncated or damaged, or of compare, if the two differ; 64 usage.",
    .options = {rows, check},
    ARGUMENTS_AT(arguments),
    .missing = "what to do? " ACTIONS,
};

static int open_trace(struct trace_command *command) {
    if (trace_open(&command->trace, command->options.arguments[1], &command->error) != 0)
        return -1;
    if (trace_damage(command->trace) != NULL)
        warn(command, trace_damage(command->trace));
    return 0;
}

int command_trace(int argc, char **argv) {
    struct trace_command command = {.options = {.top = 10}};
    command_syntax_parse(&syntax, &command.options, argc, argv);
    const struct trace_action *action = find_action(command.options.arguments[0]);
    int result = action->opens_no_trace ? 0 : open_trace(&command);
    if (result == 0)
        result = action->run(&command);
    if (result != 0)
        error_print(&command.error);
    if (command.trace != NULL)
        trace_close(command.trace);
    bool is_missed = command.differs || (command.is_damaged && command.options.strict);
    return result != 0 ? EXIT_FAILED : is_missed ? EXIT_MISSED : EXIT_FINE;
}
