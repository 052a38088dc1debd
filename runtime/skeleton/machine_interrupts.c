/* SPDX-License-Identifier: Apache-2.0
 *
 * The noise of a machine (simulator/noise/interruptions.h): what a rank computes takes longer by
 * each interruption that falls into it. Interruptions come whatever the rank does: those that come
 * while it waits for others cost nothing, and those that make it late are what others wait for
 * (T. Hoefler, T. Schneider, A. Lumsdaine, SC 2010).
 *
 * BSIM_INTERRUPTIONS: "SEED REPETITION HELD", then INTERVAL COST VARIATION of each kind, seconds.
 * Each rank has its own phase and its own intervals, functions of seed, rank, kind and number
 * (model/eval/splitmix.h), so that a simulation can be had again. Latencies that were learned on a
 * machine with noise hold its mean, the share HELD, which is taken off before interruptions are
 * put in; so does what executions differ by.
 *
 * Cheap: what a rank has computed is looked at once, at its next MPI call, and compared with when
 * the next interruption comes; only interruptions themselves are drawn.
 *
 * Not handled: interruptions of what MPI does in its calls; daemons that come on all nodes at the
 * same time.
 */
#include "model/eval/splitmix.h"
#include "runtime/smpi/runtime.h"

#include <inttypes.h>
#include <math.h>
#include <simgrid/engine.h>
#include <stdio.h>

#define KINDS_MAX 8
/* In one computation; of more the mean is taken, which is as near as 1 / sqrt(MANY) then. */
#define MANY 1e4
#define SKIPPED_MOST 64 /* one by one, while the rank waited */

struct interruptions_kind {
    double interval_s, cost_s, variation;
};

static BSIM__COMMON struct {
    bool known;
    int count;
    double held, variance_s; /* of a latency of a second, as a square of a relative deviation */
    uint64_t key;
    struct interruptions_kind kinds[KINDS_MAX];
} noise;

/* Of one rank, by kind. */
struct bsim__interrupted {
    double next_s[KINDS_MAX];
    uint64_t drawn[KINDS_MAX];
};

/* ---- The setting ---- */

static void refuse(const char *text) {
    bsim__stop(
        "mpiskel: error: BSIM_INTERRUPTIONS is '%s', not a seed, the number of a "
        "repetition, what latencies hold, and interval, cost and variation of up to %d kinds",
        text, KINDS_MAX);
}

static bool is_sound(const struct interruptions_kind *kind) {
    return kind->interval_s >= 1e-6 && isfinite(kind->interval_s) && kind->cost_s > 0 &&
           kind->cost_s < kind->interval_s && kind->variation >= 0 && kind->variation <= 1;
}

/* A sum of cost over interval, and of its square over interval: the variance of a second's number
 * of interruptions that come by chance is their mean number. */
static void sum_up(const char *text) {
    double share = 0, squares = 0;
    for (int i = 0; i < noise.count; i++) {
        share += noise.kinds[i].cost_s / noise.kinds[i].interval_s;
        squares += noise.kinds[i].cost_s * noise.kinds[i].cost_s / noise.kinds[i].interval_s;
    }
    if (!(share < 1) || !(noise.held >= 0 && noise.held < 1))
        refuse(text);
    noise.variance_s = share > 0 ? squares * fmin(noise.held / share, 1) : 0;
}

static void read_kinds(const char *text, const char *rest) {
    int length = 0;
    while (sscanf(rest, " %*s%n", &length) == 0 && length > 0) {
        struct interruptions_kind *kind = &noise.kinds[noise.count];
        length = 0;
        if (noise.count == KINDS_MAX ||
            sscanf(rest, " %lf %lf %lf%n", &kind->interval_s, &kind->cost_s, &kind->variation,
                   &length) != 3 ||
            !is_sound(kind))
            refuse(text);
        noise.count++;
        rest += length;
        length = 0;
    }
}

static void read_noise(const char *text) {
    uint64_t seed = 0, repetition = 0;
    int length = 0;
    if (sscanf(text, "%" SCNu64 " %" SCNu64 " %lf%n", &seed, &repetition, &noise.held, &length) !=
        3)
        refuse(text);
    noise.key = bsim_splitmix(bsim_splitmix(seed) ^ repetition);
    read_kinds(text, text + length);
    sum_up(text);
    noise.known = true;
}

/* ---- When interruptions come ---- */

/* Above 0, at most 1. */
static double uniform(const struct bsim__rank *rank, int kind, uint64_t number) {
    uint64_t state = noise.key + (uint64_t)rank->number * BSIM_SPLITMIX_STEP;
    state = bsim_splitmix_output(state) + (uint64_t)(kind + 1) * BSIM_SPLITMIX_STEP;
    state = bsim_splitmix_output(state) + (number + 1) * BSIM_SPLITMIX_STEP;
    return (double)((bsim_splitmix_output(state) >> 11) + 1) * 0x1p-53;
}

/* A fixed part and an exponential one, with the deviation that is asked for. */
static double interval_s(struct bsim__rank *rank, int kind) {
    const struct interruptions_kind *of = &noise.kinds[kind];
    if (of->variation == 0)
        return of->interval_s;
    double drawn = -log(uniform(rank, kind, ++rank->interrupted->drawn[kind]));
    return of->interval_s * (1 - of->variation + of->variation * drawn);
}

static double phase_s(struct bsim__rank *rank, int kind) {
    return noise.kinds[kind].interval_s * uniform(rank, kind, ++rank->interrupted->drawn[kind]);
}

static void start(struct bsim__rank *rank) {
    rank->interrupted = bsim__grow(NULL, 0, sizeof *rank->interrupted);
    for (int i = 0; i < noise.count; i++)
        rank->interrupted->next_s[i] = bsim__shared()->start_s + phase_s(rank, i);
}

/* Leaves out those that came while the rank waited. */
static void skip_until(struct bsim__rank *rank, int kind, double now_s) {
    double *next_s = &rank->interrupted->next_s[kind];
    double each_s = noise.kinds[kind].interval_s;
    if (noise.kinds[kind].variation == 0) {
        if (*next_s < now_s)
            *next_s += each_s * ceil((now_s - *next_s) / each_s);
        return;
    }
    for (int i = 0; i < SKIPPED_MOST && *next_s < now_s; i++)
        *next_s += interval_s(rank, kind);
    if (*next_s < now_s)
        *next_s = now_s + phase_s(rank, kind);
}

static int first_of(const struct bsim__interrupted *interrupted) {
    int first = 0;
    for (int i = 1; i < noise.count; i++)
        if (interrupted->next_s[i] < interrupted->next_s[first])
            first = i;
    return first;
}

/* How much longer it takes for kinds that come too often to be drawn one by one. */
static double mean_factor(double seconds) {
    double share = 0;
    for (int i = 0; i < noise.count; i++)
        if (seconds > MANY * noise.kinds[i].interval_s)
            share += noise.kinds[i].cost_s / noise.kinds[i].interval_s;
    return 1 / (1 - share);
}

static void interrupt(double *end_s, struct bsim__rank *rank, double seconds) {
    struct bsim__interrupted *interrupted = rank->interrupted;
    for (int i = first_of(interrupted); interrupted->next_s[i] < *end_s;
         i = first_of(interrupted)) {
        if (seconds > MANY * noise.kinds[i].interval_s) {
            skip_until(rank, i, *end_s);
            continue;
        }
        *end_s += noise.kinds[i].cost_s;
        interrupted->next_s[i] += interval_s(rank, i);
    }
}

static double interrupted(struct bsim__rank *rank, double seconds) {
    if (seconds <= 0 || rank->number < 0)
        return seconds;
    double pure_s = seconds * (1 - noise.held);
    double now_s = simgrid_get_clock() + rank->remainder_s;
    double end_s = now_s + pure_s * mean_factor(seconds);
    if (noise.count > 0 && isfinite(end_s)) {
        if (rank->interrupted == NULL)
            start(rank);
        for (int i = 0; i < noise.count; i++)
            skip_until(rank, i, now_s);
        interrupt(&end_s, rank, seconds);
    }
    rank->interrupted_s += fmax(end_s - now_s - pure_s, 0); /* it may round below */
    return end_s - now_s;
}

void bsim__interruptions_start(void) {
    const char *text = bsim__shared()->interruptions;
    if (text == NULL || noise.known)
        return;
    read_noise(text);
    bsim__interrupt = interrupted;
}

double bsim__interrupted_variance(double seconds) {
    return noise.known && seconds > 0 ? noise.variance_s / seconds : 0;
}
