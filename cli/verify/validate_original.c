/* SPDX-License-Identifier: Apache-2.0
 *
 * How long the original takes under SMPI: a measurement, since its computation is timed while it
 * runs. The first simulations are as they come, with all interruptions of the machine, and get to
 * know how long each burst usually takes; in further ones it counts as that
 * (docs/reference/run-files.md, bursts). These come in pairs: one goes by every other simulation
 * so far, its partner by the rest. So the two know nothing of each other, and half of what they
 * differ by is the standard error of their mean, by all pairs that of the last one at most. There
 * are as many pairs as it takes for that to be small. An original that counts (runtime/counted)
 * takes the same time each time: once is enough.
 */
#include "base/file.h"
#include "cli/verify/validate_step.h"

#include <math.h>
#include <stdio.h>

#define KNOWING                                                                                    \
    6 /* of which each partner gets three: so many tell what is usual (runtime/preload) */

/* Seconds, in their order. */
struct original_times {
    double *plain, *corrected;
    size_t plain_count, corrected_count;
};

static size_t count_of(const struct original_times *times) {
    return times->plain_count + times->corrected_count;
}

/* Of copies, since they are sorted. */
static struct times summary_of(const struct validate_step *step, const double *seconds,
                               size_t count) {
    double *copy = ARENA_ARRAY(step->arena, double, count + 1);
    for (size_t i = 0; i < count; i++)
        copy[i] = seconds[i];
    return count > 0 ? times_of(copy, count) : (struct times){0};
}

/* As a share of the mean; NAN: there is no pair yet. */
static double standard_error(const struct original_times *times) {
    double squares = 0, mean = 0;
    size_t pairs = times->corrected_count / 2;
    for (size_t i = 0; i < 2 * pairs; i += 2) {
        const double *pair = times->corrected + i;
        squares += (pair[0] - pair[1]) * (pair[0] - pair[1]) / (double)pairs;
        mean += (pair[0] + pair[1]) / 2 / (double)pairs;
    }
    return pairs == 0 ? NAN : mean > 0 ? sqrt(squares) / 2 / mean : 0;
}

/* Not where there is no pair. */
static bool is_settled(const struct validate_step *step, const struct original_times *times) {
    return times->corrected_count % 2 == 0 &&
           standard_error(times) <= step->options->standard_error;
}

/* How often it is simulated, however far times are apart; 0: that decides. */
static size_t repetitions(const struct validate_step *step) {
    size_t repeat = step->options->repeat;
    return repeat == 0 && step->bundle->regions.counted != NULL ? 1 : repeat;
}

static bool is_done(const struct validate_step *step, const struct original_times *times) {
    size_t repeat = repetitions(step);
    if (repeat > 0)
        return count_of(times) >= repeat;
    return is_settled(step, times) || count_of(times) >= step->options->most;
}

static void tell_progress(const struct validate_step *step, const struct original_times *times) {
    double reached = standard_error(times);
    size_t repeat = repetitions(step);
    const char *state =
        times->corrected_count < 2
            ? ""
            : arena_printf(step->arena, ", standard error %.1f%% so far", 100 * reached);
    validate_tell(step, arena_printf(step->arena, "simulating the original (%zu of %s%zu%s)",
                                     count_of(times) + 1, repeat > 0 ? "" : "at most ",
                                     repeat > 0 ? repeat : step->options->most, state));
}

static int simulate_once(struct original_times *times, struct validate_step *step, const char *file,
                         struct error *error) {
    struct run_stats stats;
    bool is_plain = times->plain_count < KNOWING;
    struct launch_bursts bursts = {file, times->corrected_count % 2 == 0 ? "odd" : "even"};
    if (is_plain)
        bursts.of = BURSTS_AS_THEY_COME;
    tell_progress(step, times);
    if (validate_simulate(&stats, step, &bursts, error) != 0)
        return -1;
    if (is_plain)
        times->plain[times->plain_count++] = stats.makespan_s;
    else
        times->corrected[times->corrected_count++] = stats.makespan_s;
    run_stats_dispose(&stats);
    return 0;
}

static void warn_unsettled(const struct validated *one, const struct validate_step *step,
                           const struct original_times *times) {
    const char *how = one->is_corrected
                          ? arena_printf(step->arena, "%.1f%%", 100 * one->original.standard_error)
                          : "not known";
    note("warning: on %zu ranks the standard error of the original's time is %s after %zu "
         "simulations, %g%% were asked for: --most=N allows more; if others disturb this machine, "
         "BSIM_QUIET=60 waits until they do not",
         one->ranks, how, count_of(times), 100 * step->options->standard_error);
}

static void summarize(struct validated *out, const struct validate_step *step,
                      const struct original_times *times) {
    out->as_it_comes = summary_of(step, times->plain, times->plain_count);
    out->is_corrected = times->corrected_count >= 2;
    out->original = out->as_it_comes;
    if (out->is_corrected) {
        out->original = summary_of(step, times->corrected, times->corrected_count);
        out->original.standard_error = standard_error(times);
    }
    out->is_unsettled = repetitions(step) == 0 && !is_settled(step, times);
    if (out->is_unsettled)
        warn_unsettled(out, step, times);
}

int validate_original(struct validated *out, struct validate_step *step, struct error *error) {
    const struct validate_options *options = step->options;
    size_t most = options->repeat > 0 ? options->repeat : options->most;
    const char *bursts = arena_printf(step->arena, "%s-bursts", step->directory);
    struct original_times times = {.plain = ARENA_ARRAY(step->arena, double, KNOWING),
                                   .corrected = ARENA_ARRAY(step->arena, double, most + 1)};
    int result = 0;
    remove(bursts); /* of another configuration */
    while (result == 0 && !is_done(step, &times))
        result = simulate_once(&times, step, bursts, error);
    remove(bursts);
    if (result == 0)
        summarize(out, step, &times);
    return result;
}
