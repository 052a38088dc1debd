/* SPDX-License-Identifier: Apache-2.0
 *
 * The distributed array. Transposition: cut the own rows into one square block per rank, transpose
 * each while packing, exchange them all to all, and put what arrives side by side. In and out:
 * struct array, whose rows are the columns afterwards. Limit: (n / ranks)^2 has to fit an int.
 */
#include "fft.h"

#include <stdlib.h>
#include <string.h>

int array_init(struct array *a, int n) {
    MPI_Comm_rank(MPI_COMM_WORLD, &a->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &a->ranks);
    a->n = n;
    a->rows = n / a->ranks;
    size_t count = (size_t)a->rows * (size_t)n;
    a->cells = malloc(count * sizeof(struct complex_number));
    a->packed = malloc(count * sizeof(struct complex_number));
    MPI_Type_contiguous(2, MPI_DOUBLE, &a->cell);
    MPI_Type_commit(&a->cell);
    return a->cells != NULL && a->packed != NULL ? 0 : -1;
}

void array_dispose(struct array *a) {
    MPI_Type_free(&a->cell);
    free(a->packed);
    free(a->cells);
}

static void pack(struct array *a) {
    struct complex_number *out = a->packed;
    for (int column = 0; column < a->n; column++)
        for (int row = 0; row < a->rows; row++)
            *out++ = a->cells[(size_t)row * (size_t)a->n + (size_t)column];
}

static void unpack(struct array *a) {
    size_t run = (size_t)a->rows;
    for (int source = 0; source < a->ranks; source++)
        for (int row = 0; row < a->rows; row++) {
            const struct complex_number *from =
                a->packed + ((size_t)source * run + (size_t)row) * run;
            memcpy(a->cells + (size_t)row * (size_t)a->n + (size_t)source * run, from,
                   run * sizeof(struct complex_number));
        }
}

void array_transpose(struct array *a) {
    int block = a->rows * a->rows;
    pack(a);
    /* What was packed is sent, so the two arrays can change places: no third one is needed. */
    MPI_Alltoall(a->packed, block, a->cell, a->cells, block, a->cell, MPI_COMM_WORLD);
    struct complex_number *received = a->cells;
    a->cells = a->packed;
    a->packed = received;
    unpack(a);
}
