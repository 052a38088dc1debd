/* SPDX-License-Identifier: Apache-2.0
 *
 * One region's latency; see eval_latency.h. Powers that are usual are products and roots, which are
 * several times faster than pow(); two or more others of one term are one exp2 of a sum.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "model/eval/eval_latency.h"

#include "model/eval/eval_read.h"
#include "model/eval/eval_rest.h"
#include "model/eval/eval_run_factor.h"
#include "model/eval/forest.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define LARGEST_EXPONENT 16.0
#define LARGEST_LOG 4
#define LARGEST_STEP 1e6

static enum bsim_power power_of(double exponent) {
    static const struct {
        double exponent;
        enum bsim_power power;
    } usual[] = {{0, BSIM_POWER_0},
                 {1, BSIM_POWER_1},
                 {2, BSIM_POWER_2},
                 {3, BSIM_POWER_3},
                 {0.5, BSIM_POWER_HALF},
                 {1.5, BSIM_POWER_3_HALVES},
                 {2.5, BSIM_POWER_5_HALVES},
                 {0.25, BSIM_POWER_QUARTER},
                 {0.75, BSIM_POWER_3_QUARTERS},
                 {1.0 / 3, BSIM_POWER_THIRD},
                 {2.0 / 3, BSIM_POWER_2_THIRDS}};
    for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++)
        if (usual[i].exponent == exponent)
            return usual[i].power;
    return BSIM_POWER_ANY;
}

void bsim_region_free(struct bsim_region_model *region) {
    if (region == NULL)
        return;
    free(region->id);
    free(region->ranges);
    free(region->terms);
    free(region->factors);
    free(region->shares);
    free(region->rest);
    bsim_scale_free(region->scale);
    bsim_ratio_free(region->ratio);
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
    bsim_region_free(region);
    return NULL;
}

/* ---- Reading ---- */

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

/* `factors` has one for each feature. */
static int read_exponents(struct bsim_factor *factors, int feature_count,
                          struct bsim_reader *reader) {
    for (int i = 0; i < feature_count; i++)
        if (bsim_reader_number(&factors[i].exponent, reader, "an exponent", -LARGEST_EXPONENT,
                               LARGEST_EXPONENT) != 0)
            return -1;
    if (!bsim_reader_more(reader))
        return 0;
    if (bsim_reader_keyword(reader, "logs") != 0)
        return -1;
    for (int i = 0; i < feature_count; i++)
        if (bsim_reader_count(&factors[i].log, reader, "a logarithm's exponent", LARGEST_LOG) != 0)
            return -1;
    return bsim_reader_line_end(reader);
}

/* Leaves out the features that the term does not depend on. */
static void take_factors(struct bsim_term *term, struct bsim_factor *factors, int feature_count) {
    for (int i = 0; i < feature_count; i++) {
        struct bsim_factor factor = factors[i];
        factors[i] = (struct bsim_factor){0}; /* the next term begins behind the last one taken */
        if (factor.exponent == 0 && factor.log == 0)
            continue;
        factor.feature = i;
        factor.power = power_of(factor.exponent);
        term->any_count += factor.power == BSIM_POWER_ANY;
        term->plain_count += factor.power == BSIM_POWER_1 && factor.log == 0;
        factors[term->factor_count++] = factor;
    }
}

/* `*used` counts the factors of the region so far. */
static int read_term(struct bsim_region_model *region, struct bsim_term *term, size_t *used,
                     struct bsim_reader *reader) {
    struct bsim_factor *factors = &region->factors[*used];
    if (bsim_reader_need_line(reader) != 0 || bsim_reader_keyword(reader, "term") != 0 ||
        bsim_reader_number(&term->coefficient_s, reader, "a coefficient", 0, BSIM_LARGEST_NUMBER) !=
            0 ||
        read_exponents(factors, region->feature_count, reader) != 0)
        return -1;
    take_factors(term, factors, region->feature_count);
    *used += (size_t)term->factor_count;
    return 0;
}

int bsim_region_read(struct bsim_region_model **out, struct bsim_reader *reader) {
    int feature_count = 0, term_count = 0;
    size_t used = 0;
    char *id = NULL;
    *out = NULL;
    if (bsim_reader_text(&id, reader, "a region's id") != 0 ||
        bsim_reader_keyword(reader, "features") != 0 ||
        bsim_reader_count(&feature_count, reader, "the number of features", BSIM_FEATURES_MAX) !=
            0 ||
        bsim_reader_keyword(reader, "terms") != 0 ||
        bsim_reader_count(&term_count, reader, "the number of terms", BSIM_TERMS_MAX) != 0)
        return -1;
    *out = region_new(id, feature_count, term_count);
    if (*out == NULL)
        return bsim_reader_fail(reader, "out of memory");
    if (read_ranges(*out, reader) != 0)
        return -1;
    for (int i = 0; i < term_count; i++)
        if (read_term(*out, &(*out)->terms[i], &used, reader) != 0)
            return -1;
    return 0;
}

int bsim_region_read_ratio(struct bsim_region_model *region, struct bsim_reader *reader) {
    if (region->ratio != NULL)
        return bsim_reader_fail(reader, "the region has two ratios");
    return bsim_ratio_read(&region->ratio, reader, region->feature_count);
}

int bsim_region_read_scale(struct bsim_region_model *region, struct bsim_reader *reader) {
    return bsim_scale_read(&region->scale, reader);
}

int bsim_region_read_step(struct bsim_region_model *region, struct bsim_reader *reader) {
    if (region->step_count == BSIM_STEPS_MAX)
        return bsim_reader_fail(reader, "more than %d steps of a region", BSIM_STEPS_MAX);
    struct bsim_step *step = &region->steps[region->step_count];
    if (bsim_reader_count(&step->feature, reader, "a feature", region->feature_count - 1) != 0 ||
        bsim_reader_number(&step->from, reader, "where a step begins", DBL_MIN,
                           BSIM_LARGEST_NUMBER) != 0 ||
        bsim_reader_number(&step->to, reader, "where a step ends", step->from,
                           BSIM_LARGEST_NUMBER) != 0 ||
        bsim_reader_number(&step->factor, reader, "a step's factor", 1 / LARGEST_STEP,
                           LARGEST_STEP) != 0)
        return -1;
    if (!(step->to > step->from))
        return bsim_reader_fail(reader, "a step that ends where it begins");
    step->power = bsim_step_power(step->from, step->to, step->factor);
    region->step_count++;
    return bsim_reader_line_end(reader);
}

int bsim_region_read_rest(struct bsim_region_model *region, struct bsim_reader *reader) {
    if (region->rest != NULL)
        return bsim_reader_fail(reader, "the region has two rests");
    region->rest = calloc(1, sizeof *region->rest);
    return region->rest != NULL ? bsim_rest_read(region->rest, reader, region->feature_count)
                                : bsim_reader_fail(reader, "out of memory");
}

int bsim_region_read_plain(struct bsim_region_model *region, struct bsim_reader *reader) {
    if (bsim_reader_count(&region->plain_count, reader, "how many terms are plain",
                          region->term_count) != 0)
        return -1;
    return bsim_reader_line_end(reader);
}

int bsim_region_read_shares(struct bsim_region_model *region, struct bsim_reader *reader) {
    if (region->shares != NULL)
        return bsim_reader_fail(reader, "the region has two lines of shares");
    region->shares = calloc((size_t)region->term_count + 1, sizeof *region->shares);
    if (region->shares == NULL)
        return bsim_reader_fail(reader, "out of memory");
    for (int i = 0; i < region->term_count; i++)
        if (bsim_reader_number(&region->shares[i], reader, "the share of a term", 0, 1) != 0)
            return -1;
    return bsim_reader_line_end(reader);
}

int bsim_region_read_spread(struct bsim_region_model *region, struct bsim_reader *reader) {
    struct bsim_spread *spread = &region->spread;
    double *const numbers[] = {&spread->model, &spread->run, &spread->rank, &spread->execution,
                               &spread->beyond};
    if (region->has_spread)
        return bsim_reader_fail(reader, "two spreads of a region");
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (bsim_reader_number(numbers[i], reader, "a spread", 0, BSIM_SPREAD_MAX) != 0)
            return -1;
    region->has_spread = true;
    return bsim_reader_line_end(reader);
}

/* ---- Computing ---- */

static inline double power(double base, const struct bsim_factor *factor) {
    double root;
    switch (factor->power) {
    case BSIM_POWER_0:
        return 1;
    case BSIM_POWER_1:
        return base;
    case BSIM_POWER_2:
        return base * base;
    case BSIM_POWER_3:
        return base * base * base;
    case BSIM_POWER_HALF:
        return sqrt(base);
    case BSIM_POWER_3_HALVES:
        return base * sqrt(base);
    case BSIM_POWER_5_HALVES:
        return base * base * sqrt(base);
    case BSIM_POWER_QUARTER:
        return sqrt(sqrt(base));
    case BSIM_POWER_3_QUARTERS:
        root = sqrt(base);
        return root * sqrt(root);
    case BSIM_POWER_THIRD:
        return cbrt(base);
    case BSIM_POWER_2_THIRDS:
        root = cbrt(base);
        return root * root;
    case BSIM_POWER_ANY:
        break;
    }
    return pow(base, factor->exponent);
}

static inline double logarithm(double base, int exponent) {
    double log = base > 1 ? log2(base) : 0, value = log;
    while (--exponent > 0)
        value *= log;
    return value;
}

static inline double not_negative(double feature) {
    return feature > 0 ? feature : 0;
}

static double at_least_1(double feature) {
    return feature > 1 ? fmin(feature, DBL_MAX) : 1; /* NaN too */
}

static inline double product_of_features(const struct bsim_term *term,
                                         const struct bsim_factor *factors,
                                         const double *features) {
    double product = 1;
    for (int i = 0; i < term->factor_count; i++)
        product *= not_negative(features[factors[i].feature]);
    return product;
}

/* A term's value without its coefficient. */
static double product_of(const struct bsim_term *term, const struct bsim_factor *factors,
                         const double *features) {
    double product = 1, sum_log2 = 0;
    bool together = term->any_count > 1;
    for (int i = 0; i < term->factor_count; i++) {
        const struct bsim_factor *factor = &factors[i];
        double feature = factor->exponent < 0 ? at_least_1(features[factor->feature])
                                              : not_negative(features[factor->feature]);
        if (together && factor->power == BSIM_POWER_ANY)
            sum_log2 += factor->exponent * log2(feature);
        else
            product *= power(feature, factor);
        if (factor->log > 0)
            product *= logarithm(feature, factor->log);
    }
    return together ? product * exp2(sum_log2) : product;
}

double bsim_step_power(double from, double to, double factor) {
    return log2(factor) / log2(to / from);
}

double bsim_step_factor(const struct bsim_step *step, double feature) {
    if (!(feature > step->from))
        return 1;
    if (feature >= step->to)
        return step->factor;
    return pow(feature / step->from, step->power);
}

/* Of the terms from `first` to before `end`; *factors: of the first one, then of the one at `end`.
 */
static double sum_of_terms(const struct bsim_factor **factors,
                           const struct bsim_region_model *region, int first, int end,
                           const double *features) {
    double sum_s = 0;
    for (int i = first; i < end; i++) {
        const struct bsim_term *term = &region->terms[i];
        sum_s += term->coefficient_s * (term->plain_count == term->factor_count
                                            ? product_of_features(term, *factors, features)
                                            : product_of(term, *factors, features));
        *factors += term->factor_count;
    }
    return sum_s;
}

/* What steps and the rest change, with the steps. */
struct changed_terms {
    const struct bsim_region_model *region;
    const struct bsim_factor *factors;
};

static double changed_s(const void *context, const double *features) {
    const struct changed_terms *terms = context;
    const struct bsim_region_model *region = terms->region;
    const struct bsim_factor *factors = terms->factors;
    double sum_s =
        sum_of_terms(&factors, region, region->plain_count, region->term_count, features);
    for (int i = 0; i < region->step_count; i++)
        sum_s *= bsim_step_factor(&region->steps[i], features[region->steps[i].feature]);
    return sum_s;
}

double bsim_region_latency_s(const struct bsim_region_model *region, const double *features) {
    struct changed_terms terms = {region, region->factors};
    double sum_s = sum_of_terms(&terms.factors, region, 0, region->plain_count, features);
    sum_s += region->rest == NULL ? changed_s(&terms, features)
                                  : bsim_rest_latency_s(region->rest, changed_s, &terms, features,
                                                        region->feature_count);
    return sum_s <= DBL_MAX ? sum_s : DBL_MAX;
}

const struct bsim_spread *bsim_region_spread(const struct bsim_region_model *region) {
    return region->has_spread ? &region->spread : NULL;
}

double bsim_spread_deviation(const struct bsim_spread *spread, double factor, double unseen) {
    double growth = factor > 1 ? spread->beyond * log(factor) : 0;
    return sqrt(spread->model * (spread->model + unseen) + growth * growth);
}

double bsim_region_unseen_part(const struct bsim_region_model *region, const double *features) {
    const struct bsim_factor *factors = region->factors;
    double unseen_s = 0;
    if (region->shares == NULL)
        return 0;
    double all_s = sum_of_terms(&factors, region, 0, region->term_count, features);
    factors = region->factors;
    for (int i = 0; i < region->term_count; i++) {
        double term_s = sum_of_terms(&factors, region, i, i + 1, features);
        unseen_s += fmax(term_s - region->shares[i] * all_s, 0);
    }
    return unseen_s > 0 && all_s <= DBL_MAX ? unseen_s / all_s : 0;
}

double bsim_spread_ranks(const struct bsim_spread *spread, int is_recorded) {
    return fmin(spread->rank, is_recorded ? BSIM_WORK_SPREAD_MOST : BSIM_JITTER_MOST);
}

double bsim_region_factor(const struct bsim_region_model *region, const double *features) {
    double factor = 1;
    for (int i = 0; i < region->feature_count; i++) {
        double feature = at_least_1(features[i]);
        factor = fmax(factor, feature / at_least_1(region->ranges[2 * i + 1]));
        factor = fmax(factor, at_least_1(region->ranges[2 * i]) / feature);
    }
    return factor;
}

const struct bsim_ratio *bsim_region_ratio(const struct bsim_region_model *region) {
    return region->ratio;
}

const struct bsim_scale *bsim_region_scale(const struct bsim_region_model *region) {
    return region->scale;
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
