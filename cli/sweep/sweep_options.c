/* SPDX-License-Identifier: Apache-2.0
 *
 * The command line of a sweep; see sweep_options.h.
 *
 * Words are sorted before argp sees them: what is in the table below is ours, other long options
 * are those of `run`, with the word behind them unless that is an option or the bundle.
 */
#include "cli/sweep/sweep_options.h"

#include "base/file.h"
#include "base/words.h"
#include "cli/common/option_values.h"
#include "cli/common/placeholders.h"
#include "simulator/network/units.h"

#include <argp.h>
#include <float.h>
#include <string.h>
#include <unistd.h>

enum { FIRST_KEY = 0x300, KEY_RANKS = 'n', KEY_JOBS = 'j' };

#define ATTEMPTS 3
#define POLL_S 5
#define GRACE_S 30

static const struct argp_option option_table[] = {
    {NULL, 0, NULL, 0, "The grid:", 1},
    {"np", KEY_RANKS, "LIST", 0,
     "Numbers of ranks (also -np LIST): 16..4096:x2, 4,8,16, 16..64:+16, 1..1024:square", 1},
    {"vary", FIRST_KEY, "NAME=LIST", 0,
     "{NAME} in arguments and options is each of these values; NAME,NAME=V:V,V:V are several that "
     "change together, np among them if need be",
     1},
    {"try", FIRST_KEY + 1, "OPTIONS", 0,
     "Options of `mpiskel run`: each --try is simulated for the whole grid; '' has none", 1},
    {NULL, 0, NULL, 0, "How:", 2},
    {"jobs", KEY_JOBS, "N", 0,
     "Points at a time (default: as many as there are processors; with slurm as many as it likes)",
     2},
    {"launcher", FIRST_KEY + 2, "local|slurm|parallel", 0,
     "Where points are simulated: here (default), by a job array of Slurm's, by GNU parallel", 2},
    {"launcher-options", FIRST_KEY + 3, "OPTIONS", 0, "Options of sbatch or parallel", 2},
    {"points-per-task", FIRST_KEY + 4, "N", 0, "Of slurm and parallel (default 1)", 2},
    {"attempts", FIRST_KEY + 5, "N", 0, "How often a point is started if it gets lost (default 3)",
     2},
    {"timeout", FIRST_KEY + 6, "SECONDS", 0, "A point that takes longer has failed", 2},
    {"poll", FIRST_KEY + 7, "SECONDS", 0, "How often Slurm's queue is asked (default 5)", 2},
    {"grace", FIRST_KEY + 8, "SECONDS", 0,
     "How long the result of a task that left Slurm's queue may take to appear (default 30)", 2},
    {"retry", FIRST_KEY + 9, NULL, 0, "Simulate points that failed again", 2},
    {"no-wait", FIRST_KEY + 10, NULL, 0,
     "Hand points over to Slurm, report what is there, and end; the same command collects", 2},
    {"dry-run", FIRST_KEY + 11, NULL, 0, "List the points and what the store has of them", 2},
    {NULL, 0, NULL, 0, "Results:", 3},
    {"store", FIRST_KEY + 12, "FILE", 0, "Where results are kept (default: the bundle's store.db)",
     3},
    {"format", FIRST_KEY + 13, "text|json|csv", 0, "How they are written (default text)", 3},
    {"no-progress", FIRST_KEY + 14, NULL, 0, "Show no progress on the terminal", 3},
    {0},
};

static const struct argp_option *find_option(const char *name, size_t length) {
    for (const struct argp_option *one = option_table; one->name != NULL || one->doc != NULL; one++)
        if (one->name != NULL && strlen(one->name) == length &&
            strncmp(one->name, name, length) == 0)
            return one;
    return NULL;
}

/* ---- Values ---- */

static int parse_launcher(enum launcher *out, const char *text, struct error *error) {
    static const char *const names[] = {"local", "slurm", "parallel"};
    for (int i = LAUNCHER_LOCAL; i <= LAUNCHER_PARALLEL; i++)
        if (strcmp(text, names[i]) == 0) {
            *out = (enum launcher)i;
            return 0;
        }
    return error_set(error, "--launcher takes local, slurm or parallel, not '%s'", text);
}

static int split_words(struct word_list *out, struct sweep_options *options, const char *text,
                       struct error *error) {
    return words_split(&out->words, &out->count, &options->arena, text, error);
}

static int set_arguments(struct sweep_options *options, const char *text, struct error *error) {
    struct word_list words = {0};
    if (split_words(&words, options, text, error) != 0)
        return -1;
    options->arguments.count = 0;
    for (size_t i = 0; i < words.count; i++)
        vec_push(&options->arguments, words.words[i]);
    return 0;
}

/* Variables become columns beside these. */
static int check_column(const char *name, struct error *error) {
    static const char *const columns[] = {"ranks",      "status",    "predicted_s", "low_s",
                                          "high_s",     "compute_s", "mpi_s",       "wall_s",
                                          "memory_kib", "attempts",  "message",     "host",
                                          "finished",   "point",     "arguments",   "options"};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        if (strcmp(name, columns[i]) == 0)
            return error_set(error,
                             "--vary %s: a column of the results is called so; give it "
                             "another name",
                             name);
    return 0;
}

static int add_variable(struct sweep_options *options, const char *text, struct error *error) {
    struct dimension dimension;
    const char *equals = strchr(text, '=');
    if (equals == NULL)
        return error_set(error, "--vary takes NAME=VALUES, such as n=512..4096:x2, not '%s'", text);
    const char *names = arena_strndup(&options->arena, text, (size_t)(equals - text));
    if (dimension_parse(&dimension, &options->arena, names, equals + 1, error) != 0)
        return -1;
    for (size_t i = 0; i < dimension.name_count; i++)
        if (check_column(dimension.names[i], error) != 0)
            return -1;
    vec_push(&options->dimensions, dimension);
    return 0;
}

static bool set_switch(struct sweep_options *options, const char *name) {
    if (strcmp(name, "retry") == 0)
        options->settings.retry = true;
    else if (strcmp(name, "no-wait") == 0)
        options->settings.wait = false;
    else if (strcmp(name, "dry-run") == 0)
        options->dry_run = true;
    else if (strcmp(name, "no-progress") == 0)
        options->no_progress = true;
    else
        return false;
    return true;
}

static bool is(const char *name, const char *other) {
    return strcmp(name, other) == 0;
}

static int set_number(struct sweep_options *options, const char *name, const char *value,
                      struct error *error) {
    struct sweep_settings *settings = &options->settings;
    if (is(name, "jobs"))
        return count_parse(&settings->jobs, value, "--jobs", error);
    if (is(name, "points-per-task"))
        return count_parse(&settings->per_task, value, "--points-per-task", error);
    if (is(name, "attempts"))
        return count_parse(&settings->attempts, value, "--attempts", error);
    if (is(name, "timeout"))
        return number_parse(&settings->timeout_s, value, "--timeout", "seconds", 0, DBL_MAX, error);
    if (is(name, "poll"))
        return number_parse(&settings->poll_s, value, "--poll", "seconds", 0, DBL_MAX, error);
    return is(name, "grace")
               ? number_parse(&settings->grace_s, value, "--grace", "seconds", 0, DBL_MAX, error)
               : 1;
}

static int set_text(struct sweep_options *options, const char *name, const char *value,
                    struct error *error) {
    if (is(name, "np"))
        options->ranks = value;
    else if (is(name, "store"))
        options->store = value;
    else if (is(name, "try"))
        vec_push(&options->tries, value);
    else if (is(name, "vary"))
        return add_variable(options, value, error);
    else if (is(name, "arguments"))
        return set_arguments(options, value, error);
    else if (is(name, "launcher"))
        return parse_launcher(&options->settings.launcher, value, error);
    else if (is(name, "launcher-options"))
        return split_words(&options->settings.launcher_options, options, value, error);
    else if (is(name, "format"))
        return output_format_parse(&options->format, value, true, error);
    else
        return 1;
    return 0;
}

int sweep_option_set(struct sweep_options *options, const char *name, const char *value,
                     struct error *error) {
    const struct argp_option *known = find_option(name, strlen(name));
    if (known != NULL && known->arg == NULL) {
        if (value != NULL && value[0] != '\0')
            return error_set(error, "--%s takes no value", name);
        return set_switch(options, name) ? 0 : 1;
    }
    if (known != NULL && (value == NULL || value[0] == '\0') && !is(name, "try"))
        return error_set(error, "--%s needs a value", name);
    value = arena_strdup(&options->arena, value != NULL ? value : "");
    int result = set_number(options, name, value, error);
    return result == 1 ? set_text(options, name, value, error) : result;
}

/* ---- Whose words ---- */

typedef VEC(char *) word_vec;

struct sorted_words {
    word_vec ours; /* what argp is to see */
    bool has_target;
};

static bool is_bundle(struct arena *arena, const char *word) {
    return file_exists(path_join(arena, word, "regions.json"));
}

/* The option of `run` at argv[i]; how many words it has. */
static int take_run_option(struct sweep_options *options, const struct sorted_words *sorted,
                           char **argv, int i, int end) {
    bool has_value = strchr(argv[i], '=') == NULL && i + 1 < end && argv[i + 1][0] != '-' &&
                     (sorted->has_target || !is_bundle(&options->arena, argv[i + 1]));
    vec_push(&options->run_options, argv[i]);
    if (has_value)
        vec_push(&options->run_options, argv[i + 1]);
    return has_value ? 2 : 1;
}

static bool is_for_argp(const char *name) {
    return is(name, "help") || is(name, "usage");
}

static int sort_word(struct sorted_words *sorted, struct sweep_options *options, char **argv, int i,
                     int end) {
    static char ranks[] = "-n";
    bool is_long = strncmp(argv[i], "--", 2) == 0;
    const char *name = argv[i] + 2;
    const struct argp_option *known = is_long ? find_option(name, strcspn(name, "=")) : NULL;
    bool has_value = (known != NULL && known->arg != NULL && strchr(name, '=') == NULL) ||
                     is(argv[i], "-n") || is(argv[i], "-np") || is(argv[i], "-j");
    if (is_long && known == NULL && !is_for_argp(name))
        return take_run_option(options, sorted, argv, i, end);
    vec_push(&sorted->ours, is(argv[i], "-np") ? ranks : argv[i]);
    if (argv[i][0] != '-')
        sorted->has_target = true;
    if (!has_value || i + 1 >= end)
        return 1;
    vec_push(&sorted->ours, argv[i + 1]);
    return 2;
}

static void sort_words(struct sorted_words *sorted, struct sweep_options *options, int argc,
                       char **argv) {
    int end = 1;
    while (end < argc && strcmp(argv[end], "--") != 0)
        end++;
    vec_push(&sorted->ours, argv[0]);
    for (int i = 1; i < end;)
        i += sort_word(sorted, options, argv, i, end);
    if (end + 1 < argc)
        options->arguments.count = 0;
    for (int i = end + 1; i < argc; i++)
        vec_push(&options->arguments, argv[i]);
}

/* ---- argp ---- */

static error_t parse(int key, char *text, struct argp_state *state) {
    struct sweep_options *options = state->input;
    struct error error = {0};
    for (const struct argp_option *one = option_table; one->name != NULL || one->doc != NULL; one++)
        if (one->name != NULL && one->key == key) {
            if (sweep_option_set(options, one->name, text, &error) != 0)
                argp_error(state, "%s", error.text);
            return 0;
        }
    if (key == ARGP_KEY_ARG) {
        if (state->arg_num > 0)
            argp_error(state, "'%s': the application's arguments go behind --", text);
        return 0;
    }
    if (key == ARGP_KEY_END && options->bundle == NULL)
        argp_error(state, "which bundle? Give the directory that mpiskel generate wrote, or a spec "
                          "that names it");
    return key == ARGP_KEY_END ? 0 : ARGP_ERR_UNKNOWN;
}

static const struct argp argp = {
    .options = option_table,
    .parser = parse,
    .args_doc = "APP.skel -np LIST [OPTIONS of run] [-- ARGUMENTS]\nSPEC",
    .doc = "Simulate all points of a grid over ranks, arguments and options of `mpiskel run`, each "
           "once.\v"
           "Example: mpiskel sweep heat3d.skel -np 16..1024:x2 --vary n=256,512 --try '' --try "
           "'--bandwidth 25GBps' -- {n} {n} {n} 20\n\n"
           "Results are kept in the store: after ^C, a kill or a reboot the same command goes on "
           "with what is missing, a larger grid takes over what is there, and two commands at a "
           "time share the work. All other options go to `mpiskel run`; a spec has the same "
           "options, one a line, without dashes. docs/how-to/sweep.md tells more.\n\n"
           "Exit code: 0 fine, 1 a point failed (the table tells why) or the sweep was "
           "interrupted, 64 usage.",
};

static const char *first_word(const struct sorted_words *sorted) {
    for (size_t i = 1; i < sorted->ours.count; i++) {
        const char *word = sorted->ours.items[i];
        const struct argp_option *known =
            strncmp(word, "--", 2) == 0 ? find_option(word + 2, strlen(word + 2)) : NULL;
        if (word[0] != '-')
            return word;
        i += (known != NULL && known->arg != NULL) || is(word, "-n") || is(word, "-j");
    }
    return NULL;
}

/* ---- The grid ---- */

static int make_tries(struct sweep_options *options, struct error *error) {
    if (options->tries.count == 0)
        vec_push(&options->tries, "");
    struct word_list *tries = ARENA_ARRAY(&options->arena, struct word_list, options->tries.count);
    for (size_t i = 0; i < options->tries.count; i++)
        if (split_words(&tries[i], options, options->tries.items[i], error) != 0)
            return -1;
    options->grid.tries = tries;
    options->grid.try_count = options->tries.count;
    return 0;
}

/* `{512*ranks^1/2}` and its kin, as in `mpiskel scale`. */
static int compute_arguments(struct sweep_options *options, struct error *error) {
    bool any = false;
    for (size_t i = 0; i < options->arguments.count; i++)
        any = any || placeholders_are_in(options->arguments.items[i]);
    for (size_t i = 0; any && i < options->point_count; i++) {
        struct grid_point *point = &options->points[i];
        const char **words = ARENA_ARRAY(&options->arena, const char *, point->arguments.count + 1);
        for (size_t k = 0; k < point->arguments.count; k++)
            if (placeholders_replace(&words[k], &options->arena, point->arguments.words[k],
                                     point->ranks, error) != 0)
                return -1;
        point->arguments.words = words;
    }
    return 0;
}

static int make_grid(struct sweep_options *options, struct error *error) {
    struct dimension ranks;
    if (options->ranks != NULL) {
        if (dimension_parse(&ranks, &options->arena, "np", options->ranks, error) != 0)
            return -1;
        vec_push(&options->dimensions, ranks);
    }
    if (make_tries(options, error) != 0)
        return -1;
    options->grid.dimensions = options->dimensions.items;
    options->grid.dimension_count = options->dimensions.count;
    options->grid.options = (struct word_list){.words = options->run_options.items,
                                               .count = options->run_options.count};
    options->grid.arguments =
        (struct word_list){.words = options->arguments.items, .count = options->arguments.count};
    if (grid_expand(&options->points, &options->point_count, &options->arena, &options->grid,
                    error) != 0)
        return -1;
    return compute_arguments(options, error);
}

int sweep_options_parse(struct sweep_options *out, int argc, char **argv, struct error *error) {
    static char name[] = "mpiskel sweep";
    struct sorted_words sorted = {0};
    *out = (struct sweep_options){.settings = {.attempts = ATTEMPTS,
                                               .per_task = 1,
                                               .poll_s = POLL_S,
                                               .grace_s = GRACE_S,
                                               .wait = true}};
    arena_init(&out->arena);
    sort_words(&sorted, out, argc, argv);
    sorted.ours.items[0] = name;
    const char *target = first_word(&sorted);
    int result = 0;
    if (target != NULL && file_exists(target))
        result = sweep_spec_read(out, target, error);
    else
        out->bundle = target;
    if (result == 0) {
        vec_push(&sorted.ours, NULL);
        argp_parse(&argp, (int)sorted.ours.count - 1, sorted.ours.items, 0, NULL, out);
        struct error usage = {0};
        if (make_grid(out, &usage) != 0) {
            fprintf(stderr, "%s: %s\n", name, usage.text);
            exit(EXIT_USAGE);
        }
    }
    vec_dispose(&sorted.ours);
    return result;
}

void sweep_options_dispose(struct sweep_options *options) {
    vec_dispose(&options->dimensions);
    vec_dispose(&options->tries);
    vec_dispose(&options->run_options);
    vec_dispose(&options->arguments);
    arena_dispose(&options->arena);
}
