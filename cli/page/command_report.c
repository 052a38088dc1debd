/* SPDX-License-Identifier: Apache-2.0
 *
 * `mpiskel report`: what is known of runs of a bundle as a page to look at, or for a terminal.
 *
 * Steps: read the bundle and the files; put the chapters together; write them.
 */
#include "analysis/report/page_text.h"
#include "analysis/report/report.h"
#include "analysis/report/report_load.h"
#include "analysis/trace/trace_reader.h"
#include "cli/common/command_syntax.h"
#include "cli/common/commands.h"
#include "cli/common/opened.h"

#include <stdio.h>

#define DEFAULT_PAGE "report.html"
#define DEFAULT_TOP 10

enum page_format { PAGE_HTML, PAGE_TEXT };

struct page_options {
    const char *bundle;
    option_texts files;
    const char *output; /* NULL: not given */
    enum page_format format;
    size_t top;
};

#define OPTIONS struct page_options

/* The bundle, or a trace in its place, comes first, all others are files. */
static int take_argument(void *input, const char *text, struct error *error) {
    struct page_options *options = input;
    (void)error;
    if (options->bundle == NULL)
        return 1;
    vec_push(&options->files, text);
    return 0;
}

static int check(void *input, struct error *error) {
    const struct page_options *options = input;
    return options->format == PAGE_TEXT && options->output != NULL
               ? error_set(error, "-o goes with --format=html; the text is printed here")
               : 0;
}

static const struct command_option rows[] = {
    {COMMON_OUTPUT(output), .help = "The page (default: " DEFAULT_PAGE ")"},
    {OPTION_CHOICE("format", "html|text", enum page_format, format),
     .help = "A page, or the same chapters printed here (default: html)"},
    {COMMON_TOP(top), .help = "Rows of each table in text (default: 10)"},
    {0}};

static const struct command_syntax syntax = {
    .name = "mpiskel report",
    .usage = "APP.skel [TRACE|RUN.json]... [-o report.html]\nRECORDING [TRACE]... [-o report.html]",
    .about =
        "Make one page of what is known of runs: the prediction with its interval, where the time "
        "goes, a timeline, who waits for whom, the critical path, models, and what was "
        "assumed.\v"
        "The page is one file that needs no network. Files are told apart by what is in them: "
        "traces (mpiskel run --trace), and reports as JSON of `mpiskel run`, `scale`, `whatif` and "
        "`validate`. A trace joins the report of the same run; several runs are compared:\n\n"
        "  mpiskel run heat3d.skel -np 64 --format=json -- 64 64 64 10 > run.json\n"
        "  mpiskel report heat3d.skel run.json -o report.html\n\n"
        "`mpiskel run --report FILE.html` does both in one step.",
    .options = {rows, check},
    BUNDLE_AT(bundle),
    .take = take_argument,
};

static int load(struct report_input *out, const struct page_options *options, struct error *error) {
    int result = trace_is_one(options->bundle)
                     ? report_open_without_bundle(out, options->bundle, error)
                     : report_open(out, options->bundle, error);
    if (result != 0)
        return -1;
    for (size_t i = 0; i < options->files.count; i++)
        if (report_add_file(out, options->files.items[i], error) != 0)
            return -1;
    return 0;
}

static void print_text(const struct report_input *input, size_t top) {
    struct document document;
    struct str text = {0};
    report_compose(&document, input);
    page_text_add(&text, &document, top);
    fputs(str_text(&text), stdout);
    str_dispose(&text);
    document_dispose(&document);
}

static int write_report(const struct page_options *options, struct error *error) {
    struct report_input input;
    const char *output = options->output != NULL ? options->output : DEFAULT_PAGE;
    int result = load(&input, options, error);
    if (result == 0 && options->format == PAGE_TEXT)
        print_text(&input, options->top);
    else if (result == 0)
        result = report_write_page(output, &input, error);
    if (result == 0 && options->format == PAGE_HTML)
        printf("%s: open it in a browser\n", output);
    report_dispose(&input);
    return result == 0 ? output_finish(error) : -1;
}

int command_report(int argc, char **argv) {
    struct page_options options = {.top = DEFAULT_TOP};
    struct error error = {0};
    command_syntax_parse(&syntax, &options, argc, argv);
    int result = write_report(&options, &error);
    if (result != 0)
        error_print(&error);
    vec_dispose(&options.files);
    return result == 0 ? EXIT_FINE : EXIT_FAILED;
}
