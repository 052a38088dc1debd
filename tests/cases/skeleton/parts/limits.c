/* SPDX-License-Identifier: Apache-2.0
 *
 * Keeps count.
 */
int counted(int n);

#define COUNTED
#include "limits.h"

int counted(int n) {
    note(n);
    return noted + 1;
}
