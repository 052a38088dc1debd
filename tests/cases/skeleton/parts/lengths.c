/* SPDX-License-Identifier: Apache-2.0
 *
 * Sets the length of this unit.
 */
#include "lengths.h"

int other_length(int n);

int other_length(int n) {
    length = 3 * n;
    return length;
}
