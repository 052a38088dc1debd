/* SPDX-License-Identifier: Apache-2.0
 *
 * argp's table and parser; see validate_options.h.
 */
#include "cli/verify/validate_options.h"

#include "base/error.h"
#include "base/words.h"
#include "cli/common/format_option.h"
#include "cli/common/option_values.h"
#include "simulator/network/units.h"

#include <argp.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEFAULT_REPEAT 3

enum {
    KEY_ARGS = 0x200,
    KEY_REPEAT,
    KEY_REAL,
    KEY_REAL_RANKS,
    KEY_NO_REGIONS,
    KEY_HOST_SPEED,
    KEY_MAX_ERROR,
    KEY_FORMAT,
    KEY_TOP,
    KEY_NO_PROGRESS
};

static const struct argp_option option_table[] = {
    {"args", KEY_ARGS, "TEXT", 0,
     "A set of arguments, split as a shell does; may be given several times, instead of or besides "
     "those behind --",
     2},
    {"repeat", KEY_REPEAT, "N", 0, "Simulate the original and run really N times (default 3)", 2},
    {"real", KEY_REAL, "LAUNCHER", 0,
     "Measure real runs as well: LAUNCHER -np N APP.skel/profile ARGUMENTS, for instance "
     "--real 'mpirun --oversubscribe'",
     2},
    {"real-ranks", KEY_REAL_RANKS, "N", 0,
     "Run nothing really, and measure no regions, on more ranks (default: processors here)", 2},
    {"no-regions", KEY_NO_REGIONS, NULL, 0,
     "Do not run the profiling build (with mpirun, if there is no --real) to measure regions", 2},
    {"host-speed", KEY_HOST_SPEED, "SPEED", 0,
     "The speed of this machine (such as 1Gf) in the unit of the platform's hosts; needed with "
     "--platform",
     2},
    {"max-error", KEY_MAX_ERROR, "PERCENT", 0, "Exit with 2 if any error is larger", 3},
    {"format", KEY_FORMAT, "text|json|csv", 0, "How the report is written (default text)", 3},
    {"top", KEY_TOP, "K", 0, "Regions per configuration in text (default 10)", 3},
    {"no-progress", KEY_NO_PROGRESS, NULL, 0, "Show no progress on the terminal", 3},
    {0},
};

/* ---- Arguments ---- */

static int add_arguments(struct validate_options *options, const char *text, struct error *error) {
    const char *const *words = NULL;
    size_t count = 0;
    if (words_split(&words, &count, &options->arena, text, error) != 0)
        return -1;
    struct argument_set set = {.count = count};
    char **copy = ARENA_ARRAY(&options->arena, char *, count + 1);
    for (size_t i = 0; i < count; i++)
        copy[i] = arena_strdup(&options->arena, words[i]);
    set.words = copy;
    vec_push(&options->arguments, set);
    return 0;
}

static int parse_launcher(struct validate_options *options, const char *text, struct error *error) {
    options->launcher_text = text;
    if (words_split(&options->launcher, &options->launcher_count, &options->arena, text, error) !=
        0)
        return -1;
    return options->launcher_count > 0 ? 0 : error_set(error, "--real: which launcher?");
}

static int parse_value(struct validate_options *options, int key, char *text, struct error *error) {
    switch (key) {
    case KEY_ARGS:
        return add_arguments(options, text, error);
    case KEY_REAL:
        return parse_launcher(options, text, error);
    case KEY_REPEAT:
        return count_parse(&options->repeat, text, "--repeat", error);
    case KEY_REAL_RANKS:
        return count_parse(&options->real_ranks, text, "--real-ranks", error);
    case KEY_TOP:
        return count_parse(&options->top, text, "--top", error);
    default:
        return speed_parse(&options->host_speed_flops_per_s, text, "--host-speed", error);
    }
}

static void check_options(const struct validate_options *options, struct argp_state *state) {
    bundle_is_needed(options->bundle, state);
    if (options->placement.platform != NULL && options->host_speed_flops_per_s <= 0)
        argp_error(state, "--platform needs --host-speed: the speed that its hosts have if they "
                          "are as fast as this machine");
}

static error_t parse(int key, char *text, struct argp_state *state) {
    struct validate_options *options = state->input;
    struct error error = {0};
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->placement;
        return 0;
    case KEY_NO_REGIONS:
        options->no_regions = true;
        return 0;
    case KEY_NO_PROGRESS:
        options->no_progress = true;
        return 0;
    case KEY_FORMAT:
        options->format = format_option(text, true, state);
        return 0;
    case KEY_MAX_ERROR:
        options->max_error_percent =
            number_option(text, "--max-error", "percent", 0, INFINITY, state);
        return 0;
    case KEY_ARGS:
    case KEY_REPEAT:
    case KEY_REAL:
    case KEY_REAL_RANKS:
    case KEY_TOP:
    case KEY_HOST_SPEED:
        if (parse_value(options, key, text, &error) != 0)
            argp_error(state, "%s", error.text);
        return 0;
    case ARGP_KEY_ARG:
        if (options->bundle != NULL)
            argp_error(state, "'%s': the application's arguments go behind --", text);
        options->bundle = options->placement.bundle = text;
        return 0;
    case ARGP_KEY_END:
        check_options(options, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {{&placement_argp, 0, "Ranks and platform:", 1}, {0}};

static const struct argp argp = {
    .options = option_table,
    .parser = parse,
    .args_doc = "APP.skel -np N[,N...] [-- ARGUMENTS]",
    .doc = "Predict, measure, and tell the error of each configuration and of each region.\v"
           "Example: mpiskel validate heat3d.skel -np 16,64 --args '384 384 384 20' --args "
           "'512 512 512 20'\n\n"
           "What is measured: the original under SMPI, its computation timed here; with --real "
           "real runs; and regions by the profiling build under mpirun, whose samples are not "
           "added to the bundle's. Under SMPI all ranks share one core, so that a rank finds its "
           "caches cold; docs/how-to/trust-a-prediction.md tells what BSIM_CACHE=cold does about "
           "it.\n\n"
           "Exit code: 0 fine, 1 failed, 2 an error is above --max-error, 64 usage.",
    .children = children,
};

/* `-np 16,64`: the list is taken out, and argp sees its first number. */
static int split_ranks(struct validate_options *options, int argc, char **argv,
                       struct error *error) {
    for (int i = 1; i + 1 < argc; i++) {
        if (strcmp(argv[i], "-n") != 0)
            continue;
        char *first = argv[i + 1], *rest = NULL;
        for (char *text = strtok_r(first, ",", &rest); text != NULL;
             text = strtok_r(NULL, ",", &rest)) {
            size_t ranks = 0;
            if (count_parse(&ranks, text, "-np", error) != 0)
                return -1;
            vec_push(&options->ranks, ranks);
        }
    }
    return 0;
}

void validate_options_parse(struct validate_options *out, int argc, char **argv) {
    static char name[] = "mpiskel validate";
    struct argument_set rest = {0};
    struct error error = {0};
    *out = (struct validate_options){.placement = placement_options_default(),
                                     .repeat = DEFAULT_REPEAT,
                                     .real_ranks = (size_t)sysconf(_SC_NPROCESSORS_ONLN),
                                     .top = 10,
                                     .max_error_percent = INFINITY};
    arena_init(&out->arena);
    placement_split(&argc, argv, &rest.words, &rest.count);
    argv[0] = name;
    if (split_ranks(out, argc, argv, &error) != 0) {
        fprintf(stderr, "%s: %s\n", name, error.text);
        exit(EXIT_USAGE);
    }
    argp_parse(&argp, argc, argv, 0, NULL, out);
    if (rest.count > 0 || out->arguments.count == 0)
        vec_push(&out->arguments, rest);
}

void validate_options_dispose(struct validate_options *options) {
    placement_options_dispose(&options->placement);
    vec_dispose(&options->ranks);
    vec_dispose(&options->arguments);
    arena_dispose(&options->arena);
}
