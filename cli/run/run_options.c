/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/run/run_options.h"

#include "cli/common/command_syntax.h"
#include "cli/common/placement_options.h"
#include "cli/run/own_times.h"

#include <string.h>

/* ---- Other latencies ---- */

#define OPTIONS struct latency_options

static int take_speed(void *out, const char *text, struct error *error) {
    struct latency_options *latencies = out;
    if (latency_speed_check(text, error) != 0)
        return -1;
    vec_push(&latencies->speeds, text);
    return 0;
}

static const struct command_option latency_rows[] = {
    {OPTION_OWN("speed", "REGION=2x", take_speed),
     .help = "These regions are twice as fast (0.5x: take twice as long; +10%: 1.1x; free: take no "
             "time). REGION: all, FILE:LINE, FILE, a function, a kernel, a region's id, devices "
             "(what they execute) or links (copies to and from them). Several are multiplied"},
    {OPTION_TEXT("machine", "NAME[:STATISTIC]", machine),
     .help = "Latencies of another machine of the bundle's store (`mpiskel machines list "
             "APP.skel`)"},
    {OPTION_FILLED("processor", "FILE", processor),
     .help = "Latencies as they would be on another processor that counts "
             "(docs/reference/processor.md), from what profiling runs counted: caches of the same "
             "sizes, other times"},
    {0}};

static const struct command_options latency_options = {latency_rows, NULL};

/* ---- Other loops ---- */

#undef OPTIONS
#define OPTIONS struct change_options

static int take_set(void *out, const char *text, struct error *error) {
    struct change_options *changes = out;
    if (strchr(text, '=') == NULL)
        return error_set(error, "--set takes FILE:LINE=EXPR, such as solver.c:45=trips/2, not '%s'",
                         text);
    vec_push(&changes->sets, text);
    return 0;
}

static int take_iterations(void *out, const char *text, struct error *error) {
    struct change_options *changes = out;
    bool is_default = strcmp(text, ITERATIONS_IF_LONG) == 0; /* as sweeps ask for */
    bool was_default =
        changes->iterations != NULL && strcmp(changes->iterations, ITERATIONS_IF_LONG) == 0;
    if (changes->iterations != NULL && is_default)
        return 0;
    if (changes->iterations != NULL && !was_default)
        return error_set(error, "--iterations is given twice; one loop can be extrapolated");
    changes->iterations = text;
    return 0;
}

static const struct command_option change_rows[] = {
    {OPTION_OWN("set", "FILE:LINE=EXPR", take_set),
     .help = "Let the loop there iterate EXPR times, with `trips` (what it does now), `ranks`, "
             "numbers, + - * / % ( ) min max, such as solver.c:45=trips/2; may be given again. "
             "FILE:LINE:FEATURE=EXPR changes a feature of the region there, with `value`. `mpiskel "
             "loops` lists loops. Where a value is given, FILE:LINE=NUMBER says what it is: how "
             "often a loop "
             "iterates. Of a synthesised program NAME=NUMBER sets a parameter"},
    {OPTION_OWN("iterations", "[FILE:LINE=]K[/N]", take_iterations),
     .help =
         "Simulate K iterations of the outer loop (the one there; default: found by its time) "
         "and extrapolate its others once they are steady; N: how many there are, where neither "
         "the loop nor a given value tells. K may be auto (20), if-long or if-long:SECONDS (auto, "
         "if "
         "all would take longer than a minute, which sweep and scale do by themselves) or all "
         "(default of run)"},
    {0}};

static const struct command_options change_options = {change_rows, NULL};

/* ---- The command ---- */

#undef OPTIONS
#define OPTIONS struct run_options

/* Of --estimate and --no-estimate the last counts. */
static int take_estimate(void *out, const struct command_option *option, const char *text,
                         struct error *error) {
    struct run_options *options = out;
    (void)text, (void)error;
    options->estimate = option->name[0] == 'e' ? ESTIMATE_ONLY : ESTIMATE_NEVER;
    return 0;
}

static int check_regions(const struct run_options *options, struct error *error) {
    struct arena arena = {0};
    struct named_region named;
    int result = 0;
    if (options->regions.count > 0 && asked_trace_is_partial(&options->trace))
        result = error_set(error, "--region needs all events: leave out --trace-window, "
                                  "--trace-ranks and --trace-every");
    for (size_t i = 0; i < options->regions.count && result == 0; i++)
        result = own_times_parse(&named, options->regions.items[i], &arena, error);
    arena_dispose(&arena);
    return result;
}

/* Why what the options say does not fit --original; NULL: it does. */
static const char *unfit_for_original(const struct run_options *options) {
    if (options->noise)
        return "--distribution goes with the skeleton, not with --original";
    if (options->no_noise || options->noise_of != NULL)
        return "--no-noise and --noise-of go with the skeleton, not with --original";
    if (options->attribute)
        return "--attribute goes with the skeleton, not with --original";
    if (latency_options_given(&options->latencies))
        return "--speed, --machine and --processor go with the skeleton, not with --original";
    if (change_options_given(&options->changes))
        return "--set and --iterations go with the skeleton, not with --original";
    if (options->placement.platform != NULL && options->host_speed_flops_per_s <= 0)
        return "--original on a platform of yours needs --host-speed: the speed that its hosts "
               "have if they are as fast as this machine";
    return NULL;
}

static int check(void *input, struct error *error) {
    struct run_options *options = input;
    options->placement.bundle = options->bundle;
    if (options->repeat > 0 && !options->noise)
        return error_set(error, "--repeat goes with --distribution");
    if (options->no_noise && options->noise_of != NULL)
        return error_set(error, "--no-noise leaves out what --noise-of asks for: give one");
    if (options->seed >= 0 && !options->noise && (options->no_noise || options->original))
        return error_set(error, "--seed goes with --distribution, or with the noise of a machine");
    if (options->no_jitter && (options->noise || options->original))
        return error_set(
            error, "--no-jitter goes with the skeleton, without --distribution or --original");
    if (options->host_speed_flops_per_s > 0 && !options->original)
        return error_set(error, "--host-speed goes with --original");
    if (options->clock != NULL && !options->original)
        return error_set(error, "--clock goes with --original: the skeleton takes what the models "
                                "say, which learned from one clock");
    if (asked_trace_check(&options->trace, error) != 0 || check_regions(options, error) != 0)
        return -1;
    options->attribute |= options->page != NULL && !options->original;
    const char *iterations = options->changes.iterations;
    if (iterations != NULL && (strcmp(iterations, ITERATIONS_ALL) == 0 ||
                               (options->original && iterations_are_if_long(iterations))))
        options->changes.iterations = NULL;
    const char *unfit = options->original ? unfit_for_original(options) : NULL;
    if (unfit != NULL)
        return error_set(error, "%s", unfit);
    if (options->original && options->estimate == ESTIMATE_LARGE)
        options->estimate = ESTIMATE_NEVER; /* a small one would compute as much as the large one */
    return 0;
}

static int take_engine(void *out, const char *text, struct error *error) {
    return engine_choice_parse(out, text, error);
}

static const struct command_option rows[] = {
    {PLACEMENT_OPTIONS(placement)},
    {OPTION_GROUP(NULL)},
    {OPTION_ON("original", original),
     .help = "Simulate the application itself, timing its computation while it runs here"},
    {COMMON_CLOCK(clock)},
    {COMMON_HOST_SPEED(host_speed_flops_per_s),
     .help = "With --original: the speed of this machine (such as 1Gf), in the unit of the "
             "platform's hosts; default: that of the default platform"},
    {OPTION_ON("distribution", noise),
     .help = "Simulate repeatedly with latencies drawn around what the models say, and tell the "
             "distribution of the time"},
    {COMMON_REPEAT(repeat), .help = "With --distribution: so many simulations (default: 40)"},
    {COMMON_SEED(seed),
     .help = "Of the random numbers of interruptions and of --distribution (default: 1)"},
    {OPTION_ON("no-jitter", no_jitter),
     .help = "Give all executions of a region with the same features the same latency: leaves out "
             "what ranks wait for each other since executions differ by chance, and ranks by more "
             "than features tell"},
    {OPTION_ON("no-noise", no_noise),
     .help = "Leave out what interrupts ranks on the machine whose latencies are taken "
             "(`mpiskel calibrate --noise --bundle`), which is simulated where it was measured"},
    {OPTION_TEXT("noise-of", "machine:NAME|FILE", noise_of),
     .help = "Interrupt ranks as on another machine of the bundle's store, or as FILE says "
             "(docs/reference/noise.md)"},
    {OPTION_ON("attribute", attribute),
     .help = "Simulate once more on an ideal network, and tell how much of the time is "
             "computation, waiting and communication"},
    {OPTION_ON("even-if-wrong", even_if_wrong),
     .help = "Simulate a skeleton of which `mpiskel fit` has found that it does not communicate as "
             "the profiled runs did"},
    {OPTION_ON("even-if-unknown", even_if_unknown),
     .help = "Simulate arguments by which loops may iterate, though no profiled run shows how"},
    {OPTION_TEXT("device", "FILE", device),
     .help = "Engines, launches, waking and copies are those of this device, as `mpiskel calibrate "
             "--device` wrote them"},
    {OPTION_WHOLE("device-engines", "1|2|3", 1, 3, device_engines),
     .help = "Devices with one engine for all that they do (1, the default), one each for kernels "
             "and copies (2), or for kernels, copies to and copies from the device (3)"},
    {OPTION_WHOLE("ranks-per-device", "N", 1, 1 << 20, ranks_per_device),
     .help = "So many ranks in a row share a device (default: 1)"},
    {OPTION_ON("devices-block", devices_block),
     .help = "The host waits for each operation of a device, so that nothing overlaps"},
    {OPTION_SET("Other latencies:", &latency_options, struct latency_options, latencies)},
    {OPTION_SET("Other loops:", &change_options, struct change_options, changes)},
    {OPTION_GROUP("A trace:")},
    {OPTION_FILLED("trace", "FILE", trace.file),
     .help = "Record the MPI calls and regions of the ranks there, for `mpiskel trace`"},
    {OPTION_TEXT("trace-window", "T0:T1", trace.window),
     .help = "Only what is between these seconds of simulated time; either may be left out"},
    {OPTION_TEXT("trace-ranks", "LIST", trace.ranks), .help = "Only these ranks, such as 0-3,8"},
    {OPTION_TEXT("trace-every", "K", trace.every),
     .help = "Only each K-th message, collective, and execution of other sites"},
    {OPTION_GROUP("Memory and time:")},
    {.name = "estimate",
     .take = take_estimate,
     .help = "Only tell what memory and time the simulation would take, from small ones"},
    {.name = "no-estimate",
     .take = take_estimate,
     .help = "Do not find that out before a simulation of 2,048 ranks or more, which is refused if "
             "its memory would not fit"},
    {OPTION_OWN("engine", "auto|smpi|own", take_engine),
     .at = OPTION_AT(enum engine_choice, engine),
     .help = "Who simulates: SMPI, mpiskel's own engine, which is faster and takes less memory, or "
             "the engine where it covers program and network, else SMPI (auto, the default; an "
             "original is SMPI's)"},
    {OPTION_GROUP("The report:")},
    {COMMON_FORMAT_CSV(format)},
    {OPTION_TEXTS("region", "BEGIN..END", regions),
     .help = "Tell the time between two places of the program, FILE:LINE..FILE:LINE, as often as a "
             "rank comes from the first to the second; may be given again. Default, on up to 256 "
             "ranks: where the program works out the difference of two clock readings"},
    {OPTION_FILLED("report", "FILE.html", page),
     .help = "Besides, write a page to look at (`mpiskel report`); simulates once more, as with "
             "--attribute"},
    {OPTION_TEXT("app-output", "FILE|none", app_output),
     .help = "Where the application's own output goes (default: here, before the report)"},
    {COMMON_TOP(top), .help = "Rows of each table in text (default: 10)"},
    {OPTION_WORDS("dump", "network", dumps),
     .help = "Only print what the simulation would be told of the network: its description, who "
             "simulates, algorithms of collectives, ranks, ways (docs/reference/dump.md)"},
    {COMMON_NO_PROGRESS(no_progress)},
    {0}};

static const struct command_syntax syntax = {
    .name = "mpiskel run",
    .usage = "APP.skel -np N [-- ARGUMENTS]",
    .about = "Predict the time of an application on N ranks: simulate its skeleton.\v"
             "Examples: mpiskel run heat3d.skel -np 1024 --bandwidth 25GBps -- 512 100\n"
             "          mpiskel run heat3d.skel -np 1024 --speed stencil.c:40=2x -- 512 100\n"
             "          mpiskel run heat3d.skel -np 1024 --set main.c:46=trips/2 -- 512 100\n"
             "          mpiskel run heat3d.skel -np 1024 --iterations 20 -- 512 100000\n\n"
             "The 95 % interval of the predicted time comes from the errors of the models on "
             "profiling runs that were left out of the fit (docs/how-to/trust-a-prediction.md). "
             "Executions differ as they did in profiling runs that were repeated, by the same "
             "draws in each simulation, and interruptions of the machine come where its noise was "
             "measured; --distribution simulates with other draws, with errors of the "
             "models, and with the differences between runs and ranks.\n\n"
             "Exit code: 0 fine, 1 failed (the application aborted, is in a deadlock, crashed), 64 "
             "usage; if every rank finished, the application's own.",
    .options = {rows, check},
    BUNDLE_AT(bundle),
    .too_many = ARGUMENTS_GO_BEHIND,
};

void run_options_parse(struct run_options *out, int argc, char **argv) {
    *out = (struct run_options){
        .placement = placement_options_default(), .engine = ENGINE_AUTO, .top = 10, .seed = -1};
    command_syntax_split(&argc, argv, &out->arguments, &out->argument_count);
    out->words = estimate_words_new(argc, argv, out->arguments, out->argument_count);
    command_syntax_parse(&syntax, out, argc, argv);
}

void run_options_dispose(struct run_options *options) {
    estimate_words_free(options->words);
    placement_options_dispose(&options->placement);
    latency_options_dispose(&options->latencies);
    change_options_dispose(&options->changes);
    vec_dispose(&options->regions);
}
