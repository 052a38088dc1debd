/* SPDX-License-Identifier: Apache-2.0
 *
 * Work of as many turns as are asked for, which counted clocks charge alike.
 */
static double work(int turns) {
    double sum = 0;
    for (int i = 0; i < turns; i++)
        sum = sum * 0.5 + (i % 3 == 0 ? 1 : 2);
    return sum;
}
