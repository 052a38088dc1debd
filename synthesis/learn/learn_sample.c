/* SPDX-License-Identifier: Apache-2.0
 *
 * See learn_sample.h. Periods (rows of a value are as many iterations apart) are conditions that
 * come from the sample itself.
 */
#include "synthesis/learn/learn_sample.h"

#include <stdlib.h>
#include <string.h>

/* ---- Iteration digits ---- */

/*
 * Loops in loops of one frame look like one loop. If its count is a product in all rows, the digits
 * of its iteration number, with these factors as radices, are those of the loops in it.
 * A digit is told by how many iterations lie below it, and how many it has: two counts of the
 * vocabulary, whose product divides the count of the loop in each row.
 */

struct digit_search {
    struct learn_sample *sample;
    const struct vocabulary *vocabulary;
    long long *counts; /* by count of the vocabulary, then row */
    int loop;
};

static const long long *rows_of(const struct digit_search *search, int count) {
    return search->counts + (size_t)count * search->sample->count;
}

static void fill_counts(struct digit_search *search) {
    const struct learn_sample *sample = search->sample;
    for (int k = 0; k < search->vocabulary->count_count; k++)
        for (size_t i = 0; i < sample->count; i++)
            search->counts[(size_t)k * sample->count + i] =
                bsim_synth_count(&sample->at[i], search->vocabulary->counts[k]);
}

/* `digits` NULL: all that is above. A digit that is always 0, or the whole number, tells nothing.
 */
static bool is_digit(const struct digit_search *search, const long long *below,
                     const long long *digits) {
    bool is_some = false;
    for (size_t i = 0; i < search->sample->count; i++) {
        long long iterations = search->sample->at[i].loops[search->loop].count;
        long long of = digits != NULL ? digits[i] : 1;
        if (below[i] < 1 || of < 1 || iterations % (below[i] * of) != 0)
            return false;
        is_some |= below[i] > 1 ? iterations > below[i] : of > 1;
    }
    return is_some;
}

static void add_kinds(quantity_list *out, const struct synth_quantity_kind *kinds,
                      struct synth_quantity digit) {
    for (short kind = 0; kinds[kind].name != NULL; kind++)
        if (strncmp(kinds[kind].name, "digit", 5) == 0) {
            bool takes_number = strchr(kinds[kind].takes, 'N') != NULL;
            digit.kind = kind;
            for (short number = 0; number < (takes_number ? VOCABULARY_CONSTANTS : 1); number++) {
                digit.d = number;
                vec_push(out, digit);
            }
        }
}

static void add_digit(struct digit_search *search, int below, int digits) {
    const struct synth_quantity digit = {
        .a = (short)search->loop, .b = (short)below, .c = (short)digits};
    add_kinds(&search->sample->quantities, bsim_synth_quantities, digit);
    add_kinds(&search->sample->conditions, bsim_synth_conditions, digit);
}

static void add_of_loop(struct digit_search *search) {
    const int *counts = search->vocabulary->counts;
    for (int b = 0; b < search->vocabulary->count_count; b++) {
        if (!is_digit(search, rows_of(search, b), NULL) && counts[b] != SYNTH_COUNT_NUMBER(1))
            continue;
        add_digit(search, counts[b], 0);
        for (int d = 0; d < search->vocabulary->count_count; d++)
            if (counts[d] > SYNTH_COUNT_NUMBER(1) &&
                is_digit(search, rows_of(search, b), rows_of(search, d)))
                add_digit(search, counts[b], counts[d]);
    }
}

/* Adds quantities and conditions of digits to those of the sample, whose rows are there. */
static void iteration_digits_add(struct learn_sample *sample) {
    struct digit_search search = {.sample = sample, .vocabulary = sample->input->vocabulary};
    search.counts =
        xcalloc((size_t)search.vocabulary->count_count * sample->count + 1, sizeof *search.counts);
    fill_counts(&search);
    for (search.loop = 0; search.loop < sample->input->rows->depth; search.loop++)
        add_of_loop(&search);
    free(search.counts);
}

/* ---- Learn sample ---- */

#define PERIOD_MOST 10000
#define PERIOD_FROM 3 /* iterations with the value: two are a period of anything */

/* ---- Periods ---- */

static int gcd(int a, int b) {
    while (b != 0) {
        int rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static int compare_ints(const void *left, const void *right) {
    int a = *(const int *)left, b = *(const int *)right;
    return (a > b) - (a < b);
}

static int period_kind(void) {
    int kind = 0;
    while (strcmp(bsim_synth_conditions[kind].name, "in-period") != 0)
        kind++;
    return kind;
}

/* `from`: the first iteration that counts, since the first of all is often special. */
static void add_period(struct learn_sample *sample, int loop, long long value, int from) {
    int *at = xcalloc(sample->count + 1, sizeof *at), count = 0, distinct = 0, period = 0;
    for (size_t i = 0; i < sample->count; i++)
        if (sample->values[i] == value && sample->at[i].loops[loop].index >= from)
            at[count++] = sample->at[i].loops[loop].index;
    qsort(at, (size_t)count, sizeof *at, compare_ints);
    for (int i = 1; i < count; i++) {
        distinct += at[i] != at[i - 1];
        period = gcd(period, at[i] - at[i - 1]);
    }
    if (distinct + 1 >= PERIOD_FROM && period > 1 && period <= PERIOD_MOST)
        vec_push(&sample->conditions,
                 (struct synth_quantity){(short)period_kind(), (short)loop, (short)period,
                                         (short)(at[0] % period), 0});
    free(at);
}

static void add_periods(struct learn_sample *sample) {
    size_t *all = xcalloc(sample->count + 1, sizeof *all);
    for (size_t i = 0; i < sample->count; i++)
        all[i] = i;
    struct learn_part part = {sample, all, sample->count};
    long long values[4];
    size_t count = learn_part_values(&part, values, 4);
    for (int loop = 0; loop < sample->input->rows->depth && count > 1; loop++)
        for (size_t i = 0; i < count; i++)
            for (int from = 0; from < 2; from++)
                add_period(sample, loop, values[i], from);
    free(all);
}

/* ---- Columns ---- */

static bool is_constant(const void *column, size_t count, size_t size) {
    for (size_t i = 1; i < count; i++)
        if (memcmp(column, (const char *)column + i * size, size) != 0)
            return false;
    return true;
}

/* Its number where it is new, else that of the one that it is the same as. */
static size_t first_with(struct hash_table *seen, const void *column, size_t bytes, size_t number) {
    size_t *known = hash_table_find(seen, column, bytes);
    if (known == NULL) {
        known = hash_table_add(seen, column, bytes, sizeof *known);
        *known = number;
    }
    return *known;
}

static void fill_numbers(struct learn_sample *sample) {
    size_t left = 0, count = sample->count;
    double *column = sample->numbers =
        xcalloc(sample->quantities.count * count + 1, sizeof *sample->numbers);
    struct hash_table seen = {0};
    for (size_t k = 0; k < sample->quantities.count; k++) {
        struct synth_quantity of = sample->quantities.items[k];
        for (size_t i = 0; i < count; i++)
            column[i] = bsim_synth_number(&sample->at[i], &of) + 0.0;
        if (is_constant(column, count, sizeof *column))
            continue;
        size_t first = first_with(&seen, column, count * sizeof *column, left);
        if (first != left) {
            vec_push(&sample->twins, (struct learn_twin){first, of});
            continue;
        }
        sample->quantities.items[left++] = of;
        column += count;
    }
    sample->quantities.count = left;
    hash_table_dispose(&seen);
}

static void fill_conditions(struct learn_sample *sample) {
    size_t left = 0, count = sample->count;
    bool *column = sample->holds =
        xcalloc(sample->conditions.count * count + 1, sizeof *sample->holds);
    for (size_t k = 0; k < sample->conditions.count; k++) {
        struct synth_quantity of = sample->conditions.items[k];
        for (size_t i = 0; i < count; i++)
            column[i] = bsim_synth_holds(&sample->at[i], &of);
        if (is_constant(column, count, sizeof *column))
            continue;
        sample->conditions.items[left++] = of;
        column += count;
    }
    sample->conditions.count = left;
}

void learn_sample_fill(struct learn_sample *sample) {
    const struct learn_input *input = sample->input;
    size_t count = sample->rows.count;
    sample->count = count;
    sample->at = xcalloc(count + 1, sizeof *sample->at);
    sample->values = xcalloc(count + 1, sizeof *sample->values);
    for (size_t i = 0; i < count; i++) {
        size_t row = sample->rows.items[i];
        sample->at[i] =
            sighting_situation(input->sightings, input->rows, &input->rows->of.items[row]);
        sample->values[i] = input->values[row];
    }
    sample->quantities.count = sample->conditions.count = sample->twins.count = 0;
    vocabulary_quantities(&sample->quantities, input->vocabulary, input->rows->depth);
    vocabulary_conditions(&sample->conditions, input->vocabulary, input->rows->depth);
    add_periods(sample);
    iteration_digits_add(sample);
    fill_numbers(sample);
    fill_conditions(sample);
}

void learn_sample_dispose(struct learn_sample *sample) {
    free(sample->at);
    free(sample->values);
    free(sample->numbers);
    free(sample->holds);
    vec_dispose(&sample->quantities);
    vec_dispose(&sample->conditions);
    vec_dispose(&sample->twins);
    sample->at = NULL;
    sample->values = NULL;
    sample->numbers = NULL;
    sample->holds = NULL;
}

size_t learn_part_values(const struct learn_part *part, long long *values, size_t most) {
    size_t count = 0;
    for (size_t i = 0; i < part->count && count < most; i++) {
        size_t k = 0;
        while (k < count && values[k] != learn_value(part, i))
            k++;
        if (k == count)
            values[count++] = learn_value(part, i);
    }
    return count;
}
