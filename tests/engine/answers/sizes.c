/* SPDX-License-Identifier: Apache-2.0 */
#include "answers.h"

#include <stdlib.h>

#define MOST_BYTES ((size_t)4 << 20) /* of all blocks of a rank */

/* On both sides of each size at which SMPI changes the algorithm, for some number of ranks. */
static void alltoalls(const struct rank *rank) {
    static const size_t around[] = {2,    4,    16,    64,     256,    512,    1024,
                                    2048, 4096, 32768, 262144, 524288, 1048576};
    char *sent = calloc(1, MOST_BYTES), *received = calloc(1, MOST_BYTES);
    for (size_t i = 0; i < MOST_BYTES; i++)
        sent[i] = (char)(i * 7 + (size_t)rank->rank);
    for (size_t i = 0; i < sizeof around / sizeof *around; i++)
        for (size_t bytes = around[i] - 1; bytes <= around[i]; bytes++) {
            if (bytes * (size_t)rank->size > MOST_BYTES)
                continue;
            MPI_Alltoall(sent, (int)bytes, MPI_BYTE, received, (int)bytes, MPI_BYTE, WORLD);
            tell(rank, "Alltoall", (long)bytes,
                 sum((int *)(void *)received, (int)(bytes * (size_t)rank->size / sizeof(int))), 0);
        }
    free(sent);
    free(received);
}

/* Blocks of different sizes, `total` ints together. */
static void reduce_scatters(const struct rank *rank, int total) {
    int *sent = ints_from(rank->rank, total), *counts = ints_from(1, rank->size), own, given = 0;
    for (int i = 1; i < rank->size; i++)
        given += counts[i];
    counts[0] = total - given;
    own = counts[rank->rank];
    int *received = calloc((size_t)own, sizeof *received);
    MPI_Reduce_scatter(sent, received, counts, MPI_INT, MPI_SUM, WORLD);
    tell(rank, "Reduce_scatter", total, sum(received, own), own);
    free(sent);
    free(received);
    free(counts);
}

/* Operations that do not commute: of all ranks the first one has the say, or the last one. */
static void first(void *in, void *inout, int *count, MPI_Datatype *type) {
    (void)type;
    for (int i = 0; i < *count; i++)
        ((int *)inout)[i] = ((int *)in)[i];
}

static void last(void *in, void *inout, int *count, MPI_Datatype *type) {
    (void)in, (void)inout, (void)count, (void)type;
}

static void reductions(const struct rank *rank, const char *what, MPI_User_function *function) {
    int *own = ints_from(100 * rank->rank, 2 * rank->size), *got = ints_from(7, 2 * rank->size);
    MPI_Op op;
    MPI_Op_create(function, 0, &op);
    for (int root = 0; root < rank->size; root += rank->size - 1) {
        MPI_Reduce(own, got, 3, MPI_INT, op, root, WORLD);
        tell(rank, what, root, sum(got, 3), 0);
    }
    MPI_Allreduce(own, got, 3, MPI_INT, op, WORLD);
    tell(rank, what, -1, sum(got, 3), 0);
    MPI_Reduce_scatter_block(own, got, 2, MPI_INT, op, WORLD);
    tell(rank, what, -2, sum(got, 2), 0);
    MPI_Op_free(&op);
    free(own);
    free(got);
}

void sizes(const struct rank *rank) {
    reductions(rank, "first", first);
    reductions(rank, "last", last);
    alltoalls(rank);
    reduce_scatters(rank, 2000);
    if (rank->size <= 4) { /* SMPI changes to pairs above 524,288 */
        reduce_scatters(rank, 524288);
        reduce_scatters(rank, 524289);
    }
}
