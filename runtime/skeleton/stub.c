/* SPDX-License-Identifier: Apache-2.0
 *
 * Time in a skeleton. The slow path of BSIM_ADD_TIME: a stub that runs for the first time, or with
 * other features than the last time, asks the model. Also counts per region, for the summary of the
 * run. Linked into skeletons, and into originals that can take models' latencies (BSIM_LATENCIES).
 * While calls are recorded for verify (BSIM_TRACE) no time is charged and no model is needed,
 * unless latencies are asked for.
 */
#include "model/eval/eval.h"
#include "model/eval/eval_run_factor.h"
#include "model/eval/forest.h"
#include "runtime/skeleton/loop_hooks.h"
#include "runtime/smpi/runtime.h"

#define BSIM_SKELETON
#define BSIM_NO_MACROS
#include "bsim_calls.h"
#include "runtime/include/bsim.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <simgrid/engine.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LATE 1e15 /* executions */

static _Thread_local struct bsim_stub *stubs; /* of this rank */

/* ---- The model ---- */

/* `model.bsim` beside the program. */
static void default_path(char *out, size_t size) {
    struct bsim__command_line *line = bsim__command_line();
    const char *program = line->count > 0 ? line->words[0] : "";
    const char *slash = strrchr(program, '/');
    snprintf(out, size, "%.*smodel.bsim", slash != NULL ? (int)(slash - program) + 1 : 0, program);
    free(line);
}

static void model_path(char *out, size_t size) {
    const char *set = getenv("BSIM_MODEL");
    if (set != NULL && set[0] != '\0')
        snprintf(out, size, "%s", set);
    else
        default_path(out, size);
}

const struct bsim_model *bsim__model(const struct bsim_stub *stub) {
    struct bsim__shared *shared = bsim__shared();
    char path[PATH_MAX + 512], text[1024];
    if (shared->model != NULL)
        return shared->model;
    model_path(path, sizeof path);
    if (bsim_model_load(&shared->model, path, bsim_bundle_id, text, sizeof text) == 0)
        return shared->model;
    if (stub == NULL)
        bsim__stop("%s", text);
    bsim__stop("%s\n" BSIM__STUB_PLACE ": note: needed for the first region that was reached, %d",
               text, stub->file, stub->line, (int)BSIM__VALUES(stub)[0]);
}

const struct bsim_model *bsim__model_if_any(void) {
    char path[PATH_MAX + 512];
    model_path(path, sizeof path);
    return access(path, F_OK) == 0 ? bsim__model(NULL) : NULL;
}

static const struct bsim_region_model *find_model(const struct bsim_stub *stub) {
    int region = (int)BSIM__VALUES(stub)[0];
    const struct bsim_region_model *model = bsim_model_region(bsim__model(stub), region);
    if (model == NULL)
        bsim__stop(BSIM__STUB_PLACE
                   ": error: region %d has no model: make a profiling run that reaches it, "
                   "then run `mpiskel fit`",
                   stub->file, stub->line, region);
    if (bsim_region_feature_count(model) != stub->value_count - 1)
        bsim__stop(BSIM__STUB_PLACE
                   ": error: region %d has %d features, its model has %d: run `mpiskel "
                   "generate` and `mpiskel fit` again",
                   stub->file, stub->line, region, stub->value_count - 1,
                   bsim_region_feature_count(model));
    return model;
}

/* ---- Counting ---- */

static struct bsim__region_total *region_total(const struct bsim_stub *stub) {
    struct bsim__shared *shared = bsim__shared();
    int region = (int)BSIM__VALUES(stub)[0], features = stub->value_count - 1;
    if (region >= shared->region_count) {
        int count = region + region / 2 + 16;
        shared->regions =
            bsim__grow(shared->regions, (size_t)shared->region_count * sizeof shared->regions[0],
                       (size_t)count * sizeof shared->regions[0]);
        shared->region_count = count;
    }
    struct bsim__region_total *total = &shared->regions[region];
    if (total->minima == NULL) {
        total->feature_count = features;
        total->minima = bsim__grow(NULL, 0, ((size_t)features + 1) * sizeof(double));
        total->maxima = bsim__grow(NULL, 0, ((size_t)features + 1) * sizeof(double));
    }
    return total;
}

static void widen(struct bsim__region_total *total, const double *features) {
    bool first = total->executions == 0;
    for (int i = 0; i < total->feature_count; i++) {
        double feature = isnan(features[i]) ? 0 : features[i]; /* as the models take it */
        if (first || feature < total->minima[i])
            total->minima[i] = feature;
        if (first || feature > total->maxima[i])
            total->maxima[i] = feature;
    }
}

/* Those that the model is asked for: `mpiskel run --set` may change them. */
static const double *features_of(double changed[BSIM__MOST_FEATURES],
                                 const struct bsim_stub *stub) {
    return bsim__hooks & 4 ? bsim__changed_features(changed, stub) : BSIM__VALUES(stub) + 1;
}

static void use_up(unsigned long *good_for, unsigned long executions) {
    if (*good_for != ULONG_MAX)
        *good_for -= executions < *good_for ? executions : *good_for;
}

/* It was the same on all ranks of each profiling run, and this one may have nothing to do there. */
static double feature_of_others(int region, int feature) {
    const struct bsim__shared *shared = bsim__shared();
    if (region < 0 || region >= shared->region_count || shared->regions[region].first == NULL ||
        feature > shared->regions[region].feature_count)
        return NAN;
    return shared->regions[region].first[feature - 1];
}

double bsim__number_of_run(const struct bsim_stub *stub, const char *what, const char *name) {
    double changed[BSIM__MOST_FEATURES];
    int feature, region;
    if (!bsim_scale_is_of_region(name, &feature, &region))
        return bsim__run_number(stub, what, name);
    for (const struct bsim_stub *other = stubs; other != NULL; other = other->next)
        if ((int)BSIM__VALUES(other)[0] == region && feature < other->value_count)
            return features_of(changed, other)[feature - 1];
    return feature_of_others(region, feature);
}

static double number_for_scale(const struct bsim_stub *stub, const char *name) {
    int feature, region;
    double number = bsim__number_of_run(stub, "region", name);
    if (isnan(number) && bsim_scale_is_of_region(name, &feature, &region))
        bsim__stop(
            BSIM__STUB_PLACE
            ": error: the model of region %d depends on a feature of region %d, which had been "
            "executed before it in all profiling runs and has not been now; make profiling runs "
            "with such arguments, then run `mpiskel fit`",
            stub->file, stub->line, (int)BSIM__VALUES(stub)[0], region);
    return number;
}

static void note_numbers(struct bsim__region_total *total, const double *numbers, int count,
                         double range) {
    bool first = total->run_number_count == 0;
    if (first) {
        total->run_minima = bsim__grow(NULL, 0, (size_t)count * sizeof(double));
        total->run_maxima = bsim__grow(NULL, 0, (size_t)count * sizeof(double));
        total->run_number_count = count;
    }
    for (int i = 0; i < count; i++) {
        total->run_minima[i] = first ? numbers[i] : fmin(total->run_minima[i], numbers[i]);
        total->run_maxima[i] = first ? numbers[i] : fmax(total->run_maxima[i], numbers[i]);
    }
    total->scale_range = fmax(total->scale_range, range);
}

static double scale_of(double *range, double *numbers, const struct bsim_stub *stub,
                       const struct bsim_scale *of) {
    for (int i = 0; i < bsim_scale_count(of); i++)
        numbers[i] = number_for_scale(stub, bsim_scale_name(of, i));
    return bsim_scale_factor(range, of, numbers);
}

static bool has_numbers(const struct bsim_scale *of) {
    for (int i = 0; i < bsim_scale_count(of); i++)
        if (!bsim__has_run_number(bsim_scale_name(of, i)))
            return false;
    return true;
}

/* What others that told the samples as well say instead. */
static void note_others(struct bsim__region_total *total, const struct bsim_stub *stub,
                        const struct bsim_scale *of, double factor) {
    double numbers[BSIM_SCALE_NUMBERS_MAX], range;
    for (of = bsim_scale_next(of); of != NULL; of = bsim_scale_next(of)) {
        if (!has_numbers(of))
            continue;
        double ratio = scale_of(&range, numbers, stub, of) / factor;
        total->others_least = fmin(total->others_least > 0 ? total->others_least : 1, ratio);
        total->others_most = fmax(total->others_most > 0 ? total->others_most : 1, ratio);
    }
}

static double scale(const struct bsim_stub *stub, const struct bsim_region_model *model) {
    const struct bsim_scale *of = bsim_region_scale(model);
    double numbers[BSIM_SCALE_NUMBERS_MAX], range = 1;
    if (of == NULL)
        return 1;
    double factor = scale_of(&range, numbers, stub, of);
    note_numbers(region_total(stub), numbers, bsim_scale_count(of), range);
    note_others(region_total(stub), stub, of, factor);
    return factor;
}

static void note_first(const struct bsim_stub *stub) {
    struct bsim__region_total *total = region_total(stub);
    double changed[BSIM__MOST_FEATURES];
    if (total->first != NULL)
        return;
    size_t bytes = (size_t)total->feature_count * sizeof(double);
    total->first = bsim__grow(NULL, 0, bytes + sizeof(double));
    memcpy(total->first, features_of(changed, stub), bytes);
}

static void take_model(struct bsim_stub *stub) {
    note_first(stub);
    stub->model = find_model(stub);
    stub->ratio = bsim_region_ratio(stub->model);
    stub->is_noisy = bsim_region_spread(stub->model) != NULL;
    stub->scale = scale(stub, stub->model) * bsim__rank_factor(stub, stub->model) *
                  bsim__host_factor(stub->own->rank);
}

static const struct bsim_region_model *region_model(struct bsim_stub *stub) {
    if (stub->model == NULL)
        take_model(stub);
    return stub->model;
}

/* Hands over the executions with the remembered features. */
static void flush_stub(struct bsim_stub *stub) {
    if (stub->executions == 0)
        return;
    struct bsim__region_total *total = region_total(stub);
    double changed[BSIM__MOST_FEATURES];
    widen(total, features_of(changed, stub));
    total->executions += stub->executions;
    double seconds = (double)stub->executions * stub->latency_s;
    total->seconds += seconds;
    total->unseen_s += seconds * stub->unseen;
    stub->seconds += seconds;
    use_up(&stub->good_for, stub->executions);
    use_up(&stub->model_good_for, stub->executions);
    stub->earlier += stub->executions;
    stub->unchanged += stub->executions;
    stub->executions = 0;
}

/* Several stubs may be of one region. */
static void compare_with_other_ranks(void) {
    for (struct bsim_stub *stub = stubs; stub != NULL; stub = stub->next)
        region_total(stub)->of_rank_s += stub->seconds;
    for (struct bsim_stub *stub = stubs; stub != NULL; stub = stub->next) {
        struct bsim__region_total *total = region_total(stub);
        total->most_s = fmax(total->most_s, total->of_rank_s);
        total->of_rank_s = 0;
    }
}

static void flush_stubs(void) {
    for (struct bsim_stub *stub = stubs; stub != NULL; stub = stub->next)
        flush_stub(stub);
    compare_with_other_ranks();
}

/* ---- What bsim.h calls ---- */

static void register_stub(struct bsim_stub *stub) {
    stub->next = stubs;
    stubs = stub;
    bsim__flush_stubs = flush_stubs;
    bsim__noise_start();
    bsim__interruptions_start();
}

struct bsim__own *bsim__stub_own(struct bsim_stub *stub) {
    bsim__own.rank = bsim__current_rank();
    return stub->own = &bsim__own;
}

/* False: it remembered other features. */
static bool remember(struct bsim_stub *stub, const double *values) {
    bool same = true;
    BSIM__VALUES(stub)[0] = values[0];
    for (int i = 1; i < stub->value_count; i++) {
        same &= BSIM__VALUES(stub)[i] == values[i];
        BSIM__VALUES(stub)[i] = values[i];
    }
    return same;
}

double bsim__scale_range(const struct bsim_stub *stub) {
    return fmax(region_total(stub)->scale_range, 1);
}

static double ratio(struct bsim_stub *stub, const struct bsim_ratio *of, const double *features) {
    struct bsim_context context = {.execution = stub->earlier + 1,
                                   .unchanged = stub->unchanged + 1,
                                   .before = bsim__own.last_region};
    return bsim_ratio(&stub->model_good_for, of, features, &context);
}

/* Of an execution with the remembered features, without noise; sets for how many more it is good.
 */
static void ask_model(struct bsim_stub *stub, const struct bsim_region_model *model) {
    double changed[BSIM__MOST_FEATURES];
    const double *features = features_of(changed, stub);
    stub->model_s = stub->scale * bsim_region_latency_s(model, features);
    stub->unseen = bsim_region_unseen_part(model, features);
    stub->model_good_for = ULONG_MAX;
    if (stub->ratio != NULL)
        stub->model_s *= ratio(stub, stub->ratio, features);
}

static double latency_s(struct bsim_stub *stub, bool is_asked) {
    const struct bsim_region_model *model = region_model(stub);
    if (!is_asked)
        ask_model(stub, model);
    stub->good_for = stub->model_good_for;
    double seconds = stub->model_s;
    if (stub->is_noisy)
        seconds *= bsim__noise_factor(&stub->good_for, stub, model);
    return seconds <= DBL_MAX ? seconds : DBL_MAX;
}

/* Each is an event, so that the next one comes here as well. */
static void trace_execution(struct bsim_stub *stub) {
    struct bsim__rank *rank = stub->own->rank;
    double begin_s = bsim__reached_s(rank);
    stub->good_for = 1;
    bsim__traced_region(rank->traced, (int)BSIM__VALUES(stub)[0], llround(begin_s * 1e9),
                        llround((begin_s + stub->latency_s) * 1e9));
}

void bsim__stub_evaluate(struct bsim_stub *stub, const double *values) {
    if (stub->latency_s < 0)
        register_stub(stub);
    flush_stub(stub);
    bool same = remember(stub, values);
    if (!same)
        stub->unchanged = 0;
    stub->latency_s = 0;
    stub->good_for = ULONG_MAX;
    bool ended = stub->own->rank->finalized; /* what follows takes no simulated time */
    if (bsim__shared()->charges_latencies && !ended)
        stub->latency_s = latency_s(stub, same && stub->model_good_for > 0);
    if (stub->own->rank->traced != NULL && !ended)
        trace_execution(stub);
}

/* ---- Loops that are extrapolated ---- */

void bsim__note_stubs(void) {
    for (struct bsim_stub *stub = stubs; stub != NULL; stub = stub->next) {
        flush_stub(stub);
        stub->noted = stub->earlier;
        stub->noted_s = stub->seconds;
    }
}

/* The mean of the ratio over `count` executions, of which the first has `behind` before it. */
static double mean_ratio(const struct bsim_stub *stub, const struct bsim_ratio *of, double behind,
                         double count) {
    double changed[BSIM__MOST_FEATURES], sum = 0, left = count;
    const double *features = features_of(changed, stub);
    double other = (double)(stub->earlier - stub->unchanged); /* executions before the last ones */
    while (left > 0) {
        unsigned long good_for = ULONG_MAX;
        struct bsim_context context = {.execution = (unsigned long)behind + 1,
                                       .unchanged = (unsigned long)fmax(behind - other, 0) + 1,
                                       .before = bsim__own.last_region};
        double ratio = bsim_ratio(&good_for, of, features, &context);
        double good = fmin(left, fmax((double)good_for, 1));
        sum += ratio * good;
        behind += good;
        left -= good;
    }
    return sum / count;
}

/* When the program has run for long. */
static double late_ratio(const struct bsim_stub *stub, const struct bsim_ratio *of) {
    return mean_ratio(stub, of, LATE, 1);
}

/* How much longer than those since the stub was noted `count` more executions take, each. */
static double ratio_of_later(struct bsim_stub *stub, double count) {
    double noted = (double)stub->noted, now = (double)stub->earlier;
    const struct bsim_ratio *of = now > noted ? bsim_region_ratio(region_model(stub)) : NULL;
    if (of == NULL || !(count >= 1))
        return 1;
    return mean_ratio(stub, of, now, count) / mean_ratio(stub, of, noted, now - noted);
}

void bsim__extend_stubs(double factor) {
    for (struct bsim_stub *stub = stubs; stub != NULL; stub = stub->next) {
        flush_stub(stub);
        struct bsim__region_total *total = region_total(stub);
        double count = floor((double)(stub->earlier - stub->noted) * factor + 0.5);
        double seconds = (stub->seconds - stub->noted_s) * factor * ratio_of_later(stub, count);
        total->executions += (uint64_t)count;
        total->seconds += seconds;
        stub->seconds += seconds;
    }
}

double bsim__early_stubs_s(void) {
    double sum = 0;
    for (struct bsim_stub *stub = stubs; stub != NULL; stub = stub->next) {
        flush_stub(stub);
        double seconds = stub->seconds - stub->marked_s;
        const struct bsim_ratio *of = seconds > 0 ? bsim_region_ratio(region_model(stub)) : NULL;
        stub->marked_s = stub->seconds;
        if (of != NULL)
            sum += seconds *
                   (1 - late_ratio(stub, of) / mean_ratio(stub, of, (double)stub->earlier - 1, 1));
    }
    return sum;
}

static double later_seconds(struct bsim_stub *stub, double noted_ago, double more) {
    double executions = (double)(stub->earlier - stub->noted) / noted_ago;
    const struct bsim_ratio *of = executions > 0 ? bsim_region_ratio(region_model(stub)) : NULL;
    if (of == NULL)
        return 0;
    double now = (double)stub->earlier, noted = (double)stub->noted;
    double each_s = (stub->seconds - stub->noted_s) / noted_ago;
    return each_s / mean_ratio(stub, of, noted, now - noted) *
           (mean_ratio(stub, of, now, executions * more) - late_ratio(stub, of));
}

double bsim__later_stubs_s(double noted_ago, double more) {
    double sum = 0;
    for (struct bsim_stub *stub = stubs; stub != NULL; stub = stub->next) {
        flush_stub(stub);
        sum += later_seconds(stub, noted_ago, more);
    }
    return sum;
}

double bsim__reached_s(const struct bsim__rank *rank) {
    return simgrid_get_clock() + rank->remainder_s + bsim__own.pending_s - bsim__shared()->start_s;
}
