/* SPDX-License-Identifier: Apache-2.0
 *
 * Included for each type: GROW is the function's name, ITEM its type.
 */
static int GROW(ITEM *x, int n) {
    for (int i = 0; i < n; i++)
        x[i] = x[i] * 2 + 1;
    return n % 5 + 3;
}
