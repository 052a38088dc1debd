/* SPDX-License-Identifier: Apache-2.0
 *
 * Recall: the numbers of profiled runs with the same key, in their order where ranks and runs
 * agreed on it, else as their mean. Not kept is what was another number each time
 * (value_range.c).
 */
#include "model/values/value_candidate.h"

#include "model/eval/eval_value.h"

static bool propose(struct value_model *model, struct value_question *question) {
    (void)model;
    (void)question;
    return false;
}

static bool is_taken(const struct value_model *model) {
    return !model->without_recall;
}

static void write_seen(struct str *out, const struct value_seen *seen, int dimension) {
    str_add(out, "seen");
    for (int j = 0; j < dimension; j++)
        str_printf(out, " %.17g", seen->vector[j]);
    str_printf(out, " mean %.17g pattern %zu", seen->mean, seen->repeat_count);
    for (size_t i = 0; i < seen->repeat_count; i++)
        str_printf(out, " %.17g %.17g", seen->repeats[i].number, seen->repeats[i].times);
    str_addc(out, '\n');
}

/* Vectors beyond the limit are left to the formula. */
static void write(struct str *out, const struct value_model *model,
                  const struct value_question *question) {
    const struct value_data *data = question->data;
    value_seen_list all = {0};
    (void)model;
    value_data_seen(&all, question->arena, data);
    size_t count = all.count < BSIM_VALUE_SEEN_MAX ? all.count : BSIM_VALUE_SEEN_MAX;
    str_printf(out, " %zu\n", count);
    for (size_t i = 0; i < count; i++)
        write_seen(out, &all.items[i], data->feature_count + data->context_count);
    vec_dispose(&all);
}

const struct value_candidate value_recall_candidate = {"recall", propose, is_taken, write, NULL};
