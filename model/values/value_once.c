/* SPDX-License-Identifier: Apache-2.0 */
#include "model/values/value_once.h"

#include "base/vec.h"
#include "model/eval/splitmix.h"
#include "model/samples/points.h"
#include "model/values/value_agreement.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Of the samples of runs on several ranks, so many are compared with another rank's: where fewer
 * are, agreement may be an accident of those few. */
#define COMPARED_SHARE 0.25

struct value_once_search {
    const struct run *runs;
    const struct sample **samples; /* sorted by run, features that do not differ, rank */
    size_t count;
    int feature_count;
    bool *differs;
};

static int by_rank(const void *left, const void *right) {
    const struct sample *l = *(const struct sample *const *)left;
    const struct sample *r = *(const struct sample *const *)right;
    if (l->run != r->run)
        return l->run < r->run ? -1 : 1;
    if (l->rank != r->rank)
        return l->rank < r->rank ? -1 : 1;
    return (l > r) - (l < r);
}

static int compare_common(const struct value_once_search *s, const struct sample *l,
                          const struct sample *r) {
    if (l->run != r->run)
        return l->run < r->run ? -1 : 1;
    for (int j = 0; j < s->feature_count; j++)
        if (!s->differs[j] && l->features[j] != r->features[j])
            return l->features[j] < r->features[j] ? -1 : 1;
    return 0;
}

static int by_question(const void *left, const void *right, void *context) {
    const struct sample *l = *(const struct sample *const *)left;
    const struct sample *r = *(const struct sample *const *)right;
    int order = compare_common(context, l, r);
    if (order == 0)
        order = (l->rank > r->rank) - (l->rank < r->rank);
    return order != 0 ? order : (l > r) - (l < r);
}

/* ---- Features ---- */

/* The number of a rank's samples from `first` on, which are sorted by rank. */
static size_t samples_of_rank(const struct value_once_search *s, size_t first) {
    size_t end = first;
    while (end < s->count && s->samples[end]->run == s->samples[first]->run &&
           s->samples[end]->rank == s->samples[first]->rank)
        end++;
    return end - first;
}

/* Of how often the feature had which number, in any order. */
static uint64_t numbers_of_rank(const struct sample *const *samples, size_t count, int feature) {
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        double number = samples[i]->features[feature] + 0.0;
        uint64_t bits;
        memcpy(&bits, &number, sizeof bits);
        sum += bsim_splitmix(bits) * (uint64_t)samples[i]->count;
    }
    return sum;
}

/* Sets s->differs, and what tells the questions of a rank apart. */
static void look_at_features(struct value_once_search *s, bool *changes) {
    size_t before = 0;
    qsort(s->samples, s->count, sizeof *s->samples, by_rank);
    for (size_t first = 0, count; first < s->count; first += count) {
        count = samples_of_rank(s, first);
        const struct sample **of_rank = &s->samples[first], **last = &s->samples[before];
        bool is_other_rank = first > 0 && of_rank[0]->run == last[0]->run;
        for (int j = 0; j < s->feature_count; j++) {
            for (size_t i = 1; i < count; i++)
                changes[j] |= of_rank[i]->features[j] != of_rank[0]->features[j];
            s->differs[j] |= is_other_rank && numbers_of_rank(of_rank, count, j) !=
                                                  numbers_of_rank(last, first - before, j);
        }
        before = first;
    }
}

/* ---- Answers ---- */

/* All the samples of one rank with the same question. */
struct value_once_answers {
    const struct sample *first;
    double count;
    bool is_known; /* in which order: there is one sample, or always the same number */
    bool is_constant;
};

/* From sample `*at` on, which moves behind the last one. */
static struct value_once_answers read_answers(const struct value_once_search *s, size_t *at) {
    const struct sample *first = s->samples[*at];
    struct value_once_answers answers = {.first = first, .is_constant = value_is_constant(first)};
    size_t begin = *at;
    for (; *at < s->count; ++*at) {
        const struct sample *sample = s->samples[*at];
        if (sample->rank != first->rank || compare_common(s, sample, first) != 0)
            break;
        answers.count += sample->count;
        answers.is_constant = answers.is_constant && value_is_constant(sample) &&
                              sample->sequence[0].number == first->sequence[0].number;
    }
    answers.is_known = answers.is_constant || *at == begin + 1;
    return answers;
}

static bool are_same(const struct value_once_answers *left,
                     const struct value_once_answers *right) {
    if (left->is_constant && right->is_constant)
        return left->count == right->count &&
               left->first->sequence[0].number == right->first->sequence[0].number;
    return left->is_known && right->is_known && same_numbers(left->first, right->first);
}

/* Of the questions of several ranks of a run all have the same answers, and there are enough. */
static bool all_agree(struct value_once_search *s) {
    double compared = 0, all = 0;
    struct value_once_answers last = {0};
    qsort_r(s->samples, s->count, sizeof *s->samples, by_question, s);
    for (size_t at = 0; at < s->count;) {
        struct value_once_answers answers = read_answers(s, &at);
        bool is_other_rank =
            last.first != NULL && compare_common(s, last.first, answers.first) == 0;
        if (is_other_rank && !are_same(&last, &answers))
            return false;
        compared += is_other_rank;
        all += s->runs[answers.first->run].ranks > 1;
        last = answers;
    }
    return compared > 0 && compared >= COMPARED_SHARE * all;
}

void value_once_find(struct value_once *out, struct arena *arena, const struct samples *all,
                     const struct sample *samples, size_t count) {
    struct value_once_search search = {
        .runs = all->runs, .count = count, .feature_count = samples->feature_count};
    bool *changes = ARENA_ARRAY(arena, bool, (size_t)search.feature_count + 1);
    int *places = ARENA_ARRAY(arena, int, (size_t)search.feature_count + 1);
    search.differs = ARENA_ARRAY(arena, bool, (size_t)search.feature_count + 1);
    search.samples = xmalloc((count + 1) * sizeof *search.samples);
    for (size_t i = 0; i < count; i++)
        search.samples[i] = &samples[i];
    look_at_features(&search, changes);
    *out = (struct value_once){
        .is_once = all_agree(&search), .differs = search.differs, .places = places};
    for (int j = 0; j < search.feature_count; j++)
        if (changes[j] && !search.differs[j])
            places[out->place_count++] = j;
    free(search.samples);
}
