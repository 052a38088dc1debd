/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/verify/validate_options.h"

#include "base/error.h"
#include "base/words.h"
#include "cli/common/command_syntax.h"
#include "cli/common/placement_options.h"
#include "simulator/network/units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_MOST 16
#define DEFAULT_STANDARD_ERROR 0.02

#define OPTIONS struct validate_options

static int take_arguments(void *out, const char *text, struct error *error) {
    struct validate_options *options = out;
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

static int take_launcher(void *out, const char *text, struct error *error) {
    struct validate_options *options = out;
    options->launcher_text = text;
    if (words_split(&options->launcher, &options->launcher_count, &options->arena, text, error) !=
        0)
        return -1;
    return options->launcher_count > 0 ? 0 : error_set(error, "--real: which launcher?");
}

static int take_standard_error(void *out, const char *text, struct error *error) {
    struct validate_options *options = out;
    char *end;
    double percent = strtod(text, &end);
    if (end == text || *end != '\0' || !(percent > 0) || percent > 100)
        return error_set(error, "--standard-error takes a percentage above 0, not '%s'", text);
    options->standard_error = percent / 100;
    return 0;
}

static int check(void *input, struct error *error) {
    struct validate_options *options = input;
    options->placement.bundle = options->bundle;
    if (options->placement.platform != NULL && options->host_speed_flops_per_s <= 0)
        return error_set(error, "--platform needs --host-speed: the speed that its hosts have if "
                                "they are as fast as this machine");
    if (options->sets.count > 0 && options->synthesis == NULL)
        return error_set(error, "--set goes with --synthesis");
    return 0;
}

static const struct command_option rows[] = {
    {PLACEMENT_OPTIONS(placement)},
    {OPTION_GROUP(NULL)},
    {OPTION_OWN("args", "TEXT", take_arguments),
     .help = "A set of arguments, split as a shell does; may be given several times, instead of or "
             "besides those behind --"},
    {OPTION_OWN("standard-error", "PERCENT", take_standard_error),
     .help = "Simulate the original until the standard error of its mean time is smaller "
             "(default: 2)"},
    {OPTION_COUNT("most", "N", most),
     .help = "But at most N times (default: 16); the first six are as they come"},
    {COMMON_REPEAT(repeat),
     .help = "Simulate the original and run really N times, whatever the error is (default: as "
             "often as it takes, and 3 real runs)"},
    {OPTION_OWN("real", "LAUNCHER", take_launcher),
     .help = "Measure real runs as well: LAUNCHER -np N APP.skel/profile ARGUMENTS, for instance "
             "--real 'mpirun --oversubscribe'"},
    {OPTION_COUNT("real-ranks", "N", real_ranks),
     .help = "Run nothing really, and measure no regions, on more ranks (default: processors "
             "here)"},
    {OPTION_ON("no-regions", no_regions),
     .help = "Do not run the profiling build to measure regions"},
    {OPTION_FILLED("synthesis", "APP.synth", synthesis),
     .help = "Compare with what `mpiskel synthesize` learned of the same program without its "
             "source: calls, bytes and time, side by side"},
    {OPTION_TEXTS("set", "NAME=VALUE,...", sets),
     .help = "Parameters of APP.synth, as `record --set` names them; given once for each set of "
             "arguments, in their order"},
    {OPTION_ON("no-original", no_original), .help = "Do not simulate the original"},
    {OPTION_WORD("caches", "warm|cold", caches),
     .help = "Make the bundle's profiling runs once more, in a copy, and predict by them: cold as "
             "the original finds its caches, which all its ranks share; warm as on a real machine"},
    {COMMON_CLOCK(clock)},
    {COMMON_HOST_SPEED(host_speed_flops_per_s),
     .help = "The speed of this machine (such as 1Gf) in the unit of the platform's hosts; needed "
             "with --platform"},
    {OPTION_GROUP(NULL)},
    {COMMON_MAX_ERROR(max_error_percent), .help = "Exit with 2 if any error is larger"},
    {COMMON_FORMAT_CSV(format)},
    {COMMON_TOP(top), .help = "Regions per configuration in text (default: 10)"},
    {COMMON_NO_PROGRESS(no_progress)},
    {0}};

static const struct command_syntax syntax = {
    .name = "mpiskel validate",
    .usage = "APP.skel -np N[,N...] [-- ARGUMENTS]",
    .about =
        "Predict, measure, and tell the error of each configuration and of each region.\v"
        "Example:\n"
        "  mpiskel validate heat3d.skel -np 16,64 --args '384 384 384 20' \\\n"
        "      --args '512 512 512 20'\n\n"
        "What is measured: the original under SMPI, its computation timed here, as it comes and "
        "without what interruptions of this machine lengthened; with --real real runs; and "
        "regions by the profiling build under mpirun, whose samples are not added to the "
        "bundle's. Under SMPI all ranks share one core, so that a rank finds its caches cold: "
        "--caches=cold trains models for that, and docs/how-to/trust-a-prediction.md tells "
        "when.\n\n"
        "With --synthesis the program's two ways to a prediction are held against each other:\n"
        "  mpiskel validate fft.skel --no-original --no-regions -np 16,64 \\\n"
        "      --synthesis fft.synth --set n=512 -- 512\n\n"
        "Exit code: 0 fine, 1 failed, 2 an error is above --max-error, 64 usage.",
    .options = {rows, check},
    BUNDLE_AT(bundle),
    .too_many = ARGUMENTS_GO_BEHIND,
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

static void end_with_mistake(const char *text) {
    fprintf(stderr, "%s: %s\n", syntax.name, text);
    exit(EXIT_USAGE);
}

void validate_options_parse(struct validate_options *out, int argc, char **argv) {
    struct argument_set rest = {0};
    struct error error = {0};
    *out = (struct validate_options){.placement = placement_options_default(),
                                     .most = DEFAULT_MOST,
                                     .standard_error = DEFAULT_STANDARD_ERROR,
                                     .real_ranks = common_processors(),
                                     .top = 10,
                                     .max_error_percent = INFINITY};
    arena_init(&out->arena);
    command_syntax_split(&argc, argv, &rest.words, &rest.count);
    if (split_ranks(out, argc, argv, &error) != 0) {
        end_with_mistake(error.text);
    }
    command_syntax_parse(&syntax, out, argc, argv);
    if (rest.count > 0 || out->arguments.count == 0)
        vec_push(&out->arguments, rest);
    if (out->synthesis != NULL && out->sets.count != out->arguments.count)
        end_with_mistake(arena_printf(&out->arena,
                                      "--synthesis needs a --set for each of the %zu sets of "
                                      "arguments, such as --set n=512,steps=10",
                                      out->arguments.count));
}

void validate_options_dispose(struct validate_options *options) {
    placement_options_dispose(&options->placement);
    vec_dispose(&options->ranks);
    vec_dispose(&options->arguments);
    vec_dispose(&options->sets);
    arena_dispose(&options->arena);
}
