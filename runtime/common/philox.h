/* SPDX-License-Identifier: Apache-2.0
 *
 * Random numbers that are a function of a counter and a key: Philox4x32-10 (J. Salmon, M. Moraes,
 * R. Dror, D. Shaw, Parallel Random Numbers: As Easy as 1, 2, 3, SC 2011). Who puts into the
 * counter where a number is drawn keeps nothing, and gets the same numbers in whatever order he
 * asks.
 */
#pragma once

#include <math.h>
#include <stdint.h>

static inline uint32_t bsim__high(uint64_t product) {
    return (uint32_t)(product >> 32);
}

/* Ten rounds; out may be the counter. */
static inline void bsim__philox(uint32_t out[4], const uint32_t counter[4], const uint32_t key[2]) {
    uint32_t c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3];
    uint32_t k0 = key[0], k1 = key[1];
    for (int round = 0; round < 10; round++) {
        uint64_t left = 0xD2511F53ull * c0, right = 0xCD9E8D57ull * c2;
        c0 = bsim__high(right) ^ c1 ^ k0;
        c1 = (uint32_t)right;
        c2 = bsim__high(left) ^ c3 ^ k1;
        c3 = (uint32_t)left;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    out[0] = c0, out[1] = c1, out[2] = c2, out[3] = c3;
}

/* In (0, 1]: 53 of the 64 bits. */
static inline double bsim__uniform(uint32_t upper, uint32_t lower) {
    uint64_t bits = ((uint64_t)upper << 32 | lower) >> 11;
    return ((double)bits + 1) * 0x1p-53;
}

/* Of the standard normal distribution (G. Box, M. Muller, 1958). */
static inline double bsim__normal(const uint32_t counter[4], const uint32_t key[2]) {
    uint32_t words[4];
    bsim__philox(words, counter, key);
    return sqrt(-2 * log(bsim__uniform(words[0], words[1]))) *
           cos(6.283185307179586 * bsim__uniform(words[2], words[3]));
}
