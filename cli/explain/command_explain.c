/* SPDX-License-Identifier: Apache-2.0
 *
 * `mpiskel explain APP.skel [FILE[:LINE]]`: why what stays in the skeleton stays. With nothing, the
 * computations that stay, ranked, each with the criterion that keeps it (explain_all.c); with FILE,
 * each line's fate (explain_file.c); with FILE:LINE, the chain of demands up to the MPI argument,
 * or what stands for a removed line (explain_line.c). Here: options, and which answer is asked for.
 */
#include "cli/explain/explain.h"

#include "base/file.h"
#include "cli/common/commands.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_TOP = 256 };

static const struct argp_option argp_options[] = {
    {"format", 'f', "text|json", 0, "How the answer is printed (default: text)", 0},
    {"top", KEY_TOP, "N", 0, "Without FILE: tell the chains of the N largest (default: 3)", 0},
    {0}};

static error_t parse(int key, char *value, struct argp_state *state) {
    struct explain_options *options = state->input;
    char *end = NULL;
    switch (key) {
    case 'f':
        options->json = strcmp(value, "json") == 0;
        if (!options->json && strcmp(value, "text") != 0)
            argp_error(state, "no format '%s'; there are text and json", value);
        return 0;
    case KEY_TOP:
        options->top = (int)strtol(value, &end, 10);
        if (*value == '\0' || *end != '\0' || options->top < 0 || options->top > 1000000)
            argp_error(state, "--top wants a number, not '%s'", value);
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num == 0)
            options->bundle = value;
        else if (state->arg_num == 1)
            options->place = value;
        else
            argp_error(state, "unexpected argument '%s'", value);
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "which bundle? for example: mpiskel explain heat3d.skel main.c:42");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    argp_options,
    parse,
    "APP.skel [FILE[:LINE]]",
    "Tell what stays in the skeleton and why, or what stands for a line that is gone.\v"
    "Without FILE: the computations that stay, the largest first, with the MPI argument that needs "
    "them. FILE is relative to the application's root, or just its name.",
    NULL,
    NULL,
    NULL};

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
    argp_parse(&argp, argc, argv, 0, NULL, &options);
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
