/* SPDX-License-Identifier: Apache-2.0
 *
 * What the JSON report of a run says, for those who compare runs.
 */
#pragma once

#include "base/json.h"

#include <stdbool.h>
#include <stddef.h>

/* What a report says; seconds. */
struct forecast {
    size_t ranks;
    double predicted_s, low_s, high_s; /* the interval is 0 to 0 where it is not known */
    double extrapolation;              /* the largest factor out of a trained range; 1: none */
    bool has_parts;
    double ideal_s, computation_s, waiting_s, communication_s;
};

/* Where 95 % of the relative differences of the repetitions with noise lie, a repetition of one
 * report being compared with the same one of the other: their draws are the same. */
struct noisy_difference {
    bool known; /* false: there is no noise, or it is another one */
    double low, median, high;
};

struct noisy_difference noisy_difference_of(const json_t *report, const json_t *base);

struct forecast forecast_of(const json_t *report);
