/* SPDX-License-Identifier: Apache-2.0
 *
 * `-include` brings a header of the program's own along: the skeleton has the rewritten one.
 *
 * with: wrapped.h
 * flags: -include wrapped.h
 * gone: x = x * 0.5 + i;
 * kept: spread(
 */
int main(int argc, char **argv) {
    double x[4] = {1, 2, 3, 4};
    MPI_Init(&argc, &argv);
    for (int k = 0; k < 5; k++) {
        x[0] = settled(x[1], 1000);
        spread(x, 4);
    }
    MPI_Finalize();
    return 0;
}
