/* SPDX-License-Identifier: Apache-2.0
 *
 * The reader of values in model.bsim; see eval_value.h. A line tells the key, and each answer has a
 * line, with its own reader, and lines behind it. All sizes are checked against limits before
 * memory is asked for.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "model/eval/eval_read.h"
#include "model/eval/eval_value_model.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define LARGEST_EXPONENT 16.0
#define LARGEST_TIMES 1e15

static int fail_memory(struct bsim_reader *reader) {
    return bsim_reader_fail(reader, "out of memory");
}

static int fail_older(struct bsim_reader *reader) {
    return bsim_reader_fail(reader,
                            "this value was written by an older mpiskel: run `mpiskel fit`");
}

/* 0 or 1, as the first or the second word stands there. */
static int read_choice(int *out, const char *first, const char *second,
                       struct bsim_reader *reader) {
    char *word = NULL;
    if (bsim_reader_text(&word, reader, "a word") != 0)
        return -1;
    *out = strcmp(word, second) == 0;
    return *out || strcmp(word, first) == 0
               ? 0
               : bsim_reader_fail(reader, "'%.40s' where '%s' or '%s' was expected", word, first,
                                  second);
}

/* From 0 to below `end`; -1 is allowed if `least` is -1. */
static int read_place(int *out, struct bsim_reader *reader, const char *what, int least, int end) {
    double place = 0;
    if (bsim_reader_number(&place, reader, what, least, end - 1) != 0)
        return -1;
    *out = (int)place;
    return 0;
}

/* ---- Recall ---- */

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

/* N PLACE ..., of `end` places that there are */
static int read_places_list(int **out, int *count, struct bsim_reader *reader, int end) {
    if (bsim_reader_count(count, reader, "the number of places", end) != 0)
        return -1;
    *out = calloc((size_t)*count + 1, sizeof **out);
    if (*out == NULL)
        return fail_memory(reader);
    for (int i = 0; i < *count; i++)
        if (read_place(&(*out)[i], reader, "a place", 0, end) != 0)
            return -1;
    return 0;
}

/* near N PLACE ... */
static int read_near(struct bsim_value_model *value, struct bsim_reader *reader) {
    return read_places_list(&value->key.near, &value->key.near_count, reader,
                            value->key.dimension) != 0
               ? -1
               : bsim_reader_line_end(reader);
}

/* recall N */
static int read_recall(struct bsim_value_model *value, struct bsim_reader *reader) {
    struct bsim_recall *recall = &value->recall;
    int dimension = value->key.dimension;
    if (bsim_reader_count(&recall->count, reader, "the number of vectors", BSIM_VALUE_SEEN_MAX) !=
            0 ||
        bsim_reader_line_end(reader) != 0)
        return -1;
    recall->seen = calloc((size_t)recall->count + 1, sizeof *recall->seen);
    if (recall->seen == NULL)
        return fail_memory(reader);
    for (int i = 0; i < recall->count; i++)
        if (read_seen(&recall->seen[i], dimension, reader) != 0)
            return -1;
    return 0;
}

/* ---- Stretch ---- */

/* stretch steps|clock RANKS N, and of each size: PLACE own|total EXPONENT */
static int read_stretch(struct bsim_value_model *value, struct bsim_reader *reader) {
    struct bsim_stretch *out = &value->stretch;
    int dimension = value->key.dimension;
    value->is_stretched = 1;
    if (read_choice(&out->is_clock, "steps", "clock", reader) != 0 ||
        read_place(&out->ranks, reader, "the place of the number of ranks", 0, BSIM_FEATURES_MAX) !=
            0 ||
        bsim_reader_count(&out->count, reader, "the number of sizes", BSIM_STRETCH_SIZES_MAX) != 0)
        return -1;
    for (int i = 0; i < out->count; i++) {
        if (read_place(&out->sizes[i].place, reader, "the place of a size", 0, dimension) != 0 ||
            read_choice(&out->sizes[i].is_total, "own", "total", reader) != 0 ||
            bsim_reader_number(&out->sizes[i].exponent, reader, "an exponent", -LARGEST_EXPONENT,
                               LARGEST_EXPONENT) != 0)
            return -1;
        if (out->sizes[i].is_total && out->ranks >= dimension)
            return bsim_reader_fail(reader, "no such place in the vectors: %d", out->ranks);
    }
    return bsim_reader_line_end(reader);
}

/* ---- Formula ---- */

static int read_exponent(double *out, struct bsim_reader *reader) {
    if (bsim_reader_number(out, reader, "an exponent", -LARGEST_EXPONENT, BSIM_VALUE_LOGARITHM) !=
        0)
        return -1;
    return *out <= LARGEST_EXPONENT || *out == BSIM_VALUE_LOGARITHM
               ? 0
               : bsim_reader_fail(reader, "an exponent is at most %g, not %g", LARGEST_EXPONENT,
                                  *out);
}

static int read_term(double *term, int dimension, struct bsim_reader *reader) {
    if (bsim_reader_need_line(reader) != 0 || bsim_reader_keyword(reader, "term") != 0 ||
        bsim_reader_number(&term[0], reader, "a coefficient", -BSIM_LARGEST_NUMBER,
                           BSIM_LARGEST_NUMBER) != 0)
        return -1;
    for (int i = 0; i < dimension; i++)
        if (read_exponent(&term[i + 1], reader) != 0)
            return -1;
    return bsim_reader_line_end(reader);
}

static int read_case(struct bsim_value_case *out, int dimension, struct bsim_reader *reader) {
    if (bsim_reader_need_line(reader) != 0 || bsim_reader_keyword(reader, "case") != 0 ||
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

/* formula SPLIT N */
static int read_formula(struct bsim_value_model *value, struct bsim_reader *reader) {
    struct bsim_formula *formula = &value->formula;
    if (read_place(&formula->split, reader, "the feature that splits", -1,
                   value->key.feature_count) != 0 ||
        bsim_reader_count(&formula->count, reader, "the number of cases", BSIM_VALUE_CASES_MAX) !=
            0 ||
        bsim_reader_line_end(reader) != 0)
        return -1;
    formula->cases = calloc((size_t)formula->count + 1, sizeof *formula->cases);
    if (formula->cases == NULL)
        return fail_memory(reader);
    for (int i = 0; i < formula->count; i++)
        if (read_case(&formula->cases[i], value->key.dimension, reader) != 0)
            return -1;
    return 0;
}

/* ---- The others ---- */

/* round LEAST, and perhaps 'binary' */
static int read_round(struct bsim_value_model *value, struct bsim_reader *reader) {
    struct bsim_rounding *rounding = &value->rounding;
    if (bsim_reader_number(&rounding->least, reader, "the least value", -BSIM_LARGEST_NUMBER,
                           BSIM_LARGEST_NUMBER) != 0)
        return -1;
    if (!bsim_reader_more(reader))
        return 0;
    rounding->is_binary = 1;
    return bsim_reader_keyword(reader, "binary") != 0 ? -1 : bsim_reader_line_end(reader);
}

/* error E, and perhaps 'untold' runs|ranks E */
static int read_error(struct bsim_value_model *value, struct bsim_reader *reader) {
    if (bsim_reader_number(&value->error, reader, "an error", -1, BSIM_SPREAD_MAX) != 0)
        return -1;
    if (!bsim_reader_more(reader))
        return 0;
    return bsim_reader_keyword(reader, "untold") != 0 ||
                   read_choice(&value->differs, "runs", "ranks", reader) != 0 ||
                   bsim_reader_number(&value->untold, reader, "an error", 0, BSIM_SPREAD_MAX) != 0
               ? -1
               : bsim_reader_line_end(reader);
}

static const struct {
    const char *word;
    int (*read)(struct bsim_value_model *value, struct bsim_reader *reader);
} answers[] = {{"round", read_round},     {"error", read_error},     {"recall", read_recall},
               {"formula", read_formula}, {"stretch", read_stretch}, {"near", read_near}};

enum { ANSWER_COUNT = sizeof answers / sizeof *answers };

static int read_answer(struct bsim_value_model *value, bool *known, struct bsim_reader *reader) {
    char *word = NULL;
    if (bsim_reader_need_line(reader) != 0 || bsim_reader_text(&word, reader, "an answer") != 0)
        return -1;
    for (int i = 0; i < ANSWER_COUNT; i++) {
        if (strcmp(word, answers[i].word) != 0)
            continue;
        if (known[i])
            return bsim_reader_fail(reader, "'%s' stands there twice", word);
        known[i] = true;
        return answers[i].read(value, reader);
    }
    if (strcmp(word, "nearest") == 0 || strcmp(word, "scatter") == 0 || strcmp(word, "range") == 0)
        return fail_older(reader);
    return bsim_reader_fail(reader,
                            "'%.40s' where 'round', 'error', 'recall', 'formula', 'near' or "
                            "'stretch' was expected",
                            word);
}

/* ---- The key ---- */

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

/* KEYWORD N PLACE ... */
static int read_places_of(int **out, int *count, struct bsim_reader *reader, const char *keyword,
                          int end) {
    return bsim_reader_keyword(reader, keyword) != 0 ? -1
                                                     : read_places_list(out, count, reader, end);
}

static int read_context(struct bsim_key *key, struct bsim_reader *reader) {
    if (bsim_reader_keyword(reader, "context") != 0 ||
        bsim_reader_count(&key->context_count, reader, "the size of the context",
                          BSIM_FEATURES_MAX) != 0)
        return -1;
    key->dimension = key->feature_count + key->context_count;
    key->context = calloc((size_t)key->context_count + 1, sizeof *key->context);
    if (key->context == NULL)
        return fail_memory(reader);
    for (int i = 0; i < key->context_count; i++) {
        char *word = NULL;
        if (bsim_reader_text(&word, reader, "a name of the context") != 0)
            return -1;
        key->context[i] = strdup(word);
        if (key->context[i] == NULL)
            return fail_memory(reader);
    }
    return 0;
}

/* once N PLACE ... without N PLACE ..., or nothing */
static int read_once(struct bsim_key *key, struct bsim_reader *reader) {
    if (!bsim_reader_more(reader))
        return 0;
    return read_places_of(&key->once, &key->once_count, reader, "once", key->feature_count) != 0 ||
                   read_places_of(&key->differs, &key->differ_count, reader, "without",
                                  key->feature_count) != 0
               ? -1
               : bsim_reader_line_end(reader);
}

static int read_answer_count(int *out, struct bsim_key *key, struct bsim_reader *reader) {
    char *word = NULL;
    if (bsim_reader_text(&word, reader, "'answers'") != 0)
        return -1;
    if (strcmp(word, "unit") == 0)
        return fail_older(reader);
    if (strcmp(word, "answers") != 0)
        return bsim_reader_fail(reader, "'%.40s' where 'answers' was expected", word);
    return bsim_reader_count(out, reader, "the number of answers", ANSWER_COUNT) != 0 ||
                   read_places_of(&key->places, &key->place_count, reader, "key", key->dimension) !=
                       0
               ? -1
               : read_once(key, reader);
}

/* ID KIND features N context N NAME ... answers N key N PLACE ..., and perhaps 'once' */
static int read_first_line(int *answer_count, struct bsim_value_model *value,
                           struct bsim_reader *reader) {
    struct bsim_key *key = &value->key;
    char *id = NULL;
    return bsim_reader_text(&id, reader, "a value's id") != 0 ||
                   read_kind(&value->kind, reader) != 0 ||
                   bsim_reader_keyword(reader, "features") != 0 ||
                   bsim_reader_count(&key->feature_count, reader, "the number of features",
                                     BSIM_FEATURES_MAX) != 0 ||
                   read_context(key, reader) != 0
               ? -1
               : read_answer_count(answer_count, key, reader);
}

static int make_indices(struct bsim_value_model *value, struct bsim_reader *reader) {
    struct bsim_recall *recall = &value->recall;
    const struct bsim_key *key = &value->key;
    if ((recall->seen != NULL && bsim_index_make(&recall->index, recall->seen, recall->count,
                                                 key->places, key->place_count) != 0) ||
        (recall->seen != NULL && key->near != NULL &&
         bsim_index_make(&recall->near, recall->seen, recall->count, key->near, key->near_count) !=
             0))
        return fail_memory(reader);
    return 0;
}

static int is_flag(const struct bsim_value_seen *seen) {
    for (int i = 0; i < seen->repeat_count; i++)
        if (seen->repeats[i].number != 0 && seen->repeats[i].number != 1)
            return 0;
    return seen->repeat_count > 0;
}

static void find_shares(struct bsim_value_model *value) {
    const struct bsim_recall *recall = &value->recall;
    value->least_share = 1;
    value->is_flag = recall->count > 0 && value->kind == BSIM_VALUE_KIND_INTEGER;
    for (int i = 0; i < recall->count && value->is_flag; i++) {
        value->is_flag = is_flag(&recall->seen[i]);
        value->least_share = fmin(value->least_share, recall->seen[i].mean);
        value->most_share = fmax(value->most_share, recall->seen[i].mean);
    }
}

int bsim_value_read(struct bsim_value_model **out, struct bsim_reader *reader) {
    bool known[ANSWER_COUNT] = {false};
    int count = 0;
    struct bsim_value_model *value = *out = calloc(1, sizeof **out);
    if (value == NULL)
        return fail_memory(reader);
    value->error = -1;
    if (read_first_line(&count, value, reader) != 0)
        return -1;
    for (int i = 0; i < count; i++)
        if (read_answer(value, known, reader) != 0)
            return -1;
    find_shares(value);
    return make_indices(value, reader);
}

void bsim_value_free(struct bsim_value_model *value) {
    if (value == NULL)
        return;
    for (int i = 0; value->formula.cases != NULL && i < value->formula.count; i++)
        free(value->formula.cases[i].terms);
    for (int i = 0; value->recall.seen != NULL && i < value->recall.count; i++) {
        free(value->recall.seen[i].vector);
        free(value->recall.seen[i].repeats);
    }
    for (int i = 0; value->key.context != NULL && i < value->key.context_count; i++)
        free(value->key.context[i]);
    bsim_index_dispose(&value->recall.index);
    bsim_index_dispose(&value->recall.near);
    free(value->key.context);
    free(value->key.places);
    free(value->key.near);
    free(value->key.once);
    free(value->key.differs);
    free(value->recall.seen);
    free(value->formula.cases);
    free(value);
}
