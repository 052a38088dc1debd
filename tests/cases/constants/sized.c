/* SPDX-License-Identifier: Apache-2.0
 *
 * Ten sweeps over an array whose size is a macro, SIZE, as is that of the message between them.
 * Sizes above 5000 sweep in another order where ORDER is defined; where PICKS or SCALES is, they
 * are prepared in another way.
 */
#include <mpi.h>

static double values[SIZE];

static double prepare(int i) {
#ifdef PICKS
    if (SIZE > 5000)
        return 0.25 * i;
#endif
#ifdef SCALES
    if (SIZE * 0.001 > 5.0)
        return 0.75 * i;
#endif
    return 0.5 * i;
}

static void sweep(void) {
#if defined ORDER && SIZE > 5000
    for (int i = SIZE - 1; i >= 0; i--)
        values[i] = values[i] * 0.5 + prepare(i);
#else
    for (int i = 0; i < SIZE; i++)
        values[i] = values[i] * 0.5 + prepare(i);
#endif
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    for (int step = 0; step < 10; step++) {
        sweep();
        MPI_Bcast(values, SIZE, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
