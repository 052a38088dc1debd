/* SPDX-License-Identifier: Apache-2.0
 *
 * See value_agreement.h. Samples are compared with each other; of a value with very many the first
 * ones have to do.
 */
#include "model/value_agreement.h"

#include "model/points.h"

#include "base/vec.h"
#include "model/splitmix.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define SAMPLES_MAX 4096
#define NUMBERS_MIN 16 /* fewer may be equal by chance */

bool same_numbers(const struct sample *left, const struct sample *right) {
    bool same = left->count == right->count && left->seconds == right->seconds &&
                left->repeat_count == right->repeat_count;
    for (size_t i = 0; i < left->repeat_count && same; i++)
        same = left->sequence[i].number == right->sequence[i].number &&
               left->sequence[i].times == right->sequence[i].times;
    return same;
}

bool all_zero(const struct sample *sample) {
    return sample->seconds == 0 && sample->squares == 0;
}

static bool same_features(const struct sample *left, const struct sample *right) {
    return left->region == right->region &&
           features_compare(left->features, right->features, left->feature_count) == 0;
}

enum value_agreement value_agreement(const struct sample *samples, size_t count) {
    bool same = false, different = false;
    count = count < SAMPLES_MAX ? count : SAMPLES_MAX;
    for (size_t i = 0; i < count; i++)
        for (size_t k = i + 1; k < count && same_features(&samples[i], &samples[k]); k++) {
            if (samples[i].run != samples[k].run || samples[i].rank == samples[k].rank)
                continue;
            bool equal = same_numbers(&samples[i], &samples[k]);
            same = same || (equal && !all_zero(&samples[i]));
            different = different || !equal;
        }
    if (same && different)
        return VALUE_AGREEMENT_SOME;
    return same ? VALUE_AGREEMENT_ALL : different ? VALUE_AGREEMENT_NONE : VALUE_AGREEMENT_UNKNOWN;
}

static bool comes_back(const struct samples *all, const struct sample *sample) {
    for (size_t i = 0; i < all->count; i++) {
        const struct sample *other = &all->items[i];
        if (other->run == sample->run && other->repeat_count > 0 && !same_features(other, sample) &&
            same_numbers(other, sample))
            return true;
    }
    return false;
}

bool value_comes_back(const struct samples *all, const struct sample *samples, size_t count) {
    size_t looked_at = 0, found = 0;
    for (size_t i = 0; i < count && looked_at < SAMPLES_MAX; i++) {
        if (all->runs[samples[i].run].ranks < 2 || all_zero(&samples[i]))
            continue;
        looked_at++;
        found += comes_back(all, &samples[i]);
    }
    return 2 * found >= looked_at && found > 0;
}

/* All numbers of a value on a rank, in any order, as a hash; and what features they had. */
struct numbers {
    int run, region, rank;
    uint64_t hash, features;
    double count;
};

typedef VEC(struct numbers) numbers_list;

static int compare_places(const void *left, const void *right) {
    const struct sample *l = *(const struct sample *const *)left,
                        *r = *(const struct sample *const *)right;
    int order = l->run != r->run ? (l->run < r->run ? -1 : 1)
                                 : (l->region > r->region) - (l->region < r->region);
    if (order == 0)
        order = (l->rank > r->rank) - (l->rank < r->rank);
    return order != 0 ? order : (l > r) - (l < r);
}

static uint64_t hash_of(double number) {
    uint64_t bits;
    number += 0.0; /* -0 becomes 0 */
    memcpy(&bits, &number, sizeof bits);
    return bsim_splitmix(bits);
}

static void add_numbers(struct numbers *out, const struct sample *sample) {
    uint64_t features = 0;
    for (size_t i = 0; i < sample->repeat_count; i++) {
        out->hash += hash_of(sample->sequence[i].number) * (uint64_t)sample->sequence[i].times;
        out->count += sample->sequence[i].times;
    }
    for (int j = 0; j < sample->feature_count; j++)
        features = bsim_splitmix(features ^ hash_of(sample->features[j]));
    out->features += features;
}

static void list_numbers(numbers_list *out, const struct sample *samples, size_t sample_count) {
    const struct sample **order = xmalloc((sample_count + 1) * sizeof *order);
    size_t count = 0;
    for (size_t i = 0; i < sample_count; i++)
        if (samples[i].repeat_count > 0)
            order[count++] = &samples[i];
    qsort(order, count, sizeof *order, compare_places);
    for (size_t i = 0; i < count; i++) {
        const struct sample *one = order[i];
        struct numbers *last = out->count > 0 ? &out->items[out->count - 1] : NULL;
        if (last == NULL || last->run != one->run || last->region != one->region ||
            last->rank != one->rank)
            vec_push(out,
                     (struct numbers){.run = one->run, .region = one->region, .rank = one->rank});
        add_numbers(&out->items[out->count - 1], one);
    }
    free(order);
}

static int compare_numbers(const void *left, const void *right) {
    const struct numbers *l = left, *r = right;
    if (l->run != r->run)
        return l->run < r->run ? -1 : 1;
    return (l->hash > r->hash) - (l->hash < r->hash);
}

bool value_has_double(const struct samples *all, int region, bool of_ranks) {
    numbers_list list = {0};
    bool found = false;
    list_numbers(&list, all->items, all->count);
    qsort(list.items, list.count, sizeof *list.items, compare_numbers);
    for (size_t i = 0, end; i < list.count && !found; i = end) {
        int here = 0, elsewhere = 0;
        for (end = i; end < list.count && compare_numbers(&list.items[i], &list.items[end]) == 0;
             end++)
            *(list.items[end].region == region ? &here : &elsewhere) += 1;
        found = list.items[i].count >= NUMBERS_MIN && here > 0 &&
                (elsewhere > 0 || (of_ranks && here > 1));
    }
    vec_dispose(&list);
    return found;
}

bool value_has_twins(const struct sample *samples, size_t count) {
    numbers_list list = {0};
    bool found = false;
    list_numbers(&list, samples, count);
    qsort(list.items, list.count, sizeof *list.items, compare_numbers);
    for (size_t i = 1; i < list.count && !found; i++)
        found = compare_numbers(&list.items[i - 1], &list.items[i]) == 0 &&
                list.items[i].count >= NUMBERS_MIN &&
                list.items[i - 1].features != list.items[i].features;
    vec_dispose(&list);
    return found;
}
