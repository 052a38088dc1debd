/* SPDX-License-Identifier: Apache-2.0
 *
 * Macros that hold assertions which are switched off, and other statements that are empty: they stay
 * whole where something in them is needed.
 *
 * kept: COUNT(n, argc);
 * kept: INSERT(n, list, at, i);
 * kept: DELETE(n, list, at, i);
 * kept: ONLY(n > 3, n)
 * gone: COUNT(m, 2);
 * args: 1
 * args: 1 2
 */
#include <mpi.h>

#define ASSERT(expression)
#define ADD(n, by)                                                                                 \
    do {                                                                                           \
        ASSERT(by > 0);                                                                            \
        n += by;                                                                                   \
    } while (0)
#define COUNT(n, by) ADD(n, by)
#define INSERT(n, list, at, i)                                                                     \
    do {                                                                                           \
        ASSERT(at[i] == -1);                                                                       \
        list[n] = i;                                                                               \
        at[i] = (n)++;                                                                             \
    } while (0)
#define DELETE(n, list, at, i)                                                                     \
    do {                                                                                           \
        ASSERT(at[i] != -1);                                                                       \
        list[at[i]] = list[--(n)];                                                                 \
        at[list[n]] = at[i];                                                                       \
        at[i] = -1;                                                                                \
    } while (0)
#define ONLY(condition, n)                                                                         \
    do {                                                                                           \
        if (condition)                                                                             \
            ;                                                                                      \
        else {                                                                                     \
        }                                                                                          \
        if (condition)                                                                             \
            n++;                                                                                   \
        else {                                                                                     \
        }                                                                                          \
    } while (0)

int main(int argc, char **argv) {
    double x[100] = {0};
    int n = 0, m = 0, list[20], at[20];
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 5; i++)
        at[i] = -1;
    for (int k = 0; k < 10; k++) {
        int i = (k * 7 + argc) % 5;
        if (at[i] != -1)
            DELETE(n, list, at, i);
        else
            INSERT(n, list, at, i);
        COUNT(m, 2);
    }
    for (int i = 0; i < 5; i++)
        COUNT(n, argc);
    ONLY(n > 3, n);
    MPI_Bcast(x, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    x[0] = m;
    MPI_Finalize();
    return 0;
}
