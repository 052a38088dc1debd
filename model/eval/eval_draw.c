/* SPDX-License-Identifier: Apache-2.0
 *
 * See eval_draw.h. The order of a block is a shuffle (R. Durstenfeld, Algorithm 235, 1964), driven
 * by SplitMix64 (splitmix.h).
 *
 * Draws from ranges are stratified at all scales: of two draws one after the other one is in each
 * half of the range, of four one in each quarter, and so on, in an order that is random (a
 * sequence of van der Corput's with nested scrambling; A. Owen, Randomly permuted (t,m,s)-nets and
 * (t,s)-sequences, 1995). So how often each rank has one is about what is expected of it, also
 * while the same rank has the diagonal, and not off by the chance of the draws as well as by that
 * of the program. Draws follow each other by their lower bound where that rises (the column of a
 * pivot's row), else by their numbers.
 */
#include "model/eval/eval_draw.h"

#include "model/eval/eval_read.h"
#include "model/eval/splitmix.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#define LARGEST_INTEGER 9e18
#define LARGEST_PLACE 0x1p53
#define LEVELS 10 /* the range in 1024 parts */

static double level(const struct bsim_draws *draws, uint64_t key, uint64_t number) {
    unsigned char order[BSIM_DRAW_LEVELS_MAX];
    uint64_t count = (uint64_t)draws->level_count;
    uint64_t state = bsim_splitmix(key ^ bsim_splitmix(number / count));
    for (uint64_t i = 0; i < count; i++)
        order[i] = (unsigned char)i;
    for (uint64_t last = count - 1; last > 0; last--) {
        state = bsim_splitmix(state);
        uint64_t other = state % (last + 1);
        unsigned char kept = order[last];
        order[last] = order[other];
        order[other] = kept;
    }
    return draws->levels[order[number % count]];
}

double bsim_draws_value(const struct bsim_draws *draws, uint64_t key, uint64_t number,
                        double mean) {
    if (draws->kind != BSIM_DRAWS_LEVELS || !(mean > 0))
        return mean;
    return mean + pow(mean, draws->exponent) * level(draws, key, number);
}

static double share_of(uint64_t key, uint64_t number) {
    return (double)(bsim_splitmix(key ^ bsim_splitmix(number)) >> 11) * 0x1p-53;
}

static uint64_t bit_of(uint64_t key, uint64_t number) {
    return bsim_splitmix(key ^ bsim_splitmix(number)) >> 63;
}

/* Another place in the same pair, in the same four, and so on: which one comes first is random. */
static uint64_t shuffled(uint64_t key, uint64_t place) {
    uint64_t out = 0;
    for (int level = 0; level < LEVELS; level++)
        out |= ((place >> level & 1) ^ bit_of(key, place >> (level + 1) << LEVELS | level))
               << level;
    return out;
}

/* From 0 to less than 1; of draw `number` with this key, whose place in the sequence is `place`. */
static double stratified_share(uint64_t key, uint64_t number, uint64_t place) {
    uint64_t block = bsim_splitmix(key ^ bsim_splitmix(number)) ^ bsim_splitmix(place >> LEVELS);
    double share = 0, part = 1;
    place = shuffled(bsim_splitmix(block), place);
    for (int level = 0; level < LEVELS; level++) {
        uint64_t before = place & ((1u << level) - 1);
        part /= 2;
        share += part * (double)((place >> level & 1) ^ bit_of(block, before | 1u << level));
    }
    return share + part * share_of(block, place);
}

static double number_of(struct bsim_number number, const double *vector) {
    return (number.place >= 0 ? vector[number.place] : 0) + number.beyond;
}

double bsim_bound_value(const struct bsim_bound *bound, uint64_t number, const double *vector) {
    double draws = floor(number_of(bound->draws, vector));
    double steps = draws >= 1 && draws < BSIM_LARGEST_NUMBER ? fmod((double)number, draws) : 0;
    return number_of(bound->from, vector) + steps;
}

static bool is_whole(double number) {
    return number >= 0 && number < LARGEST_PLACE;
}

/* Where in the range the draw is, from 0 to less than 1. */
static double share_of_range(const struct bsim_draws *draws, uint64_t key, uint64_t number,
                             double low, const double *vector) {
    double each = floor(number_of(draws->low.draws, vector));
    bool rises = each >= 1 && is_whole(each);
    if (!is_whole(low) || (!rises && draws->low.from.place < 0))
        return stratified_share(key, 0, number);
    return stratified_share(key, rises ? number / (uint64_t)each : number, (uint64_t)low);
}

double bsim_draws_uniform(const struct bsim_draws *draws, uint64_t key, uint64_t number,
                          const double *vector) {
    double low = ceil(bsim_bound_value(&draws->low, number, vector));
    double high = floor(bsim_bound_value(&draws->high, number, vector));
    double width = fmax(high - low + 1, 1);
    double share = share_of_range(draws, key, number, low, vector);
    double drawn = low + fmin(floor(share * width), width - 1);
    return fmin(fmax(drawn, -LARGEST_INTEGER), LARGEST_INTEGER);
}

int bsim_draws_one(const struct bsim_draws *draws, uint64_t key, uint64_t number, int ranks) {
    if (draws->one == BSIM_ONE_ANY)
        return (int)(share_of(key, number) * ranks);
    return draws->one == BSIM_ONE_LAST ? ranks - 1 : 0;
}

static int read_number(struct bsim_number *out, struct bsim_reader *reader, int dimension) {
    double place = -1;
    if (bsim_reader_number(&place, reader, "the place of a bound", -1, dimension - 1) != 0 ||
        bsim_reader_number(&out->beyond, reader, "what a bound is beyond a number",
                           -BSIM_LARGEST_NUMBER, BSIM_LARGEST_NUMBER) != 0)
        return -1;
    out->place = (int)place;
    return 0;
}

static int read_bound(struct bsim_bound *out, struct bsim_reader *reader, int dimension) {
    return read_number(&out->from, reader, dimension) != 0
               ? -1
               : read_number(&out->draws, reader, dimension);
}

/* For each bound PLACE BEYOND and, after how many draws it begins anew, PLACE BEYOND */
static int read_range(struct bsim_draws *out, struct bsim_reader *reader, int dimension) {
    return read_bound(&out->low, reader, dimension) != 0
               ? -1
               : read_bound(&out->high, reader, dimension);
}

const char *bsim_one_name(enum bsim_one one) {
    static const char *const names[] = {"first", "last", "any"};
    return names[one];
}

const char *bsim_draws_name(enum bsim_draws_kind kind) {
    static const char *const names[] = {"none", "levels", "range", "one"};
    return names[kind];
}

/* first|last|any */
static int read_one(struct bsim_draws *out, struct bsim_reader *reader, int dimension) {
    char *word = NULL;
    (void)dimension;
    if (bsim_reader_text(&word, reader, "which rank decides so") != 0)
        return -1;
    for (int one = 0; one < BSIM_ONE_COUNT; one++)
        if (strcmp(word, bsim_one_name((enum bsim_one)one)) == 0) {
            out->one = (enum bsim_one)one;
            return 0;
        }
    return bsim_reader_fail(reader, "the one is first, last or any, not '%.40s'", word);
}

/* own|shared EXPONENT COUNT LEVEL ... */
static int read_levels(struct bsim_draws *out, struct bsim_reader *reader, int dimension) {
    char *word = NULL;
    (void)dimension;
    if (bsim_reader_text(&word, reader, "who draws") != 0)
        return -1;
    out->is_own = strcmp(word, "own") == 0;
    if (!out->is_own && strcmp(word, "shared") != 0)
        return bsim_reader_fail(reader, "levels are own or shared, not '%.40s'", word);
    if (bsim_reader_number(&out->exponent, reader, "the exponent of the mean", 0, 2) != 0 ||
        bsim_reader_count(&out->level_count, reader, "the number of levels",
                          BSIM_DRAW_LEVELS_MAX) != 0)
        return -1;
    if (out->level_count == 0)
        return bsim_reader_fail(reader, "a distribution needs a level");
    for (int i = 0; i < out->level_count; i++)
        if (bsim_reader_number(&out->levels[i], reader, "a level", -BSIM_LARGEST_NUMBER,
                               BSIM_LARGEST_NUMBER) != 0)
            return -1;
    return 0;
}

int bsim_draws_read(struct bsim_draws *out, struct bsim_reader *reader, int dimension) {
    static int (*const read[])(struct bsim_draws *, struct bsim_reader *, int) = {
        [BSIM_DRAWS_LEVELS] = read_levels,
        [BSIM_DRAWS_RANGE] = read_range,
        [BSIM_DRAWS_ONE] = read_one,
    };
    char *word = NULL;
    if (bsim_reader_text(&word, reader, "how numbers scatter") != 0)
        return -1;
    for (int kind = BSIM_DRAWS_LEVELS; kind < BSIM_DRAWS_COUNT; kind++)
        if (strcmp(word, bsim_draws_name((enum bsim_draws_kind)kind)) == 0) {
            out->kind = (enum bsim_draws_kind)kind;
            return read[kind](out, reader, dimension);
        }
    return bsim_reader_fail(reader, "numbers scatter by levels, range or one, not by '%.40s'",
                            word);
}
