/* SPDX-License-Identifier: Apache-2.0 */
#include "model/values/value_key.h"

#include "model/eval/eval.h"
#include "model/samples/points.h"
#include "model/values/value_agreement.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CASES_MIN 2 /* that show a place to change nothing: one may be by chance */
#define PLACES_MAX (2 * BSIM_FEATURES_MAX)
#define NEAR_ERROR_MAX 0.03 /* of all amounts: what fit's guard allows */

struct value_key_search {
    const struct sample **samples;
    size_t count;
    const struct run_context *runs;
    int feature_count, place_count;
    bool may_go_on;  /* one sequence where another one ends, as time steps do */
    bool is_near;    /* amounts may scatter */
    double off, sum; /* then: from those with the same numbers, and of those that were compared */
    bool left_out[PLACES_MAX];
    int cases[PLACES_MAX]; /* in which a place differs, and nothing else does */
};

static double number_at(const struct value_key_search *s, const struct sample *sample, int place) {
    return place < s->feature_count ? sample->features[place]
                                    : s->runs->numbers[sample->run][place - s->feature_count];
}

static int by_key(const void *left, const void *right, void *context) {
    const struct sample *l = *(const struct sample *const *)left;
    const struct sample *r = *(const struct sample *const *)right;
    const struct value_key_search *s = context;
    for (int j = 0; j < s->place_count; j++) {
        double a = number_at(s, l, j), b = number_at(s, r, j);
        if (!s->left_out[j] && a != b)
            return a < b ? -1 : 1;
    }
    return 0;
}

/* Of those with the same key, a rank's beside each other. */
static int by_key_and_rank(const void *left, const void *right, void *context) {
    const struct sample *l = *(const struct sample *const *)left;
    const struct sample *r = *(const struct sample *const *)right;
    int order = by_key(left, right, context);
    if (order == 0)
        order = (l->run > r->run) - (l->run < r->run);
    if (order == 0)
        order = (l->rank > r->rank) - (l->rank < r->rank);
    return order != 0 ? order : (l > r) - (l < r);
}

/* ---- Whether samples are the same without some places ---- */

static void count_differences(struct value_key_search *s, size_t first, size_t end) {
    for (int j = 0; j < s->place_count; j++) {
        bool differs = false;
        for (size_t i = first + 1; i < end; i++)
            differs |= number_at(s, s->samples[i], j) != number_at(s, s->samples[first], j);
        s->cases[j] += differs;
    }
}

/* The same questions of a rank, with other features: their order is not known. */
static bool are_mixed(const struct sample *left, const struct sample *right) {
    return left->run == right->run && left->rank == right->rank;
}

static bool agrees(struct value_key_search *s, const struct sample *longest,
                   const struct sample *sample) {
    s->sum += fabs(sample->seconds);
    s->off += s->is_near ? fabs(sample->seconds - longest->seconds) : 0;
    return s->is_near ? value_nearly_agrees(longest, sample)
                      : value_agrees(longest, sample, s->may_go_on);
}

static bool is_same_without(struct value_key_search *s) {
    memset(s->cases, 0, sizeof s->cases);
    s->off = s->sum = 0;
    qsort_r(s->samples, s->count, sizeof *s->samples, by_key_and_rank, s);
    for (size_t first = 0, end; first < s->count; first = end) {
        const struct sample *longest = s->samples[first];
        for (end = first + 1; end < s->count; end++) {
            const struct sample *sample = s->samples[end];
            if (by_key(&s->samples[first], &s->samples[end], s) != 0)
                break;
            if (!agrees(s, longest, sample) ||
                (are_mixed(s->samples[end - 1], sample) && !value_is_constant(sample)))
                return false;
            longest = sample->count > longest->count ? sample : longest;
        }
        count_differences(s, first, end);
    }
    return s->off <= NEAR_ERROR_MAX * s->sum;
}

/* ---- Which are left out ---- */

/* The number of ranks, features, sizes of other regions, arguments. */
static void order_places(int *out, const struct value_key_search *s) {
    int count = 0, arguments = s->feature_count + s->runs->ranks_vary;
    int hidden = s->feature_count + s->runs->plain_count;
    if (s->runs->ranks_vary)
        out[count++] = s->feature_count;
    for (int j = 0; j < s->feature_count; j++)
        out[count++] = j;
    for (int j = hidden; j < s->place_count; j++)
        out[count++] = j;
    for (int j = arguments; j < hidden; j++)
        out[count++] = j;
}

/* Amounts that features alone tell go by nothing else: what a rank has comes before what the run is
 * like. */
static bool needs_run(const struct value_key_search *s) {
    for (int j = s->feature_count; j < s->place_count; j++)
        if (!s->left_out[j])
            return true;
    return !s->is_near;
}

/* Places that were left out since others stand for them, without being shown to change nothing. */
static bool put_back(struct value_key_search *s) {
    bool any = false;
    int end = needs_run(s) ? s->place_count : s->feature_count;
    for (int j = 0; j < end; j++) {
        bool back = s->left_out[j] && s->cases[j] < CASES_MIN;
        any = any || back;
        s->left_out[j] = s->left_out[j] && !back;
    }
    return any;
}

/* False: even samples with the same numbers everywhere are not the same. */
static bool search(struct value_key_search *s, const int *order) {
    memset(s->left_out, 0, sizeof s->left_out);
    bool fine = is_same_without(s);
    for (int i = 0; i < s->place_count && fine; i++) {
        s->left_out[order[i]] = true;
        s->left_out[order[i]] = is_same_without(s);
    }
    while (is_same_without(s) && put_back(s))
        ;
    return fine;
}

static bool is_shown(const struct value_key_search *s) {
    int most = 0;
    for (int j = 0; j < s->place_count; j++)
        most = s->cases[j] > most ? s->cases[j] : most;
    return most >= CASES_MIN && s->sum > 0;
}

/* What a rank has tells amounts, rather than what the run is like: the whole system, and how it is
 * shared out. */
static bool search_near(struct value_key_search *s) {
    int order[PLACES_MAX];
    for (int j = 0; j < s->place_count; j++)
        order[j] = (s->feature_count + j) % s->place_count;
    s->is_near = true;
    return search(s, order) && is_shown(s);
}

static void take_near(struct value_key *out, struct arena *arena,
                      const struct value_key_search *s) {
    out->near = ARENA_ARRAY(arena, int, (size_t)s->place_count + 1);
    for (int j = 0; j < s->place_count; j++)
        if (!s->left_out[j])
            out->near[out->near_count++] = j;
    out->near_error = s->off / s->sum;
}

/* Each place of the key: what has the same numbers there has its own numbers anyway. */
static bool is_of_key(const struct value_key *key, const struct value_key_search *s) {
    for (int i = 0; i < key->place_count; i++)
        if (s->left_out[key->places[i]])
            return false;
    return true;
}

static void take_places(struct value_key *out, struct arena *arena,
                        const struct value_key_search *s) {
    out->places = ARENA_ARRAY(arena, int, (size_t)s->place_count + 1);
    for (int j = 0; j < s->place_count; j++) {
        out->runs_differ = out->runs_differ || s->cases[j] > 0;
        if (!s->left_out[j])
            out->places[out->place_count++] = j;
    }
}

/* ---- Samples ---- */

static void clear_features(struct value_key *out, struct arena *arena, const bool *left_out) {
    struct sample *copies = ARENA_ARRAY(arena, struct sample, out->sample_count);
    memcpy(copies, out->samples, out->sample_count * sizeof *copies);
    for (size_t i = 0; i < out->sample_count; i++) {
        int count = copies[i].feature_count;
        double *features = ARENA_ARRAY(arena, double, (size_t)count + 1);
        for (int j = 0; j < count; j++)
            features[j] = left_out[j] ? 0 : copies[i].features[j];
        copies[i].features = features;
    }
    qsort_r(copies, out->sample_count, sizeof *copies, points_compare_samples, NULL);
    out->samples = copies;
}

void value_key_find(struct value_key *out, struct arena *arena, const struct samples *all,
                    const struct sample *samples, size_t count, const struct region *region,
                    const struct run_context *context) {
    *out = (struct value_key){.samples = samples, .sample_count = count};
    run_context_known_to(&out->runs, arena, context, all->run_count, region->index);
    value_once_find(&out->once, arena, all, samples, count);
    if (out->once.is_once && samples->feature_count > 0)
        clear_features(out, arena, out->once.differs);
    struct value_key_search *s = ARENA_NEW(arena, struct value_key_search);
    *s = (struct value_key_search){.count = count,
                                   .runs = &out->runs,
                                   .may_go_on = region->value == VALUE_FLOATING &&
                                                region_number_of_vector(region) < 0,
                                   .feature_count = samples->feature_count,
                                   .place_count = samples->feature_count + out->runs.count};
    s->samples = xmalloc((count + 1) * sizeof *s->samples);
    for (size_t i = 0; i < count; i++)
        s->samples[i] = &out->samples[i];
    int order[PLACES_MAX];
    order_places(order, s);
    search(s, order);
    take_places(out, arena, s);
    if (region->value == VALUE_INTEGER && search_near(s) && !is_of_key(out, s))
        take_near(out, arena, s);
    free(s->samples);
}

double value_key_number(const struct value_key *key, const struct sample *sample, int place) {
    return place < sample->feature_count
               ? sample->features[place]
               : key->runs.numbers[sample->run][place - sample->feature_count];
}

int value_key_compare(const struct value_key *key, const struct sample *left,
                      const struct sample *right) {
    for (int i = 0; i < key->place_count; i++) {
        double a = value_key_number(key, left, key->places[i]);
        double b = value_key_number(key, right, key->places[i]);
        if (a != b)
            return a < b ? -1 : 1;
    }
    return 0;
}
