/* SPDX-License-Identifier: Apache-2.0
 *
 * The command line of `mpiskel whatif`, and scenarios as text; see whatif.h.
 */
#include "cli/whatif/whatif.h"

#include "base/file.h"
#include "base/str.h"
#include "base/words.h"
#include "cli/common/command_syntax.h"
#include "cli/common/pass_through.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_BY_PERCENT 10
#define DEFAULT_LEAST_PERCENT 0.1

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

/* Reads "NAME: OPTIONS [-- ARGUMENTS]" or "OPTIONS ..."; texts are in the arena. */
static int scenario_text_parse(struct scenario_text *out, struct arena *arena, const char *text,
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

/* ---- Options ---- */

#define OPTIONS struct whatif_options

static int take_try(void *out, const char *text, struct error *error) {
    struct whatif_options *options = out;
    struct scenario_text scenario;
    if (scenario_text_parse(&scenario, &options->arena, text, error) != 0)
        return -1;
    vec_push(&options->scenarios, scenario);
    return 0;
}

static int take_file(void *out, const char *text, struct error *error) {
    return read_file(out, text, error);
}

static int check(void *input, struct error *error) {
    const struct whatif_options *options = input;
    if (options->rank_all && options->scenarios.count > 0)
        return error_set(error, "--rank-all goes without --try and --file");
    if (options->rank_all && options->page != NULL)
        return error_set(error, "--report goes with --try and --file, not with --rank-all");
    if (!options->rank_all && options->scenarios.count == 0)
        return error_set(error,
                         "what if what? Give --try 'NAME: OPTIONS', --file FILE or --rank-all");
    return 0;
}

static const struct command_option rows[] = {
    {OPTION_OWN("try", "'NAME: OPTIONS'", take_try), .letter = 't',
     .help = "A scenario: options of `mpiskel run` on top of the base's, such as 'fast network: "
             "--bandwidth 2x', and behind -- other arguments. May be given several times; NAME: "
             "may be left out"},
    {OPTION_OWN("file", "FILE", take_file), .letter = 'f',
     .help = "Scenarios of that form from a file, one per line; # begins a comment"},
    {OPTION_ON("no-attribute", no_attribute),
     .help = "Do not tell computation, waiting and communication apart, which takes a second "
             "simulation of each scenario"},
    {OPTION_FILLED("report", "FILE.html", page),
     .help = "Besides, write a page to look at, with the base and all scenarios side by side "
             "(`mpiskel report`)"},
    {OPTION_GROUP(NULL)},
    {OPTION_ON("rank-all", rank_all),
     .help = "Instead of scenarios: make each region and the network faster, one at a time, and "
             "rank them by what that gains"},
    {OPTION_PERCENT("by", DBL_MIN, 1e6, by_percent),
     .help = "With --rank-all: how much faster (default: 10)"},
    {OPTION_PERCENT("least", DBL_MIN, 100, least_percent),
     .help = "With --rank-all: leave out regions with less than this share of the time (default: "
             "0.1)"},
    {OPTION_GROUP(NULL)},
    {COMMON_JOBS(jobs)},
    {COMMON_FORMAT_CSV(format)},
    {COMMON_TOP(top), .help = "With --rank-all: rows in text (default: 20)"},
    {COMMON_NO_PROGRESS(no_progress)},
    {0}};

static const struct command_syntax syntax = {
    .name = "mpiskel whatif",
    .usage = "APP.skel -np N [OPTIONS OF RUN] --try 'NAME: OPTIONS' ... [-- ARGUMENTS]\n"
             "APP.skel -np N [OPTIONS OF RUN] --rank-all [-- ARGUMENTS]",
    .about =
        "Simulate a base and scenarios, and tell the differences in one table.\v"
        "All other options are those of `mpiskel run` (see `mpiskel run --help`) and make the "
        "base; a scenario adds its own to them, and may have another -np and other arguments:\n\n"
        "  mpiskel whatif heat3d.skel -np 64 --try 'faster links: --bandwidth 2x' \\\n"
        "      --try 'faster sweep: --speed stencil.c:33=2x' \\\n"
        "      --try 'twice the nodes: -np 128' -- 256 256 256 50\n"
        "  mpiskel whatif heat3d.skel -np 64 --rank-all -- 256 256 256 50\n\n"
        "What the columns mean, with a worked example: docs/how-to/what-if.md.\n\n"
        "Exit code: 0 fine, 1 a simulation failed (its row tells why, the others are there), 64 "
        "usage.",
    .options = {rows, check},
};

/* ---- The command line ---- */

void whatif_options_parse(struct whatif_options *out, int argc, char **argv) {
    struct pass_through divided;
    int end = 1;
    *out = (struct whatif_options){.jobs = common_processors(),
                                   .top = 20,
                                   .by_percent = DEFAULT_BY_PERCENT,
                                   .least_percent = DEFAULT_LEAST_PERCENT};
    while (end < argc && strcmp(argv[end], "--") != 0)
        end++;
    pass_through_divide(&divided, end, argv, rows);
    size_t arguments = end < argc ? (size_t)(argc - end - 1) : 0;
    out->base_options = copy_words(&out->arena, divided.others.items, divided.others.count);
    out->base_arguments =
        copy_words(&out->arena, (const char *const *)argv + argc - arguments, arguments);
    command_syntax_parse(&syntax, out, (int)divided.own.count, divided.own.items);
    pass_through_dispose(&divided);
}

void whatif_options_dispose(struct whatif_options *options) {
    vec_dispose(&options->scenarios);
    arena_dispose(&options->arena);
}
