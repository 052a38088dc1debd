/* SPDX-License-Identifier: Apache-2.0
 *
 * The time that profiling runs spent in the computations that stay. In: the store of the bundle
 * (of the first machine in it), or, when `fit` has not been run, the samples files that belong to
 * the bundle. Out: seconds per computation with a region, summed over ranks and runs, and the order
 * of the report. Files that cannot be read are told and left out: the report needs none.
 */
#include "cli/explain/explain.h"

#include "base/file.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>

struct explain_weigh_times {
    struct log *log;
    double *seconds; /* by region; negative: not measured */
};

static void add_samples(struct explain_weigh_times *times, const struct samples *samples) {
    for (size_t i = 0; i < samples->count; i++) {
        const struct sample *sample = &samples->items[i];
        if (sample->timed <= 0 || sample->region >= times->log->regions.count ||
            times->log->regions.items[sample->region].value != VALUE_NONE)
            continue;
        double seconds = sample->seconds * sample->count / sample->timed;
        double *sum = &times->seconds[sample->region];
        *sum = (*sum < 0 ? 0 : *sum) + (seconds > 0 ? seconds : 0);
    }
    times->log->runs += samples->run_count;
}

static void read_store(struct explain_weigh_times *times, const char *bundle) {
    struct log *log = times->log;
    struct error error = {0};
    const char *path = path_join(&log->arena, bundle, "store.db"), *machines = "";
    struct store *store = NULL;
    struct samples samples;
    if (!file_exists(path) || store_open(&store, path, &error) != 0)
        return;
    if (store_machines(&machines, &log->arena, store, &log->regions, &error) == 0 &&
        machines[0] != '\0') {
        log->machine = arena_strndup(&log->arena, machines, strcspn(machines, " "));
        if (store_samples(&samples, store, &log->regions, log->machine, &error) == 0) {
            add_samples(times, &samples);
            samples_dispose(&samples);
        }
    }
    store_close(store);
}

static void read_files(struct explain_weigh_times *times, const char *bundle) {
    glob_t files;
    if (glob(samples_pattern(&times->log->arena, bundle), 0, NULL, &files) != 0)
        return;
    for (size_t i = 0; i < files.gl_pathc; i++) {
        struct samples samples;
        struct error error = {0};
        if (samples_read(&samples, files.gl_pathv[i], &times->log->regions, &error) == 0) {
            add_samples(times, &samples);
            samples_dispose(&samples);
        } else {
            note("note: not used: %s", error.text);
        }
    }
    globfree(&files);
}

static int by_weight(const void *left, const void *right) {
    const struct kept *one = left, *other = right;
    if (one->seconds != other->seconds)
        return one->seconds > other->seconds ? -1 : 1;
    if (one->estimate != other->estimate)
        return one->estimate > other->estimate ? -1 : 1;
    return one->demand < other->demand ? -1 : one->demand > other->demand;
}

void explain_weigh(struct log *log, const char *bundle) {
    struct explain_weigh_times times = {.log = log};
    int count = log->regions.count;
    times.seconds = ARENA_ARRAY(&log->arena, double, (size_t)count + 1);
    for (int i = 0; i < count; i++)
        times.seconds[i] = -1;
    read_store(&times, bundle);
    if (log->runs == 0)
        read_files(&times, bundle);
    for (int i = 0; i < count; i++)
        log->measured_s += times.seconds[i] > 0 ? times.seconds[i] : 0;
    for (size_t i = 0; i < log->kept.count; i++)
        if (log->kept.items[i].region >= 0)
            log->kept.items[i].seconds = times.seconds[log->kept.items[i].region];
    if (log->kept.count > 0)
        qsort(log->kept.items, log->kept.count, sizeof *log->kept.items, by_weight);
}
