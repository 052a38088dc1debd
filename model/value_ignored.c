/* SPDX-License-Identifier: Apache-2.0
 *
 * See value_ignored.h.
 */
#include "model/value_ignored.h"

void value_ignore(struct sample *samples, size_t count, struct arena *arena, const bool *ignored) {
    for (size_t i = 0; i < count; i++) {
        int feature_count = samples[i].feature_count;
        double *features = ARENA_ARRAY(arena, double, (size_t)feature_count);
        for (int j = 0; j < feature_count; j++)
            features[j] = ignored[j] ? 0 : samples[i].features[j];
        samples[i].features = features;
    }
}
