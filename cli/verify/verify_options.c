/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/verify/verify_options.h"

#include "base/words.h"
#include "cli/common/placement_options.h"

#include <float.h>

#define OPTIONS struct verify_options

static int check(void *input, struct error *error) {
    struct verify_options *options = input;
    options->placement.bundle = options->bundle;
    options->real.no_progress = options->no_progress;
    if (options->real.wanted && options->real.unwanted)
        return error_set(error, "--real and --no-real do not go together");
    if (options->real.wanted && options->clock_step_s > 0)
        return error_set(error, "--clock-step is for simulations alone: no clock of a real run "
                                "goes by its calls");
    if (options->rank_tolerance < 0)
        options->rank_tolerance = options->tolerance;
    if (options->tolerance < 0 && options->rank_tolerance >= 0)
        return error_set(error, "--rank-tolerance is for single ranks: say with --tolerance by how "
                                "much all of them together may differ");
    if (options->rank_tolerance < options->tolerance)
        return error_set(error,
                         "--rank-tolerance is at least --tolerance: where no rank differs by more "
                         "than %g %%, all together do not",
                         options->rank_tolerance);
    return 0;
}

static int take_real(void *out, const char *text, struct error *error) {
    struct real_options *real = &((struct verify_options *)out)->real;
    real->wanted = true;
    return text == NULL
               ? 0
               : words_split(&real->launcher, &real->launcher_count, &real->arena, text, error);
}

static const struct command_option rows[] = {
    {PLACEMENT_OPTIONS(placement)},
    {OPTION_GROUP(NULL)},
    {OPTION_ON("multiset", multiset),
     .help = "For programs that poll: compare which calls each rank makes and how often, not their "
             "order, and leave out polls (MPI_Test, MPI_Iprobe, ...) that found nothing"},
    {OPTION_ON("replay", replay),
     .help = "For skeletons that take values as given (assumption cuts): let the original tell "
             "them"},
    {OPTION_PERCENT("tolerance", 0, DBL_MAX, tolerance),
     .help = "The sides may differ: let no rank's number of calls, messages, collectives or bytes "
             "do so by more than PERCENT of the original's"},
    {OPTION_PERCENT("rank-tolerance", 0, DBL_MAX, rank_tolerance),
     .help = "For values that are drawn, or that scatter from rank to rank: let the numbers of "
             "single ranks differ by so much, and the sums over all ranks by what --tolerance "
             "says"},
    {OPTION_SECONDS("clock-step", 1e-9, 1e9, clock_step_s),
     .help = "For programs that do something for as long as a clock says: clocks go SECONDS ahead "
             "with each MPI call (default: they tell the simulated time, in which nothing is "
             "computed)"},
    {OPTION_GROUP("The real run:")},
    {OPTION_OWN("real", "LAUNCHER", take_real), .value_may_lack = true,
     .help = "Run the original under MPI as well, as LAUNCHER -np N (default: mpirun "
             "--oversubscribe), here, and compare its calls, too (default: where mpirun is there, "
             "on at most twice as many ranks as processors)"},
    {OPTION_ON("no-real", real.unwanted), .help = "Only simulate"},
    {OPTION_FILLED("real-program", "PROGRAM", real.program),
     .help = "Run PROGRAM, for instance what the application's own build made, instead of "
             "APP.skel/profile"},
    {OPTION_SECONDS("real-limit", 1e-3, 1e9, real.limit_s),
     .help = "End the real run after SECONDS (default: 60)"},
    {OPTION_GROUP(NULL)},
    {OPTION_TEXT("keep", "DIR", keep),
     .help = "Leave records and logs of both sides in DIR (new or empty)"},
    {COMMON_FORMAT(format)},
    {COMMON_NO_PROGRESS(no_progress)},
    {0}};

const struct command_syntax verify_syntax = {
    .name = "mpiskel verify",
    .usage = "APP.skel -np N [-- ARGUMENTS]",
    .about =
        "Compare the MPI calls of a skeleton with those of its application, rank by rank and "
        "call by call. Regions take no time; if the skeleton reads clocks, and the bundle has "
        "models, both sides are compared once more with regions that take what the models "
        "say. A real run, on few ranks, tells whether the simulated original is right.\v"
        "Example: mpiskel verify heat3d.skel -np 16 -- 64 10\n\n"
        "Exit code: 0 identical or within --tolerance, 2 different, 3 the simulated original "
        "differs from the real run, 1 failed (a side aborted, is in a deadlock or crashed), 64 "
        "usage.",
    .options = {rows, check},
    BUNDLE_AT(bundle),
    .too_many = ARGUMENTS_GO_BEHIND,
};
