/* SPDX-License-Identifier: Apache-2.0
 *
 * One macro call makes several functions, of which some are needed: they stay as they are, whether
 * they end with a return or not.
 *
 * kept: MAKE(i)
 * kept: CHOOSE(choose)
 * gone: x[0] += 1
 * args: 5
 * args: 0
 */
#include <mpi.h>
#include <stdlib.h>

#define MAKE(prefix)                                                                               \
    int prefix##nothing(int n) {                                                                   \
        if (n > 0)                                                                                 \
            return n;                                                                              \
        else                                                                                       \
            return 1 - n;                                                                          \
    }                                                                                              \
    void prefix##fill(int *list, int n) {                                                          \
        for (int k = 0; k < n; k++)                                                                \
            list[k] = prefix##nothing(k - 2);                                                      \
    }                                                                                              \
    int prefix##unused(int n) {                                                                    \
        return 3 * n;                                                                              \
    }

#define CHOOSE(name)                                                                               \
    static int name(int n) {                                                                       \
        if (n > 3)                                                                                 \
            return 3;                                                                              \
        else                                                                                       \
            return n;                                                                              \
    }

MAKE(i)
CHOOSE(choose)

int main(int argc, char **argv) {
    int list[4], n = argc > 1 ? atoi(argv[1]) : 1;
    double x[8] = {0};
    MPI_Init(&argc, &argv);
    ifill(list, 4);
    x[0] += 1;
    MPI_Bcast(x, list[3] + choose(n), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
