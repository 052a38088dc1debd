/* SPDX-License-Identifier: Apache-2.0
 *
 * See value_follow.h. Vectors that other configurations have had as well are left out: what was
 * seen of those is given as it is.
 */
#include "model/value_follow.h"

#include "model/eval_value.h"
#include "model/value_agreement.h"

#include <math.h>

#define SEQUENCES_MAX 1024
#define NUMBERS_MIN 16
/* The error has to become that much smaller, and numbers to differ from their mean by so much. */
#define BETTER_FACTOR 0.5
#define SCATTER_MIN 0.02

struct errors {
    double followed, mean; /* with the sequence of the nearest, and without */
    double total, count;   /* of the numbers */
};

/* Of another configuration; NULL: there is none, or it is the same vector. */
static const struct value_seen *find_nearest(const value_seen_list *all, size_t step,
                                             const struct value_seen *of, int dimension) {
    const struct value_seen *best = NULL;
    double distance = INFINITY;
    for (size_t i = 0; i < all->count; i += step) {
        const struct value_seen *other = &all->items[i];
        if (other->configuration == of->configuration || other->repeat_count == 0 ||
            other->mean == 0)
            continue;
        double here = bsim_value_distance(other->vector, of->vector, dimension);
        if (here < distance) {
            best = other;
            distance = here;
        }
    }
    return distance > 0 ? best : NULL;
}

/* Where the other sequence has ended the mean is all that is known. */
static void add_errors(struct errors *out, const struct value_seen *of,
                       const struct value_seen *other) {
    double scale = of->mean / other->mean, used = 0;
    size_t k = 0;
    for (size_t i = 0; i < of->repeat_count; i++) {
        double number = of->repeats[i].number, left = of->repeats[i].times;
        while (left > 0) {
            bool ended = k == other->repeat_count;
            double times = ended ? left : fmin(left, other->repeats[k].times - used);
            double told = ended ? of->mean : scale * other->repeats[k].number;
            out->followed += times * fabs(number - told);
            out->mean += times * fabs(number - of->mean);
            out->total += times * fabs(number);
            out->count += times;
            left -= times;
            used += times;
            if (!ended && used >= other->repeats[k].times) {
                k++;
                used = 0;
            }
        }
    }
}

bool value_follows(const struct value_data *data, struct arena *arena, int dimension) {
    value_seen_list all = {0};
    struct errors errors = {0};
    if ((data->kind != VALUE_INTEGER && data->kind != VALUE_FLOATING) ||
        data->configuration_count < 2 || data->factors != NULL ||
        value_agreement(data->samples, data->sample_count) != VALUE_AGREEMENT_ALL)
        return false;
    value_data_sequences(&all, arena, data);
    size_t step = all.count / SEQUENCES_MAX + 1;
    for (size_t i = 0; i < all.count; i += step) {
        const struct value_seen *other = find_nearest(&all, step, &all.items[i], dimension);
        if (other != NULL)
            add_errors(&errors, &all.items[i], other);
    }
    vec_dispose(&all);
    return errors.count >= NUMBERS_MIN && errors.mean >= SCATTER_MIN * errors.total &&
           errors.followed <= BETTER_FACTOR * errors.mean;
}
