/* SPDX-License-Identifier: Apache-2.0
 *
 * Philox4x32-10 gives the numbers that its authors publish for it (kat_vectors of Random123), and
 * the normal distribution has its moments.
 */
#include "runtime/common/philox.h"

#include <stdio.h>
#include <string.h>

static const struct {
    uint32_t counter[4], key[2], result[4];
} known[] = {
    {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
    {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
     {0xffffffff, 0xffffffff},
     {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
    {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
     {0xa4093822, 0x299f31d0},
     {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
};

static int known_numbers(void) {
    int wrong = 0;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        uint32_t out[4];
        bsim__philox(out, known[i].counter, known[i].key);
        if (memcmp(out, known[i].result, sizeof out) == 0)
            continue;
        printf("vector %zu: %08x %08x %08x %08x\n", i, out[0], out[1], out[2], out[3]);
        wrong++;
    }
    return wrong;
}

static int moments(void) {
    enum { COUNT = 1000000 };
    double sum = 0, squares = 0, fourth = 0;
    for (uint32_t i = 0; i < COUNT; i++) {
        double x = bsim__normal((uint32_t[]){i, 0, 0, 7}, (uint32_t[]){1, 2});
        sum += x;
        squares += x * x;
        fourth += x * x * x * x;
    }
    int wrong = fabs(sum / COUNT) > 0.004 || fabs(squares / COUNT - 1) > 0.006 ||
                fabs(fourth / COUNT - 3) > 0.05;
    if (wrong)
        printf("mean %g, variance %g, fourth moment %g\n", sum / COUNT, squares / COUNT,
               fourth / COUNT);
    return wrong;
}

int main(void) {
    return known_numbers() + moments() > 0;
}
