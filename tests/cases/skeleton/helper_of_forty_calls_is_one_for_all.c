/* SPDX-License-Identifier: Apache-2.0
 *
 * A function of some eighty statements is one for all of its forty-two calls: instances would add more than 3000.
 *
 * with: mixed.h
 * kept: waste = waste % 3 + i
 * gone: ended += i * i
 */
#include "mixed.h"

static void mix_more(int *n, int *m) {
    mix(n, m); mix(n, m); mix(n, m); mix(n, m); mix(n, m);
    mix(n, m); mix(n, m); mix(n, m); mix(n, m); mix(n, m);
    mix(n, m); mix(n, m); mix(n, m); mix(n, m); mix(n, m);
}

int main(int argc, char **argv) {
    double x[100] = {0};
    int first = argc, second = 2, waste = 1, ended = 0;
    MPI_Init(&argc, &argv);
    mix(&first, &second);
    for (int i = 0; i < 100; i++)
        waste = waste % 3 + i;
    mix(&waste, &second);
    mix_often(&waste, &second);
    mix_more(&waste, &second);
    for (int i = 0; i < 100; i++)
        ended += i * i;
    x[0] = waste + ended;
    MPI_Bcast(x, first % 100, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
