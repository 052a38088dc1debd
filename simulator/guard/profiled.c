/* SPDX-License-Identifier: Apache-2.0
 *
 * See profiled.h. What is the larger size of two is told by the program's time, on the same number
 * of ranks if there is one.
 */
#include "simulator/guard/profiled.h"

#include "base/vec.h"
#include "base/words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Fewer executions of a value in a run are no iterations of a loop that matters. */
#define ITERATIONS_MIN 5
/* Two would refuse one in twenty comparisons of what is right, and a fit makes dozens. */
#define DEVIATIONS 3
#define CHANCE_MAX 50        /* so few draws tell nothing, but twice as many calls are wrong */
#define NUMBERS_MAX 10000000 /* regions times ranks that are counted */

static bool is_compared(const struct run *run) {
    return run->complete && run->calls.count > 0;
}

static struct profiled *find(struct profiled_runs *runs, const struct run *run) {
    for (size_t i = 0; i < runs->count; i++)
        if (runs->items[i].ranks == run->ranks &&
            run_has_input_of(run, runs->items[i].arguments, runs->items[i].directory))
            return &runs->items[i];
    return NULL;
}

static struct profiled *find_or_add(struct profiled_runs *runs, struct arena *arena,
                                    const struct run *run, int run_count) {
    struct profiled *found = find(runs, run);
    if (found != NULL)
        return found;
    found = &runs->items[runs->count++];
    *found = (struct profiled){.ranks = run->ranks,
                               .arguments = run->arguments,
                               .directory = run->directory,
                               .sums = ARENA_ARRAY(arena, struct call_sums, (size_t)run_count)};
    found->words = words_of_json(&found->word_count, arena, run->arguments);
    return found;
}

static void take_sums(struct call_sums *out, struct arena *arena, const struct run *run) {
    call_sums_make(out, arena, run->ranks);
    for (size_t i = 0; i < run->calls.count; i++) {
        const struct call_count *calls = &run->calls.items[i];
        call_sums_add(out, calls->rank, calls->name, calls->count, calls->bytes);
    }
}

/* ---- One iteration ---- */

/* Of loops the iterations, of other values how often they were computed. */
static double executions(const struct sample *sample, const struct region *region) {
    if (region->value != VALUE_TRIPS || !(sample->timed > 0))
        return sample->count;
    return sample->count * (1 + sample->seconds / sample->timed);
}

/* Of each given value the most on a rank of that run; zero for computations. */
static void most_executions(double *out, const struct samples *samples,
                            const struct regions *regions, int run) {
    size_t ranks = (size_t)samples->runs[run].ranks, numbers = ranks * (size_t)regions->count;
    if (numbers > NUMBERS_MAX)
        return;
    double *sums = xcalloc(numbers + 1, sizeof *sums);
    for (size_t i = 0; i < samples->count; i++) {
        const struct sample *sample = &samples->items[i];
        const struct region *region = &regions->items[sample->region];
        if (sample->run != run || region->value == VALUE_NONE || (size_t)sample->rank >= ranks)
            continue;
        double *sum = &sums[(size_t)sample->region * ranks + (size_t)sample->rank];
        *sum += executions(sample, region);
        out[sample->region] = fmax(out[sample->region], *sum);
    }
    free(sums);
}

/* By how much, in percent, a sum of things is off by chance of which models tell so many: three
 * standard deviations of Poisson's distribution. */
static double scatter_percent(const struct samples *samples, const struct region *region, int run) {
    int ranks = samples->runs[run].ranks, number = region_number_of_vector(region);
    double *sums = xcalloc((size_t)ranks + 1, sizeof *sums), most = 0;
    for (size_t i = 0; number >= 0 && i < samples->count; i++) {
        const struct sample *sample = &samples->items[i];
        if (sample->run != run || sample->region != region->index || sample->rank >= ranks ||
            sample->features[number] != 0)
            continue;
        sums[sample->rank] += sample->seconds;
        most = fmax(most, sums[sample->rank]);
    }
    free(sums);
    return most > 0 ? 100 * DEVIATIONS / sqrt(most) : 0;
}

/* What one more execution changes, and how far a sum of what hints draw may be off by chance. */
static void take_tolerances(struct profiled *out, const struct samples *samples,
                            const struct regions *regions, const struct models *models, int run) {
    double *most = xcalloc((size_t)regions->count + 1, sizeof *most), largest = 0;
    most_executions(most, samples, regions, run);
    for (int i = 0; i < regions->count; i++) {
        largest = fmax(largest, most[i]);
        if (most[i] > 0 && regions->items[i].hint != NULL)
            out->chance_percent = fmax(out->chance_percent, 100 * DEVIATIONS / sqrt(most[i]));
        if (most[i] > 0 && models->items[i].is_scattered)
            out->chance_percent =
                fmax(out->chance_percent, scatter_percent(samples, &regions->items[i], run));
    }
    if (largest >= ITERATIONS_MIN)
        out->iteration_percent = fmax(out->iteration_percent, 100 / largest);
    out->chance_percent = fmin(out->chance_percent, CHANCE_MAX);
    free(most);
}

/* ---- Order ---- */

/* How long a size takes: on the fewest ranks. */
struct profiled_size {
    const char *arguments, *directory;
    int ranks;
    double elapsed_s;
};

typedef VEC(struct profiled_size) size_list;

static struct profiled_size *size_of(const size_list *sizes, const struct profiled *run) {
    for (size_t i = 0; i < sizes->count; i++)
        if (strcmp(sizes->items[i].arguments, run->arguments) == 0 &&
            strcmp(sizes->items[i].directory, run->directory) == 0)
            return &sizes->items[i];
    return NULL;
}

static int by_time(const void *left, const void *right) {
    const struct profiled_size *a = left, *b = right;
    if (a->elapsed_s != b->elapsed_s)
        return a->elapsed_s < b->elapsed_s ? -1 : 1;
    int order = strcmp(a->arguments, b->arguments);
    return order != 0 ? order : strcmp(a->directory, b->directory);
}

static int by_size(const void *left, const void *right) {
    const struct profiled *a = left, *b = right;
    if (a->size != b->size)
        return (const struct profiled_size *)a->size < (const struct profiled_size *)b->size ? -1
                                                                                             : 1;
    return a->ranks - b->ranks;
}

static void sort(struct profiled_runs *runs, struct arena *arena) {
    size_list sizes = {0};
    for (size_t i = 0; i < runs->count; i++) {
        const struct profiled *run = &runs->items[i];
        struct profiled_size *size = size_of(&sizes, run);
        struct profiled_size here = {run->arguments, run->directory, run->ranks, run->elapsed_s};
        if (size == NULL)
            vec_push(&sizes, here);
        else if (run->ranks < size->ranks)
            *size = here;
    }
    if (sizes.count > 0)
        qsort(sizes.items, sizes.count, sizeof *sizes.items, by_time);
    struct profiled_size *kept = ARENA_ARRAY(arena, struct profiled_size, sizes.count);
    for (size_t i = 0; i < sizes.count; i++)
        kept[i] = sizes.items[i];
    for (size_t i = 0; i < runs->count; i++)
        runs->items[i].size = kept + (size_of(&sizes, &runs->items[i]) - sizes.items);
    vec_dispose(&sizes);
    if (runs->count > 0)
        qsort(runs->items, runs->count, sizeof *runs->items, by_size);
}

void profiled_make(struct profiled_runs *out, struct arena *arena, const struct samples *samples,
                   const struct regions *regions, const struct models *models) {
    *out = (struct profiled_runs){
        .items = ARENA_ARRAY(arena, struct profiled, (size_t)samples->run_count)};
    for (int i = 0; i < samples->run_count; i++) {
        const struct run *run = &samples->runs[i];
        if (!is_compared(run)) {
            out->without_counts += run->complete;
            continue;
        }
        struct profiled *item = find_or_add(out, arena, run, samples->run_count);
        take_sums(&item->sums[item->run_count++], arena, run);
        item->elapsed_s = fmax(item->elapsed_s, run->elapsed_s);
        take_tolerances(item, samples, regions, models, i);
    }
    sort(out, arena);
}

void profiled_compare(struct call_difference *out, const struct profiled *run,
                      const struct call_sums *sums) {
    *out = (struct call_difference){.percent = INFINITY, .what = "", .rank_what = ""};
    for (size_t i = 0; i < run->run_count; i++) {
        struct call_difference other;
        call_sums_compare(&other, sums, &run->sums[i]);
        if (other.percent < out->percent ||
            (other.percent == out->percent && other.rank_percent < out->rank_percent))
            *out = other;
    }
}
