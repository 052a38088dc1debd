/* SPDX-License-Identifier: Apache-2.0
 *
 * See value_fit.h, and docs/reference/model.md for the lines of model.bsim.
 */
#include "model/values/value_fit.h"

#include "model/values/value_agreement.h"
#include "model/values/value_candidate.h"
#include "model/values/value_part.h"
#include "model/values/value_solve.h"

#include <math.h>

#define UNTOLD_LEAST 0.1 /* errors that whoever uses the number is told of */

static const struct value_candidate *const candidates[] = {
    &value_recall_candidate, &value_formula_candidate, &value_near_candidate,
    &value_stretch_candidate};

enum { CANDIDATE_COUNT = sizeof candidates / sizeof *candidates };

static void propose_all(struct value_model *out, struct value_question *question) {
    bool is_complete = false;
    *out = (struct value_model){.formula.split = -1};
    for (int i = 0; i < CANDIDATE_COUNT && !is_complete; i++)
        is_complete = candidates[i]->propose(out, question);
}

/* ---- For model.bsim and for people ---- */

static void write_places(struct str *out, const char *word, const int *places, int count) {
    str_printf(out, " %s", word);
    value_write_places(out, places, count);
}

static void write_once(struct str *out, const struct value_question *question) {
    const struct value_once *once = &question->key->once;
    int feature_count = question->data->feature_count, count = 0;
    int *places = ARENA_ARRAY(question->arena, int, (size_t)feature_count + 1);
    for (int j = 0; j < feature_count; j++)
        if (once->differs[j])
            places[count++] = j;
    write_places(out, "once", once->places, once->place_count);
    write_places(out, "without", places, count);
}

static void write_key(struct str *out, const struct value_question *question, int answers) {
    const struct value_data *data = question->data;
    const struct value_key *key = question->key;
    str_printf(out, "value %d %s %s features %d context %d", question->region->index,
               question->region->id, value_kind_name(data->kind), data->feature_count,
               data->context_count);
    for (int i = 0; i < data->context_count; i++)
        str_printf(out, " %s", data->context[i]);
    str_printf(out, " answers %d", answers);
    write_places(out, "key", key->places, key->place_count);
    if (key->once.is_once)
        write_once(out, question);
    str_addc(out, '\n');
}

static void write_error(struct str *out, const struct value_model *model) {
    bool is_known = model->formula.validation != VALIDATION_NONE && model->error <= BSIM_SPREAD_MAX;
    str_printf(out, "error %.17g", is_known ? model->error : -1);
    if (model->untold > 0)
        str_printf(out, " untold %s %.17g", model->differs ? "ranks" : "runs",
                   fmin(model->untold, BSIM_SPREAD_MAX));
    str_addc(out, '\n');
}

static void write_model(struct str *out, const struct value_model *model,
                        const struct value_question *question) {
    const struct value_data *data = question->data;
    int answers = 2;
    for (int i = 0; i < CANDIDATE_COUNT; i++)
        answers += candidates[i]->is_taken(model);
    write_key(out, question, answers);
    str_printf(out, "round %.17g%s\n", data->least, data->is_binary ? " binary" : "");
    write_error(out, model);
    for (int i = 0; i < CANDIDATE_COUNT; i++) {
        if (!candidates[i]->is_taken(model))
            continue;
        str_add(out, candidates[i]->word);
        candidates[i]->write(out, model, question);
    }
}

static void print_model(struct str *out, const struct value_model *model,
                        const struct value_question *question) {
    if (question->region->hint != NULL) {
        str_printf(out, "as the hint says: %s", question->region->hint);
        return;
    }
    for (int i = 0; i < CANDIDATE_COUNT; i++)
        if (candidates[i]->print != NULL && candidates[i]->is_taken(model))
            candidates[i]->print(out, model, question);
    if (question->key->once.is_once)
        str_add(out, ", once for all ranks");
}

/* ---- What is told of it ---- */

static bool uses_arguments(const struct value_formulas *formulas, const struct value_data *data) {
    int first = data->feature_count, end = first + data->plain_count;
    for (int i = 0; i < formulas->count; i++)
        for (int v = 0; v < formulas->items[i].form.variable_count; v++) {
            int variable = formulas->items[i].form.variables[v];
            if (variable >= first && variable < end)
                return true;
        }
    return false;
}

static const char *find_note(const struct value_model *model,
                             const struct value_question *question) {
    const struct value_data *data = question->data;
    int endless = value_count_endless(data);
    if (endless > 0)
        return (size_t)endless == data->points.count
                   ? "a loop that was never seen to end"
                   : "a loop that something else ended in some runs";
    if (data->configuration_count < 2 && !question->key->runs_differ)
        return "one configuration; profile others";
    if (model->steps.is_unknown)
        return "nothing tells how long steps of other sizes are; profile these";
    return !data->ranks_vary && uses_arguments(&model->formula, data) ? RUN_CONTEXT_ONE_SIZE : "";
}

static void take_ranges(struct latency_model *out, struct arena *arena,
                        const struct sample *samples, size_t count, int feature_count) {
    double *min = ARENA_ARRAY(arena, double, (size_t)feature_count);
    double *max = ARENA_ARRAY(arena, double, (size_t)feature_count);
    for (int j = 0; j < feature_count; j++) {
        min[j] = INFINITY;
        max[j] = -INFINITY;
        for (size_t i = 0; i < count; i++) {
            min[j] = fmin(min[j], samples[i].features[j]);
            max[j] = fmax(max[j], samples[i].features[j]);
        }
    }
    out->min = min;
    out->max = max;
}

/* How far off it is, also where runs have the same numbers and get their mean, and by how much
 * ranks differ that get theirs. */
static void take_errors(struct latency_model *out, struct value_model *model,
                        const struct value_question *question) {
    const struct value_data *data = question->data;
    bool has_hint = question->region->hint != NULL;
    model->error = fmax(model->error, data->runs_off / value_points_size(&data->points));
    if (data->kind == VALUE_INTEGER && !has_hint)
        out->rank_spread = value_agreement_spread(question->all, data->samples, data->sample_count);
    out->is_scattered = model->without_recall;
    out->validation = model->formula.validation;
    double untold = fmax(model->error, out->rank_spread);
    if (!has_hint && untold > UNTOLD_LEAST)
        model->untold = untold;
    model->differs = out->rank_spread > UNTOLD_LEAST;
    if (has_hint)
        return;
    out->error = model->error;
    out->note = find_note(model, question);
}

static void take_texts(struct latency_model *out, const struct value_model *model,
                       const struct value_question *question) {
    struct str text = {0}, formula = {0};
    print_model(&formula, model, question);
    write_model(&text, model, question);
    out->lines = arena_strdup(question->arena, str_text(&text));
    out->value_formula = arena_strdup(question->arena, str_text(&formula));
    str_dispose(&text);
    str_dispose(&formula);
}

void value_fit(struct latency_model *out, struct arena *arena, const struct samples *all,
               const struct sample *samples, size_t count, const struct region *region,
               const struct run_context *context) {
    struct value_key key;
    struct value_data data;
    struct value_model model;
    if (count == 0)
        return;
    value_key_find(&key, arena, all, samples, count, region, context);
    value_data_make(&data, arena, all, &key, region);
    struct value_question question = {arena, all, region, &key, &data};
    if (data.points.count > 0) {
        propose_all(&model, &question);
        take_errors(out, &model, &question);
        take_texts(out, &model, &question);
        take_ranges(out, arena, samples, count, data.feature_count);
        out->fitted = true;
        out->point_count = question.data->points.count;
        out->run_count = question.data->configuration_count;
    }
    value_points points = question.data->points;
    vec_dispose(&points);
}
