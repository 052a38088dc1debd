/* SPDX-License-Identifier: Apache-2.0
 *
 * For a unit that keeps count and one that does not.
 */
static int noted;

static void note(int n) {
#ifdef COUNTED
    noted = 2 * n;
#endif
    (void)n;
}
