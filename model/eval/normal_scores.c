/* SPDX-License-Identifier: Apache-2.0
 *
 * Quantiles by Newton's method; the permutation of 2^k numbers by steps that can be undone, walked
 * until it is among the ranks (cycle walking: J. Black, P. Rogaway, Ciphers with Arbitrary Finite
 * Domains, 2002); see normal_scores.h.
 */
#include "model/eval/normal_scores.h"

#include "model/eval/splitmix.h"

#include <math.h>

#define MANY 65536 /* ranks, whose mean square is above 0.999 */

/* From below, where the probability is convex: no step goes too far. */
double bsim_normal_quantile(double above) {
    double z = 0, step;
    do {
        step = (0.5 * erfc(z * M_SQRT1_2) - above) * sqrt(2 * M_PI) * exp(z * z / 2);
        z += step;
    } while (fabs(step) > 1e-9);
    return z;
}

/* Number `place` of so many, from 0, the smallest first. */
static double score(double place, double count) {
    double from_end = fmin(place, count - 1 - place);
    double size = bsim_normal_quantile((from_end + 0.625) / (count + 0.25));
    return place < count - 1 - place ? -size : size;
}

static uint32_t stir(uint32_t number, uint32_t mask, int shift, uint64_t key) {
    number = (number * (uint32_t)(key | 1) + (uint32_t)(key >> 32)) & mask;
    return number ^ number >> shift;
}

static uint32_t place_of(uint32_t rank, uint32_t ranks) {
    int bits = 0;
    while (bits < 31 && (uint32_t)1 << bits < ranks)
        bits++;
    uint32_t mask = ((uint32_t)1 << bits) - 1;
    do {
        for (uint64_t round = 1; round <= 3; round++)
            rank = stir(rank, mask, bits / 2 + 1, bsim_splitmix_output(round * BSIM_SPLITMIX_STEP));
    } while (rank >= ranks);
    return rank;
}

double bsim_rank_score(int rank, int ranks) {
    return score(place_of((uint32_t)rank, (uint32_t)ranks), ranks);
}

double bsim_largest_score(double count) {
    return count > 1 ? score(count - 1, count) : 0;
}

double bsim_score_square(int ranks) {
    double sum = 0;
    if (ranks > MANY)
        return 1;
    for (int i = 0; i < ranks / 2; i++)
        sum += 2 * pow(score(i, ranks), 2);
    return sum / ranks;
}
