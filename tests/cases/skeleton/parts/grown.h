/* SPDX-License-Identifier: Apache-2.0
 *
 * For each type, with numbers of its own.
 */
static TYPE COUNTS[TOTAL] = {1, START};

int GROWN(int n);

int GROWN(int n) {
    COUNTS[n % TOTAL]++;
    return (int)COUNTS[1];
}
