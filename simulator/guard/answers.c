/* SPDX-License-Identifier: Apache-2.0
 *
 * See answers.h. Answers that are not one number each time (sequences, shares, steps of time that
 * are stretched) are not compared.
 */
#include "simulator/guard/answers.h"

#include "base/memory.h"
#include "model/eval/eval.h"
#include "model/eval/eval_value.h"
#include "model/samples/run_context.h"
#include "model/values/value_points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct bsim_model *load(const char *file) {
    struct bsim_model *model = NULL;
    char text[256];
    return bsim_model_load(&model, file, NULL, text, sizeof text) == 0 ? model : NULL;
}

void guard_answers_open(struct guard_answers *out, const struct samples *samples,
                        const struct regions *regions, const char *whole_file,
                        const char *without_file) {
    *out = (struct guard_answers){samples, regions, load(whole_file), load(without_file)};
}

void guard_answers_close(struct guard_answers *answers) {
    bsim_model_free(answers->whole);
    bsim_model_free(answers->without);
}

/* NULL: the run has not all of its numbers. */
static double *make_vector(const struct bsim_value_model *value, const struct samples *samples,
                           const struct sample *sample) {
    int features = bsim_value_feature_count(value), context = bsim_value_context_count(value);
    double *vector = xmalloc(((size_t)(features + context) + 1) * sizeof *vector);
    bool found = features == sample->feature_count;
    if (found && features > 0)
        memcpy(vector, sample->features, (size_t)features * sizeof *vector);
    for (int i = 0; i < context && found; i++)
        found = run_context_find(&vector[features + i], samples, sample->run,
                                 bsim_value_context_name(value, i));
    if (!found) {
        free(vector);
        return NULL;
    }
    bsim_value_clear(value, vector);
    return vector;
}

/* NAN: they are not one number. */
static double number_of_seen(const struct bsim_value_seen *seen) {
    double number = seen->repeat_count > 0 ? seen->repeats[0].number : NAN;
    for (int i = 1; i < seen->repeat_count; i++)
        if (seen->repeats[i].number != number)
            return NAN;
    return number;
}

/* NAN: it is no number that is the same each time. */
static double answer(const struct bsim_model *model, const struct samples *samples,
                     const struct sample *sample) {
    const struct bsim_value_model *value = bsim_model_value(model, sample->region);
    double *vector = value != NULL ? make_vector(value, samples, sample) : NULL;
    if (vector == NULL)
        return NAN;
    const struct bsim_value_seen *seen = bsim_value_recall(value, vector);
    double number = bsim_value_nearest(value, vector) != NULL ? NAN
                    : seen != NULL                            ? number_of_seen(seen)
                                                              : bsim_value_formula(value, vector);
    free(vector);
    return number;
}

/* Of so many questions of a rank. Whole numbers are rounded, and what that leaves is carried on to
 * the next one; no loop that was seen to end iterates half as often as one that never ends. */
static bool is_same(enum value_kind kind, double whole, double without, double count) {
    bool is_rounded = kind == VALUE_INTEGER || kind == VALUE_TRIPS;
    if (kind == VALUE_TRIPS && whole >= VALUE_ALWAYS / 2 && without >= VALUE_ALWAYS / 2)
        return true;
    return whole == without ||
           (is_rounded && whole == round(whole) && fabs(without - whole) * count < 0.5);
}

bool guard_answers_are_alike(const struct guard_answers *answers, const struct profiled *run) {
    const struct samples *samples = answers->samples;
    if (answers->whole == NULL || answers->without == NULL)
        return false;
    for (size_t i = 0; i < samples->count; i++) {
        const struct sample *sample = &samples->items[i];
        const struct run *of = &samples->runs[sample->run];
        enum value_kind kind = answers->regions->items[sample->region].value;
        if (kind != VALUE_NONE && of->ranks == run->ranks &&
            run_has_input_of(of, run->arguments, run->directory) &&
            !is_same(kind, answer(answers->whole, samples, sample),
                     answer(answers->without, samples, sample), sample->count))
            return false;
    }
    return true;
}
