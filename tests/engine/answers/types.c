/* SPDX-License-Identifier: Apache-2.0 */
#include "answers.h"

#include <stdlib.h>
#include <string.h>

#define CELLS 96

static void tell_made_of(const struct rank *rank, const char *what, MPI_Datatype type) {
    int integer_count, address_count, type_count, combiner, integers[32];
    MPI_Aint addresses[32], total = 0;
    MPI_Datatype types[32];
    MPI_Type_get_envelope(type, &integer_count, &address_count, &type_count, &combiner);
    tell(rank, what, integer_count, address_count, 100 * type_count + combiner);
    if (combiner == MPI_COMBINER_NAMED)
        return;
    MPI_Type_get_contents(type, integer_count, address_count, type_count, integers, addresses,
                          types);
    for (int i = 0; i < address_count; i++)
        total = 31 * total + addresses[i];
    tell(rank, what, sum(integers, integer_count), total, types[0] == MPI_INT);
}

/* Packed, unpacked elsewhere, and sent to the neighbour as it is. */
static void tell_moved(const struct rank *rank, const char *what, MPI_Datatype type) {
    int *cells = ints_from(100 * rank->rank, CELLS), *others = calloc(CELLS, sizeof *others),
        at = 0;
    char *packed = calloc(CELLS, sizeof(int));
    MPI_Status status;
    int count = 0, bytes = CELLS * (int)sizeof(int);
    MPI_Pack(cells, 2, type, packed, bytes, &at, WORLD);
    tell(rank, what, at, sum((int *)(void *)packed, CELLS), 0);
    bytes = at;
    at = 0;
    MPI_Unpack(packed, bytes, &at, others, 2, type, WORLD);
    tell(rank, what, at, sum(others, CELLS), 0);
    memset(others, 0, CELLS * sizeof *others);
    MPI_Sendrecv(cells, 2, type, rank->next, 1, others, 3, type, rank->last, 1, WORLD, &status);
    MPI_Get_count(&status, type, &count);
    tell(rank, what, count, 0, sum(others, CELLS));
    free(cells);
    free(others);
    free(packed);
}

/* SMPI makes some of others, and answers what it has made. */
static void tell_type(const struct rank *rank, const char *what, MPI_Datatype type,
                      int is_made_as_said) {
    MPI_Aint lower, extent, true_lower, true_extent;
    int size;
    MPI_Type_commit(&type);
    MPI_Type_size(type, &size);
    MPI_Type_get_extent(type, &lower, &extent);
    MPI_Type_get_true_extent(type, &true_lower, &true_extent);
    tell(rank, what, size, lower, extent);
    tell(rank, what, size, true_lower, true_extent);
    if (is_made_as_said)
        tell_made_of(rank, what, type);
    if (lower >= 0 && size > 0 && 3 * extent <= CELLS * (MPI_Aint)sizeof(int))
        tell_moved(rank, what, type);
}

void types(const struct rank *rank) {
    MPI_Datatype type, int_and_double[] = {MPI_INT, MPI_DOUBLE};
    int lengths[] = {2, 1, 3}, offsets[] = {0, 4, 7};
    MPI_Aint places[] = {0, 16, 28}, members[] = {0, 8}, apart[] = {0, 16};
#define MADE_OF(is_made_as_said, call, ...)                                                        \
    MPI_Type_##call(__VA_ARGS__, &type);                                                           \
    tell_type(rank, #call, type, is_made_as_said);                                                 \
    MPI_Type_free(&type)
#define MADE(call, ...) MADE_OF(1, call, __VA_ARGS__)
#define MADE_OF_OTHERS(call, ...) MADE_OF(0, call, __VA_ARGS__)
    MADE(contiguous, 5, MPI_INT);
    MADE(vector, 3, 2, 4, MPI_INT);
    MADE(vector, 3, 2, 2, MPI_INT);
    MADE(vector, 1, 2, 7, MPI_INT);
    MADE(create_hvector, 3, 2, 12, MPI_INT);
    MADE(indexed, 3, lengths, offsets, MPI_INT);
    MADE(create_hindexed, 3, lengths, places, MPI_INT);
    MADE_OF_OTHERS(create_indexed_block, 3, 2, offsets, MPI_INT);
    MADE_OF_OTHERS(create_hindexed_block, 3, 2, places, MPI_INT);
    MADE_OF_OTHERS(create_struct, 2, lengths, members, int_and_double);
    MADE_OF_OTHERS(create_struct, 2, lengths, apart, int_and_double);
    tell_type(rank, "named", MPI_DOUBLE_INT, 1);
}
