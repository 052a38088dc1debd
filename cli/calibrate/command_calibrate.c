/* SPDX-License-Identifier: Apache-2.0
 *
 * `mpiskel calibrate`: what this machine takes for things that profiling runs do not tell.
 *
 * Two things are measured, each by a small program of ours that is compiled and started in a
 * temporary directory: kernels of BLAS (calibrate_kernels.c) and messages (calibrate_network.c).
 * Here are the options of both.
 */
#include "cli/calibrate/calibrate.h"
#include "cli/common/commands.h"
#include "cli/common/format_option.h"
#include "cli/common/option_values.h"

#include "base/error.h"
#include "base/file.h"
#include "model/store/store_machines.h"

#include <argp.h>
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    KEY_KERNELS = 'k',
    KEY_LIBRARY = 'l',
    KEY_MACHINE = 'm',
    KEY_NETWORK = 'n',
    KEY_OUTPUT = 'o',
    KEY_COMPILER = 0x100,
    KEY_CACHE,
    KEY_TIME,
    KEY_LARGEST,
    KEY_FORMAT,
    KEY_LAUNCHER,
    KEY_RANKS,
    KEY_LAUNCHES,
    KEY_MEASUREMENTS,
    KEY_BUNDLE,
    KEY_MAX_ERROR,
    KEY_SEED,
    KEY_NO_PROGRESS
};

static const struct argp_option argp_options[] = {
    {NULL, 0, NULL, 0, "What is measured (one of them):", 1},
    {"network", KEY_NETWORK, NULL, 0, "Messages between two ranks", 1},
    {"kernels", KEY_KERNELS, "NAMES", 0, "Kernels of BLAS, separated by commas, e.g. dgemm,dtrsm",
     1},
    {NULL, 0, NULL, 0, "Of both:", 2},
    {"machine", KEY_MACHINE, "NAME", 0, "The name of this machine (default: default)", 2},
    {"output", KEY_OUTPUT, "FILE", 0,
     "Where to write (default: MACHINE.network or MACHINE.kernels)", 2},
    {"compiler", KEY_COMPILER, "COMMAND", 0,
     "Of MPI programs (default: mpicc), or C compiler for kernels (default: cc)", 2},
    {"time", KEY_TIME, "SECONDS", 0,
     "Stop each kernel, or each pair of ranks, after so long (default: 20)", 2},
    {"largest", KEY_LARGEST, "SIZE", 0,
     "The largest message in bytes (default: 4194304); the largest m, n, k (default: 1024; dgemv "
     "4096; vectors 4194304)",
     2},
    {"format", KEY_FORMAT, "text|json", 0, "How the report is printed (default: text)", 2},
    {NULL, 0, NULL, 0, "With --network:", 3},
    {"launcher", KEY_LAUNCHER, "COMMAND", 0,
     "What starts MPI programs (default: mpirun); -np N and the program are added, or the program "
     "takes the place of {}, as in 'srun -N 2 -n 2 {}'",
     3},
    {"ranks", KEY_RANKS, "N", 0,
     "How many mpirun starts (default: 2). Rank 0 talks to the first rank on its node and to "
     "the first one elsewhere; those that are left sleep",
     3},
    {"launches", KEY_LAUNCHES, "N", 0,
     "Start it so many times and take the medians (default: 5): where a process lies in memory "
     "makes "
     "a difference. They share the --time",
     3},
    {"bundle", KEY_BUNDLE, "APP.skel", 0,
     "Also keep what was found in the bundle's store, with the machine", 3},
    {"measurements", KEY_MEASUREMENTS, "FILE", 0,
     "Measure nothing: use what an earlier calibration wrote beside its output (FILE.messages)", 3},
    {"max-error", KEY_MAX_ERROR, "PERCENT", 0,
     "Exit with 2 if the measured round trips are predicted worse than this (median)", 3},
    {"seed", KEY_SEED, "NUMBER", 0, "Of the sizes and their order (default: 1)", 3},
    {"no-progress", KEY_NO_PROGRESS, NULL, 0, "Show no progress on the terminal", 3},
    {NULL, 0, NULL, 0, "With --kernels:", 4},
    {"library", KEY_LIBRARY, "OPTIONS", 0,
     "What the program is linked with (default: -lblas), e.g. '-L/opt/lib -lopenblas'", 4},
    {"cache", KEY_CACHE, "warm|cold", 0,
     "Which measurements models are made of: with a call's data in the caches, or without "
     "(default: warm; the file has both)",
     4},
    {0}};

static long parse_whole(const char *option, char *text, long least, long most,
                        struct argp_state *state) {
    char *end = NULL;
    long number = strtol(text, &end, 10);
    if (end == text || *end != '\0' || number < least || number > most)
        argp_error(state, "%s takes a whole number from %ld to %ld, not '%s'", option, least, most,
                   text);
    return number;
}

static void parse_words(struct calibrate_options *options, int key, char *text,
                        struct argp_state *state) {
    switch (key) {
    case KEY_CACHE:
        if (strcmp(text, "warm") != 0 && strcmp(text, "cold") != 0)
            argp_error(state, "--cache takes warm or cold, not '%s'", text);
        options->cache = text;
        break;
    case KEY_MACHINE:
        options->machine = machine_option(text, state);
        break;
    case KEY_FORMAT:
        options->format = format_option(text, false, state);
        break;
    }
}

static error_t parse_network(struct calibrate_options *options, int key, char *text,
                             struct argp_state *state) {
    switch (key) {
    case KEY_NETWORK:
        options->network = true;
        return 0;
    case KEY_LAUNCHER:
        options->launcher = text;
        return 0;
    case KEY_RANKS:
        options->ranks = parse_whole("--ranks", text, 2, 1000000, state);
        return 0;
    case KEY_LAUNCHES:
        options->launches = parse_whole("--launches", text, 1, 1000, state);
        return 0;
    case KEY_BUNDLE:
        options->bundle = text;
        return 0;
    case KEY_MEASUREMENTS:
        options->measurements = text;
        return 0;
    case KEY_MAX_ERROR:
        options->max_error =
            number_option(text, "--max-error", "percent", DBL_MIN, 1e4, state) / 100;
        return 0;
    case KEY_SEED:
        options->seed = parse_whole("--seed", text, 1, 1000000000, state);
        return 0;
    case KEY_NO_PROGRESS:
        options->no_progress = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static void check(const struct calibrate_options *options, struct argp_state *state) {
    if (options->kernels == NULL && !options->network)
        argp_error(state, "what is to be measured? --network, or for instance --kernels "
                          "dgemm,dtrsm");
    if (options->kernels != NULL && options->network)
        argp_error(state, "--network and --kernels make files of their own: one at a time");
    if (options->network && options->largest > MESSAGE_BYTES_MAX)
        argp_error(state, "--largest: messages have at most %d bytes here", MESSAGE_BYTES_MAX);
    if (options->kernels != NULL && options->largest > 1 << 26)
        argp_error(state, "--largest takes a whole number from 64 to %d", 1 << 26);
    if (!options->network && (options->bundle != NULL || options->measurements != NULL))
        argp_error(state, "--bundle and --measurements go with --network");
}

static error_t parse(int key, char *text, struct argp_state *state) {
    struct calibrate_options *options = state->input;
    switch (key) {
    case KEY_KERNELS:
        options->kernels = text;
        return 0;
    case KEY_LIBRARY:
        options->library = text;
        return 0;
    case KEY_COMPILER:
        options->compiler = text;
        return 0;
    case KEY_OUTPUT:
        options->output = text;
        return 0;
    case KEY_TIME:
        options->budget_s = number_option(text, "--time", "seconds", DBL_MIN, 1e6, state);
        return 0;
    case KEY_LARGEST:
        options->largest = parse_whole("--largest", text, 64, MESSAGE_BYTES_MAX, state);
        return 0;
    case KEY_CACHE:
    case KEY_MACHINE:
    case KEY_FORMAT:
        parse_words(options, key, text, state);
        return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "'%s' is no option; what is measured is named by --network or --kernels",
                   text);
        return 0;
    case ARGP_KEY_END:
        check(options, state);
        return 0;
    default:
        return parse_network(options, key, text, state);
    }
}

static const struct argp argp = {
    .options = argp_options,
    .parser = parse,
    .args_doc = "--network\n--kernels NAMES",
    .doc =
        "Measure what profiling runs do not tell: messages, or kernels of BLAS alone.\v"
        "The network: round trips and overheads of messages of 1 byte to 4 MiB between two ranks, "
        "until their medians are known to 1 % or the time is up. What comes out is a network "
        "description with the parameters of SimGrid's MPI that fit best, and how well the "
        "measurements are predicted with them (docs/how-to/calibrate.md):\n\n"
        "  mpiskel calibrate --network -o here.network\n"
        "  mpiskel calibrate --network --launcher 'mpirun --host a:2,b' --ranks 3 -o ab.network\n"
        "  mpiskel run APP.skel -np 64 --network ab.network\n\n"
        "Kernels: each (dgemm, sgemm, dtrsm, dsyrk, dgemv, daxpy, ddot) is called with sizes from "
        "small to large, with its data in the caches and without, until the time is up. What "
        "comes out is a formula for the seconds of a call by its number of operations, and a "
        "file for calls that no profiling run reached:\n\n"
        "  mpiskel calibrate --kernels dgemm,dtrsm --library -lopenblas -o here.kernels\n"
        "  mpiskel fit APP.skel --kernels here.kernels\n\n"
        "Set what the library reads from the environment as in your runs, for instance "
        "OPENBLAS_NUM_THREADS=1. Functions of your own program need none of this: `mpiskel fit` "
        "learns them from profiling runs, one model for all calls of a function."};

const char *calibrate_processor(struct arena *arena) {
    char line[256];
    const char *name = "";
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file != NULL && name[0] == '\0' && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, "model name", 10) == 0 && strchr(line, ':') != NULL) {
            const char *value = strchr(line, ':') + 1;
            value += strspn(value, " \t");
            name = arena_strndup(arena, value, strcspn(value, "\n"));
        }
    if (file != NULL)
        fclose(file);
    return name;
}

int command_calibrate(int argc, char **argv) {
    struct calibrate_options options = {.library = "-lblas",
                                        .machine = "default",
                                        .cache = "warm",
                                        .launcher = "mpirun",
                                        .ranks = 2,
                                        .launches = 5,
                                        .seed = 1,
                                        .budget_s = 20};
    struct arena arena;
    struct error error = {0};
    argv[0] = (char[]){"mpiskel calibrate"}; /* argp begins its texts with it */
    argp_parse(&argp, argc, argv, 0, NULL, &options);
    arena_init(&arena);
    const char *directory = directory_temporary(&arena, "mpiskel-calibrate", &error);
    int code = EXIT_FAILED;
    if (directory != NULL)
        code = options.network ? calibrate_network(&options, directory)
                               : calibrate_kernels(&options, directory);
    if (directory == NULL || directory_remove(directory, &error) != 0)
        error_print(&error);
    arena_dispose(&arena);
    return code;
}
