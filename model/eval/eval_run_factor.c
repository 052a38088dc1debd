/* SPDX-License-Identifier: Apache-2.0
 *
 * See eval_run_factor.h.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "model/eval/eval_run_factor.h"

#include "model/eval/eval_read.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LARGEST_EXPONENT 16.0
#define SMALLEST_FACTOR 1e-150
#define LARGEST_FACTOR 1e150

struct eval_run_factor_number {
    char *name;
    double exponent, least, most;
};

struct bsim_scale {
    double coefficient, offset;
    int count;
    struct eval_run_factor_number numbers[BSIM_SCALE_NUMBERS_MAX];
    struct bsim_scale *next;
};

static int read_number(struct bsim_scale *scale, struct bsim_reader *reader) {
    struct eval_run_factor_number *number = &scale->numbers[scale->count];
    char *name = NULL;
    if (bsim_reader_text(&name, reader, "the name of a number") != 0)
        return -1;
    number->name = strdup(name);
    if (number->name == NULL)
        return bsim_reader_fail(reader, "out of memory");
    scale->count++;
    if (bsim_reader_number(&number->exponent, reader, "an exponent", -LARGEST_EXPONENT,
                           LARGEST_EXPONENT) != 0 ||
        bsim_reader_number(&number->least, reader, "the least number", DBL_MIN,
                           BSIM_LARGEST_NUMBER) != 0)
        return -1;
    return bsim_reader_number(&number->most, reader, "the largest number", number->least,
                              BSIM_LARGEST_NUMBER);
}

int bsim_scale_read(struct bsim_scale **out, struct bsim_reader *reader) {
    int count = 0;
    while (*out != NULL)
        out = &(*out)->next;
    struct bsim_scale *scale = *out = calloc(1, sizeof *scale);
    if (scale == NULL)
        return bsim_reader_fail(reader, "out of memory");
    if (bsim_reader_number(&scale->coefficient, reader, "a coefficient", SMALLEST_FACTOR,
                           LARGEST_FACTOR) != 0 ||
        bsim_reader_keyword(reader, "numbers") != 0 ||
        bsim_reader_count(&count, reader, "how many numbers", BSIM_SCALE_NUMBERS_MAX) != 0)
        return -1;
    for (int i = 0; i < count; i++)
        if (read_number(scale, reader) != 0)
            return -1;
    if (bsim_reader_more(reader) &&
        (bsim_reader_keyword(reader, "offset") != 0 ||
         bsim_reader_number(&scale->offset, reader, "an offset", 0, BSIM_LARGEST_NUMBER) != 0))
        return -1;
    return bsim_reader_line_end(reader);
}

void bsim_scale_free(struct bsim_scale *scale) {
    while (scale != NULL) {
        struct bsim_scale *next = scale->next;
        for (int i = 0; i < scale->count; i++)
            free(scale->numbers[i].name);
        free(scale);
        scale = next;
    }
}

const struct bsim_scale *bsim_scale_next(const struct bsim_scale *scale) {
    return scale->next;
}

int bsim_scale_count(const struct bsim_scale *scale) {
    return scale->count;
}

const char *bsim_scale_name(const struct bsim_scale *scale, int index) {
    return scale->numbers[index].name;
}

int bsim_scale_is_of_region(const char *name, int *feature, int *region) {
    int end = 0;
    return sscanf(name, "n%d@%d%n", feature, region, &end) == 2 && name[end] == '\0' &&
           *feature > 0;
}

double bsim_scale_least(const struct bsim_scale *scale, int index) {
    return scale->numbers[index].least;
}

double bsim_scale_most(const struct bsim_scale *scale, int index) {
    return scale->numbers[index].most;
}

double bsim_scale_factor(double *out_range, const struct bsim_scale *scale, const double *numbers) {
    double product = 1;
    *out_range = 1;
    for (int i = 0; i < scale->count; i++) {
        const struct eval_run_factor_number *known = &scale->numbers[i];
        double number = numbers[i] > 0 ? fmin(numbers[i], DBL_MAX) : known->least;
        product *= pow(number, known->exponent);
        *out_range = fmax(*out_range, fmax(number / known->most, known->least / number));
    }
    *out_range = fmin(*out_range, DBL_MAX);
    double factor = scale->coefficient * (scale->offset + product);
    return fmin(fmax(factor, SMALLEST_FACTOR), LARGEST_FACTOR);
}
