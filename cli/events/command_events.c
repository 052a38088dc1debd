/* SPDX-License-Identifier: Apache-2.0
 *
 * `mpiskel events`: a program of event expressions over the events of a trace.
 *
 * Steps: open the trace, load the program for what the trace has, run all events through it, print
 * its outputs.
 */
#include "analysis/events/result.h"
#include "analysis/events/view/data_view.h"
#include "analysis/events/view/text_view.h"
#include "analysis/matched/trace_source.h"
#include "analysis/source/event_source.h"
#include "analysis/source/text_records.h"
#include "analysis/trace/trace_reader.h"
#include "base/file.h"
#include "cli/common/command_syntax.h"
#include "cli/common/commands.h"
#include "cli/common/opened.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* ---- Events list ---- */

/*
 * What a source of events has: kinds with their fields, and constants.
 * Prints names as a program writes them.
 */

static void print_kind(const struct source_kind *kind) {
    printf("%s\n", kind->name);
    for (size_t i = 0; i < kind->field_count; i++) {
        const struct event_field *field = &kind->fields[i];
        printf("  %-6s %s.%s%s%s\n", event_type_name(field->type), kind->name, field->name,
               field->unit != NULL ? "  " : "", field->unit != NULL ? field->unit : "");
    }
}

static void print_constant(const struct event_constant *constant) {
    const char *unit = constant->unit != NULL ? constant->unit : "";
    printf("  %-6s %s = ", event_type_name(constant->type), constant->name);
    if (constant->type == EVENT_STRING)
        printf("\"%s\"\n", constant->value.s);
    else if (constant->type == EVENT_FLOAT)
        printf("%.9g %s\n", constant->value.f, unit);
    else
        printf("%lld%s%s\n", constant->value.i, *unit != '\0' ? " " : "", unit);
}

/* On standard output. */
static void events_list_print(const struct event_source *source) {
    puts("Events and their fields, besides START and END:");
    for (size_t i = 0; i < source->kind_count; i++)
        print_kind(&source->kinds[i]);
    if (source->constant_count > 0)
        puts("Constants:");
    for (size_t i = 0; i < source->constant_count; i++)
        print_constant(&source->constants[i]);
}

/* ---- Events ---- */

#define PLAIN_WIDTH 80 /* of what is no terminal */

enum events_format { /* in the order of --view */
                     EVENTS_BAR,
                     EVENTS_LINE,
                     EVENTS_TABLE,
                     EVENTS_MATRIX,
                     EVENTS_CSV,
                     EVENTS_JSON,
                     EVENTS_SVG,
                     EVENTS_AS_WRITTEN,
};

struct events_options {
    const char *words[SYNTAX_ARGUMENTS];
    const char *expression;
    enum events_format view;
    option_texts settings;
    const char *file;
};

#define OPTIONS struct events_options

static int take_setting(void *input, const char *text, struct error *error) {
    struct events_options *options = input;
    const char *equals = strchr(text, '=');
    if (equals == NULL || equals == text)
        return error_set(error, "--set %s: write NAME=VALUE", text);
    vec_push(&options->settings, text);
    return 0;
}

static const struct command_option rows[] = {
    {OPTION_TEXT("expression", "PROGRAM", expression), .letter = 'e',
     .help = "The program itself, in place of a file"},
    {OPTION_CHOICE("view", "bar|line|table|matrix|csv|json|svg", enum events_format, view),
     .help = "How outputs are shown (default: as the program says)"},
    {OPTION_OWN("set", "NAME=VALUE", take_setting),
     .help = "Give a constant a value, also one that the trace has (again and again)"},
    {COMMON_OUTPUT(file), .help = "Write the outputs there (default: standard output)"},
    {0}};

static int check(void *input, struct error *error) {
    const struct events_options *options = input;
    size_t count = 0;
    while (count < SYNTAX_ARGUMENTS && options->words[count] != NULL)
        count++;
    if (count == 0)
        return error_set(error, "which trace? Give its file, or one of text records");
    if (count > (options->expression != NULL ? 1 : 2))
        return error_set(error, "one program and one trace at a time");
    return 0;
}

static const struct command_syntax syntax = {
    .name = "mpiskel events",
    .usage = "PROGRAM.ev TRACE\n-e PROGRAM TRACE\nTRACE",
    .about = "Evaluate event expressions over a trace, or list what it has."
             "\vPROGRAM.ev is a program of event expressions (docs/reference/events.md); "
             "examples/events "
             "has twelve. TRACE is a trace, or a file of self-defining text records. Without a "
             "program the kinds of events, their fields and constants are listed.\n\n"
             "Examples:\n"
             "  mpiskel events run.trace\n"
             "  mpiskel events -e 'sum(RECV.waited by RECV.rank)' run.trace\n"
             "  mpiskel events examples/events/late-sender.ev run.trace --view svg -o late.svg\n\n"
             "Exit code: 0 fine, 1 failed, 64 usage.",
    .options = {rows, check},
    ARGUMENTS_AT(words),
};

struct events_job {
    struct arena arena;
    const struct events_options *options;
    const char *trace;
    char *text; /* of the program */
    struct script script;
    struct event_source *source;
    struct events_program program;
};

static int read_program(struct events_job *job, struct error *error) {
    const struct events_options *options = job->options;
    size_t length = 0;
    const char *path = "-e";
    if (options->expression != NULL) {
        job->text = xstrdup(options->expression);
        length = strlen(job->text);
    } else {
        path = options->words[0];
        if (file_read(&job->text, &length, path, error) != 0)
            return -1;
    }
    if (length > 1 << 20)
        return error_set(error, "%s has more than 1 MiB: no program is that long", path);
    script_init(&job->script, path, job->text, length);
    return 0;
}

static size_t terminal_width(void) {
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    return PLAIN_WIDTH;
}

/* A view that is asked for goes before that of the program, where the output has rows. */
static void text_views(struct str *out, const struct events_job *job, result_list *results) {
    size_t width = terminal_width();
    for (size_t i = 0; i < results->count; i++) {
        struct events_result *result = &results->items[i];
        if (job->options->view < EVENTS_CSV && result->dimension_count > 0)
            result->view = (enum result_view)job->options->view;
        text_view(out, result, width);
    }
}

static void make_views(struct str *out, const struct events_job *job, result_list *results) {
    switch (job->options->view) {
    case EVENTS_CSV:
        csv_view(out, results);
        break;
    case EVENTS_JSON:
        json_view(out, results);
        break;
    case EVENTS_SVG:
        svg_view(out, results);
        break;
    default:
        text_views(out, job, results);
    }
}

static int print_results(struct events_job *job, struct error *error) {
    result_list results;
    struct str out = {0};
    int result = results_collect(&results, &job->program);
    if (result == 0)
        make_views(&out, job, &results);
    if (result == 0 && job->options->file != NULL)
        result = file_write(job->options->file, str_text(&out), out.length, error);
    else if (result == 0)
        fputs(str_text(&out), stdout);
    str_dispose(&out);
    vec_dispose(&results);
    return result;
}

static int run(struct events_job *job, struct error *error) {
    const struct events_options *options = job->options;
    size_t count;
    if (read_program(job, error) != 0)
        return -1;
    int result = expressions_load(&job->program, &job->arena, &job->script, job->source,
                                  options->settings.items, options->settings.count);
    if (result == 0)
        result = expressions_run(&count, &job->program, job->source, error);
    if (result == 0)
        result = print_results(job, error);
    fputs(str_text(&job->script.messages), stderr);
    expressions_dispose(&job->program);
    return result;
}

static int open_source(struct events_job *job, struct error *error) {
    if (trace_is_one(job->trace))
        return trace_source_open(&job->source, job->trace, error);
    return text_records_open(&job->source, job->trace, error);
}

static int command(struct events_job *job) {
    struct error error = {0};
    bool has_program = job->options->expression != NULL || job->options->words[1] != NULL;
    job->trace = job->options->words[job->options->words[1] != NULL ? 1 : 0];
    int result = open_source(job, &error);
    if (result == 0 && has_program)
        result = run(job, &error);
    else if (result == 0)
        events_list_print(job->source);
    if (result == 0)
        result = output_finish(&error);
    if (error.set)
        error_print(&error);
    event_source_close(job->source);
    script_dispose(&job->script);
    free(job->text);
    return result;
}

int command_events(int argc, char **argv) {
    struct events_options options = {.view = EVENTS_AS_WRITTEN};
    command_syntax_parse(&syntax, &options, argc, argv);
    struct events_job job = {.options = &options};
    int result = command(&job);
    vec_dispose(&options.settings);
    arena_dispose(&job.arena);
    return result == 0 ? EXIT_FINE : EXIT_FAILED;
}
