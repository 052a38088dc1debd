/* SPDX-License-Identifier: Apache-2.0
 *
 * In: a counted bundle with runs of two machines, a sample of the translated one. Out: the ratio of
 * two counted times, whose difference is what other caches serve and other prices say; see
 * fit_measured.h.
 *
 * Not counted are functions without source, but for the math library and memcpy with its kin: a
 * region that calls one has no measured signature.
 */
#include "cli/fit/fit_measured.h"

#include "model/processor/processor.h"
#include "model/samples/told_again.h"
#include "model/samples/translate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MATH_NS 2 /* position in a sample's counts */

/* ---- Samples by region and features ---- */

static int compare_samples(const struct sample *a, const struct sample *b) {
    if (a->region != b->region)
        return a->region < b->region ? -1 : 1;
    for (int i = 0; i < a->feature_count; i++)
        if (a->features[i] != b->features[i])
            return a->features[i] < b->features[i] ? -1 : 1;
    return 0;
}

static int compare(const void *a, const void *b) {
    return compare_samples(*(const struct sample *const *)a, *(const struct sample *const *)b);
}

static void sort(struct measured_side *side, struct arena *arena) {
    side->sorted = ARENA_ARRAY(arena, const struct sample *, side->samples.count + 1);
    for (size_t i = 0; i < side->samples.count; i++)
        if (side->samples.items[i].timed > 0 && side->samples.items[i].counted_count > 0)
            side->sorted[side->count++] = &side->samples.items[i];
    qsort(side->sorted, side->count, sizeof(const struct sample *), compare);
}

static size_t lower_bound(const struct measured_side *side, const struct sample *key) {
    size_t low = 0, high = side->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_samples(side->sorted[middle], key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* ---- Opening ---- */

static int read_side(struct measured_side *out, struct opened *opened, const char *machine,
                     struct error *error) {
    struct processor processor;
    if (store_samples(&out->samples, opened->store, &opened->regions, machine, error) != 0)
        return -1;
    if (out->samples.run_count == 0)
        return error_set(
            error,
            "--measured %s: there is no run with the caches of machine '%s'; make one: "
            "BSIM_CLOCK=counted:FILE %s%s/profile ARGUMENTS, where FILE describes "
            "them (docs/reference/processor.md), then mpiskel fit %s --machine %s",
            opened->bundle, machine, regions_launcher(&opened->regions), opened->bundle,
            opened->bundle, machine);
    if (!samples_are_counted(&out->samples))
        return error_set(error,
                         "--measured %s: the runs of machine '%s' read no clock that counts; make "
                         "others with BSIM_CLOCK=counted:FILE, and fit them under that name",
                         opened->bundle, machine);
    if (samples_processor(&processor, &out->samples, error) != 0)
        return -1;
    sort(out, &opened->arena);
    return 0;
}

static int check_counted(const struct opened *opened, struct error *error) {
    if (opened->regions.counted != NULL)
        return 0;
    return error_set(error,
                     "--measured %s: its profiling build counts nothing: generate a bundle of the "
                     "same sources with --counted, and profile that with the caches of both "
                     "machines",
                     opened->bundle);
}

static int read_map(struct fit_measured *out, const struct regions *regions, struct error *error) {
    int *map = ARENA_ARRAY(&out->opened.arena, int, (size_t)regions->count + 1);
    out->map = map;
    if (regions_map(map, regions, &out->opened.regions, SAME_CODE) > 0)
        return 0;
    return error_set(error,
                     "--measured %s: no region of it has the code of one that is translated; "
                     "generate both bundles of the same sources, with the same options but for "
                     "--counted",
                     out->opened.bundle);
}

/* What only one of the two descriptions simulates would be taken for a difference of machines. */
static int check_caches(const struct fit_measured *measured, const char *from, const char *to,
                        struct error *error) {
    bool here = samples_have_caches(&measured->here.samples);
    bool there = samples_have_caches(&measured->there.samples);
    return here == there
               ? 0
               : error_set(error,
                           "--measured %s: the description of '%s' has caches, that of '%s' has "
                           "none; describe both alike, and make those runs again",
                           measured->opened.bundle, here ? from : to, here ? to : from);
}

int fit_measured_open(struct fit_measured *out, const char *bundle, const struct samples *samples,
                      const struct regions *regions, const char *from, const char *to,
                      struct error *error) {
    *out = (struct fit_measured){0};
    if (opened_open(&out->opened, bundle, false, error) != 0 ||
        check_counted(&out->opened, error) != 0 || read_map(out, regions, error) != 0 ||
        read_side(&out->here, &out->opened, from, error) != 0 ||
        read_side(&out->there, &out->opened, to, error) != 0 ||
        check_caches(out, from, to, error) != 0)
        return -1;
    out->is_exact = strcmp(samples->runs[0].clock, out->here.samples.runs[0].clock) == 0;
    return 0;
}

void fit_measured_close(struct fit_measured *measured) {
    samples_dispose(&measured->here.samples);
    samples_dispose(&measured->there.samples);
    opened_close(&measured->opened);
}

/* ---- One sample ---- */

/* Mean counts of executions. */
struct counted_mean {
    double seconds, math_ns, timed;
};

static bool is_of(const struct run *run, const struct run *other) {
    return run->ranks == other->ranks && strcmp(run->arguments, other->arguments) == 0;
}

/* `run` NULL: of all ranks and runs. */
static struct counted_mean mean_of(const struct measured_side *side, const struct sample *key,
                                   const struct run *run) {
    struct counted_mean sum = {0};
    for (size_t i = lower_bound(side, key);
         i < side->count && compare_samples(side->sorted[i], key) == 0; i++) {
        const struct sample *sample = side->sorted[i];
        if (run != NULL &&
            (sample->rank != key->rank || !is_of(run, &side->samples.runs[sample->run])))
            continue;
        sum.seconds += sample->seconds;
        sum.math_ns += sample->counted[MATH_NS];
        sum.timed += sample->timed;
    }
    if (sum.timed > 0) {
        sum.seconds /= sum.timed;
        sum.math_ns /= sum.timed;
    }
    return sum;
}

static bool calls_math(const struct signature_region *region) {
    for (int i = 0; i < region->block_count; i++)
        if (region->blocks[i].operations[OPERATION_FUNCTION] > 0)
            return true;
    return false;
}

static bool calls_library(const struct signature_region *region) {
    for (int i = 0; i < region->block_count; i++)
        if (region->blocks[i].call_count > 0)
            return true;
    return false;
}

static const char *lacking(const struct fit_measured *measured,
                           const struct signature_region *region, const struct counted_mean *here,
                           const struct counted_mean *there) {
    if (here->timed == 0 || there->timed == 0)
        return "not counted with these arguments on both machines";
    if (here->seconds <= 0 || there->seconds <= 0)
        return "nothing was counted in it";
    if (!measured->is_exact && calls_math(region) && (here->math_ns <= 0 || there->math_ns <= 0))
        return "no `call` of the description says what its functions of the math library take";
    return NULL;
}

double fit_measured_factor(struct fit_measured *measured, const char **why, const struct run *run,
                           const struct sample *sample, const struct signature_region *region) {
    struct sample key = *sample;
    key.region = measured->map[sample->region];
    bool is_whole = measured->is_exact || (region != NULL && !calls_library(region));
    *why = key.region < 0 ? "its code is not in the counted bundle"
           : !is_whole    ? "it calls functions that are not counted"
                          : NULL;
    if (*why != NULL)
        return NAN;
    struct counted_mean here = mean_of(&measured->here, &key, run);
    struct counted_mean there = mean_of(&measured->there, &key, run);
    if (here.timed == 0 || there.timed == 0) {
        measured->is_of_others = true;
        here = mean_of(&measured->here, &key, NULL);
        there = mean_of(&measured->there, &key, NULL);
    }
    *why = lacking(measured, region, &here, &there);
    return *why == NULL ? there.seconds / here.seconds : NAN;
}
