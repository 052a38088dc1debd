/* SPDX-License-Identifier: Apache-2.0
 *
 * The reader of values in model.bsim; see eval_value.h. All sizes are checked against limits before
 * memory is asked for.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "model/eval/eval.h"
#include "model/eval/eval_read.h"
#include "model/eval/eval_run_factor.h"
#include "model/eval/eval_value_model.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define LARGEST_EXPONENT 16.0
#define LARGEST_TIMES 1e15

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

static int read_total(struct bsim_value_model *value, struct bsim_reader *reader) {
    double total = -1;
    int feature, region;
    struct bsim_value_metric *metric = &value->metric;
    metric->first_size = value->feature_count;
    while (metric->first_size < value->dimension &&
           !bsim_scale_is_of_region(value->context[metric->first_size - value->feature_count],
                                    &feature, &region))
        metric->first_size++;
    if (value->context_count == 0 || strcmp(value->context[0], "ranks") != 0)
        return bsim_reader_fail(reader, "'total' without 'ranks' in the context");
    metric->ranks = value->feature_count;
    if (bsim_reader_number(&total, reader, "the place of the total", metric->first_size,
                           value->dimension - 1) != 0)
        return -1;
    metric->total = (int)total;
    return 0;
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

/* stretch clock|steps ranks PLACE sizes N; and of each: PLACE own|total EXPONENT */
static int read_stretch(struct bsim_value_model *value, struct bsim_reader *reader) {
    struct bsim_stretch *stretch = &value->stretch;
    double place = 0;
    if (read_choice(&stretch->is_clock, "steps", "clock", reader) != 0 ||
        bsim_reader_keyword(reader, "ranks") != 0 ||
        bsim_reader_number(&place, reader, "the place of the number of ranks", 0,
                           BSIM_FEATURES_MAX) != 0 ||
        bsim_reader_keyword(reader, "sizes") != 0 ||
        bsim_reader_count(&stretch->count, reader, "the number of sizes", BSIM_STRETCH_SIZES_MAX) !=
            0)
        return -1;
    stretch->ranks = (int)place;
    for (int i = 0; i < stretch->count; i++) {
        if (stretch->ranks >= value->dimension)
            return bsim_reader_fail(reader, "no such place in the vectors: %d", stretch->ranks);
        if (bsim_reader_number(&place, reader, "the place of a size", 0, value->dimension - 1) !=
                0 ||
            read_choice(&stretch->sizes[i].is_total, "own", "total", reader) != 0 ||
            bsim_reader_number(&stretch->sizes[i].exponent, reader, "an exponent",
                               -LARGEST_EXPONENT, LARGEST_EXPONENT) != 0)
            return -1;
        stretch->sizes[i].place = (int)place;
    }
    value->is_stretched = 1;
    value->metric.stretch = &value->stretch;
    return 0;
}

/* irrelevant N PLACE ... */
static int read_irrelevant(struct bsim_value_model *value, struct bsim_reader *reader) {
    int count = 0;
    if (bsim_reader_count(&count, reader, "the number of irrelevant features",
                          value->feature_count) != 0)
        return -1;
    for (int i = 0; i < count; i++) {
        double place = 0;
        if (bsim_reader_number(&place, reader, "an irrelevant feature", 0,
                               value->feature_count - 1) != 0)
            return -1;
        value->irrelevant[(int)place] = 1;
    }
    return 0;
}

/* N PLACE ..., of `most` places that there are */
static int read_places(int **out, int *out_count, int most, struct bsim_reader *reader) {
    int count = 0;
    if (*out != NULL)
        return bsim_reader_fail(reader, "the same list of places stands there twice");
    if (bsim_reader_count(&count, reader, "the number of places", most) != 0)
        return -1;
    int *places = *out = calloc((size_t)count + 1, sizeof *places);
    if (places == NULL)
        return fail_memory(reader);
    for (int i = 0; i < count; i++) {
        double place = 0;
        if (bsim_reader_number(&place, reader, "a place", 0, most - 1) != 0)
            return -1;
        places[i] = (int)place;
    }
    *out_count = count;
    return 0;
}

static int read_extra(struct bsim_value_model *value, const char *word,
                      struct bsim_reader *reader) {
    const struct {
        const char *word;
        int *flag;
    } flags[] = {{"draws", &value->has_draws},    {"follows", &value->follows},
                 {"decided", &value->is_decided}, {"binary", &value->is_binary},
                 {"clock", &value->is_clock},     {"nearest", &value->is_as_nearest}};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (strcmp(word, flags[i].word) == 0) {
            *flags[i].flag = 1;
            return 0;
        }
    if (strcmp(word, "prefixes") == 0)
        return read_prefixes(value, reader);
    if (strcmp(word, "positions") == 0)
        return read_positions(value, reader);
    if (strcmp(word, "error") == 0)
        return bsim_reader_number(&value->error, reader, "an error", 0, BSIM_SPREAD_MAX);
    if (strcmp(word, "untold") == 0)
        return read_choice(&value->differs, "runs", "ranks", reader) != 0
                   ? -1
                   : bsim_reader_number(&value->untold, reader, "an error", 0, BSIM_SPREAD_MAX);
    if (strcmp(word, "total") == 0)
        return read_total(value, reader);
    if (strcmp(word, "stretch") == 0)
        return read_stretch(value, reader);
    if (strcmp(word, "irrelevant") == 0)
        return read_irrelevant(value, reader);
    if (strcmp(word, "relevant") == 0)
        return read_places(&value->relevant, &value->relevant_count, value->dimension, reader);
    if (strcmp(word, "once") == 0)
        return read_places(&value->once, &value->once_count, value->feature_count, reader);
    return bsim_reader_fail(
        reader,
        "'%.40s' where 'binary', 'clock', 'untold', 'prefixes', 'nearest', 'positions', "
        "'follows', 'decided', 'error', 'total', 'irrelevant', 'relevant', "
        "'once', 'stretch' or 'draws' was "
        "expected",
        word);
}

/* binary clock untold runs|ranks E prefixes N D nearest positions F N follows decided error E total
 * T irrelevant N ... relevant N ... once N ... stretch ... draws; each is left away where there is
 * none
 */
static int read_extras(struct bsim_value_model *value, struct bsim_reader *reader) {
    while (bsim_reader_more(reader)) {
        char *word = NULL;
        if (bsim_reader_text(&word, reader, "what comes behind the vectors") != 0 ||
            read_extra(value, word, reader) != 0)
            return -1;
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

static int read_formula(struct bsim_value_formula *out, int dimension, struct bsim_reader *reader) {
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
    return value->has_draws ? bsim_draws_read(&value->draws, reader, value->dimension) : 0;
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

static int make_indices(struct bsim_value_model *value, struct bsim_reader *reader) {
    int relevant = value->relevant_count;
    bool made =
        bsim_index_make(&value->by_vector, value->seen, value->seen_count, NULL,
                        value->dimension) == 0 &&
        bsim_index_make(&value->by_prefix, value->prefixes, value->prefix_count, NULL,
                        value->prefix_dimension) == 0 &&
        (relevant == 0 || bsim_index_make(&value->by_relevant, value->seen, value->seen_count,
                                          value->relevant, relevant) == 0);
    return made ? 0 : fail_memory(reader);
}

int bsim_value_read(struct bsim_value_model **out, struct bsim_reader *reader) {
    *out = calloc(1, sizeof **out);
    if (*out == NULL)
        return fail_memory(reader);
    (*out)->error = (*out)->metric.total = -1;
    return read_value(*out, reader) == 0 ? make_indices(*out, reader) : -1;
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
    bsim_index_dispose(&value->by_vector);
    bsim_index_dispose(&value->by_relevant);
    bsim_index_dispose(&value->by_prefix);
    free(value->relevant);
    free(value->once);
    free(value->formulas);
    free(value);
}
