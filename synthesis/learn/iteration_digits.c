/* SPDX-License-Identifier: Apache-2.0
 *
 * A digit is told by how many iterations lie below it, and how many it has: two counts of the
 * vocabulary, whose product divides the count of the loop in each row. See iteration_digits.h.
 */
#include "synthesis/learn/iteration_digits.h"

#include <stdlib.h>
#include <string.h>

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

void iteration_digits_add(struct learn_sample *sample) {
    struct digit_search search = {.sample = sample, .vocabulary = sample->input->vocabulary};
    search.counts =
        xcalloc((size_t)search.vocabulary->count_count * sample->count + 1, sizeof *search.counts);
    fill_counts(&search);
    for (search.loop = 0; search.loop < sample->input->rows->depth; search.loop++)
        add_of_loop(&search);
    free(search.counts);
}
