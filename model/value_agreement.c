/* SPDX-License-Identifier: Apache-2.0
 *
 * See value_agreement.h. Samples are compared with each other; of a value with very many the first
 * ones have to do.
 */
#include "model/value_agreement.h"

#include "model/points.h"

#define SAMPLES_MAX 4096

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
