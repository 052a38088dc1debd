/* SPDX-License-Identifier: Apache-2.0
 *
 * The command line of `mpiskel whatif`, and scenarios as text; see whatif.h.
 */
#include "cli/whatif/whatif.h"

#include "base/file.h"
#include "base/str.h"
#include "base/words.h"
#include "cli/common/option_values.h"
#include "cli/common/pass_through.h"
#include "simulator/network/units.h"

#include <argp.h>
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEFAULT_BY_PERCENT 10
#define DEFAULT_LEAST_PERCENT 0.1

enum {
    KEY_TRY = 't',
    KEY_FILE = 'f',
    KEY_JOBS = 'j',
    KEY_NO_ATTRIBUTE = 0x200,
    KEY_RANK_ALL,
    KEY_BY,
    KEY_LEAST,
    KEY_FORMAT,
    KEY_TOP,
    KEY_NO_PROGRESS
};

static const struct argp_option option_table[] = {
    {"try", KEY_TRY, "'NAME: OPTIONS'", 0,
     "A scenario: options of `mpiskel run` on top of the base's, such as 'fast network: "
     "--bandwidth 2x', and behind -- other arguments. May be given several times; NAME: may be "
     "left "
     "out",
     1},
    {"file", KEY_FILE, "FILE", 0,
     "Scenarios of that form from a file, one per line; # begins a comment", 1},
    {"no-attribute", KEY_NO_ATTRIBUTE, NULL, 0,
     "Do not tell computation, waiting and communication apart, which takes a second simulation of "
     "each scenario",
     1},
    {"rank-all", KEY_RANK_ALL, NULL, 0,
     "Instead of scenarios: make each region and the network faster, one at a time, and rank them "
     "by what that gains",
     2},
    {"by", KEY_BY, "PERCENT", 0, "With --rank-all: how much faster (default 10)", 2},
    {"least", KEY_LEAST, "PERCENT", 0,
     "With --rank-all: leave out regions with less than this share of the time (default 0.1)", 2},
    {"jobs", KEY_JOBS, "N", 0, "Simulations at a time (default: processors here)", 3},
    {"format", KEY_FORMAT, "text|json|csv", 0, "How the table is written (default text)", 3},
    {"top", KEY_TOP, "K", 0, "With --rank-all: rows in text (default 20)", 3},
    {"no-progress", KEY_NO_PROGRESS, NULL, 0, "Show no progress on the terminal", 3},
    {0},
};

/* ---- Scenarios ---- */

static const char *const *copy_words(struct arena *arena, const char *const *words, size_t count) {
    const char **copy = ARENA_ARRAY(arena, const char *, count + 1);
    for (size_t i = 0; i < count; i++)
        copy[i] = arena_strdup(arena, words[i]);
    return copy;
}

/* Where the options begin. */
static const char *take_name(struct scenario_text *out, struct arena *arena, const char *text) {
    text += strspn(text, " \t");
    size_t length = strcspn(text, ":");
    if (text[0] == '-' || text[length] == '\0') {
        out->name = arena_strdup(arena, text);
        return text;
    }
    out->name = arena_strndup(arena, text, length);
    return text + length + 1;
}

int scenario_text_parse(struct scenario_text *out, struct arena *arena, const char *text,
                        struct error *error) {
    const char *const *words = NULL;
    size_t count = 0, options = 0;
    *out = (struct scenario_text){0};
    const char *rest = take_name(out, arena, text);
    if (words_split(&words, &count, arena, rest, error) != 0)
        return -1;
    while (options < count && strcmp(words[options], "--") != 0)
        options++;
    if (out->name[0] == '\0' || count == 0 || words[0][0] != '-')
        return error_set(error,
                         "'%s' is no scenario: give 'NAME: OPTIONS', OPTIONS being those of "
                         "mpiskel run, such as 'fast: --bandwidth 2x'",
                         text);
    out->options = copy_words(arena, words, options);
    if (options < count)
        out->arguments = copy_words(arena, words + options + 1, count - options - 1);
    return 0;
}

static int add_line(struct whatif_options *options, char *line, const char *path, size_t number,
                    struct error *error) {
    struct scenario_text scenario;
    struct error inner = {0};
    line[strcspn(line, "\r")] = '\0';
    line += strspn(line, " \t");
    if (line[0] == '\0' || line[0] == '#')
        return 0;
    if (scenario_text_parse(&scenario, &options->arena, line, &inner) != 0)
        return error_set(error, "%s:%zu:1: error: %s", path, number, inner.text);
    vec_push(&options->scenarios, scenario);
    return 0;
}

static int read_file(struct whatif_options *options, const char *path, struct error *error) {
    char *text = NULL, *rest = NULL;
    size_t number = 1, length = 0;
    int result = 0;
    if (file_read(&text, &length, path, error) != 0)
        return -1;
    if (strlen(text) != length)
        result = error_set(error, "%s:1:1: error: this is no text: it has a byte of zero", path);
    for (char *line = text; line != NULL && result == 0; line = rest, number++) {
        rest = strchr(line, '\n');
        if (rest != NULL)
            *rest++ = '\0';
        result = add_line(options, line, path, number, error);
    }
    free(text);
    return result;
}

/* ---- argp ---- */

static int parse_try(struct whatif_options *options, const char *text, struct error *error) {
    struct scenario_text scenario;
    if (scenario_text_parse(&scenario, &options->arena, text, error) != 0)
        return -1;
    vec_push(&options->scenarios, scenario);
    return 0;
}

static int parse_value(struct whatif_options *options, int key, const char *text,
                       struct error *error) {
    switch (key) {
    case KEY_TRY:
        return parse_try(options, text, error);
    case KEY_FILE:
        return read_file(options, text, error);
    case KEY_BY:
        return number_parse(&options->by_percent, text, "--by", "percent", DBL_MIN, 1e6, error);
    case KEY_LEAST:
        return number_parse(&options->least_percent, text, "--least", "percent", DBL_MIN, 100,
                            error);
    case KEY_JOBS:
        return count_parse(&options->jobs, text, "--jobs", error);
    case KEY_TOP:
        return count_parse(&options->top, text, "--top", error);
    default:
        return output_format_parse(&options->format, text, true, error);
    }
}

static void check(const struct whatif_options *options, struct argp_state *state) {
    if (options->rank_all && options->scenarios.count > 0)
        argp_error(state, "--rank-all goes without --try and --file");
    if (!options->rank_all && options->scenarios.count == 0)
        argp_error(state, "what if what? Give --try 'NAME: OPTIONS', --file FILE or --rank-all");
}

static error_t parse(int key, char *text, struct argp_state *state) {
    struct whatif_options *options = state->input;
    struct error error = {0};
    switch (key) {
    case KEY_RANK_ALL:
        options->rank_all = true;
        return 0;
    case KEY_NO_ATTRIBUTE:
        options->no_attribute = true;
        return 0;
    case KEY_NO_PROGRESS:
        options->no_progress = true;
        return 0;
    case KEY_TRY:
    case KEY_FILE:
    case KEY_BY:
    case KEY_LEAST:
    case KEY_JOBS:
    case KEY_TOP:
    case KEY_FORMAT:
        if (parse_value(options, key, text, &error) != 0)
            argp_failure(state, EXIT_USAGE, 0, "%s", error.text);
        return 0;
    case ARGP_KEY_END:
        check(options, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    .options = option_table,
    .parser = parse,
    .args_doc = "APP.skel -np N [OPTIONS OF RUN] --try 'NAME: OPTIONS' ... [-- ARGUMENTS]\n"
                "APP.skel -np N [OPTIONS OF RUN] --rank-all [-- ARGUMENTS]",
    .doc = "Simulate a base and scenarios, and tell the differences in one table.\v"
           "All other options are those of `mpiskel run` (see `mpiskel run --help`) and make the "
           "base; "
           "a scenario adds its own to them, and may have another -np and other arguments:\n\n"
           "  mpiskel whatif heat3d.skel -np 64 --try 'faster links: --bandwidth 2x' \\\n"
           "      --try 'faster sweep: --speed stencil.c:33=2x' \\\n"
           "      --try 'twice the nodes: -np 128' -- 256 256 256 50\n"
           "  mpiskel whatif heat3d.skel -np 64 --rank-all -- 256 256 256 50\n\n"
           "What the columns mean, with a worked example: docs/how-to/what-if.md.\n\n"
           "Exit code: 0 fine, 1 a simulation failed (its row tells why, the others are there), 64 "
           "usage."};

/* ---- The command line ---- */

void whatif_options_parse(struct whatif_options *out, int argc, char **argv) {
    static char name[] = "mpiskel whatif";
    struct pass_through divided;
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    int end = 1;
    *out = (struct whatif_options){.jobs = processors > 0 ? (size_t)processors : 1,
                                   .top = 20,
                                   .by_percent = DEFAULT_BY_PERCENT,
                                   .least_percent = DEFAULT_LEAST_PERCENT};
    while (end < argc && strcmp(argv[end], "--") != 0)
        end++;
    argv[0] = name;
    pass_through_divide(&divided, end, argv, option_table);
    size_t arguments = end < argc ? (size_t)(argc - end - 1) : 0;
    out->base_options = copy_words(&out->arena, divided.others.items, divided.others.count);
    out->base_arguments =
        copy_words(&out->arena, (const char *const *)argv + argc - arguments, arguments);
    argp_parse(&argp, (int)divided.own.count, divided.own.items, 0, NULL, out);
    pass_through_dispose(&divided);
}

void whatif_options_dispose(struct whatif_options *options) {
    vec_dispose(&options->scenarios);
    arena_dispose(&options->arena);
}
