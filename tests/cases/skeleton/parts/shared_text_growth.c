/* SPDX-License-Identifier: Apache-2.0
 *
 * Included with a name for the function, and compiled by itself, without: then nobody calls it.
 */
int GROWTH(int n, int step);

int GROWTH(int n, int step) {
    int unused = 3 * step;
    (void)unused;
    return n + 2 * step;
}
