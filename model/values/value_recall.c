/* SPDX-License-Identifier: Apache-2.0
 *
 * Recall: the numbers of profiled runs with the same key, in their order where ranks and runs
 * agreed on it, else as their mean. Not kept is what tells vectors whose features change each time,
 * such as how many particles a rank has.
 *
 * Near: other runs have those of a run with the same second key, in which amounts nearly agree, if
 * that is closer than what formulas tell.
 */
#include "model/values/value_candidate.h"

#include "model/eval/eval_value.h"

#define KEYS_MIN 16 /* of a rank: four for each of the numbers of a vector */

/* A rank asks with another key nearly each time: what it has there changes as the run goes on, and
 * a number that was seen once is chance. */
static bool changes_all_the_time(const struct value_data *data) {
    double asked = 0;
    size_t ranks = 0;
    for (size_t i = 0; i < data->sample_count; i++) {
        const struct sample *sample = &data->samples[i];
        bool known = false;
        for (size_t k = 0; k < i && !known; k++)
            known = data->samples[k].run == sample->run && data->samples[k].rank == sample->rank;
        asked += sample->count;
        ranks += !known;
    }
    return asked < 2 * (double)data->sample_count &&
           data->sample_count >= KEYS_MIN * (ranks > 0 ? ranks : 1);
}

static bool propose(struct value_model *model, struct value_question *question) {
    model->without_recall = question->data->is_vector && changes_all_the_time(question->data);
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

/* ---- Near ---- */

static bool propose_near(struct value_model *model, struct value_question *question) {
    const struct value_key *key = question->key;
    model->is_near =
        key->near != NULL && !question->data->is_binary && key->near_error < model->error;
    if (model->is_near)
        model->error = key->near_error;
    return false;
}

static bool is_near(const struct value_model *model) {
    return model->is_near;
}

void value_write_places(struct str *out, const int *places, int count) {
    str_printf(out, " %d", count);
    for (int i = 0; i < count; i++)
        str_printf(out, " %d", places[i]);
}

static void write_near(struct str *out, const struct value_model *model,
                       const struct value_question *question) {
    (void)model;
    value_write_places(out, question->key->near, question->key->near_count);
    str_addc(out, '\n');
}

static void print_near(struct str *out, const struct value_model *model,
                       const struct value_question *question) {
    const struct value_key *key = question->key;
    (void)model;
    str_add(out, "; as in runs with the same ");
    for (int i = 0; i < key->near_count; i++)
        str_printf(out, "%s%s", i > 0 ? ", " : "",
                   value_data_name(question->data, question->region, key->near[i]));
}

const struct value_candidate value_near_candidate = {"near", propose_near, is_near, write_near,
                                                     print_near};
