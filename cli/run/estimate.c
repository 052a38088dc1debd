/* SPDX-License-Identifier: Apache-2.0
 *
 * Three trials by cli/common/simulations.h, and lines through what they cost; see estimate.h.
 */
#include "cli/run/estimate.h"

#include "base/memory.h"
#include "cli/common/pass_through.h"
#include "cli/common/simulations.h"
#include "simulator/run/memory_watch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#define RANKS_FROM 2048 /* that are worth an estimate */
#define TRIAL_PART 8    /* of the ranks has the largest trial, */
#define TRIAL_LEAST 256 /* but no fewer than that, if there are as many, */
#define TRIAL_MOST 1024 /* and no more than that */
#define TRIALS 3
#define SHORTEST_S 1e-3
#define NEARLY_ITSELF 1.1 /* times the tool's own memory */

/* ---- The command line of a trial ---- */

/* What is not handed on. */
static const struct command_option left_out[] = {{.name = "estimate"},
                                                 {.name = "no-estimate"},
                                                 {.name = "noise"},
                                                 {.name = "attribute"},
                                                 {.common = COMMON_OPTION_FORMAT_CSV},
                                                 {.common = COMMON_OPTION_NO_PROGRESS},
                                                 {.common = COMMON_OPTION_RANKS},
                                                 {.common = COMMON_OPTION_REPEAT},
                                                 {.common = COMMON_OPTION_SEED},
                                                 {0}};

struct estimate_words {
    struct pass_through divided;
    VEC(const char *) arguments;
};

struct estimate_words *estimate_words_new(int argc, char **argv, char **arguments,
                                          size_t argument_count) {
    struct estimate_words *words = xmalloc(sizeof *words);
    *words = (struct estimate_words){0};
    pass_through_divide(&words->divided, argc, argv, left_out);
    for (size_t i = 0; i < argument_count; i++)
        vec_push(&words->arguments, arguments[i]);
    vec_push(&words->arguments, NULL);
    return words;
}

void estimate_words_free(struct estimate_words *words) {
    pass_through_dispose(&words->divided);
    vec_dispose(&words->arguments);
    free(words);
}

static void describe(struct simulation *out, const struct estimate_words *words, size_t ranks,
                     struct arena *arena) {
    size_t count = words->divided.others.count;
    const char **options = ARENA_ARRAY(arena, const char *, count + 4);
    for (size_t i = 0; i < count; i++)
        options[i] = words->divided.others.items[i];
    options[count] = "-np";
    options[count + 1] = arena_printf(arena, "%zu", ranks);
    options[count + 2] = "--no-estimate";
    *out = (struct simulation){.options = options, .arguments = words->arguments.items};
}

/* ---- The estimate ---- */

struct estimate {
    double ranks, memory_bytes, wall_s, limit_bytes;
    struct {
        double ranks, memory_bytes, wall_s;
    } trials[TRIALS];
};

/* What a small simulation is said to take is no less than what the tool itself had when it started
 * it: Linux carries the largest resident set on through execve (getrusage(2), setmax_mm_hiwater_rss
 * in the kernel). Of several trials that are as small only the last one tells anything. */
static bool is_hidden(const struct estimate *estimate, int trial) {
    struct rusage own;
    if (trial + 2 >= TRIALS || getrusage(RUSAGE_SELF, &own) != 0)
        return false;
    return estimate->trials[trial + 1].memory_bytes < NEARLY_ITSELF * 1024 * (double)own.ru_maxrss;
}

/* Of the lines through the largest trial and another one the flatter counts, for the run is refused
 * by it; of the power laws the steeper. */
static void carry_on(struct estimate *out) {
    double to = out->trials[TRIALS - 1].ranks, slope = INFINITY, exponent = 0;
    double memory_bytes = out->trials[TRIALS - 1].memory_bytes;
    double wall_s = fmax(out->trials[TRIALS - 1].wall_s, SHORTEST_S);
    for (int i = 0; i + 1 < TRIALS; i++) {
        double from = out->trials[i].ranks;
        if (to <= from)
            continue;
        if (!is_hidden(out, i))
            slope = fmin(slope, fmax(0, memory_bytes - out->trials[i].memory_bytes) / (to - from));
        exponent =
            fmax(exponent, log(wall_s / fmax(out->trials[i].wall_s, SHORTEST_S)) / log(to / from));
    }
    double more = fmax(0, out->ranks - to);
    out->memory_bytes = memory_bytes + (more > 0 ? slope * more : 0);
    out->wall_s = wall_s * pow(fmax(1, out->ranks / to), exponent);
}

static int take_trials(struct estimate *out, const struct simulation *simulations,
                       struct error *error) {
    for (int i = 0; i < TRIALS; i++) {
        const json_t *report = simulations[i].report;
        const json_t *cost = json_object_get(report, "simulation");
        if (report == NULL)
            return error_set(error, "a small simulation failed: %s", simulations[i].error);
        out->trials[i].ranks = json_get_number(report, "ranks", 1);
        out->trials[i].memory_bytes = 1024 * json_get_number(cost, "peak_memory_kib", 0);
        out->trials[i].wall_s = json_get_number(cost, "wall_s", 0);
    }
    carry_on(out);
    return 0;
}

/* The square of a multiple of 4, so that its 9/16 and 1/4 are squares as well: there are programs
 * that want a square grid. */
static double largest_trial(double ranks) {
    double root = sqrt(fmin(ranks / TRIAL_PART, TRIAL_MOST));
    return fmax(fmin(ranks, TRIAL_LEAST), pow(4 * floor(root / 4), 2));
}

static int estimate_make(struct estimate *out, const struct estimate_words *words, size_t ranks,
                         struct error *error) {
    static const double parts[TRIALS] = {1.0 / 4, 9.0 / 16, 1};
    struct arena arena = {0};
    struct simulation simulations[TRIALS];
    double largest = largest_trial((double)ranks);
    *out = (struct estimate){.ranks = (double)ranks};
    for (int i = 0; i < TRIALS; i++)
        describe(&simulations[i], words, (size_t)fmax(1, floor(parts[i] * largest)), &arena);
    int result = memory_watch_limit(&out->limit_bytes, error);
    if (result == 0)
        result = simulations_run(simulations, TRIALS, 1, false, &arena, error);
    if (result == 0)
        result = take_trials(out, simulations, error);
    if (result == 0 || error->set)
        simulations_dispose(simulations, TRIALS);
    arena_dispose(&arena);
    return result;
}

/* ---- What is told ---- */

static void print_json(const struct estimate *estimate) {
    json_t *trials = json_array();
    bool fits = estimate->memory_bytes <= estimate->limit_bytes;
    for (int i = 0; i < TRIALS; i++)
        json_array_append_new(trials,
                              json_pack("{s:f, s:f, s:f}", "ranks", estimate->trials[i].ranks,
                                        "memory_bytes", estimate->trials[i].memory_bytes, "wall_s",
                                        estimate->trials[i].wall_s));
    json_t *root =
        json_pack("{s:s, s:i, s:I, s:f, s:o, s:f, s:b, s:o}", "format", "mpiskel-estimate",
                  "version", 1, "ranks", (json_int_t)estimate->ranks, "memory_bytes",
                  estimate->memory_bytes, "available_bytes",
                  isfinite(estimate->limit_bytes) ? json_real(estimate->limit_bytes) : json_null(),
                  "wall_s", estimate->wall_s, "fits", (int)fits, "trials", trials);
    json_dumpf(root, stdout, JSON_INDENT(2));
    putchar('\n');
    json_decref(root);
}

static void tell(const struct estimate *estimate, enum estimate_when when, bool as_json) {
    char memory[32], limit[32], wall[32], line[200];
    memory_size_print(memory, sizeof memory, estimate->memory_bytes);
    memory_size_print(limit, sizeof limit, estimate->limit_bytes);
    snprintf(wall, sizeof wall, estimate->wall_s < 10 ? "%.2g" : "%.0f", estimate->wall_s);
    snprintf(line, sizeof line,
             "%.0f ranks will take about %s of memory (of %s) and %s s or more, going by %.0f "
             "to %.0f ranks",
             estimate->ranks, memory, limit, wall, estimate->trials[0].ranks,
             estimate->trials[TRIALS - 1].ranks);
    if (when != ESTIMATE_ONLY)
        note("%s", line);
    else if (as_json)
        print_json(estimate);
    else
        puts(line);
}

int estimate_tell(const struct estimate_words *words, enum estimate_when when, size_t ranks,
                  bool as_json, struct error *error) {
    struct estimate estimate;
    struct error why = {0};
    if (when == ESTIMATE_NEVER || (when == ESTIMATE_LARGE && ranks < RANKS_FROM))
        return 0;
    if (estimate_make(&estimate, words, ranks, &why) != 0) {
        if (when == ESTIMATE_ONLY || why.text[0] == '\0')
            return error_set(error, "there is no estimate: %s", why.text);
        note("no estimate of memory and time: %s", why.text);
        return 0;
    }
    tell(&estimate, when, as_json);
    if (estimate.memory_bytes <= estimate.limit_bytes)
        return 0;
    char memory[32], limit[32];
    memory_size_print(memory, sizeof memory, estimate.memory_bytes);
    memory_size_print(limit, sizeof limit, estimate.limit_bytes);
    return error_set(error,
                     "%zu ranks would take about %s of memory, and %s are available: take fewer "
                     "ranks or a machine with more; --no-estimate tries it all the same "
                     "(docs/how-to/troubleshooting.md)",
                     ranks, memory, limit);
}
