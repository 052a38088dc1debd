/* SPDX-License-Identifier: Apache-2.0
 *
 * See value_ignored.h.
 */
#include "model/values/value_ignored.h"

#include "model/samples/points.h"

#include <stdlib.h>
#include <string.h>

void value_ignore(struct sample *samples, size_t count, struct arena *arena, const bool *ignored) {
    for (size_t i = 0; i < count; i++) {
        int feature_count = samples[i].feature_count;
        double *features = ARENA_ARRAY(arena, double, (size_t)feature_count);
        for (int j = 0; j < feature_count; j++)
            features[j] = ignored[j] ? 0 : samples[i].features[j];
        samples[i].features = features;
    }
}

void value_ignored_add(struct value_ignored *out, struct arena *arena, size_t count,
                       const bool *more) {
    int feature_count = count > 0 ? out->samples->feature_count : 0;
    struct sample *copies = ARENA_ARRAY(arena, struct sample, count);
    bool *ignored = ARENA_ARRAY(arena, bool, (size_t)feature_count);
    for (int j = 0; j < feature_count; j++)
        ignored[j] = more[j] || (out->count > 0 && out->features[j]);
    for (int j = 0; j < feature_count; j++)
        out->count += more[j];
    memcpy(copies, out->samples, count * sizeof *copies);
    value_ignore(copies, count, arena, ignored);
    qsort_r(copies, count, sizeof *copies, points_compare_samples, NULL);
    out->samples = copies;
    out->features = ignored;
}
