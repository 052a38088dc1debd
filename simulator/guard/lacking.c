/* SPDX-License-Identifier: Apache-2.0 */
#include "simulator/guard/guard.h"

#include <stdbool.h>

static bool has_number(const int *numbers, size_t count, int number) {
    for (size_t i = 0; i < count; i++)
        if (numbers[i] == number)
            return true;
    return false;
}

size_t guard_ranks_lacking(int out[GUARD_RANKS_MIN], const int *ranks, size_t count) {
    size_t known = 0, lacking = 0;
    for (size_t i = 0; i < count; i++)
        known += ranks[i] > 1 && !has_number(ranks, i, ranks[i]);
    for (int number = 2; known + lacking < GUARD_RANKS_MIN; number *= 2)
        if (!has_number(ranks, count, number))
            out[lacking++] = number;
    return lacking;
}
