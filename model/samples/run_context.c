/* SPDX-License-Identifier: Apache-2.0 */
#include "model/samples/run_context.h"

#include "base/json.h"
#include "base/vec.h"
#include "model/eval/eval_run_factor.h"
#include "model/eval/program_numbers.h"
#include "model/samples/points.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define CONSTANTS_MAX 8
#define PROPORTIONAL 1e-9

struct named {
    struct bsim_argument items[BSIM_ARGUMENTS_MAX + 1];
    int count;
};

static void read_named(struct named *out, const struct run *run) {
    json_t *list = run->arguments != NULL ? json_loads(run->arguments, 0, NULL) : NULL;
    const char *words[4 * BSIM_ARGUMENTS_MAX];
    int count = 0;
    for (size_t i = 0; i < json_array_size(list) && count < 4 * BSIM_ARGUMENTS_MAX; i++) {
        const char *word = json_string_value(json_array_get(list, i));
        words[count++] = word != NULL ? word : "";
    }
    out->items[0].number = run->ranks;
    strcpy(out->items[0].name, "ranks");
    out->count = 1 + bsim_arguments_find(out->items + 1, BSIM_ARGUMENTS_MAX, words, count);
    json_decref(list);
}

static const struct bsim_argument *find_named(const struct named *named, const char *name) {
    for (int i = 0; i < named->count; i++)
        if (strcmp(named->items[i].name, name) == 0)
            return &named->items[i];
    return NULL;
}

/* All runs have it, and not all the same. */
static bool varies(const struct named *runs, int run_count, const char *name) {
    bool different = false;
    const struct bsim_argument *first = find_named(&runs[0], name);
    for (int i = 0; i < run_count; i++) {
        const struct bsim_argument *other = find_named(&runs[i], name);
        if (other == NULL)
            return false;
        different = different || other->number != first->number;
    }
    return different;
}

void run_context_make(struct run_context *out, struct arena *arena, const struct samples *samples) {
    int run_count = samples->run_count;
    struct named *runs = xmalloc((size_t)run_count * sizeof *runs);
    const char **names = ARENA_ARRAY(arena, const char *, BSIM_ARGUMENTS_MAX + 1);
    double **numbers = ARENA_ARRAY(arena, double *, (size_t)run_count);
    *out = (struct run_context){.names = names, .numbers = numbers};
    for (int i = 0; i < run_count; i++)
        read_named(&runs[i], &samples->runs[i]);
    for (int k = 0; k < runs[0].count; k++)
        if (varies(runs, run_count, runs[0].items[k].name))
            names[out->count++] = arena_strdup(arena, runs[0].items[k].name);
    out->plain_count = out->count;
    out->ranks_vary = out->count > 0 && strcmp(names[0], "ranks") == 0;
    for (int i = 0; i < run_count; i++) {
        numbers[i] = ARENA_ARRAY(arena, double, (size_t)out->count);
        for (int k = 0; k < out->count; k++)
            numbers[i][k] = find_named(&runs[i], names[k])->number;
    }
    free(runs);
}

/* ---- Numbers of regions ---- */

/* Of its first execution. */
static bool find_feature(double *out, const struct samples *samples, int run, int region,
                         int feature) {
    for (size_t i = 0; i < samples->count; i++) {
        const struct sample *sample = &samples->items[i];
        if (sample->run != run || sample->region != region || feature > sample->feature_count)
            continue;
        *out = sample->features[feature - 1];
        return true;
    }
    return false;
}

bool run_context_find(double *out, const struct samples *samples, int run, const char *name) {
    struct named named;
    int feature = 0, region = 0;
    if (bsim_scale_is_of_region(name, &feature, &region))
        return find_feature(out, samples, run, region, feature);
    read_named(&named, &samples->runs[run]);
    const struct bsim_argument *found = find_named(&named, name);
    if (found != NULL)
        *out = found->number;
    return found != NULL;
}

/* A feature that may be one. */
struct constant {
    int region, feature;
    double *of_run; /* INFINITY: the region was not executed; NAN: not always with the same */
};

struct run_context_search {
    struct run_context *out;
    struct arena *arena;
    const struct samples *samples;
    const struct regions *regions;
    const char **names;
    double **numbers;
    bool **known_before;
    VEC(struct constant) constants; /* in the order in which runs come to them */
    size_t *first;                  /* by region: its first one; SIZE_MAX: none yet */
};

static void add_constants(struct run_context_search *search, const struct sample *sample) {
    search->first[sample->region] = search->constants.count;
    for (int k = 0; k < sample->feature_count; k++) {
        struct constant constant = {sample->region, k, NULL};
        constant.of_run = xmalloc((size_t)search->samples->run_count * sizeof(double));
        for (int run = 0; run < search->samples->run_count; run++)
            constant.of_run[run] = INFINITY;
        vec_push(&search->constants, constant);
    }
}

static void note_constants(struct run_context_search *search, const struct sample *sample) {
    if (search->first[sample->region] == SIZE_MAX)
        add_constants(search, sample);
    struct constant *constants = &search->constants.items[search->first[sample->region]];
    for (int k = 0; k < sample->feature_count; k++) {
        double *known = &constants[k].of_run[sample->run], now = sample->features[k];
        *known = *known == INFINITY || *known == now ? now : NAN;
    }
}

static bool is_proportional(const struct run_context_search *search,
                            const struct constant *constant, int number) {
    double ratio = constant->of_run[0] / search->numbers[0][number];
    for (int run = 1; run < search->samples->run_count; run++)
        if (!(fabs(constant->of_run[run] / search->numbers[run][number] - ratio) <=
              PROPORTIONAL * fabs(ratio)))
            return false;
    return true;
}

/* Positive in all runs, not the same in all, and no multiple of what is there already. */
static bool is_new(const struct run_context_search *search, const struct constant *constant) {
    bool different = false;
    for (int run = 0; run < search->samples->run_count; run++) {
        if (!(constant->of_run[run] > 0 && constant->of_run[run] < INFINITY))
            return false;
        different = different || constant->of_run[run] != constant->of_run[0];
    }
    for (int k = 0; k < search->out->count && different; k++)
        different = !is_proportional(search, constant, k);
    return different;
}

/* The samples of a rank are beside each other, in order. */
static void note_order(bool *known_before, const struct run_context_search *search, int region) {
    const struct sample *before = NULL;
    bool known = false;
    for (int i = 0; i < search->regions->count; i++)
        known_before[i] = true;
    for (size_t i = 0; i < search->samples->count; i++) {
        const struct sample *sample = &search->samples->items[i];
        known &= before != NULL && before->run == sample->run && before->rank == sample->rank;
        known_before[sample->region] &= known;
        known |= sample->region == region;
        before = sample;
    }
}

static void take_constant(struct run_context_search *search, const struct constant *constant) {
    int number = search->out->count++;
    search->names[number] =
        arena_printf(search->arena, "n%d@%d", constant->feature + 1, constant->region);
    for (int run = 0; run < search->samples->run_count; run++)
        search->numbers[run][number] = constant->of_run[run];
    search->known_before[number] = ARENA_ARRAY(search->arena, bool, (size_t)search->regions->count);
    note_order(search->known_before[number], search, constant->region);
}

static void take_constants(struct run_context_search *search) {
    size_t region_count = (size_t)search->regions->count;
    search->first = xmalloc((region_count + 1) * sizeof *search->first);
    for (size_t i = 0; i < region_count; i++)
        search->first[i] = SIZE_MAX;
    for (size_t i = 0; i < search->samples->count; i++)
        if (search->regions->items[search->samples->items[i].region].value == VALUE_NONE)
            note_constants(search, &search->samples->items[i]);
    for (size_t i = 0; i < search->constants.count; i++) {
        const struct constant *constant = &search->constants.items[i];
        if (search->out->count < search->out->plain_count + CONSTANTS_MAX &&
            is_new(search, constant))
            take_constant(search, constant);
        free(constant->of_run);
    }
    vec_dispose(&search->constants);
    free(search->first);
}

void run_context_add_features(struct run_context *context, struct arena *arena,
                              const struct samples *samples, const struct regions *regions) {
    size_t plain = (size_t)context->plain_count, most = plain + CONSTANTS_MAX;
    struct run_context_search search = {
        .out = context,
        .arena = arena,
        .samples = samples,
        .regions = regions,
        .names = ARENA_ARRAY(arena, const char *, most),
        .numbers = ARENA_ARRAY(arena, double *, (size_t)samples->run_count),
        .known_before = ARENA_ARRAY(arena, bool *, most)};
    for (size_t k = 0; k < plain; k++)
        search.names[k] = context->names[k];
    for (int run = 0; run < samples->run_count; run++) {
        search.numbers[run] = ARENA_ARRAY(arena, double, most);
        for (size_t k = 0; k < plain; k++)
            search.numbers[run][k] = context->numbers[run][k];
    }
    take_constants(&search);
    context->names = search.names;
    context->numbers = search.numbers;
    context->known_before = search.known_before;
}

/* Two runs whose difference neither ranks nor arguments tell. */
static bool hides_something(const struct run_context *context, int run_count) {
    for (int left = 0; left < run_count; left++)
        for (int right = 0; right < left; right++)
            if (features_compare(context->numbers[left], context->numbers[right],
                                 context->plain_count) == 0 &&
                run_context_compare(context, left, right) != 0)
                return true;
    return false;
}

void run_context_known_to(struct run_context *out, struct arena *arena,
                          const struct run_context *context, int run_count, int region) {
    const char **names = ARENA_ARRAY(arena, const char *, (size_t)context->count);
    double **numbers = ARENA_ARRAY(arena, double *, (size_t)run_count);
    *out = *context;
    out->count = 0;
    for (int run = 0; run < run_count; run++)
        numbers[run] = ARENA_ARRAY(arena, double, (size_t)context->count);
    for (int k = 0; k < context->count; k++) {
        if (k >= context->plain_count && !context->known_before[k][region])
            continue;
        for (int run = 0; run < run_count; run++)
            numbers[run][out->count] = context->numbers[run][k];
        names[out->count++] = context->names[k];
    }
    out->names = names;
    out->numbers = numbers;
    out->known_before = NULL;
    if (!hides_something(out, run_count))
        out->count = out->plain_count;
}

int run_context_compare(const struct run_context *context, int left, int right) {
    return context->count > 0
               ? features_compare(context->numbers[left], context->numbers[right], context->count)
               : 0;
}
