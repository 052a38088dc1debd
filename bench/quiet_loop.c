/* SPDX-License-Identifier: Apache-2.0
 *
 * For bench/quiet.py: how long runtime/common/idle_machine.c's loop takes, the median of a quarter
 * of a second, in seconds of processor time.
 */
#include "runtime/common/idle_machine.h"

#include <stdio.h>

#define TURNS 2500

int main(void) {
    static double turns[TURNS];
    for (int i = 0; i < TURNS; i++)
        turns[i] = bsim__idle_machine_loop_s(BSIM__IDLE_MACHINE_PASSES);
    printf("%.9g\n", bsim__median(turns, TURNS));
    return 0;
}
