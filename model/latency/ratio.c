/* SPDX-License-Identifier: Apache-2.0
 *
 * The choice between no ratio, a table and a forest; see ratio.h.
 *
 * A row tells its context's latency relative to the mean of its group, and how far that mean is
 * from the latency of late executions depends on how many executions the group has. So the table
 * is found by turns: from the rows, each shifted by the logarithm of its group's mean ratio, and
 * then that mean anew from the table. Forests take the shifts of the table.
 */
#include "model/latency/ratio.h"

#include "base/str.h"
#include "model/latency/ratio_rows.h"
#include "model/samples/points.h"
#include "model/solve/left_out.h"
#include "model/solve/trees.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TABLE_ROUNDS 5
#define TABLE_FACTOR 0.75
#define FOREST_FACTOR 0.8
#define BETTER_BY 0.02
#define TREES_TO_JUDGE 25 /* as good as all of them for telling whether a forest pays */
#define LEAST_GAIN 0.005  /* part of all squares */

/* What is said of a context: the logarithm of its ratio. */
struct guess {
    double table[BSIM_BUCKET_MAX + 1];
    bool in_table[BSIM_BUCKET_MAX + 1];
    int input_count; /* of the forest; 0: the table */
    struct trees trees;
};

struct learner {
    struct arena arena;
    struct ratio_rows rows;
    double *shifts; /* by group */
    struct guess guess;
};

/* ---- Saying ---- */

static double table_log(const struct guess *guess, int bucket) {
    while (bucket > 0 && !guess->in_table[bucket])
        bucket--;
    for (; bucket < BSIM_BUCKET_MAX && !guess->in_table[bucket];)
        bucket++;
    return guess->table[bucket];
}

static void inputs_of(float *out, const struct learner *learner, const struct sample *sample,
                      const struct sample_context *context, int input_count) {
    for (int i = 0; i < input_count; i++)
        out[i] = (float)ratio_input_number(&learner->rows.inputs[i], sample, context);
}

static double guess_log(const struct learner *learner, const struct sample *sample,
                        const struct sample_context *context) {
    float inputs[BSIM_RATIO_INPUTS_MAX];
    if (learner->guess.input_count == 0)
        return table_log(&learner->guess, context->execution);
    inputs_of(inputs, learner, sample, context, learner->guess.input_count);
    return trees_sum(&learner->guess.trees, inputs);
}

/* The mean over the timed executions. */
static double mean_ratio(const struct learner *learner, const struct sample *sample) {
    double sum = 0, timed = 0;
    for (size_t i = 0; i < sample->context_count; i++) {
        const struct sample_context *context = &sample->contexts[i];
        sum += context->timed * exp(guess_log(learner, sample, context));
        timed += context->timed;
    }
    return sum / timed;
}

static const struct sample *sample_of(const struct learner *learner, const struct ratio_row *row) {
    return learner->rows.groups[row->group].sample;
}

/* ---- Fitting; `but` is the fold that is left out, -1: none ---- */

static bool is_left_out(const struct learner *learner, const struct ratio_row *row, int but) {
    return learner->rows.groups[row->group].fold == but;
}

static void take_means(struct learner *learner, int but) {
    struct guess *guess = &learner->guess;
    double weights[BSIM_BUCKET_MAX + 1] = {0};
    memset(guess->table, 0, sizeof guess->table);
    for (size_t i = 0; i < learner->rows.count; i++) {
        const struct ratio_row *row = &learner->rows.items[i];
        if (is_left_out(learner, row, but))
            continue;
        int bucket = row->context->execution;
        guess->table[bucket] += row->weight * (row->relative + learner->shifts[row->group]);
        weights[bucket] += row->weight;
    }
    for (int bucket = 0; bucket <= BSIM_BUCKET_MAX; bucket++) {
        guess->in_table[bucket] = weights[bucket] > 0;
        if (guess->in_table[bucket])
            guess->table[bucket] /= weights[bucket];
    }
}

static void fit_table(struct learner *learner, int but) {
    learner->guess.input_count = 0;
    memset(learner->shifts, 0, learner->rows.group_count * sizeof *learner->shifts);
    for (int round = 0; round < TABLE_ROUNDS; round++) {
        take_means(learner, but);
        for (size_t i = 0; i < learner->rows.group_count; i++)
            learner->shifts[i] = log(mean_ratio(learner, learner->rows.groups[i].sample));
    }
}

static void tell_once(const char *what) {
    static bool warned;
    if (!warned)
        note("how latencies change within a run is learned as tables, not as forests, which "
             "predict some programs better: %s",
             what);
    warned = true;
}

static double sum_of_squares(const float *numbers, const float *weights, size_t count) {
    double sum = 0, squares = 0, weight = 0;
    for (size_t i = 0; i < count; i++) {
        sum += weights[i] * numbers[i];
        squares += weights[i] * numbers[i] * numbers[i];
        weight += weights[i];
    }
    return weight > 0 ? squares - sum * sum / weight : 0;
}

static void fit_forest(struct learner *learner, int but, int input_count) {
    size_t count = 0, wanted = learner->rows.count;
    struct error error = {0};
    float *inputs = ARENA_ARRAY(&learner->arena, float, wanted *(size_t)input_count);
    float *targets = ARENA_ARRAY(&learner->arena, float, wanted);
    float *weights = ARENA_ARRAY(&learner->arena, float, wanted);
    fit_table(learner, but); /* sets the shifts */
    for (size_t i = 0; i < wanted; i++) {
        const struct ratio_row *row = &learner->rows.items[i];
        if (is_left_out(learner, row, but))
            continue;
        inputs_of(inputs + count * (size_t)input_count, learner, sample_of(learner, row),
                  row->context, input_count);
        targets[count] = (float)(row->relative + learner->shifts[row->group]);
        weights[count++] = (float)row->weight;
    }
    struct tree_rows rows = {count,   input_count,
                             inputs,  targets,
                             weights, LEAST_GAIN * sum_of_squares(targets, weights, count)};
    if (trees_grow(&learner->guess.trees, &learner->arena, &rows,
                   but < 0 ? TREES_MAX : TREES_TO_JUDGE, &error) == 0)
        learner->guess.input_count = input_count;
    else
        tell_once(error.text);
}

/* No inputs: the table. */
static void fit(struct learner *learner, int but, int input_count) {
    if (input_count == 0)
        fit_table(learner, but);
    else
        fit_forest(learner, but, input_count);
}

/* ---- Judging ---- */

/* The mean error in the logarithm of the latency of a group's contexts. */
static double group_error(const struct learner *learner, const struct ratio_group *group) {
    double error = 0, shift = log(mean_ratio(learner, group->sample));
    for (size_t i = 0; i < group->count; i++) {
        const struct ratio_row *row = &learner->rows.items[group->first + i];
        error += fabs(guess_log(learner, group->sample, row->context) - shift - row->relative);
    }
    return error / (double)group->count;
}

/* Of the groups in the fold; -1: of all. */
static double sum_of_errors(const struct learner *learner, int fold) {
    double sum = 0;
    for (size_t i = 0; i < learner->rows.group_count; i++)
        if (fold < 0 || learner->rows.groups[i].fold == fold)
            sum += group_error(learner, &learner->rows.groups[i]);
    return sum;
}

/* Likewise with a ratio of 1. */
static double sum_of_ones(const struct learner *learner, int fold) {
    double sum = 0;
    for (size_t i = 0; i < learner->rows.group_count; i++) {
        const struct ratio_group *group = &learner->rows.groups[i];
        double error = 0;
        for (size_t k = 0; k < group->count; k++)
            error += fabs(learner->rows.items[group->first + k].relative);
        if (fold < 0 || group->fold == fold)
            sum += error / (double)group->count;
    }
    return sum;
}

static bool is_better(double error, double than, double factor) {
    return error <= factor * than && error <= than - BETTER_BY;
}

struct ratio_trial {
    struct learner *learner;
    int input_count;
    const double *than; /* errors of the other form, by fold; NULL: there is none */
};

/* After a fold without gain the others are not tried. */
static bool fit_without(double *sum, void *candidate, int without) {
    const struct ratio_trial *trial = candidate;
    fit(trial->learner, without, trial->input_count);
    double error = sum_of_errors(trial->learner, without);
    *sum += error;
    return trial->than == NULL || error < trial->than[without];
}

static double error_left_out(struct learner *learner, int input_count, const double *than) {
    struct ratio_trial trial = {learner, input_count, than};
    return left_out_error(learner->rows.fold_count, fit_without, &trial) /
           (double)learner->rows.group_count;
}

/* ---- Choosing ---- */

struct ratio_choice {
    bool found;
    int input_count; /* 0: the table */
    double error, error_without;
};

/* With all inputs before `end`. */
static void try_forest(struct ratio_choice *choice, struct learner *learner, int end) {
    double than[RATIO_FOLDS_MAX], factor = choice->found ? FOREST_FACTOR : TABLE_FACTOR;
    for (int fold = 0; fold < learner->rows.fold_count; fold++) {
        fit(learner, fold, choice->input_count);
        than[fold] = choice->found ? sum_of_errors(learner, fold) : sum_of_ones(learner, fold);
    }
    double error = error_left_out(learner, end, than);
    if (is_better(error, choice->error, factor))
        *choice = (struct ratio_choice){true, end, error, choice->error_without};
}

static struct ratio_choice choose(struct learner *learner) {
    double without = sum_of_ones(learner, -1) / (double)learner->rows.group_count;
    struct ratio_choice choice = {.error = without, .error_without = without};
    int count = learner->rows.input_count;
    bool has_before = count > 0 && learner->rows.inputs[count - 1].kind == RATIO_BEFORE;
    int without_before = has_before ? count - 1 : count;
    if (!(without > BETTER_BY) || learner->rows.fold_count < 2)
        return choice;
    double table = error_left_out(learner, 0, NULL);
    if (is_better(table, without, TABLE_FACTOR))
        choice = (struct ratio_choice){true, 0, table, without};
    if (without_before > 0)
        try_forest(&choice, learner, without_before);
    if (has_before)
        try_forest(&choice, learner, count);
    return choice;
}

/* ---- Lines of model.bsim ---- */

/* What the reader accepts. */
static double within(double ratio) {
    return fmin(fmax(ratio, 1 / BSIM_RATIO_MAX), BSIM_RATIO_MAX);
}

static void add_table(struct str *out, const struct guess *guess, double scale) {
    struct str entries = {0};
    int count = 0;
    for (int bucket = 0; bucket <= BSIM_BUCKET_MAX; bucket++) {
        if (!guess->in_table[bucket])
            continue;
        unsigned long from = count++ > 0 ? bsim_bucket_first(bucket) : 1;
        str_printf(&entries, " %lu %.6g", from, within(scale * exp(guess->table[bucket])));
    }
    str_printf(out, "ratio table %d%s\n", count, str_text(&entries));
    str_dispose(&entries);
}

static void add_input(struct str *out, const struct ratio_input *input) {
    static const char *const words[] = {"execution", "unchanged", "before", "feature"};
    str_printf(out, "input %s", words[input->kind]);
    if (input->kind == RATIO_FEATURE)
        str_printf(out, " %d", input->feature);
    if (input->kind == RATIO_BEFORE) {
        str_printf(out, " %d", input->region_count);
        for (int i = 0; i < input->region_count; i++)
            str_printf(out, " %d", input->regions[i]);
    } else {
        str_printf(out, " %.17g %.17g", input->least, input->largest);
    }
    str_addc(out, '\n');
}

static void add_forest(struct str *out, const struct learner *learner, double scale) {
    const struct guess *guess = &learner->guess;
    str_printf(out, "ratio forest inputs %d trees %d scale %.17g\n", guess->input_count,
               guess->trees.count, within(scale));
    for (int i = 0; i < guess->input_count; i++)
        add_input(out, &learner->rows.inputs[i]);
    for (int i = 0; i < guess->trees.count; i++) {
        const struct regression_tree *tree = &guess->trees.items[i];
        str_printf(out, "tree %d", tree->count);
        for (int k = 0; k < tree->count; k++)
            str_printf(out, " %d %.9g", tree->nodes[k].input, tree->nodes[k].value);
        str_addc(out, '\n');
    }
}

/* ---- One region ---- */

static const char *describe(struct arena *arena, const struct learner *learner,
                            const struct ratio_choice *choice, double scale) {
    static const char *const words[] = {"execution", "unchanged", "before", "features"};
    struct str out = {0};
    const struct guess *guess = &learner->guess;
    str_add(&out, "ratio ");
    if (choice->input_count == 0)
        str_printf(&out, "%.3g at first, %.3g at last", scale * exp(table_log(guess, 0)),
                   scale * exp(table_log(guess, BSIM_BUCKET_MAX)));
    for (int i = 0; i < choice->input_count; i++) {
        enum ratio_kind kind = learner->rows.inputs[i].kind;
        if (i == 0 || kind != learner->rows.inputs[i - 1].kind)
            str_printf(&out, "%s%s", i > 0 ? ", " : "of ", words[kind]);
    }
    str_printf(&out, ": error %.0f%%, without it %.0f%%%s", 100 * choice->error,
               100 * choice->error_without,
               learner->rows.folds_are_ranks ? " (of ranks left out)" : "");
    const char *copy = arena_strdup(arena, out.text);
    str_dispose(&out);
    return copy;
}

/* What the skeleton multiplies with is 1 on average over the time that was measured. */
static double find_scale(const struct learner *learner) {
    double seconds = 0, scaled = 0;
    for (size_t i = 0; i < learner->rows.group_count; i++) {
        const struct ratio_group *group = &learner->rows.groups[i];
        seconds += group->sample->seconds;
        scaled += group->sample->seconds * mean_ratio(learner, group->sample);
    }
    return seconds > 0 ? seconds / scaled : 1;
}

static void set_sample_ratios(const struct learner *learner, struct sample *samples, size_t count,
                              double scale) {
    for (size_t i = 0; i < count; i++)
        if (samples[i].context_count > 0)
            samples[i].ratio = scale * mean_ratio(learner, &samples[i]);
}

static const char *write_lines(struct arena *arena, const struct learner *learner, double scale) {
    struct str lines = {0};
    if (learner->guess.input_count == 0)
        add_table(&lines, &learner->guess, scale);
    else
        add_forest(&lines, learner, scale);
    const char *copy = arena_strdup(arena, lines.text);
    str_dispose(&lines);
    return copy;
}

static void learn_region(struct ratio *out, struct arena *arena, struct sample *samples,
                         size_t count, int run_count) {
    struct learner learner = {0};
    arena_init(&learner.arena);
    ratio_rows_make(&learner.rows, &learner.arena, samples, count, run_count);
    learner.shifts = ARENA_ARRAY(&learner.arena, double, learner.rows.group_count);
    struct ratio_choice choice = {0};
    if (learner.rows.group_count > 0)
        choice = choose(&learner);
    if (choice.found) {
        fit(&learner, -1, choice.input_count);
        double scale = find_scale(&learner);
        out->lines = write_lines(arena, &learner, scale);
        out->note = describe(arena, &learner, &choice, scale);
        set_sample_ratios(&learner, samples, count, scale);
    }
    arena_dispose(&learner.arena);
}

static int compare_samples(const void *left, const void *right) {
    const struct sample *l = left, *r = right;
    if (l->region != r->region)
        return l->region < r->region ? -1 : 1;
    int order = features_compare(l->features, r->features, l->feature_count);
    if (order != 0)
        return order;
    if (l->run != r->run)
        return l->run < r->run ? -1 : 1;
    return (l->rank > r->rank) - (l->rank < r->rank);
}

struct ratio *ratios_learn(struct arena *arena, struct samples *samples,
                           const struct regions *regions) {
    struct ratio *ratios = ARENA_ARRAY(arena, struct ratio, (size_t)regions->count);
    for (int i = 0; i < regions->count; i++)
        ratios[i].note = "";
    for (size_t i = 0; i < samples->count; i++)
        samples->items[i].ratio = 1;
    if (samples->count > 0)
        qsort(samples->items, samples->count, sizeof *samples->items, compare_samples);
    for (size_t first = 0, end; first < samples->count; first = end) {
        struct sample *sample = &samples->items[first];
        for (end = first + 1; end < samples->count && samples->items[end].region == sample->region;)
            end++;
        if (!samples->without_ratio)
            learn_region(&ratios[sample->region], arena, sample, end - first, samples->run_count);
    }
    return ratios;
}
