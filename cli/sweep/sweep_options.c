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
#include "cli/common/command_syntax.h"
#include "cli/common/placeholders.h"

#include <float.h>
#include <string.h>

#define ATTEMPTS 3
#define POLL_S 5
#define GRACE_S 30

#define OPTIONS struct sweep_options

/* ---- Values ---- */

static int split_words(struct word_list *out, struct sweep_options *options, const char *text,
                       struct error *error) {
    return words_split(&out->words, &out->count, &options->arena, text, error);
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

static int take_variable(void *out, const char *text, struct error *error) {
    struct sweep_options *options = out;
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

static int take_launcher_options(void *out, const char *text, struct error *error) {
    struct sweep_options *options = out;
    return split_words(&options->settings.launcher_options, options, text, error);
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

/* ---- The table ---- */

static const struct command_option rows[] = {
    {OPTION_GROUP("The grid:")},
    {OPTION_FILLED("np", "LIST", ranks), .letter = 'n',
     .help = "Numbers of ranks (also -np LIST): 16..4096:x2, 4,8,16, 16..64:+16, 1..1024:square"},
    {OPTION_OWN("vary", "NAME=LIST", take_variable),
     .help = "{NAME} in arguments and options is each of these values; NAME,NAME=V:V,V:V are "
             "several that change together, np among them if need be"},
    {OPTION_TEXTS("try", "OPTIONS", tries),
     .help = "Options of `mpiskel run`: each --try is simulated for the whole grid; '' has none"},
    {OPTION_GROUP("How:")},
    {COMMON_JOBS(settings.jobs),
     .help = "Points at a time (default: as many as there are processors; with slurm as many as it "
             "likes)"},
    {OPTION_CHOICE("launcher", "local|slurm|parallel", enum launcher, settings.launcher),
     .help = "Where points are simulated: here (default), by a job array of Slurm's, by GNU "
             "parallel"},
    {OPTION_OWN("launcher-options", "OPTIONS", take_launcher_options),
     .help = "Options of sbatch or parallel"},
    {OPTION_COUNT("points-per-task", "N", settings.per_task),
     .help = "Of slurm and parallel (default: 1)"},
    {OPTION_COUNT("attempts", "N", settings.attempts),
     .help = "How often a point is started if it gets lost (default: 3)"},
    {OPTION_SECONDS("timeout", 0, DBL_MAX, settings.timeout_s),
     .help = "A point that takes longer has failed"},
    {OPTION_SECONDS("poll", 0, DBL_MAX, settings.poll_s),
     .help = "How often Slurm's queue is asked (default: 5)"},
    {OPTION_SECONDS("grace", 0, DBL_MAX, settings.grace_s),
     .help = "How long the result of a task that left Slurm's queue may take to appear (default: "
             "30)"},
    {OPTION_ON("retry", settings.retry), .help = "Simulate points that failed again"},
    {OPTION_OFF("no-wait", settings.wait),
     .help = "Hand points over to Slurm, report what is there, and end; the same command "
             "collects"},
    {OPTION_ON("dry-run", dry_run), .help = "List the points and what the store has of them"},
    {OPTION_GROUP("Results:")},
    {OPTION_FILLED("store", "FILE", store),
     .help = "Where results are kept (default: the bundle's store.db)"},
    {COMMON_FORMAT_CSV(format)},
    {COMMON_NO_PROGRESS(no_progress)},
    {0}};

static struct command_option find_option(const char *name, size_t length) {
    return command_option_find(rows, name, length);
}

static int set_option(struct sweep_options *options, const struct command_option *option,
                      const char *value, struct error *error) {
    bool is_empty = value == NULL || value[0] == '\0';
    if (option->value == NULL && !is_empty)
        return error_set(error, "--%s takes no value", option->name);
    if (option->value != NULL && is_empty && strcmp(option->name, "try") != 0)
        return error_set(error, "--%s needs a value", option->name);
    const char *copy = arena_strdup(&options->arena, value != NULL ? value : "");
    return command_option_set(options, option, copy, error);
}

int sweep_option_set(struct sweep_options *options, const char *name, const char *value,
                     struct error *error) {
    struct command_option option = find_option(name, strlen(name));
    if (strcmp(name, "arguments") == 0)
        return set_arguments(options, value, error);
    return option.name != NULL ? set_option(options, &option, value, error) : 1;
}

/* ---- Whose words ---- */

static bool is(const char *name, const char *other) {
    return strcmp(name, other) == 0;
}

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
    struct command_option known = {0};
    if (is_long)
        known = find_option(name, strcspn(name, "="));
    bool has_value = (known.value != NULL && strchr(name, '=') == NULL) || is(argv[i], "-n") ||
                     is(argv[i], "-np") || is(argv[i], "-j");
    if (is_long && known.name == NULL && !is_for_argp(name))
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

/* ---- The command line ---- */

static int check(void *input, struct error *error) {
    const struct sweep_options *options = input;
    if (options->bundle == NULL)
        return error_set(error, "which bundle? Give the directory that mpiskel generate wrote, or "
                                "a spec that names it");
    return 0;
}

static const struct command_syntax syntax = {
    .name = "mpiskel sweep",
    .usage = "APP.skel -np LIST [OPTIONS of run] [-- ARGUMENTS]\nSPEC",
    .about = "Simulate all points of a grid over ranks, arguments and options of `mpiskel run`, "
             "each once.\v"
             "Example:\n"
             "  mpiskel sweep heat3d.skel -np 16..1024:x2 --vary n=256,512 \\\n"
             "      --try '' --try '--bandwidth 25GBps' -- {n} {n} {n} 20\n\n"
             "Results are kept in the store: after ^C, a kill or a reboot the same command goes on "
             "with what is missing, a larger grid takes over what is there, and two commands at a "
             "time share the work. All other options go to `mpiskel run`; a spec has the same "
             "options, one a line, without dashes. docs/how-to/sweep.md tells more.\n\n"
             "Exit code: 0 fine, 1 a point failed (the table tells why), 64 usage, 130 ^C.",
    .options = {rows, check},
    .arguments = {OPTION_AT(const char *, target)},
    .argument_count = 1,
    .too_many = ARGUMENTS_GO_BEHIND,
};

static const char *first_word(const struct sorted_words *sorted) {
    for (size_t i = 1; i < sorted->ours.count; i++) {
        const char *word = sorted->ours.items[i];
        struct command_option known = {0};
        if (word[0] != '-')
            return word;
        if (strncmp(word, "--", 2) == 0)
            known = find_option(word + 2, strlen(word + 2));
        i += known.value != NULL || is(word, "-n") || is(word, "-j");
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
    struct sorted_words sorted = {0};
    *out = (struct sweep_options){.settings = {.attempts = ATTEMPTS,
                                               .per_task = 1,
                                               .poll_s = POLL_S,
                                               .grace_s = GRACE_S,
                                               .wait = true}};
    arena_init(&out->arena);
    sort_words(&sorted, out, argc, argv);
    const char *target = first_word(&sorted);
    int result = 0;
    if (target != NULL && file_exists(target))
        result = sweep_spec_read(out, target, error);
    else
        out->bundle = target;
    if (result == 0) {
        vec_push(&sorted.ours, NULL);
        command_syntax_parse(&syntax, out, (int)sorted.ours.count - 1, sorted.ours.items);
        struct error usage = {0};
        if (make_grid(out, &usage) != 0) {
            fprintf(stderr, "%s: %s\n", syntax.name, usage.text);
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
