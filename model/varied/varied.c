/* SPDX-License-Identifier: Apache-2.0 */
#include "model/varied/varied.h"

#include "base/vec.h"
#include "base/words.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* As for the key of a value (model/values/value_key.c): one pair may agree by chance. */
#define PAIRS_MIN 2
#define SAME 1e-9

/* ---- One configuration ---- */

void varied_run_make(struct varied_run *out, struct arena *arena, size_t ranks,
                     struct words words) {
    struct bsim_argument *found = ARENA_ARRAY(arena, struct bsim_argument, words.count + 1);
    int count = bsim_words_find(found, (int)words.count, words.items, (int)words.count);
    *out = (struct varied_run){.ranks = ranks, .words = words, .count = (size_t)count + 1};
    out->items = ARENA_ARRAY(arena, struct varied_word, out->count);
    out->items[0] = (struct varied_word){VARIED_RANKS, arena_printf(arena, "%zu", ranks),
                                         (double)ranks, SIZE_MAX};
    for (int i = 0; i < count; i++)
        out->items[i + 1] = (struct varied_word){arena_strdup(arena, found[i].name),
                                                 words.items[found[i].word] + found[i].offset,
                                                 found[i].number, (size_t)found[i].word};
}

const struct varied_word *varied_word_find(const struct varied_run *run, const char *name) {
    for (size_t i = 0; i < run->count; i++)
        if (strcmp(run->items[i].name, name) == 0)
            return &run->items[i];
    return NULL;
}

bool varied_word_equal(const struct varied_word *one, const struct varied_word *other) {
    if (one == NULL || other == NULL)
        return one == other;
    return one->number == other->number || strcmp(one->text, other->text) == 0;
}

/* ---- What changes nothing ---- */

/* Of values, over all ranks and runs of a configuration. */
struct varied_sums {
    double *count, *sum; /* by region and configuration */
    double *runs;        /* by configuration */
    size_t configurations;
};

static bool are_close(double one, double other) {
    return fabs(one - other) <= SAME * fmax(fabs(one), fabs(other));
}

static bool is_same(const struct varied_sums *sums, int region, size_t one, size_t other) {
    size_t row = (size_t)region * sums->configurations;
    double runs = sums->runs[one], other_runs = sums->runs[other];
    return are_close(sums->count[row + one] / runs, sums->count[row + other] / other_runs) &&
           are_close(sums->sum[row + one] / runs, sums->sum[row + other] / other_runs);
}

/* The one name whose words differ; NULL: there is none, or several. */
static const char *only_difference(const struct varied_run *one, const struct varied_run *other) {
    const char *name = NULL;
    int count = 0;
    for (size_t i = 0; i < one->count; i++)
        if (!varied_word_equal(&one->items[i], varied_word_find(other, one->items[i].name))) {
            name = one->items[i].name;
            count++;
        }
    for (size_t i = 0; i < other->count; i++)
        if (varied_word_find(one, other->items[i].name) == NULL) {
            name = other->items[i].name;
            count++;
        }
    return count == 1 ? name : NULL;
}

struct varied_change {
    const char *name;
    int same, pairs;
};

typedef VEC(struct varied_change) varied_changes;

static void add_pair(varied_changes *changes, const char *name, bool same) {
    size_t i = 0;
    while (i < changes->count && strcmp(changes->items[i].name, name) != 0)
        i++;
    if (i == changes->count)
        vec_push(changes, (struct varied_change){name, 0, 0});
    changes->items[i].same += same;
    changes->items[i].pairs++;
}

static void find_unaffected(struct varied *out, const struct varied_sums *sums, int region) {
    varied_changes changes = {0};
    struct varied_value *value = &out->values[out->value_count++];
    size_t row = (size_t)region * sums->configurations;
    for (size_t i = 0; i < out->run_count; i++)
        for (size_t k = 0; k < i; k++) {
            const char *name = only_difference(&out->runs[i], &out->runs[k]);
            if (name != NULL && sums->count[row + i] > 0 && sums->count[row + k] > 0)
                add_pair(&changes, name, is_same(sums, region, i, k));
        }
    const char **names = ARENA_ARRAY(&out->arena, const char *, changes.count + 1);
    *value = (struct varied_value){.region = region, .unaffected = names};
    for (size_t i = 0; i < changes.count; i++)
        if (changes.items[i].same == changes.items[i].pairs && changes.items[i].pairs >= PAIRS_MIN)
            names[value->count++] = changes.items[i].name;
    vec_dispose(&changes);
}

static bool was_reached(const struct varied_sums *sums, int region) {
    for (size_t i = 0; i < sums->configurations; i++)
        if (sums->count[(size_t)region * sums->configurations + i] > 0)
            return true;
    return false;
}

/* ---- All of them ---- */

static size_t find_run(const struct varied *varied, const struct varied_run *run) {
    size_t i = 0;
    while (i < varied->run_count &&
           !(varied->runs[i].ranks == run->ranks && words_equal(varied->runs[i].words, run->words)))
        i++;
    return i;
}

static void take_runs(struct varied *out, size_t *configuration_of, const struct samples *samples) {
    out->runs = ARENA_ARRAY(&out->arena, struct varied_run, (size_t)samples->run_count + 1);
    for (int i = 0; i < samples->run_count; i++) {
        const struct run *run = &samples->runs[i];
        struct words words = {0};
        struct varied_run configuration;
        words.items = words_of_json(&words.count, &out->arena,
                                    run->arguments != NULL ? run->arguments : "[]");
        varied_run_make(&configuration, &out->arena, (size_t)run->ranks, words);
        configuration_of[i] = find_run(out, &configuration);
        if (configuration_of[i] == out->run_count)
            out->runs[out->run_count++] = configuration;
    }
}

static void take_values(struct varied *out, const size_t *configuration_of,
                        const struct samples *samples, const struct regions *regions) {
    size_t cells = (size_t)regions->count * out->run_count + 1;
    struct varied_sums sums = {xcalloc(cells, sizeof(double)), xcalloc(cells, sizeof(double)),
                               xcalloc(out->run_count + 1, sizeof(double)), out->run_count};
    for (int i = 0; i < samples->run_count; i++)
        sums.runs[configuration_of[i]]++;
    for (size_t i = 0; i < samples->count; i++) {
        const struct sample *sample = &samples->items[i];
        size_t row = (size_t)sample->region * sums.configurations;
        sums.count[row + configuration_of[sample->run]] += sample->count;
        sums.sum[row + configuration_of[sample->run]] += sample->seconds;
    }
    out->values = ARENA_ARRAY(&out->arena, struct varied_value, (size_t)regions->count + 1);
    for (int i = 0; i < regions->count; i++)
        if (regions->items[i].value != VALUE_NONE && was_reached(&sums, i))
            find_unaffected(out, &sums, i);
    free(sums.count);
    free(sums.sum);
    free(sums.runs);
}

void varied_make(struct varied *out, const struct samples *samples, const struct regions *regions) {
    *out = (struct varied){0};
    size_t *configuration_of = xcalloc((size_t)samples->run_count + 1, sizeof *configuration_of);
    take_runs(out, configuration_of, samples);
    take_values(out, configuration_of, samples, regions);
    free(configuration_of);
}

void varied_dispose(struct varied *varied) {
    arena_dispose(&varied->arena);
    *varied = (struct varied){0};
}
