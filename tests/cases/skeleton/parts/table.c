/* SPDX-License-Identifier: Apache-2.0
 *
 * Its table has 16 entries.
 */
#define ENTRIES 16
#define FIRST 3
#define LARGER(a, b) ((a) > (b) ? (a) : (b))
#include "table.h"

int length_of(int n);

int length_of(int n) {
    table[4] = n;
    return entry(n);
}
