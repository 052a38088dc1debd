/* SPDX-License-Identifier: Apache-2.0
 *
 * Vectors that no profiled run has had are as the nearest one that was seen: its numbers as they
 * are (a pattern that no formula tells), scaled to what the formula says (the buckets of a
 * histogram of any number of keys go up and down alike), or steps of time, longer or shorter
 * (value_stretch.h).
 *
 * Which of them, or the mean alone, is told by how far sequences of configurations that are left
 * out are off: by the formula's error and how they differ from their own mean, or scaled from the
 * nearest one; or from the nearest as it is. Distances are those of the skeleton.
 */

#include "model/eval/eval_value.h"
#include "model/values/value_agreement.h"
#include "model/values/value_candidate.h"
#include "model/values/value_stretch.h"

#include <math.h>

#define SEQUENCES_MAX 1024
#define NUMBERS_MIN 16 /* to know from whether they go up and down alike */
/* What is scaled has to leave half of how numbers differ from their mean, if that is worth it: a
 * sequence that is no more alike than others are would leave more than all of it. */
#define SCALED_FACTOR 0.5
#define SCATTER_MIN 0.02
/* What is taken as it is knows nothing of other sizes: it has to be better by a third. */
#define AS_IS_FACTOR 0.7

struct errors {
    double as_is, scaled, mean; /* from the nearest one, and from its own mean */
    double total, count;        /* of the numbers */
};

/* Runs that differ in their number of ranks only, where others differ in more. */
static bool is_twin(const struct value_data *data, const struct value_seen *left,
                    const struct value_seen *right) {
    int first = data->feature_count + data->ranks_vary;
    int end = data->feature_count + data->context_count;
    int same = first;
    while (same < end && left->vector[same] == right->vector[same])
        same++;
    return same == end && first < end;
}

/* Of another configuration, and another size: what one of a size has tells those on other ranks,
 * and nothing of other sizes. */
static const struct value_seen *find_nearest(const value_seen_list *all, size_t step,
                                             const struct value_seen *of,
                                             const struct value_data *data) {
    const struct value_key *key = data->key;
    const struct value_seen *best = NULL;
    double least = INFINITY;
    for (size_t i = 0; i < all->count; i += step) {
        const struct value_seen *other = &all->items[i];
        if (other->configuration == of->configuration || other->repeat_count == 0 ||
            is_twin(data, other, of))
            continue;
        double here = bsim_value_distance(other->vector, of->vector, key->places, key->place_count);
        if (here < least) {
            best = other;
            least = here;
        }
    }
    return best;
}

/* Where the other sequence has ended its mean is all that is known. */
static void add_errors(struct errors *out, const struct value_seen *of,
                       const struct value_seen *other) {
    double scale = other->mean != 0 ? of->mean / other->mean : INFINITY, used = 0;
    size_t k = 0;
    for (size_t i = 0; i < of->repeat_count; i++) {
        double number = of->repeats[i].number, left = of->repeats[i].times;
        while (left > 0) {
            bool ended = k == other->repeat_count;
            double times = ended ? left : fmin(left, other->repeats[k].times - used);
            double predicted = ended ? other->mean : other->repeats[k].number;
            out->as_is += times * fabs(number - predicted);
            out->scaled += times * fabs(number - (ended ? of->mean : scale * predicted));
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

static void find_errors(struct errors *out, const struct value_question *question) {
    const struct value_data *data = question->data;
    value_seen_list all = {0}, ranks = {0};
    *out = (struct errors){0};
    value_data_sequences(&all, question->arena, data);
    value_data_by_rank(&ranks, question->arena, data, data->sample_count / SEQUENCES_MAX + 1);
    size_t step = all.count / SEQUENCES_MAX + 1;
    for (size_t i = 0; i < ranks.count; i++) {
        const struct value_seen *other = find_nearest(&all, step, &ranks.items[i], data);
        if (other != NULL)
            add_errors(out, &ranks.items[i], other);
    }
    vec_dispose(&all);
    vec_dispose(&ranks);
}

/* What some ranks agreed on, and others did not, follows nobody. */
static bool may_scale(const struct value_data *data) {
    return (data->kind == VALUE_INTEGER || data->kind == VALUE_FLOATING) &&
           value_agreement(data->samples, data->sample_count) != VALUE_AGREEMENT_SOME;
}

static bool decides(const struct value_data *data) {
    return data->kind == VALUE_BRANCH || data->is_binary;
}

static bool propose(struct value_model *model, struct value_question *question) {
    const struct value_data *data = question->data;
    struct errors errors;
    if (data->factors != NULL || value_stretch_propose(model, question) ||
        data->configuration_count < 2)
        return false;
    find_errors(&errors, question);
    double formula = model->formula.error * errors.total, best = formula + errors.mean;
    if (errors.count >= NUMBERS_MIN && errors.mean >= SCATTER_MIN * errors.total &&
        errors.scaled <= SCALED_FACTOR * errors.mean && may_scale(data)) {
        model->nearest.use = BSIM_NEAREST_SCALED;
        best = formula + errors.scaled;
    }
    if (!decides(data) && errors.count > 0 && errors.as_is < AS_IS_FACTOR * best) {
        model->nearest.use = BSIM_NEAREST_AS_IS;
        model->error = errors.as_is / errors.total;
    }
    return false;
}

static bool is_taken(const struct value_model *model) {
    return model->nearest.use != BSIM_NEAREST_NONE;
}

static void write(struct str *out, const struct value_model *model,
                  const struct value_question *question) {
    (void)question;
    str_printf(out, " %s", bsim_nearest_name(model->nearest.use));
    if (model->nearest.use == BSIM_NEAREST_STRETCHED)
        value_stretch_write(out, &model->nearest.stretch);
    str_addc(out, '\n');
}

static void print(struct str *out, const struct value_model *model,
                  const struct value_question *question) {
    switch (model->nearest.use) {
    case BSIM_NEAREST_SCALED:
        str_add(out, ", up and down as what was seen of the nearest");
        break;
    case BSIM_NEAREST_AS_IS:
        str_add(out, "; with other sizes as the run with the nearest");
        break;
    case BSIM_NEAREST_STRETCHED:
        value_stretch_print(out, &model->nearest.stretch, question->data, question->region);
        break;
    default:
        break;
    }
}

const struct value_candidate value_nearest_candidate = {"nearest", propose, is_taken, write, print};
