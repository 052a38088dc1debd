/* SPDX-License-Identifier: Apache-2.0
 *
 * Types and prototypes that are declared inside removed statements go with them; in a block that
 * stays for other reasons they stay.
 *
 * kept: struct kept { int count; };
 * gone: enum { COLD = 1, HOT = 4 };
 * gone: struct gone { int count; };
 * gone: do {
 */
#include <mpi.h>

int main(int argc, char **argv) {
    int x = 0;
    MPI_Init(&argc, &argv);
    for (int i = 0; i < argc; i++) {
        enum { COLD = 1, HOT = 4 };
        x |= i & 1 ? COLD : HOT;
    }
    {
        int n = 0;
        do {
            struct gone { int count; };
            int log(int);
            struct gone g = {n};
            x += g.count;
        } while (n++ < 3);
    }
    if (argc > 0) {
        struct kept { int count; };
        struct kept k = {argc};
        for (int i = 0; i < k.count; i++)
            MPI_Bcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
