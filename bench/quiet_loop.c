/* SPDX-License-Identifier: Apache-2.0
 *
 * For bench/quiet.py: how long runtime/quiet.c's loop takes, the median of a quarter of a second,
 * in seconds of processor time.
 */
#include "runtime/quiet.h"

#include <stdio.h>
#include <stdlib.h>

#define PASSES 1000
#define TURNS 2500

static int compare_doubles(const void *left, const void *right) {
    const double *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

int main(void) {
    static double turns[TURNS];
    for (int i = 0; i < TURNS; i++)
        turns[i] = bsim__quiet_loop_s(PASSES);
    qsort(turns, TURNS, sizeof turns[0], compare_doubles);
    printf("%.9g\n", turns[TURNS / 2]);
    return 0;
}
