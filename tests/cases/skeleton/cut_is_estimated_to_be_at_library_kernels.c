/* SPDX-License-Identifier: Apache-2.0
 *
 * A function of a library whose cost is a product is hot, however rarely it is called; no loop is
 * needed.
 *
 * generate: --assume=cuts
 * note: which statements are hot is estimated
 * hints: extern scalbln(x=v n=v) value cost 2*n*n
 * cut: length = (int)scalbln(1.0, argc + 2)
 * gone: length = (int)scalbln(1.0, argc + 2)
 * args:
 */
#include <math.h>
#include <mpi.h>

int main(int argc, char **argv) {
    static double out[100];
    int length;
    MPI_Init(&argc, &argv);
    length = (int)scalbln(1.0, argc + 2);
    MPI_Sendrecv_replace(out, length, MPI_DOUBLE, 0, 1, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
