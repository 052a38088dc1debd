/* SPDX-License-Identifier: Apache-2.0
 *
 * The reader and evaluator of values in model.bsim; see eval_value.h. All sizes are checked against
 * limits before memory is asked for.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "model/eval_value.h"

#include "model/eval.h"
#include "model/eval_draw.h"
#include "model/eval_position.h"
#include "model/eval_read.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define LARGEST_EXPONENT 16.0
#define LARGEST_TIMES 1e15

/* One formula: `count` terms, each a coefficient and one exponent per number of the vector. */
struct formula {
    double number; /* of the feature that splits; of no meaning if none does */
    int term_count;
    double *terms;
};

struct bsim_value_model {
    enum bsim_value_kind kind;
    int feature_count, context_count, dimension;
    char **context;
    double unit, least;
    int split; /* the feature, or -1 */
    int formula_count, seen_count;
    struct formula *formulas;
    struct bsim_value_seen *seen;
    int prefix_count, prefix_dimension; /* vectors of which the first numbers count only */
    int is_as_nearest;
    struct bsim_value_seen *prefixes;
    int position_split; /* the feature, or -1 */
    int position_count;
    struct bsim_position *positions;
    int is_binary, follows, is_decided, has_draws;
    double error; /* negative: not known */
    struct bsim_draws draws;
};

const char *bsim_value_kind_name(enum bsim_value_kind kind) {
    static const char *const names[] = {"integer", "floating", "branch", "trips"};
    return names[kind];
}

/* ---- Reading ---- */

static int read_kind(enum bsim_value_kind *out, struct bsim_reader *reader) {
    char *word = NULL;
    if (bsim_reader_text(&word, reader, "the kind of value") != 0)
        return -1;
    for (int kind = 0; kind < BSIM_VALUE_KIND_COUNT; kind++) {
        *out = (enum bsim_value_kind)kind;
        if (strcmp(word, bsim_value_kind_name(*out)) == 0)
            return 0;
    }
    return bsim_reader_fail(reader, "'%.40s' is no kind of value", word);
}

static int fail_memory(struct bsim_reader *reader) {
    return bsim_reader_fail(reader, "out of memory");
}

static int read_context(struct bsim_value_model *value, struct bsim_reader *reader) {
    if (bsim_reader_keyword(reader, "context") != 0 ||
        bsim_reader_count(&value->context_count, reader, "the size of the context",
                          BSIM_FEATURES_MAX) != 0)
        return -1;
    value->dimension = value->feature_count + value->context_count;
    value->context = calloc((size_t)value->context_count + 1, sizeof *value->context);
    if (value->context == NULL)
        return fail_memory(reader);
    for (int i = 0; i < value->context_count; i++) {
        char *word = NULL;
        if (bsim_reader_text(&word, reader, "a name of the context") != 0)
            return -1;
        value->context[i] = strdup(word);
        if (value->context[i] == NULL)
            return fail_memory(reader);
    }
    return 0;
}

static int read_positions(struct bsim_value_model *value, struct bsim_reader *reader) {
    double split = -1;
    if (bsim_reader_number(&split, reader, "the feature that splits positions", -1,
                           value->feature_count - 1) != 0)
        return -1;
    value->position_split = (int)split;
    return bsim_reader_count(&value->position_count, reader, "the number of positions",
                             BSIM_VALUE_CASES_MAX);
}

static int read_prefixes(struct bsim_value_model *value, struct bsim_reader *reader) {
    if (bsim_reader_count(&value->prefix_count, reader, "the number of shorter vectors",
                          BSIM_VALUE_SEEN_MAX) != 0)
        return -1;
    return bsim_reader_count(&value->prefix_dimension, reader, "the length of shorter vectors",
                             value->dimension);
}

/* binary prefixes N D nearest positions F N follows decided error E draws; each is left away where
 * there is none */
static int read_extras(struct bsim_value_model *value, struct bsim_reader *reader) {
    while (bsim_reader_more(reader)) {
        char *word = NULL;
        if (bsim_reader_text(&word, reader, "what comes behind the vectors") != 0)
            return -1;
        if (strcmp(word, "draws") == 0)
            value->has_draws = 1;
        else if (strcmp(word, "follows") == 0)
            value->follows = 1;
        else if (strcmp(word, "decided") == 0)
            value->is_decided = 1;
        else if (strcmp(word, "binary") == 0)
            value->is_binary = 1;
        else if (strcmp(word, "nearest") == 0)
            value->is_as_nearest = 1;
        else if (strcmp(word, "prefixes") == 0 && read_prefixes(value, reader) != 0)
            return -1;
        else if (strcmp(word, "error") == 0 &&
                 bsim_reader_number(&value->error, reader, "an error", 0, BSIM_SPREAD_MAX) != 0)
            return -1;
        else if (strcmp(word, "positions") == 0 && read_positions(value, reader) != 0)
            return -1;
        else if (strcmp(word, "prefixes") != 0 && strcmp(word, "positions") != 0 &&
                 strcmp(word, "error") != 0)
            return bsim_reader_fail(reader,
                                    "'%.40s' where 'binary', 'prefixes', 'nearest', 'positions', "
                                    "'follows', 'decided', 'error' or 'draws' was expected",
                                    word);
    }
    return 0;
}

/* unit U least L split F formulas N seen M */
static int read_numbers(struct bsim_value_model *value, struct bsim_reader *reader) {
    double split = -1;
    if (bsim_reader_keyword(reader, "unit") != 0 ||
        bsim_reader_number(&value->unit, reader, "the unit", 1, BSIM_LARGEST_NUMBER) != 0 ||
        bsim_reader_keyword(reader, "least") != 0 ||
        bsim_reader_number(&value->least, reader, "the least value", -BSIM_LARGEST_NUMBER,
                           BSIM_LARGEST_NUMBER) != 0 ||
        bsim_reader_keyword(reader, "split") != 0 ||
        bsim_reader_number(&split, reader, "the feature that splits", -1,
                           value->feature_count - 1) != 0 ||
        bsim_reader_keyword(reader, "formulas") != 0 ||
        bsim_reader_count(&value->formula_count, reader, "the number of formulas",
                          BSIM_VALUE_CASES_MAX) != 0 ||
        bsim_reader_keyword(reader, "seen") != 0 ||
        bsim_reader_count(&value->seen_count, reader, "the number of vectors",
                          BSIM_VALUE_SEEN_MAX) != 0 ||
        read_extras(value, reader) != 0)
        return -1;
    value->split = (int)split;
    return bsim_reader_line_end(reader);
}

static int read_term(double *term, int dimension, struct bsim_reader *reader) {
    if (bsim_reader_need_line(reader) != 0 || bsim_reader_keyword(reader, "term") != 0 ||
        bsim_reader_number(&term[0], reader, "a coefficient", -BSIM_LARGEST_NUMBER,
                           BSIM_LARGEST_NUMBER) != 0)
        return -1;
    for (int i = 0; i < dimension; i++)
        if (bsim_reader_number(&term[i + 1], reader, "an exponent", -LARGEST_EXPONENT,
                               LARGEST_EXPONENT) != 0)
            return -1;
    return bsim_reader_line_end(reader);
}

static int read_formula(struct formula *out, int dimension, struct bsim_reader *reader) {
    if (bsim_reader_need_line(reader) != 0 || bsim_reader_keyword(reader, "formula") != 0 ||
        bsim_reader_number(&out->number, reader, "a feature", -BSIM_LARGEST_NUMBER,
                           BSIM_LARGEST_NUMBER) != 0 ||
        bsim_reader_keyword(reader, "terms") != 0 ||
        bsim_reader_count(&out->term_count, reader, "the number of terms", BSIM_TERMS_MAX) != 0 ||
        bsim_reader_line_end(reader) != 0)
        return -1;
    size_t length = (size_t)dimension + 1;
    out->terms = calloc((size_t)out->term_count * length + 1, sizeof *out->terms);
    if (out->terms == NULL)
        return fail_memory(reader);
    for (int i = 0; i < out->term_count; i++)
        if (read_term(out->terms + (size_t)i * length, dimension, reader) != 0)
            return -1;
    return 0;
}

static int read_repeats(struct bsim_value_seen *out, struct bsim_reader *reader) {
    if (bsim_reader_count(&out->repeat_count, reader, "the length of the pattern",
                          BSIM_VALUE_REPEATS_MAX) != 0)
        return -1;
    out->repeats = calloc((size_t)out->repeat_count + 1, sizeof *out->repeats);
    if (out->repeats == NULL)
        return fail_memory(reader);
    for (int i = 0; i < out->repeat_count; i++)
        if (bsim_reader_number(&out->repeats[i].number, reader, "a value", -BSIM_LARGEST_NUMBER,
                               BSIM_LARGEST_NUMBER) != 0 ||
            bsim_reader_number(&out->repeats[i].times, reader, "how often it came", 1,
                               LARGEST_TIMES) != 0)
            return -1;
    return bsim_reader_line_end(reader);
}

static int read_seen(struct bsim_value_seen *out, int dimension, struct bsim_reader *reader) {
    if (bsim_reader_need_line(reader) != 0 || bsim_reader_keyword(reader, "seen") != 0)
        return -1;
    out->vector = calloc((size_t)dimension + 1, sizeof *out->vector);
    if (out->vector == NULL)
        return fail_memory(reader);
    for (int i = 0; i < dimension; i++)
        if (bsim_reader_number(&out->vector[i], reader, "a feature", -BSIM_LARGEST_NUMBER,
                               BSIM_LARGEST_NUMBER) != 0)
            return -1;
    if (bsim_reader_keyword(reader, "mean") != 0 ||
        bsim_reader_number(&out->mean, reader, "the mean", -BSIM_LARGEST_NUMBER,
                           BSIM_LARGEST_NUMBER) != 0 ||
        bsim_reader_keyword(reader, "pattern") != 0)
        return -1;
    return read_repeats(out, reader);
}

static int read_lists(struct bsim_value_model *value, struct bsim_reader *reader) {
    value->formulas = calloc((size_t)value->formula_count + 1, sizeof *value->formulas);
    value->seen = calloc((size_t)value->seen_count + 1, sizeof *value->seen);
    value->prefixes = calloc((size_t)value->prefix_count + 1, sizeof *value->prefixes);
    value->positions = calloc((size_t)value->position_count + 1, sizeof *value->positions);
    if (value->formulas == NULL || value->seen == NULL || value->prefixes == NULL ||
        value->positions == NULL)
        return fail_memory(reader);
    for (int i = 0; i < value->formula_count; i++)
        if (read_formula(&value->formulas[i], value->dimension, reader) != 0)
            return -1;
    for (int i = 0; i < value->seen_count; i++)
        if (read_seen(&value->seen[i], value->dimension, reader) != 0)
            return -1;
    for (int i = 0; i < value->prefix_count; i++)
        if (read_seen(&value->prefixes[i], value->prefix_dimension, reader) != 0)
            return -1;
    for (int i = 0; i < value->position_count; i++)
        if (bsim_position_read(&value->positions[i], reader) != 0)
            return -1;
    return value->has_draws ? bsim_draws_read(&value->draws, reader) : 0;
}

static int read_value(struct bsim_value_model *value, struct bsim_reader *reader) {
    char *id = NULL;
    if (bsim_reader_text(&id, reader, "a value's id") != 0 ||
        read_kind(&value->kind, reader) != 0 || bsim_reader_keyword(reader, "features") != 0 ||
        bsim_reader_count(&value->feature_count, reader, "the number of features",
                          BSIM_FEATURES_MAX) != 0 ||
        read_context(value, reader) != 0 || read_numbers(value, reader) != 0)
        return -1;
    return read_lists(value, reader);
}

int bsim_value_read(struct bsim_value_model **out, struct bsim_reader *reader) {
    *out = calloc(1, sizeof **out);
    if (*out == NULL)
        return fail_memory(reader);
    (*out)->error = -1;
    return read_value(*out, reader);
}

static void free_seen(struct bsim_value_seen *seen, int count) {
    for (int i = 0; seen != NULL && i < count; i++) {
        free(seen[i].vector);
        free(seen[i].repeats);
    }
    free(seen);
}

void bsim_value_free(struct bsim_value_model *value) {
    if (value == NULL)
        return;
    for (int i = 0; value->formulas != NULL && i < value->formula_count; i++)
        free(value->formulas[i].terms);
    free_seen(value->seen, value->seen_count);
    free_seen(value->prefixes, value->prefix_count);
    for (int i = 0; value->context != NULL && i < value->context_count; i++)
        free(value->context[i]);
    for (int i = 0; value->positions != NULL && i < value->position_count; i++)
        free(value->positions[i].density);
    free(value->positions);
    free(value->context);
    free(value->formulas);
    free(value);
}

/* ---- Questions ---- */

enum bsim_value_kind bsim_value_kind(const struct bsim_value_model *value) {
    return value->kind;
}

int bsim_value_feature_count(const struct bsim_value_model *value) {
    return value->feature_count;
}

int bsim_value_context_count(const struct bsim_value_model *value) {
    return value->context_count;
}

const char *bsim_value_context_name(const struct bsim_value_model *value, int index) {
    return value->context[index];
}

double bsim_value_unit(const struct bsim_value_model *value) {
    return value->unit;
}

double bsim_value_least(const struct bsim_value_model *value) {
    return value->least;
}

int bsim_value_is_binary(const struct bsim_value_model *value) {
    return value->is_binary;
}

static bool begins_with(const double *vector, const double *beginning, int dimension) {
    int same = 0;
    while (same < dimension && vector[same] == beginning[same])
        same++;
    return same == dimension;
}

static const struct bsim_value_seen *find_seen(const struct bsim_value_seen *all, int count,
                                               const double *vector, int dimension) {
    for (int i = 0; i < count; i++)
        if (begins_with(vector, all[i].vector, dimension))
            return &all[i];
    return NULL;
}

double bsim_value_distance(const double *left, const double *right, int dimension) {
    double sum = 0;
    for (int i = 0; i < dimension; i++)
        sum += fabs(asinh(left[i]) - asinh(right[i]));
    return sum;
}

/* Of those with a pattern whose first `alike` numbers are the same; and with a mean to divide by,
 * if it is to be scaled. */
static const struct bsim_value_seen *find_nearest(const struct bsim_value_seen *all, int count,
                                                  const double *vector, int dimension, int alike,
                                                  bool is_scaled) {
    const struct bsim_value_seen *best = NULL;
    double distance = INFINITY;
    for (int i = 0; i < count; i++) {
        const struct bsim_value_seen *seen = &all[i];
        if (seen->repeat_count == 0 || (is_scaled && seen->mean == 0) ||
            !begins_with(vector, seen->vector, alike))
            continue;
        double here = bsim_value_distance(seen->vector, vector, dimension);
        if (here < distance) {
            best = seen;
            distance = here;
        }
    }
    return best;
}

/* The formula of the nearest number of the feature that splits. */
static const struct formula *choose(const struct bsim_value_model *value, const double *vector) {
    const struct formula *best = NULL;
    double distance = INFINITY;
    for (int i = 0; i < value->formula_count; i++) {
        double here =
            value->split >= 0 ? fabs(value->formulas[i].number - vector[value->split]) : 0;
        if (here < distance) {
            best = &value->formulas[i];
            distance = here;
        }
    }
    return best;
}

/* The numbers that the formula goes by are the same; 0 if it goes by none. */
static int goes_by_the_same(const struct bsim_value_model *value, const struct formula *formula,
                            const double *left, const double *right) {
    int used = 0;
    for (int j = 0; j < value->dimension; j++) {
        int is_used = j == value->split;
        for (int i = 0; i < formula->term_count; i++)
            is_used |=
                formula->terms[(size_t)i * ((size_t)value->dimension + 1) + 1 + (size_t)j] != 0;
        if (is_used && left[j] != right[j])
            return 0;
        used |= is_used && j != value->split;
    }
    return used;
}

static const struct bsim_value_seen *find_decided(const struct bsim_value_model *value,
                                                  const double *vector) {
    const struct formula *formula = value->is_decided ? choose(value, vector) : NULL;
    for (int i = 0; formula != NULL && i < value->seen_count; i++)
        if (goes_by_the_same(value, formula, value->seen[i].vector, vector))
            return &value->seen[i];
    return NULL;
}

/* By which factor a number leaves the range of what was seen in its place. */
static double factor_out_of_range(const struct bsim_value_model *value, int place, double number) {
    double least = INFINITY, most = -INFINITY;
    for (int i = 0; i < value->seen_count; i++) {
        least = fmin(least, value->seen[i].vector[place]);
        most = fmax(most, value->seen[i].vector[place]);
    }
    if (value->seen_count == 0 || (number >= least && number <= most))
        return 1;
    double end = number < least ? least : most;
    return end * number > 0 ? fmax(number / end, end / number)
                            : exp(fabs(asinh(number) - asinh(end)));
}

double bsim_value_doubt(const struct bsim_value_model *value, const double *vector) {
    double factor = 1;
    if (find_seen(value->seen, value->seen_count, vector, value->dimension) != NULL ||
        find_decided(value, vector) != NULL)
        return 0;
    for (int j = 0; j < value->dimension; j++)
        factor = fmax(factor, factor_out_of_range(value, j, vector[j]));
    return isfinite(factor) ? factor : 1;
}

double bsim_value_error(const struct bsim_value_model *value) {
    return value->error;
}

const struct bsim_value_seen *bsim_value_seen(const struct bsim_value_model *value,
                                              const double *vector) {
    const struct bsim_value_seen *found =
        find_seen(value->seen, value->seen_count, vector, value->dimension);
    if (found == NULL)
        found = find_decided(value, vector);
    if (found == NULL && value->is_as_nearest)
        found = find_nearest(value->seen, value->seen_count, vector, value->dimension,
                             value->prefix_dimension, false);
    if (found == NULL)
        found = find_seen(value->prefixes, value->prefix_count, vector, value->prefix_dimension);
    return found;
}

const struct bsim_value_seen *bsim_value_followed(const struct bsim_value_model *value,
                                                  const double *vector) {
    if (!value->follows)
        return NULL;
    return value->prefix_count > 0
               ? find_nearest(value->prefixes, value->prefix_count, vector, value->prefix_dimension,
                              0, true)
               : find_nearest(value->seen, value->seen_count, vector, value->dimension, 0, true);
}

double bsim_value_formula(const struct bsim_value_model *value, const double *vector) {
    const struct formula *formula = choose(value, vector);
    double sum = 0;
    if (formula == NULL)
        return NAN;
    for (int i = 0; i < formula->term_count; i++) {
        const double *term = formula->terms + (size_t)i * ((size_t)value->dimension + 1);
        double product = term[0];
        for (int j = 0; j < value->dimension; j++)
            if (term[j + 1] != 0)
                product *= pow(vector[j], term[j + 1]);
        sum += product;
    }
    return sum;
}

int bsim_value_has_position(const struct bsim_value_model *value) {
    return value->position_count > 0;
}

/* Numbers of the feature that have no factor of their own have none. */
double bsim_value_position(const struct bsim_value_model *value, const double *vector, int rank,
                           int ranks) {
    for (int i = 0; i < value->position_count; i++) {
        const struct bsim_position *position = &value->positions[i];
        if (value->position_split < 0 || position->number == vector[value->position_split])
            return bsim_position_factor(position, rank, ranks);
    }
    return 1;
}

const struct bsim_draws *bsim_value_draws(const struct bsim_value_model *value) {
    return &value->draws;
}
