/* SPDX-License-Identifier: Apache-2.0
 *
 * Uses what another unit defines. */
#include "macro_globals.h"

void advance(int step) {
    for (int i = 0; i < 64; i++) {
        field[i] += 0.5 * step;
        total += field[i];
    }
    corner.x += total;
    length = 1 + step % 64;
}
