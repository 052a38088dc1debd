/* SPDX-License-Identifier: Apache-2.0
 *
 * See value_most.h. All samples with the same size count as one.
 */
#include "model/values/value_most.h"

#include <math.h>

#define SIZES_MIN 3
#define SIZES_MAX 64

struct value_most_group {
    double size, most;
};

static double size_of(const struct value_data *data, const struct sample *sample, int place) {
    return place < data->feature_count
               ? sample->features[place]
               : data->runs.numbers[sample->run][place - data->feature_count];
}

/* By the number at that place; 0: there are too many. */
static int group_by(struct value_most_group *out, const struct value_data *data, int place) {
    int count = 0;
    for (size_t i = 0; i < data->sample_count; i++) {
        const struct sample *sample = &data->samples[i];
        double size = size_of(data, sample, place);
        int k = 0;
        while (k < count && out[k].size != size)
            k++;
        if (k == count && (count == SIZES_MAX || !isfinite(size)))
            return 0;
        if (k == count)
            out[count++] = (struct value_most_group){size, sample->max};
        out[k].most = fmax(out[k].most, sample->max);
    }
    return count;
}

static bool is_beyond(const struct value_most_group *groups, int count, double beyond) {
    for (int k = 0; k < count; k++)
        if (groups[k].most != groups[k].size + beyond)
            return false;
    return count >= SIZES_MIN;
}

struct value_most value_most_find(const struct value_data *data) {
    struct value_most_group groups[SIZES_MAX];
    for (int place = 0; place < data->feature_count + data->plain_count; place++) {
        int count = data->kind == VALUE_INTEGER ? group_by(groups, data, place) : 0;
        for (double beyond = -1; beyond <= 0; beyond++)
            if (is_beyond(groups, count, beyond))
                return (struct value_most){true, place, beyond};
    }
    return (struct value_most){.is_found = false};
}
