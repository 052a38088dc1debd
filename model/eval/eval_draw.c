/* SPDX-License-Identifier: Apache-2.0
 *
 * See eval_draw.h. Draws are stratified at all scales: of two draws one after the other one is in
 * each half of the range, of four one in each quarter, and so on, in an order that is random (a
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

#define LARGEST_INTEGER 9e18
#define LARGEST_PLACE 0x1p53
#define LEVELS 10 /* the range in 1024 parts */

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
int bsim_draws_read(struct bsim_draws *out, struct bsim_reader *reader, int dimension) {
    return read_bound(&out->low, reader, dimension) != 0
               ? -1
               : read_bound(&out->high, reader, dimension);
}
