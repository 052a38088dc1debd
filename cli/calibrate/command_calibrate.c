/* SPDX-License-Identifier: Apache-2.0
 *
 * `mpiskel calibrate`: what this machine takes for things that profiling runs do not tell.
 *
 * Kernels of BLAS (calibrate_kernels.c) and messages (calibrate_network.c) are each measured by a
 * small program of ours that is compiled and started in a temporary directory; what interrupts
 * computation (calibrate_noise.c) is measured by mpiskel itself. Here are the options of all.
 */
#include "cli/calibrate/calibrate.h"
#include "cli/common/command_syntax.h"
#include "cli/common/commands.h"

#include "base/error.h"
#include "base/file.h"
#include "simulator/noise/disturbance.h"

#include <float.h>
#include <stdlib.h>

#define OPTIONS struct calibrate_options

static int check(void *input, struct error *error) {
    const struct calibrate_options *options = input;
    int count = (options->kernels != NULL) + options->network + options->noise + options->profile +
                options->device;
    if (count == 0)
        return error_set(error, "what is to be measured? --network, --noise, --profile, "
                                "--device, or for instance --kernels dgemm,dtrsm");
    if (count > 1)
        return error_set(error, "--network, --noise, --profile, --device and --kernels make files "
                                "of their own: one at a time");
    if (options->network && options->largest > MESSAGE_BYTES_MAX)
        return error_set(error, "--largest: messages have at most %d bytes here",
                         MESSAGE_BYTES_MAX);
    if (options->kernels != NULL && options->largest > 1 << 26)
        return error_set(error, "--largest takes a whole number from 64 to %d", 1 << 26);
    if (options->profile && (options->largest < 16384 || options->largest > 1 << 30) &&
        options->largest != 0)
        return error_set(error, "--largest takes a whole number from 16384 to %d", 1 << 30);
    if ((options->kernels != NULL || options->device) &&
        (options->bundle != NULL || options->measurements != NULL))
        return error_set(error, "--bundle and --measurements go with --network, --noise or "
                                "--profile");
    return 0;
}

static int refuse_argument(void *input, const char *text, struct error *error) {
    (void)input;
    return error_set(error,
                     "'%s' is no option; what is measured is named by --network, --noise, "
                     "--profile, --device or --kernels",
                     text);
}

static const struct command_option rows[] = {
    {OPTION_GROUP("What is measured (one of them):")},
    {OPTION_ON("network", network), .letter = 'n', .help = "Messages between two ranks"},
    {OPTION_ON("noise", noise),
     .help = "What interrupts ranks that compute: how often, and for how long"},
    {OPTION_ON("profile", profile),
     .help = "At which rates the machine makes operations, loads and stores, for `mpiskel fit "
             "--from`"},
    {OPTION_ON("device", device),
     .help = "The first OpenCL device: engines, launches, waking, copies, for `mpiskel run "
             "--device`"},
    {OPTION_TEXT("kernels", "NAMES", kernels), .letter = 'k',
     .help = "Kernels of BLAS, separated by commas, e.g. dgemm,dtrsm"},
    {OPTION_GROUP("Of all:")},
    {COMMON_MACHINE(machine), .help = "The name of this machine (default: default)"},
    {COMMON_OUTPUT(output),
     .help = "Where to write (default: MACHINE.network, .noise, .profile, .device or .kernels)"},
    {OPTION_TEXT("compiler", "COMMAND", compiler),
     .help = "Of MPI programs (default: mpicc), or C compiler for kernels, a device and the "
             "profile, with the "
             "options that the application is compiled with (default: cc)"},
    {OPTION_SECONDS("time", DBL_MIN, 1e6, budget_s),
     .help = "Stop each kernel, each pair of ranks, or the noise, after so long (default: 20)"},
    {OPTION_WHOLE("largest", "SIZE", 64, MESSAGE_BYTES_MAX, largest),
     .help = "The largest message in bytes (default: 4194304); the largest m, n, k (default: 1024; "
             "dgemv 4096; vectors 4194304); the largest array of the profile in bytes (default: "
             "67108864)"},
    {COMMON_FORMAT(format)},
    {OPTION_GROUP("With --network, --noise or --profile:")},
    {OPTION_TEXT("bundle", "APP.skel", bundle),
     .help = "Also keep what was found in the bundle's store, with the machine"},
    {OPTION_TEXT("measurements", "FILE", measurements),
     .help = "Measure nothing: use what an earlier calibration wrote (of the network beside its "
             "output, FILE.messages; of noise and of the profile its output, or a file written by "
             "hand)"},
    {OPTION_GROUP("With --network:")},
    {OPTION_TEXT("launcher", "COMMAND", launcher),
     .help = "What starts MPI programs (default: mpirun); -np N and the program are added, or the "
             "program takes the place of {}, as in 'srun -N 2 -n 2 {}'"},
    {OPTION_WHOLE("ranks", "N", 2, 1000000, ranks),
     .help = "How many mpirun starts (default: 2). Rank 0 talks to the first rank on its node and "
             "to the first one elsewhere; those that are left sleep"},
    {OPTION_WHOLE("launches", "N", 1, 1000, launches),
     .help = "Start it so many times and take the medians (default: 5): where a process lies in "
             "memory makes a difference. They share the --time"},
    {COMMON_MAX_ERROR(max_error_percent), .least = DBL_MIN, .most = 1e4,
     .help = "Exit with 2 if the measured round trips are predicted worse than this (median)"},
    {COMMON_SEED(seed), .least = 1, .most = 1000000000,
     .help = "Of the sizes and their order (default: 1)"},
    {COMMON_NO_PROGRESS(no_progress)},
    {OPTION_GROUP("With --kernels or --device:")},
    {OPTION_TEXT("library", "OPTIONS", library), .letter = 'l',
     .help = "What the program is linked with (default: -lblas, of a device -lOpenCL), e.g. "
             "'-L/opt/lib -lopenblas'"},
    {OPTION_GROUP("With --kernels:")},
    {OPTION_WORD("cache", "warm|cold", cache),
     .help = "Which measurements models are made of: with a call's data in the caches, or without "
             "(default: warm; the file has both)"},
    {0}};

static const struct command_syntax syntax = {
    .name = "mpiskel calibrate",
    .usage = "--network\n--noise\n--profile\n--device\n--kernels NAMES",
    .about =
        "Measure what profiling runs do not tell: messages, interruptions, the rates of a machine, "
        "what a device takes for things that are no kernel, or kernels of BLAS alone.\v"
        "The network: round trips and overheads of messages of 1 byte to 4 MiB between two ranks, "
        "until their medians are known to 1 % or the time is up. What comes out is a network "
        "description with the parameters of SimGrid's MPI that fit best, and how well the "
        "measurements are predicted with them (docs/how-to/calibrate.md):\n\n"
        "  mpiskel calibrate --network -o here.network\n"
        "  mpiskel calibrate --network --launcher 'mpirun --host a:2,b' --ranks 3 \\\n"
        "      -o ab.network\n"
        "  mpiskel run APP.skel -np 64 --network ab.network\n\n"
        "Noise: fixed quanta of work on all cores at once; what takes longer was interrupted, by a "
        "timer, a daemon, or other users. Simulations with the machine's latencies are interrupted "
        "as often and for as long (docs/how-to/noise.md):\n\n"
        "  mpiskel calibrate --noise --machine here --bundle APP.skel\n\n"
        "The profile: what memory costs by working set and stride, and kernels of many kinds, to "
        "which rates of operations are fitted. For a machine that nobody can run on, write one by "
        "hand (docs/how-to/unreachable-machine.md):\n\n"
        "  mpiskel calibrate --profile --machine here --bundle APP.skel\n"
        "  mpiskel calibrate --profile --machine there --bundle APP.skel \\\n"
        "      --measurements there.profile\n\n"
        "A device: how many engines it has, what launching takes, gaps between operations, waking "
        "the host, and copies (docs/how-to/devices.md):\n\n"
        "  mpiskel calibrate --device -o here.device\n"
        "  mpiskel run APP.skel -np 2 --device here.device\n\n"
        "Kernels: each (dgemm, sgemm, dtrsm, dsyrk, dgemv, daxpy, ddot) is called with sizes from "
        "small to large, with its data in the caches and without, until the time is up. What "
        "comes out is a formula for the seconds of a call by its number of operations, and a "
        "file for calls that no profiling run reached:\n\n"
        "  mpiskel calibrate --kernels dgemm,dtrsm --library -lopenblas -o here.kernels\n"
        "  mpiskel fit APP.skel --kernels here.kernels\n\n"
        "Set what the library reads from the environment as in your runs, for instance "
        "OPENBLAS_NUM_THREADS=1. Functions of your own program need none of this: `mpiskel fit` "
        "learns them from profiling runs, one model for all calls of a function.",
    .options = {rows, check},
    .take = refuse_argument,
};

int command_calibrate(int argc, char **argv) {
    struct calibrate_options options = {.machine = "default",
                                        .cache = "warm",
                                        .launcher = "mpirun",
                                        .ranks = 2,
                                        .launches = 5,
                                        .seed = 1,
                                        .budget_s = 20};
    struct arena arena;
    struct error error = {0};
    command_syntax_parse(&syntax, &options, argc, argv);
    arena_init(&arena);
    const char *directory = directory_temporary(&arena, "mpiskel-calibrate", &error);
    int code = EXIT_FAILED;
    struct disturbance_mark begun = disturbance_begin();
    if (directory != NULL && options.noise)
        code = calibrate_noise(&options);
    else if (directory != NULL && options.profile)
        code = calibrate_profile(&options, directory);
    else if (directory != NULL && options.device)
        code = calibrate_device(&options, directory);
    else if (directory != NULL)
        code = options.network ? calibrate_network(&options, directory)
                               : calibrate_kernels(&options, directory);
    struct disturbance disturbance = disturbance_since(&begun);
    if (code != EXIT_FAILED && options.measurements == NULL)
        disturbance_tell(&disturbance, "it was calibrated",
                         "what was measured holds that: calibrate again while nothing else runs");
    if (directory == NULL || directory_remove(directory, &error) != 0)
        error_print(&error);
    arena_dispose(&arena);
    return code;
}
