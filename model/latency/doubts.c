/* SPDX-License-Identifier: Apache-2.0
 *
 * Walks over the groups of samples with equal features; see doubts.h. Compared are a group's
 * quartiles, so that one disturbed run or rank is no contradiction.
 */
#include "model/latency/doubts.h"

#include "base/numbers.h"
#include "base/vec.h"
#include "model/samples/points.h"

#include <math.h>
#include <stdlib.h>

#define CONTRADICTION 2.0      /* upper quartile over lower one */
#define CONTRADICTING_PART 0.1 /* of the region's time */
#define SHORTEST_S 1e-6        /* below, the clock contradicts itself */
#define FEW 3

/* The group with the most time among those that contradict themselves. */
struct contradiction {
    double low_s, high_s, total_s;
    double all_s; /* of all such groups */
};

static double time_s(const struct sample *samples, size_t count) {
    double sum_s = 0;
    for (size_t i = 0; i < count; i++)
        if (samples[i].timed > 0)
            sum_s += sample_latency_s(&samples[i]) * samples[i].count;
    return sum_s;
}

/* All samples have the same features. */
static void examine_group(struct contradiction *out, const struct sample *samples, size_t count) {
    VEC(double) latencies = {0};
    for (size_t i = 0; i < count; i++)
        if (samples[i].timed > 0)
            vec_push(&latencies, sample_latency_s(&samples[i]) / sample_ratio(&samples[i]));
    if (latencies.count > 1) {
        numbers_sort(latencies.items, latencies.count);
        double low_s = latencies.items[latencies.count / 4];
        double high_s = latencies.items[3 * latencies.count / 4];
        double total_s = time_s(samples, count);
        if (high_s > SHORTEST_S && high_s > CONTRADICTION * low_s) {
            out->all_s += total_s;
            if (total_s > out->total_s) {
                out->low_s = low_s;
                out->high_s = high_s;
                out->total_s = total_s;
            }
        }
    }
    vec_dispose(&latencies);
}

static struct contradiction find_contradiction(const struct sample *samples, size_t count) {
    struct contradiction found = {0};
    for (size_t first = 0, end; first < count; first = end) {
        end = points_group_end(samples, count, first);
        examine_group(&found, samples + first, end - first);
    }
    return found;
}

/* ---- Runs against each other ---- */

struct scatter {
    double squares_s, total_s; /* of logarithms, weighted by time */
};

/* All samples have the same features. */
static void add_runs(struct scatter *out, const struct sample *samples, size_t count,
                     double *seconds, double *executions) {
    double all_s = 0, all = 0;
    for (size_t i = 0; i < count; i++) {
        if (samples[i].timed <= 0)
            continue;
        double sample_s = sample_latency_s(&samples[i]) * samples[i].count;
        seconds[samples[i].run] += sample_s;
        executions[samples[i].run] += samples[i].count;
        all_s += sample_s;
        all += samples[i].count;
    }
    for (size_t i = 0; i < count; i++) {
        int run = samples[i].run;
        if (seconds[run] > 0 && all_s > 0) {
            double off = log(seconds[run] / executions[run] / (all_s / all));
            out->squares_s += seconds[run] * off * off;
            out->total_s += seconds[run];
        }
        seconds[run] = executions[run] = 0;
    }
}

double doubts_scatter(const struct sample *samples, size_t count, int run_count) {
    struct scatter scatter = {0};
    if (!(find_contradiction(samples, count).all_s > CONTRADICTING_PART * time_s(samples, count)))
        return 0;
    double *seconds = xmalloc(((size_t)run_count + 1) * sizeof *seconds);
    double *executions = xmalloc(((size_t)run_count + 1) * sizeof *executions);
    for (int i = 0; i < run_count; i++)
        seconds[i] = executions[i] = 0;
    for (size_t first = 0, end; first < count; first = end) {
        end = points_group_end(samples, count, first);
        add_runs(&scatter, samples + first, end - first, seconds, executions);
    }
    free(seconds);
    free(executions);
    return scatter.total_s > 0 ? expm1(sqrt(scatter.squares_s / scatter.total_s)) : 0;
}

static const char *separator(const struct str *note) {
    return note->length > 0 ? "; " : "";
}

void doubts_add(struct str *note, const struct sample *samples, size_t count, int configurations,
                const char *different) {
    double total_s = time_s(samples, count);
    struct contradiction found = find_contradiction(samples, count);
    if (!(total_s > 0))
        str_printf(note, "%stoo short for the clock, taken as free", separator(note));
    if (configurations > 1 && configurations < FEW)
        str_printf(note, "%s%d %s only, profile others", separator(note), configurations,
                   different);
    if (found.all_s > CONTRADICTING_PART * total_s)
        str_printf(note,
                   "%sthe same features took from %.2g to %.2g s, what decides is none of them",
                   separator(note), found.low_s, found.high_s);
}
