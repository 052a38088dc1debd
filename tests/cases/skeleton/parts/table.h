/* SPDX-License-Identifier: Apache-2.0
 *
 * The length of the table, what is in it, and whether LARGER is a macro, depend on the unit.
 */
static int table[ENTRIES] = {FIRST, 7, 2};

static int entry(int n) {
    int larger = LARGER(n, ENTRIES);
    int unused = 3 * larger;
    (void)unused;
    return table[n % ENTRIES] + larger;
}
