/* SPDX-License-Identifier: Apache-2.0
 *
 * The reader and evaluator of model.bsim; see eval.h.
 *
 * Each region's terms become a flat list of factors: exponents of zero are dropped and the usual
 * exponents are told apart once, here, so that evaluation is a few multiplications. Numbers are
 * read in the "C" locale, whatever the application has set. All sizes are checked against limits
 * before memory is asked for, and memory that is not given is an error text, not an abort.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "model/eval.h"

#include "model/eval_read.h"
#include "model/eval_value.h"

#include <float.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define LARGEST_EXPONENT 16.0

enum power { POWER_1, POWER_2, POWER_3, POWER_HALF, POWER_3_HALVES, POWER_ANY };

struct factor {
    double exponent;
    int feature;
    enum power power;
};

struct term {
    double coefficient_s;
    int factor_count;
};

struct bsim_region_model {
    char *id;
    int feature_count, term_count;
    double *ranges; /* minimum and maximum of each feature in turn */
    struct term *terms;
    struct factor *factors; /* of all terms, one after the other */
};

struct bsim_model {
    char *machine;
    struct bsim_region_model **regions; /* by index; NULL: no model */
    struct bsim_value_model **values;   /* likewise */
    int region_count;
};

/* ---- Regions ---- */

static enum power power_of(double exponent) {
    static const struct {
        double exponent;
        enum power power;
    } usual[] = {
        {1, POWER_1}, {2, POWER_2}, {3, POWER_3}, {0.5, POWER_HALF}, {1.5, POWER_3_HALVES}};
    for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++)
        if (usual[i].exponent == exponent)
            return usual[i].power;
    return POWER_ANY;
}

static void region_free(struct bsim_region_model *region) {
    if (region == NULL)
        return;
    free(region->id);
    free(region->ranges);
    free(region->terms);
    free(region->factors);
    free(region);
}

static struct bsim_region_model *region_new(const char *id, int feature_count, int term_count) {
    struct bsim_region_model *region = calloc(1, sizeof *region);
    if (region == NULL)
        return NULL;
    size_t features = (size_t)feature_count, terms = (size_t)term_count;
    region->id = strdup(id);
    region->feature_count = feature_count;
    region->term_count = term_count;
    region->ranges = calloc(2 * features + 1, sizeof *region->ranges);
    region->terms = calloc(terms + 1, sizeof *region->terms);
    region->factors = calloc(terms * features + 1, sizeof *region->factors);
    if (region->id != NULL && region->ranges != NULL && region->terms != NULL &&
        region->factors != NULL)
        return region;
    region_free(region);
    return NULL;
}

static int read_ranges(struct bsim_region_model *region, struct bsim_reader *reader) {
    if (bsim_reader_keyword(reader, "range") != 0)
        return -1;
    for (int i = 0; i < region->feature_count; i++) {
        double *range = &region->ranges[2 * i];
        if (bsim_reader_number(&range[0], reader, "a feature's minimum", -BSIM_LARGEST_NUMBER,
                               BSIM_LARGEST_NUMBER) != 0 ||
            bsim_reader_number(&range[1], reader, "a feature's maximum", range[0],
                               BSIM_LARGEST_NUMBER) != 0)
            return -1;
    }
    return bsim_reader_line_end(reader);
}

/* `*used` counts the factors of the region so far. */
static int read_term(struct bsim_region_model *region, struct term *term, size_t *used,
                     struct bsim_reader *reader) {
    if (bsim_reader_need_line(reader) != 0 || bsim_reader_keyword(reader, "term") != 0 ||
        bsim_reader_number(&term->coefficient_s, reader, "a coefficient", 0, BSIM_LARGEST_NUMBER) !=
            0)
        return -1;
    for (int i = 0; i < region->feature_count; i++) {
        double exponent = 0;
        if (bsim_reader_number(&exponent, reader, "an exponent", 0, LARGEST_EXPONENT) != 0)
            return -1;
        if (exponent == 0)
            continue;
        region->factors[(*used)++] =
            (struct factor){.exponent = exponent, .feature = i, .power = power_of(exponent)};
        term->factor_count++;
    }
    return bsim_reader_line_end(reader);
}

static int read_region_body(struct bsim_region_model *region, struct bsim_reader *reader) {
    if (read_ranges(region, reader) != 0)
        return -1;
    size_t used = 0;
    for (int i = 0; i < region->term_count; i++)
        if (read_term(region, &region->terms[i], &used, reader) != 0)
            return -1;
    return 0;
}

static void *enlarge(void *old, size_t old_count, size_t count, size_t size) {
    char *items = realloc(old, count * size);
    if (items != NULL)
        memset(items + old_count * size, 0, (count - old_count) * size);
    return items;
}

static int model_reserve(struct bsim_model *model, int index) {
    if (index < model->region_count)
        return 0;
    size_t had = (size_t)model->region_count, count = (size_t)index + (size_t)index / 2 + 16;
    void *regions = enlarge(model->regions, had, count, sizeof *model->regions);
    if (regions == NULL)
        return -1;
    model->regions = regions;
    void *values = enlarge(model->values, had, count, sizeof *model->values);
    if (values == NULL)
        return -1;
    model->values = values;
    model->region_count = (int)count;
    return 0;
}

static int read_index(int *out, struct bsim_model *model, struct bsim_reader *reader) {
    if (bsim_reader_count(out, reader, "a region's index", BSIM_REGIONS_MAX - 1) != 0)
        return -1;
    if (model_reserve(model, *out) != 0)
        return bsim_reader_fail(reader, "out of memory");
    if (model->regions[*out] != NULL || model->values[*out] != NULL)
        return bsim_reader_fail(reader, "region %d is there twice", *out);
    return 0;
}

/* The line's first word has been read. */
static int read_region(struct bsim_model *model, struct bsim_reader *reader) {
    int index = 0, feature_count = 0, term_count = 0;
    char *id = NULL;
    if (read_index(&index, model, reader) != 0 ||
        bsim_reader_text(&id, reader, "a region's id") != 0 ||
        bsim_reader_keyword(reader, "features") != 0 ||
        bsim_reader_count(&feature_count, reader, "the number of features", BSIM_FEATURES_MAX) !=
            0 ||
        bsim_reader_keyword(reader, "terms") != 0 ||
        bsim_reader_count(&term_count, reader, "the number of terms", BSIM_TERMS_MAX) != 0)
        return -1;
    model->regions[index] = region_new(id, feature_count, term_count);
    if (model->regions[index] == NULL)
        return bsim_reader_fail(reader, "out of memory");
    return read_region_body(model->regions[index], reader);
}

static int read_value(struct bsim_model *model, struct bsim_reader *reader) {
    int index = 0;
    if (read_index(&index, model, reader) != 0)
        return -1;
    return bsim_value_read(&model->values[index], reader);
}

/* ---- The whole file ---- */

static int read_header(struct bsim_model *model, struct bsim_reader *reader,
                       const char *bundle_id) {
    int version = 0;
    char *bundle = NULL, *machine = NULL;
    if (bsim_reader_need_line(reader) != 0 || bsim_reader_keyword(reader, "mpiskel-model") != 0 ||
        bsim_reader_count(&version, reader, "the version", INT_MAX) != 0)
        return -1;
    if (version != 1)
        return bsim_reader_fail(reader, "this is version %d of the format, known is only 1",
                                version);
    if (bsim_reader_line_end(reader) != 0 || bsim_reader_need_line(reader) != 0 ||
        bsim_reader_keyword(reader, "bundle") != 0 ||
        bsim_reader_text(&bundle, reader, "the bundle's id") != 0)
        return -1;
    if (bundle_id != NULL && strcmp(bundle, bundle_id) != 0)
        return bsim_reader_fail(reader, "this model belongs to bundle %.40s, not to %.40s", bundle,
                                bundle_id);
    if (bsim_reader_line_end(reader) != 0 || bsim_reader_need_line(reader) != 0 ||
        bsim_reader_keyword(reader, "machine") != 0 ||
        bsim_reader_text(&machine, reader, "the machine's name") != 0 ||
        bsim_reader_line_end(reader) != 0)
        return -1;
    model->machine = strdup(machine);
    return model->machine != NULL ? 0 : bsim_reader_fail(reader, "out of memory");
}

static int read_end(struct bsim_reader *reader, int found) {
    int count = 0;
    if (bsim_reader_count(&count, reader, "the number of regions", BSIM_REGIONS_MAX) != 0 ||
        bsim_reader_line_end(reader) != 0)
        return -1;
    if (count != found)
        return bsim_reader_fail(reader, "the file has %d regions, its end line says %d", found,
                                count);
    return bsim_reader_next_line(reader)
               ? bsim_reader_fail(reader, "there is something after the end line")
               : 0;
}

static int read_model(struct bsim_model *model, struct bsim_reader *reader, const char *bundle_id) {
    if (read_header(model, reader, bundle_id) != 0)
        return -1;
    for (int found = 0;; found++) {
        char *word = NULL;
        if (bsim_reader_need_line(reader) != 0 ||
            bsim_reader_text(&word, reader, "'region', 'value' or 'end'") != 0)
            return -1;
        if (strcmp(word, "end") == 0)
            return read_end(reader, found);
        bool is_value = strcmp(word, "value") == 0;
        if (!is_value && strcmp(word, "region") != 0)
            return bsim_reader_fail(reader, "'%.40s' instead of 'region', 'value' or 'end'", word);
        if ((is_value ? read_value : read_region)(model, reader) != 0)
            return -1;
    }
}

static int read_model_in_c_locale(struct bsim_model *model, struct bsim_reader *reader,
                                  const char *bundle_id) {
    locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (c_locale == (locale_t)0)
        return bsim_reader_fail_file(reader, "out of memory");
    locale_t before = uselocale(c_locale);
    int result = read_model(model, reader, bundle_id);
    uselocale(before);
    freelocale(c_locale);
    return result;
}

int bsim_model_load(struct bsim_model **out, const char *path, const char *bundle_id,
                    char *error_text, size_t error_size) {
    struct bsim_reader reader = {.path = path, .error_text = error_text, .error_size = error_size};
    char *text = NULL;
    *out = NULL;
    if (bsim_reader_file(&text, &reader) != 0)
        return -1;
    reader.rest = text;
    struct bsim_model *model = calloc(1, sizeof *model);
    int result = model != NULL ? read_model_in_c_locale(model, &reader, bundle_id)
                               : bsim_reader_fail_file(&reader, "out of memory");
    free(text);
    if (result == 0)
        *out = model;
    else
        bsim_model_free(model);
    return result;
}

void bsim_model_free(struct bsim_model *model) {
    if (model == NULL)
        return;
    for (int i = 0; i < model->region_count; i++)
        region_free(model->regions[i]);
    for (int i = 0; i < model->region_count; i++)
        bsim_value_free(model->values[i]);
    free(model->regions);
    free(model->values);
    free(model->machine);
    free(model);
}

/* ---- Questions ---- */

const struct bsim_region_model *bsim_model_region(const struct bsim_model *model, int region) {
    return region >= 0 && region < model->region_count ? model->regions[region] : NULL;
}

const struct bsim_value_model *bsim_model_value(const struct bsim_model *model, int region) {
    return region >= 0 && region < model->region_count ? model->values[region] : NULL;
}

const char *bsim_model_machine(const struct bsim_model *model) {
    return model->machine;
}

static inline double power(double base, const struct factor *factor) {
    switch (factor->power) {
    case POWER_1:
        return base;
    case POWER_2:
        return base * base;
    case POWER_3:
        return base * base * base;
    case POWER_HALF:
        return sqrt(base);
    case POWER_3_HALVES:
        return base * sqrt(base);
    case POWER_ANY:
        break;
    }
    return pow(base, factor->exponent);
}

double bsim_region_latency_s(const struct bsim_region_model *region, const double *features) {
    const struct factor *factor = region->factors;
    double sum_s = 0;
    for (int i = 0; i < region->term_count; i++) {
        double product_s = region->terms[i].coefficient_s;
        for (int left = region->terms[i].factor_count; left > 0; left--, factor++) {
            double feature = features[factor->feature];
            product_s *= power(feature > 0 ? feature : 0, factor);
        }
        sum_s += product_s;
    }
    return sum_s <= DBL_MAX ? sum_s : DBL_MAX;
}

const char *bsim_region_id(const struct bsim_region_model *region) {
    return region->id;
}

int bsim_region_feature_count(const struct bsim_region_model *region) {
    return region->feature_count;
}

double bsim_region_feature_min(const struct bsim_region_model *region, int feature) {
    return region->ranges[2 * feature];
}

double bsim_region_feature_max(const struct bsim_region_model *region, int feature) {
    return region->ranges[2 * feature + 1];
}
