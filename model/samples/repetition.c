/* SPDX-License-Identifier: Apache-2.0
 *
 * One row per run, one column per region: seconds, and a sum of hashes of the feature vectors that
 * were executed on any rank; see repetition.h. Which rank executed them, and how often, does not
 * matter: it is not the same in runs that divide their work as they go.
 */
#include "model/samples/repetition.h"

#include "base/hash.h"
#include "base/numbers.h"
#include "model/samples/points.h"

#include <stdlib.h>
#include <string.h>

#define COMMON_SHARE 0.9 /* of time */

struct repetition_work {
    double seconds;
    unsigned long long features;
};

static bool same_vector(const struct sample *left, const struct sample *right) {
    return left->region == right->region && left->run == right->run &&
           features_compare(left->features, right->features, left->feature_count) == 0;
}

static void add(struct repetition_work *out, const struct sample *sample, bool again) {
    out->seconds += sample->seconds * sample->count / sample->timed;
    if (!again)
        out->features += hash_bytes(HASH_SEED, sample->features,
                                    (size_t)sample->feature_count * sizeof *sample->features);
}

void works_init(struct works *out, const struct samples *samples, const struct regions *regions) {
    size_t cells = (size_t)samples->run_count * (size_t)regions->count;
    *out = (struct works){.samples = samples, .region_count = regions->count};
    out->items = xmalloc((cells + 1) * sizeof *out->items);
    memset(out->items, 0, (cells + 1) * sizeof *out->items);
    for (size_t i = 0; i < samples->count; i++) {
        const struct sample *sample = &samples->items[i];
        size_t cell = (size_t)sample->run * (size_t)regions->count + (size_t)sample->region;
        if (sample->timed > 0 && regions->items[sample->region].value == VALUE_NONE)
            add(&out->items[cell], sample, i > 0 && same_vector(&sample[-1], sample));
    }
}

void works_dispose(struct works *works) {
    free(works->items);
    *works = (struct works){0};
}

static bool same_configuration(const struct run *left, const struct run *right) {
    return left->complete && right->complete && left->ranks == right->ranks &&
           strcmp(left->arguments, right->arguments) == 0 && strcmp(left->host, right->host) == 0;
}

bool works_repeat(double *out_ratio, const struct works *works, int left, int right) {
    const struct repetition_work *l = works->items + (size_t)left * (size_t)works->region_count;
    const struct repetition_work *r = works->items + (size_t)right * (size_t)works->region_count;
    double all_s = 0, both_s = 0, left_s = 0;
    if (!same_configuration(&works->samples->runs[left], &works->samples->runs[right]))
        return false;
    for (int i = 0; i < works->region_count; i++) {
        bool both = l[i].seconds > 0 && r[i].seconds > 0 && l[i].features == r[i].features;
        all_s += l[i].seconds + r[i].seconds;
        both_s += both ? l[i].seconds + r[i].seconds : 0;
        left_s += both ? l[i].seconds : 0;
    }
    if (out_ratio != NULL)
        *out_ratio = left_s / (both_s - left_s);
    return both_s > COMMON_SHARE * all_s;
}
