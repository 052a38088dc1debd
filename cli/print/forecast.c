/* SPDX-License-Identifier: Apache-2.0
 *
 * See forecast.h. The members are those that prediction_fields.c describes.
 */
#include "cli/print/forecast.h"

#include "base/arena.h"
#include "simulator/prediction/noise.h"

static double member(const json_t *object, const char *key) {
    return json_get_number(object, key, 0);
}

struct forecast forecast_of(const json_t *report) {
    const json_t *interval = json_object_get(report, "interval");
    const json_t *parts = json_object_get(report, "attribution");
    return (struct forecast){
        .ranks = (size_t)json_get_integer(report, "ranks", 0),
        .predicted_s = member(report, "predicted_s"),
        .low_s = member(interval, "low_s"),
        .high_s = member(interval, "high_s"),
        .extrapolation = json_get_number(interval, "extrapolation", 1),
        .has_parts = parts != NULL,
        .ideal_s = member(parts, "ideal_s"),
        .computation_s = member(parts, "computation_s"),
        .waiting_s = member(parts, "waiting_s"),
        .communication_s = member(parts, "communication_s"),
    };
}

/* Are the draws of both the same? */
static bool same_noise(const json_t *a, const json_t *b) {
    size_t count = json_array_size(json_object_get(a, "times_s"));
    return count > 0 && count == json_array_size(json_object_get(b, "times_s")) &&
           json_get_integer(a, "seed", -1) == json_get_integer(b, "seed", -1);
}

struct noisy_difference noisy_difference_of(const json_t *report, const json_t *base) {
    const json_t *a = json_object_get(report, "noise"), *b = json_object_get(base, "noise");
    if (!same_noise(a, b))
        return (struct noisy_difference){0};
    struct noise shares = {.count = json_array_size(json_object_get(a, "times_s"))};
    shares.times_s = xmalloc(shares.count * sizeof(double));
    for (size_t i = 0; i < shares.count; i++) {
        double to = json_number_value(json_array_get(json_object_get(a, "times_s"), i));
        double from = json_number_value(json_array_get(json_object_get(b, "times_s"), i));
        shares.times_s[i] = from > 0 ? to / from - 1 : 0;
    }
    noise_sum_up(&shares);
    struct noisy_difference out = {true, shares.low_s, shares.median_s, shares.high_s};
    noise_dispose(&shares);
    return out;
}
