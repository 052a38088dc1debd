/* SPDX-License-Identifier: Apache-2.0
 *
 * The command line of `mpiskel scale`; see scale.h. Options that are not in the table are passed on
 * to `mpiskel run` as they stand, so that whatever changes a run changes these points. Words before
 * the first of them say where points come from.
 */
#include "cli/scale/scale.h"

#include "cli/common/command_syntax.h"
#include "cli/common/placeholders.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>

#define DEFAULT_RANKS "1..128:x2"
#define DEFAULT_TARGET_LIMIT_S 300

#define OPTIONS struct scale_options

static int take_ranks(void *out, const char *text, struct error *error) {
    return rank_list_parse(out, text, "-np", error);
}

static int take_targets(void *out, const char *text, struct error *error) {
    return rank_list_parse(out, text, "--predict", error);
}

static int take_where(void *out, const char *text, struct error *error) {
    struct scale_options *options = out;
    const char *sign = strchr(text, '=');
    if (sign == NULL || sign == text)
        return error_set(error, "--where takes COLUMN=VALUE, not '%s'", text);
    options->where_column = arena_strndup(&options->arena, text, (size_t)(sign - text));
    options->where_value = sign + 1;
    return 0;
}

static const struct command_option rows[] = {
    {OPTION_OWN("np", "LIST", take_ranks), .at = OPTION_AT(rank_list, ranks), .letter = 'n',
     .help = "Numbers of ranks that are simulated: 64, 1..128:x2, 16..64:+16, 1..128:square, with "
             "commas between (default: " DEFAULT_RANKS ")"},
    {OPTION_OWN("predict", "LIST", take_targets), .at = OPTION_AT(rank_list, targets),
     .help = "Numbers of ranks that are predicted (default: 2, 4 and 8 times the largest point)"},
    {OPTION_ON("weak", weak),
     .help = "Weak scaling: the work grows with the ranks, so that the same time is an efficiency "
             "of 100 % (default where an argument has a placeholder)"},
    {OPTION_OWN("where", "COLUMN=VALUE", take_where),
     .help = "Only points of a file that have this value"},
    {OPTION_GROUP(NULL)},
    {OPTION_OFF("simulate-targets", no_targets),
     .help = "Simulate the predicted numbers of ranks as well, and compare (default)"},
    {OPTION_ON("no-simulate-targets", no_targets),
     .help = "Do not simulate the predicted numbers of ranks"},
    {OPTION_SECONDS("target-limit", 0, INFINITY, target_limit_s),
     .help = "Leave out such simulations as would take longer, going by the points' (default: "
             "300)"},
    {COMMON_JOBS(jobs)},
    {OPTION_GROUP(NULL)},
    {OPTION_TEXT("plot", "FILE.svg", plot), .help = "Draw points, curve and band"},
    {COMMON_FORMAT_CSV(format)},
    {COMMON_TOP(top), .help = "Forms of the curve that are listed in text (default: 5)"},
    {COMMON_NO_PROGRESS(no_progress)},
    {0}};

/* ---- Where points come from ---- */

static int take_source(struct scale_options *options, const char *path, struct error *error) {
    struct stat info;
    bool is_directory = stat(path, &info) == 0 && S_ISDIR(info.st_mode);
    size_t length = strlen(path);
    if (!is_directory && length > 5 && strcmp(path + length - 5, ".skel") == 0)
        return error_set(error, "there is no bundle %s: make one with `mpiskel generate -o %s`",
                         path, path);
    if (options->bundle != NULL || (is_directory && options->files.count > 0))
        return error_set(error, "one bundle, or files with points; not '%s' as well", path);
    if (is_directory)
        options->bundle = path;
    else
        vec_push(&options->files, path);
    return 0;
}

/* What does not belong to an option is a source; the first option of run ends these. */
static int take_others(struct scale_options *options, struct error *error) {
    for (size_t i = 0; i < options->divided.others.count; i++) {
        const char *word = options->divided.others.items[i];
        if (options->run_options.count > 0 || (word[0] == '-' && word[1] != '\0'))
            vec_push(&options->run_options, word);
        else if (take_source(options, word, error) != 0)
            return -1;
    }
    return 0;
}

static int check_files(const struct scale_options *options, struct error *error) {
    if (options->files.count == 0)
        return error_set(error, "points of what? Give a bundle, or files with points, before all "
                                "options of mpiskel run");
    if (options->run_options.count > 0)
        return error_set(error, "%s is no option here (options of mpiskel run go with a bundle)",
                         options->run_options.items[0]);
    if (options->ranks.count > 0 || options->argument_count > 0)
        return error_set(error, "-np and arguments of the application go with a bundle; points of "
                                "files have been run already");
    return 0;
}

static int check(void *input, struct error *error) {
    struct scale_options *options = input;
    if (take_others(options, error) != 0 ||
        (options->bundle == NULL && check_files(options, error) != 0))
        return -1;
    if (options->bundle != NULL && options->where_column != NULL)
        return error_set(error, "--where goes with files");
    for (size_t i = 0; i < options->argument_count; i++)
        options->weak |= placeholders_are_in(options->arguments[i]);
    return options->bundle != NULL && options->ranks.count == 0
               ? rank_list_parse(&options->ranks, DEFAULT_RANKS, "-np", error)
               : 0;
}

/* ---- The command line ---- */

static const struct command_syntax syntax = {
    .name = "mpiskel scale",
    .usage = "APP.skel [-np LIST] [--predict LIST] [OPTIONS OF RUN] [-- ARGUMENTS]\n"
             "POINTS.csv... [--predict LIST]",
    .about =
        "Tell how the run time changes with the number of ranks, and where it stops falling.\v"
        "Points are simulated (by mpiskel run, to which all other options are passed on), or read "
        "from files: CSV with the columns ranks,time_s and, if known, computation_s or "
        "communication_s; the same as JSON; or reports of mpiskel run --format=json. The fastest "
        "of several runs counts. Several curves are fitted, and the one that predicts held-out "
        "larger points best is taken (docs/how-to/scaling-curves.md).\n\n"
        "  mpiskel scale lu.skel -np 1..128:square \\\n"
        "      --predict 144,256,400,576,784,1024 -- 16384 128\n"
        "  mpiskel scale heat3d.skel --network ideal --plot h.svg -- 512 512 512 20\n"
        "  mpiskel scale lu.skel -np 1..64:square -- '{1024*ranks^1/2}' 128\n"
        "  mpiskel scale measured.csv --predict 256,512\n\n"
        "Arguments with placeholders, {ranks}, {1024*ranks}, {1024*ranks^1/2:128} (rounded to a "
        "multiple of 128), make the work grow with the ranks: weak scaling.\n\n"
        "Exit code: 0 fine, 1 failed (a point could not be simulated, a file not read), 64 usage.",
    .options = {rows, check},
};

void scale_options_parse(struct scale_options *out, int argc, char **argv) {
    *out = (struct scale_options){
        .jobs = common_processors(), .top = 5, .target_limit_s = DEFAULT_TARGET_LIMIT_S};
    arena_init(&out->arena);
    command_syntax_split(&argc, argv, &out->arguments, &out->argument_count);
    pass_through_divide(&out->divided, argc, argv, rows);
    command_syntax_parse(&syntax, out, (int)out->divided.own.count, out->divided.own.items);
}

void scale_options_dispose(struct scale_options *options) {
    vec_dispose(&options->files);
    vec_dispose(&options->ranks);
    vec_dispose(&options->targets);
    vec_dispose(&options->run_options);
    pass_through_dispose(&options->divided);
    arena_dispose(&options->arena);
}
