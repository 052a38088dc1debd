/* SPDX-License-Identifier: Apache-2.0
 *
 * The command line of `mpiskel scale`; see scale.h. Options that are not in the table are passed on
 * to `mpiskel run` as they stand, so that whatever changes a run changes these points. Words before
 * the first of them say where points come from.
 */
#include "cli/scale/scale.h"

#include "cli/common/format_option.h"
#include "cli/common/option_values.h"
#include "cli/common/placeholders.h"
#include "simulator/network/units.h"
#include "simulator/run/placement.h"

#include <argp.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEFAULT_RANKS "1..128:x2"
#define DEFAULT_TARGET_LIMIT_S 300

enum {
    KEY_RANKS = 'n',
    KEY_JOBS = 'j',
    KEY_PREDICT = 256,
    KEY_WEAK,
    KEY_SIMULATE_TARGETS,
    KEY_NO_TARGETS,
    KEY_TARGET_LIMIT,
    KEY_WHERE,
    KEY_PLOT,
    KEY_FORMAT,
    KEY_TOP,
    KEY_NO_PROGRESS
};

static const struct argp_option option_table[] = {
    {"np", KEY_RANKS, "LIST", 0,
     "Numbers of ranks that are simulated: 64, 1..128:x2, 16..64:+16, 1..128:square, with commas "
     "between (default " DEFAULT_RANKS ")",
     1},
    {"predict", KEY_PREDICT, "LIST", 0,
     "Numbers of ranks that are predicted (default: 2, 4 and 8 times the largest point)", 1},
    {"weak", KEY_WEAK, NULL, 0,
     "Weak scaling: the work grows with the ranks, so that the same time is an efficiency of 100 % "
     "(default where an argument has a placeholder)",
     1},
    {"where", KEY_WHERE, "COLUMN=VALUE", 0, "Only points of a file that have this value", 1},
    {"simulate-targets", KEY_SIMULATE_TARGETS, NULL, 0,
     "Simulate the predicted numbers of ranks as well, and compare (default)", 2},
    {"no-simulate-targets", KEY_NO_TARGETS, NULL, 0,
     "Do not simulate the predicted numbers of ranks", 2},
    {"target-limit", KEY_TARGET_LIMIT, "SECONDS", 0,
     "Leave out such simulations as would take longer, going by the points' (default 300)", 2},
    {"jobs", KEY_JOBS, "N", 0, "Simulations at a time (default: processors)", 2},
    {"plot", KEY_PLOT, "FILE.svg", 0, "Draw points, curve and band", 3},
    {"format", KEY_FORMAT, "text|json|csv", 0, "How the report is written (default text)", 3},
    {"top", KEY_TOP, "K", 0, "Forms of the curve that are listed in text (default 5)", 3},
    {"no-progress", KEY_NO_PROGRESS, NULL, 0, "Show no progress on the terminal", 3},
    {0}};

/* ---- Values ---- */

static void parse_ranks(rank_list *out, const char *text, const char *what,
                        struct argp_state *state) {
    struct error error = {0};
    if (rank_list_parse(out, text, what, &error) != 0)
        argp_error(state, "%s", error.text);
}

static void parse_where(struct scale_options *options, const char *text, struct argp_state *state) {
    const char *sign = strchr(text, '=');
    if (sign == NULL || sign == text)
        argp_error(state, "--where takes COLUMN=VALUE, not '%s'", text);
    options->where_column = arena_strndup(&options->arena, text, (size_t)(sign - text));
    options->where_value = sign + 1;
}

static void take_source(struct scale_options *options, const char *path, struct argp_state *state) {
    struct stat info;
    bool is_directory = stat(path, &info) == 0 && S_ISDIR(info.st_mode);
    if (options->bundle != NULL || (is_directory && options->files.count > 0))
        argp_error(state, "one bundle, or files with points; not '%s' as well", path);
    if (is_directory)
        options->bundle = path;
    else
        vec_push(&options->files, path);
}

/* What does not belong to an option is a source; the first option of run ends these. */
static void take_others(struct scale_options *options, struct argp_state *state) {
    for (size_t i = 0; i < options->divided.others.count; i++) {
        const char *word = options->divided.others.items[i];
        if (options->run_options.count == 0 && (word[0] != '-' || word[1] == '\0'))
            take_source(options, word, state);
        else
            vec_push(&options->run_options, word);
    }
}

static void check_options(struct scale_options *options, struct argp_state *state) {
    if (options->bundle == NULL && options->files.count == 0)
        argp_error(state,
                   "points of what? Give a bundle, or files with points, before all options of "
                   "mpiskel run");
    if (options->bundle == NULL && options->run_options.count > 0)
        argp_error(state, "%s is no option here (options of mpiskel run go with a bundle)",
                   options->run_options.items[0]);
    if (options->bundle == NULL && (options->ranks.count > 0 || options->argument_count > 0))
        argp_error(state, "-np and arguments of the application go with a bundle; points of files "
                          "have been run already");
    if (options->bundle != NULL && options->where_column != NULL)
        argp_error(state, "--where goes with files");
    for (size_t i = 0; i < options->argument_count; i++)
        options->weak |= placeholders_are_in(options->arguments[i]);
    if (options->bundle != NULL && options->ranks.count == 0)
        parse_ranks(&options->ranks, DEFAULT_RANKS, "-np", state);
}

static error_t parse(int key, char *text, struct argp_state *state) {
    struct scale_options *options = state->input;
    switch (key) {
    case KEY_RANKS:
        parse_ranks(&options->ranks, text, "-np", state);
        return 0;
    case KEY_PREDICT:
        parse_ranks(&options->targets, text, "--predict", state);
        return 0;
    case KEY_WEAK:
        options->weak = true;
        return 0;
    case KEY_SIMULATE_TARGETS:
        options->no_targets = false;
        return 0;
    case KEY_NO_TARGETS:
        options->no_targets = true;
        return 0;
    case KEY_TARGET_LIMIT:
        options->target_limit_s =
            number_option(text, "--target-limit", "seconds", 0, INFINITY, state);
        return 0;
    case KEY_WHERE:
        parse_where(options, text, state);
        return 0;
    case KEY_JOBS:
        options->jobs = count_option(text, "-j", state);
        return 0;
    case KEY_TOP:
        options->top = count_option(text, "--top", state);
        return 0;
    case KEY_PLOT:
        options->plot = text;
        return 0;
    case KEY_FORMAT:
        options->format = format_option(text, true, state);
        return 0;
    case KEY_NO_PROGRESS:
        options->no_progress = true;
        return 0;
    case ARGP_KEY_END:
        take_others(options, state);
        check_options(options, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    .options = option_table,
    .parser = parse,
    .args_doc = "APP.skel [-np LIST] [--predict LIST] [OPTIONS OF RUN] [-- ARGUMENTS]\n"
                "POINTS.csv... [--predict LIST]",
    .doc =
        "Tell how the run time changes with the number of ranks, and where it stops falling.\v"
        "Points are simulated (by mpiskel run, to which all other options are passed on), or read "
        "from files: CSV with the columns ranks,time_s and, if known, computation_s or "
        "communication_s; the same as JSON; or reports of mpiskel run --format=json. The fastest "
        "of several runs counts. Several curves are fitted, and the one that predicts held-out "
        "larger points best is taken (docs/how-to/scaling-curves.md).\n\n"
        "  mpiskel scale lu.skel -np 1..128:square --predict 144,256,400,576,784,1024 -- 16384 "
        "128\n"
        "  mpiskel scale heat3d.skel --network ideal --plot h.svg -- 512 512 512 20\n"
        "  mpiskel scale lu.skel -np 1..64:square -- '{1024*ranks^1/2}' 128\n"
        "  mpiskel scale measured.csv --predict 256,512\n\n"
        "Arguments with placeholders, {ranks}, {1024*ranks}, {1024*ranks^1/2:128} (rounded to a "
        "multiple of 128), make the work grow with the ranks: weak scaling.\n\n"
        "Exit code: 0 fine, 1 failed (a point could not be simulated, a file not read), 64 usage."};

void scale_options_parse(struct scale_options *out, int argc, char **argv) {
    static char name[] = "mpiskel scale";
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    *out = (struct scale_options){.jobs = processors > 0 ? (size_t)processors : 1,
                                  .top = 5,
                                  .target_limit_s = DEFAULT_TARGET_LIMIT_S};
    arena_init(&out->arena);
    placement_split(&argc, argv, &out->arguments, &out->argument_count);
    argv[0] = name;
    pass_through_divide(&out->divided, argc, argv, option_table);
    argp_parse(&argp, (int)out->divided.own.count, out->divided.own.items, 0, NULL, out);
}

void scale_options_dispose(struct scale_options *options) {
    vec_dispose(&options->files);
    vec_dispose(&options->ranks);
    vec_dispose(&options->targets);
    vec_dispose(&options->run_options);
    pass_through_dispose(&options->divided);
    arena_dispose(&options->arena);
}
