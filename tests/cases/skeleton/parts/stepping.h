/* SPDX-License-Identifier: Apache-2.0
 *
 * Included for each type, and with another growth by another unit: STEP is the function's name, ITEM
 * its type. Computes between messages.
 */
static void STEP(ITEM *x, int n) {
    for (int i = 0; i < n; i++)
        x[i] = x[i] * 2 + GROWTH;
    MPI_Bcast(x, n, KIND, 0, MPI_COMM_WORLD);
    for (int i = 0; i < n; i++)
        x[i] = x[i] / 2 + GROWTH;
    lengths[LAST] += n;
}
