/* SPDX-License-Identifier: Apache-2.0
 *
 * Values whose numbers scatter, as no formula and no pattern explains. In: the samples of a value;
 * out: how numbers are spread about their mean (eval_draw.h), as an empirical distribution: means
 * of equally likely parts of (number - mean) / mean^exponent, the mean being that of the rank and
 * the features. The exponent is 1 (what scatters by a share) or 1/2 (counts of what comes by
 * chance).
 *
 * They are drawn where that tells clearly more than the mean alone about configurations left out,
 * by the continuous ranked probability score, which for a single number is the absolute error (T.
 * Gneiting, A. Raftery, Strictly proper scoring rules, prediction, and estimation, 2007). What all
 * ranks agreed on all draw alike; what no two agreed on each draws for itself; what some agreed on,
 * or comes back at another place, has the mean. How ranks differ all the time is not drawn.
 *
 * Numbers count by how often they came times mean^exponent: so the mean of the levels is 0, and
 * scores are those of the numbers themselves.
 */
#include "model/values/value_candidate.h"

#include "base/vec.h"
#include "model/samples/points.h"
#include "model/solve/left_out.h"
#include "model/values/value_agreement.h"

#include <math.h>

#define LEVELS 16
#define NUMBERS_MAX 100000
#define NUMBERS_MIN (4 * LEVELS) /* to know a distribution by */
/* The score has to be that much better, and numbers to scatter by so much. */
#define BETTER_FACTOR 0.85
#define SCATTER_MIN 0.02

/* How far numbers are from the mean of their sample. */
struct value_draw_difference {
    double scaled, weight;
    int run;
};

typedef VEC(struct value_draw_difference) difference_list;

static double mean_of(const struct sample *sample) {
    return sample->timed > 0 ? sample->seconds / sample->timed : 0;
}

static void add_differences(difference_list *out, const struct sample *sample, double exponent) {
    double mean = mean_of(sample), scale = mean > 0 ? pow(mean, exponent) : 0;
    for (size_t i = 0; i < sample->repeat_count && scale > 0; i++)
        vec_push(out,
                 (struct value_draw_difference){(sample->sequence[i].number - mean) / scale,
                                                sample->sequence[i].times * scale, sample->run});
}

static int compare_differences(const void *left, const void *right) {
    const struct value_draw_difference *l = left, *r = right;
    return (l->scaled > r->scaled) - (l->scaled < r->scaled);
}

static bool is_left_out(const struct value_data *data, int run, int without) {
    return without >= 0 && run_context_compare(&data->key->runs, run, without) == 0;
}

/* Of the differences, sorted, but those of run `without` and of others with its context (-1: of
 * all): means of parts of equal weight. False: there are none. */
static bool make_levels(double *out, const difference_list *differences,
                        const struct value_data *data, int without) {
    double total = 0, done = 0, mean = 0;
    for (size_t i = 0; i < differences->count; i++)
        if (!is_left_out(data, differences->items[i].run, without))
            total += differences->items[i].weight;
    for (int k = 0; k < LEVELS; k++)
        out[k] = 0;
    for (size_t i = 0; i < differences->count && total > 0; i++) {
        if (is_left_out(data, differences->items[i].run, without))
            continue;
        double end = done + differences->items[i].weight / total * LEVELS;
        for (int k = (int)done; k < LEVELS && k < end; k++)
            out[k] += (fmin(end, k + 1) - fmax(done, k)) * differences->items[i].scaled;
        done = end;
    }
    for (int k = 0; k < LEVELS; k++)
        mean += out[k] / LEVELS;
    for (int k = 0; k < LEVELS; k++)
        out[k] -= mean;
    return total > 0;
}

/* ---- Choice ---- */

/* How far apart two draws are on average, halved. */
static double half_spread(const double *levels) {
    double sum = 0;
    for (int i = 0; i < LEVELS; i++)
        for (int k = 0; k < LEVELS; k++)
            sum += fabs(levels[i] - levels[k]);
    return sum / (2.0 * LEVELS * LEVELS);
}

static double score(const double *levels, double spread, double number) {
    double sum = 0;
    for (int k = 0; k < LEVELS; k++)
        sum += fabs(levels[k] - number);
    return sum / LEVELS - spread;
}

struct draw_trial {
    const difference_list *differences;
    const struct value_data *data;
    double mean; /* the score of the mean alone */
};

static bool is_first(const struct value_data *data, int run) {
    for (int i = 0; i < run; i++)
        if (is_left_out(data, i, run))
            return false;
    return true;
}

/* The score of runs like this one, which are left out. */
static bool fit_without(double *sum, void *candidate, int run) {
    struct draw_trial *trial = candidate;
    double levels[LEVELS];
    if (!is_first(trial->data, run))
        return true;
    if (!make_levels(levels, trial->differences, trial->data, run))
        return false;
    double spread = half_spread(levels);
    for (size_t i = 0; i < trial->differences->count; i++) {
        const struct value_draw_difference *one = &trial->differences->items[i];
        if (!is_left_out(trial->data, one->run, run))
            continue;
        *sum += one->weight * score(levels, spread, one->scaled);
        trial->mean += one->weight * fabs(one->scaled);
    }
    return true;
}

static double total_of(const struct value_data *data) {
    double total = 0;
    for (size_t i = 0; i < data->sample_count; i++)
        total += data->samples[i].seconds;
    return total;
}

/* Draws with this exponent, if they are clearly better than the mean and than *best, the score so
 * far. */
static void try_exponent(struct bsim_draws *out, double *best, const struct value_data *data,
                         double exponent, int run_count) {
    difference_list differences = {0};
    struct draw_trial trial = {&differences, data, 0};
    for (size_t i = 0; i < data->sample_count && differences.count < NUMBERS_MAX; i++)
        add_differences(&differences, &data->samples[i], exponent);
    qsort(differences.items, differences.count, sizeof *differences.items, compare_differences);
    double drawn = differences.count >= NUMBERS_MIN ? left_out_error(run_count, fit_without, &trial)
                                                    : INFINITY;
    if (drawn < *best && trial.mean >= SCATTER_MIN * total_of(data) &&
        drawn <= BETTER_FACTOR * trial.mean && make_levels(out->levels, &differences, data, -1)) {
        *best = drawn;
        out->exponent = exponent;
        out->level_count = LEVELS;
        out->kind = BSIM_DRAWS_LEVELS;
    }
    vec_dispose(&differences);
}

/* What all ranks have alike all draw alike; what no two agreed on each draws for itself. */
static bool find_who(struct bsim_draws *out, const struct value_question *question) {
    const struct value_data *data = question->data;
    enum value_agreement agreement = value_agreement(data->samples, data->sample_count);
    out->is_own = agreement == VALUE_AGREEMENT_NONE && !question->key->once.is_once;
    return question->key->once.is_once || agreement == VALUE_AGREEMENT_ALL ||
           agreement == VALUE_AGREEMENT_NONE;
}

static bool propose(struct value_model *model, struct value_question *question) {
    const struct value_data *data = question->data;
    struct bsim_draws draws = {0};
    double best = INFINITY;
    if (data->kind != VALUE_INTEGER || data->least < 0 || data->configuration_count < 2 ||
        !find_who(&draws, question))
        return false;
    try_exponent(&draws, &best, data, 1, question->all->run_count);
    try_exponent(&draws, &best, data, 0.5, question->all->run_count);
    if (best < INFINITY && !value_comes_back(question->all, data->samples, data->sample_count))
        model->scatter = draws;
    return false;
}

static bool is_taken(const struct value_model *model) {
    return model->scatter.kind == BSIM_DRAWS_LEVELS;
}

static void write(struct str *out, const struct value_model *model,
                  const struct value_question *question) {
    const struct bsim_draws *draws = &model->scatter;
    (void)question;
    str_printf(out, " %s %s %.17g %d", bsim_draws_name(draws->kind),
               draws->is_own ? "own" : "shared", draws->exponent, draws->level_count);
    for (int i = 0; i < draws->level_count; i++)
        str_printf(out, " %.9g", draws->levels[i]);
    str_addc(out, '\n');
}

/* ", drawn by each rank, -0.4 to 2.1 * mean^0.5 about it" */
static void print(struct str *out, const struct value_model *model,
                  const struct value_question *question) {
    const struct bsim_draws *draws = &model->scatter;
    (void)question;
    str_printf(out, ", drawn %s, %.3g to %.3g * mean%s about it",
               draws->is_own ? "by each rank" : "for all ranks", draws->levels[0],
               draws->levels[draws->level_count - 1], draws->exponent == 1 ? "" : "^0.5");
}

const struct value_candidate value_levels_candidate = {"scatter", propose, is_taken, write, print};
