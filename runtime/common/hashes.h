/* SPDX-License-Identifier: Apache-2.0
 *
 * A hash of numbers, FNV-1a (G. Fowler, L. C. Noll, K.-P. Vo, 1991) over their bits with one more
 * shift, since doubles differ in their upper bits. Equal numbers have equal hashes.
 */
#pragma once

#include <stdint.h>
#include <string.h>

static inline uint64_t bsim__hash_numbers(const double *values, int count) {
    uint64_t sum = 14695981039346656037ull;
    for (int i = 0; i < count; i++) {
        uint64_t bits;
        double value = values[i] + 0.0; /* -0 becomes 0 */
        memcpy(&bits, &value, sizeof bits);
        sum = (sum ^ bits) * 1099511628211ull;
        sum ^= sum >> 29;
    }
    return sum;
}
