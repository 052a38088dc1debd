/* SPDX-License-Identifier: Apache-2.0
 *
 * Statements, for a function's body.
 */
for (int i = 0; i < n; i++) {
    x[i] = x[i] * 0.5 + 1;
}
