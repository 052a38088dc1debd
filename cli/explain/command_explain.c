/* SPDX-License-Identifier: Apache-2.0
 *
 * `mpiskel explain APP.skel [FILE[:LINE]]`: why what stays in the skeleton stays. With nothing, the
 * computations that stay, ranked, each with the criterion that keeps it (explain_all.c); with FILE,
 * each line's fate (explain_file.c); with FILE:LINE, the chain of demands up to the MPI argument,
 * or what stands for a removed line (explain_line.c). Here: options, and which answer is asked for.
 */
#include "cli/explain/explain.h"

#include "base/file.h"
#include "cli/common/command_syntax.h"
#include "cli/common/commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OPTIONS struct explain_options

static const struct command_option rows[] = {
    {COMMON_FORMAT(format), .letter = 'f'},
    {OPTION_WHOLE("top", "N", 0, 1000000, top),
     .help = "Without FILE: tell the chains of the N largest (default: 3)"},
    {0}};

static const struct command_syntax syntax = {
    .name = "mpiskel explain",
    .usage = "APP.skel [FILE[:LINE]]",
    .about = "Tell what stays in the skeleton and why, or what stands for a line that is gone.\v"
             "Without FILE: the computations that stay, the largest first, with the MPI argument "
             "that needs them. FILE is relative to the application's root, or just its name.",
    .options = {rows, NULL},
    .arguments = {OPTION_AT(const char *, bundle), OPTION_AT(const char *, place)},
    .argument_count = 2,
    .missing = "which bundle? for example: mpiskel explain heat3d.skel main.c:42",
};

void explain_print_json(json_t *value) {
    json_dumpf(value, stdout, JSON_INDENT(1) | JSON_PRESERVE_ORDER);
    putchar('\n');
    json_decref(value);
}

static const char *find_file(const struct log *log, const char *wanted) {
    size_t i;
    json_t *file;
    json_array_foreach(json_object_get(log->json, "files"), i, file) {
        if (log_same_file(json_string_value(file), wanted))
            return json_string_value(file);
    }
    return NULL;
}

static int parse_line(int *out, const char *text) {
    char *end = NULL;
    long line = strtol(text, &end, 10);
    *out = (int)line;
    return *text != '\0' && *end == '\0' && line >= 1 && line <= 100000000 ? 0 : -1;
}

static int answer(struct log *log, const struct explain_options *options, struct error *error) {
    if (options->place == NULL) {
        explain_weigh(log, options->bundle);
        explain_all(log, options);
        return 0;
    }
    char *place = arena_strdup(&log->arena, options->place);
    char *colon = strrchr(place, ':');
    int line = 0;
    if (colon != NULL && parse_line(&line, colon + 1) != 0)
        return error_set(error, "'%s' is not FILE:LINE", options->place);
    if (colon != NULL)
        *colon = '\0';
    const char *file = find_file(log, place);
    if (file == NULL)
        return error_set(error, "no file '%s' in this bundle's program (its root is %s)", place,
                         log->regions.root);
    if (line == 0)
        return explain_file(log, options, file, error);
    explain_line(log, options, file, line);
    return 0;
}

int command_explain(int argc, char **argv) {
    struct explain_options options = {.top = 3};
    struct log log = {0};
    struct error error = {0};
    command_syntax_parse(&syntax, &options, argc, argv);
    int result = log_open(&log, options.bundle, &error);
    if (result == 0)
        result = answer(&log, &options, &error);
    if (result == 0 && (fflush(stdout) != 0 || ferror(stdout)))
        result = error_set(&error, "cannot write the answer on the standard output");
    if (error.set)
        error_print(&error);
    log_dispose(&log);
    return result == 0 ? EXIT_FINE : EXIT_FAILED;
}
