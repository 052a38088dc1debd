/* SPDX-License-Identifier: Apache-2.0
 *
 * gcc's attributes of allocators, which name what frees, its names of floating types, and a record
 * handed on as the unnamed one with which it begins: clang, which parses the program, has none.
 *
 * flags: -O2 -fplan9-extensions
 * gone: field[k] = sqrt(field[k] + k)
 * kept: base->step++
 * kept: int *pool_take(int n) {
 */
#include <math.h>
#include <mpi.h>
#include <stdlib.h>

#define FREED_BY(function) __attribute__((malloc, __malloc__(function, 1)))

__asm__(".symver sqrt, sqrt@GLIBC_2.2.5");

static double field[400];

struct base {
    int count, step;
};
struct derived {
    struct base;
    double *data;
};

void pool_give(void *block) {
    free(block);
}

int *pool_take(int n) FREED_BY(pool_give) __attribute__((optimize("O1"), noipa, warn_unused_result));
int *pool_take(int n) {
    return calloc((size_t)n, sizeof(int));
}

static int next(struct base *base) {
    base->step++;
    return base->count * base->step;
}

int main(int argc, char **argv) {
    _Float64 scale = 2.0;
    _Float128 wide = 3.0Q;
    MPI_Init(&argc, &argv);
    struct derived all = {.count = 3, .step = 0, .data = field};
    for (int i = 0; i < 4; i++) {
        int *lengths = pool_take(i + 1);
        lengths[i] += i;
        for (int k = 0; k < 400; k++)
            field[k] = sqrt(field[k] + k);
        MPI_Bcast(all.data, next(&all) + lengths[i], MPI_DOUBLE, 0, MPI_COMM_WORLD);
        MPI_Bcast(field, (int)(scale * wide) + (int)sizeof(wide), MPI_DOUBLE, 0, MPI_COMM_WORLD);
        pool_give(lengths);
    }
    MPI_Finalize();
    return 0;
}
