/* SPDX-License-Identifier: Apache-2.0
 *
 * What gcc predefines with the options of the build, and what it answers when asked for attributes
 * and features, decides which code there is: also where clang, which parses it, would say otherwise.
 *
 * flags: -O2 -mavx2 -ffast-math
 * with: builds_compiler.h
 * gone: field[k] = 0.5 * field[k] + k
 * kept: shared += i
 * kept: #define FEATURES (ATTRIBUTE + 10)
 */
#include "builds_compiler.h"
#include <mpi.h>
#include <string.h>

static double field[400];
static int blocks = 1;

#ifdef __clang__
#define COUNT(i) ((void)(i))
static void share(int i) { field[0] += i; }
#else
#define COUNT(i) blocks += i % 3
static int shared;
static void share(int i) {
    shared += i;
    MPI_Bcast(field, shared + 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}
#endif

#if CAN(optnone) /* an attribute of clang's */
#define ATTRIBUTE 1
#elif CAN(noipa) /* and one of gcc's */
#define ATTRIBUTE 2
#else
#define ATTRIBUTE 4
#endif
#ifdef __has_feature
#if __has_feature(memory_sanitizer)
#define FEATURES (ATTRIBUTE + 50)
#else
#define FEATURES (ATTRIBUTE + 20)
#endif
#else
#define FEATURES (ATTRIBUTE + 10)
#endif

int main(int argc, char **argv) {
    int tag = (int)strlen(__VERSION__);
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 6; i++) {
        for (int k = 0; k < 400; k++)
            field[k] = 0.5 * field[k] + k;
        COUNT(i);
        share(i);
        MPI_Bcast(field, blocks + FEATURES + i, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        MPI_Bcast(field, tag + WIDTH + EVALUATION, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
