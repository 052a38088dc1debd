/* SPDX-License-Identifier: Apache-2.0
 *
 * See type_contents.h; and MPI's functions that give contents back.
 */
#include "engine/mpi/type_contents.h"

#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

static void *copy_of(const void *from, int count, size_t size) {
    void *copy = xmalloc((size_t)count * size + 1);
    if (count > 0)
        memcpy(copy, from, (size_t)count * size);
    return copy;
}

void contents_note(struct SMPI_Datatype *type, int integer_count, const int *integers,
                   int address_count, const MPI_Aint *addresses, int datatype_count,
                   const MPI_Datatype *datatypes) {
    struct datatype_contents *contents = xmalloc(sizeof *contents);
    *contents = (struct datatype_contents){
        .integer_count = integer_count,
        .address_count = address_count,
        .datatype_count = datatype_count,
        .integers = copy_of(integers, integer_count, sizeof *integers),
        .addresses = copy_of(addresses, address_count, sizeof *addresses),
        .datatypes = copy_of(datatypes, datatype_count, sizeof *datatypes)};
    for (int i = 0; i < datatype_count; i++)
        datatype_use(contents->datatypes[i]);
    type->contents = contents;
}

void contents_note_blocks(struct SMPI_Datatype *type, int count, const int *lengths,
                          const int *offsets, const MPI_Aint *addresses, int datatype_count,
                          const MPI_Datatype *datatypes) {
    int *integers = xmalloc((size_t)(1 + 2 * count) * sizeof *integers), used = 0;
    integers[used++] = count;
    for (int i = 0; i < count; i++)
        integers[used++] = lengths[i];
    for (int i = 0; i < count && offsets != NULL; i++)
        integers[used++] = offsets[i];
    contents_note(type, used, integers, addresses != NULL ? count : 0, addresses, datatype_count,
                  datatypes);
    free(integers);
}

void contents_note_block(struct SMPI_Datatype *type, int count, int length, const int *offsets,
                         const MPI_Aint *addresses, const MPI_Datatype *old) {
    int *integers = xmalloc((size_t)(2 + count) * sizeof *integers), used = 0;
    integers[used++] = count;
    integers[used++] = length;
    for (int i = 0; i < count && offsets != NULL; i++)
        integers[used++] = offsets[i];
    contents_note(type, used, integers, addresses != NULL ? count : 0, addresses, 1, old);
    free(integers);
}

void contents_note_part(struct SMPI_Datatype *type, int dimensions, const int *sizes,
                        const int *part_sizes, const int *starts, int order,
                        const MPI_Datatype *old) {
    int *integers = xmalloc((size_t)(2 + 3 * dimensions) * sizeof *integers);
    size_t bytes = (size_t)dimensions * sizeof *integers;
    integers[0] = dimensions;
    memcpy(integers + 1, sizes, bytes);
    memcpy(integers + 1 + dimensions, part_sizes, bytes);
    memcpy(integers + 1 + 2 * dimensions, starts, bytes);
    integers[1 + 3 * dimensions] = order;
    contents_note(type, 2 + 3 * dimensions, integers, 0, NULL, 1, old);
    free(integers);
}

int PMPI_Type_get_envelope(MPI_Datatype type, int *integers, int *addresses, int *datatypes,
                           int *combiner) {
    const struct datatype_contents *contents = type->contents;
    *integers = contents != NULL ? contents->integer_count : 0;
    *addresses = contents != NULL ? contents->address_count : 0;
    *datatypes = contents != NULL ? contents->datatype_count : 0;
    *combiner = contents != NULL ? type->combiner : MPI_COMBINER_NAMED;
    return MPI_SUCCESS;
}

int PMPI_Type_get_contents(MPI_Datatype type, int integer_most, int address_most, int datatype_most,
                           int *integers, MPI_Aint *addresses, MPI_Datatype *datatypes) {
    const struct datatype_contents *contents = type->contents;
    if (contents == NULL)
        return MPI_ERR_TYPE;
    if (integer_most < contents->integer_count || address_most < contents->address_count ||
        datatype_most < contents->datatype_count)
        return MPI_ERR_COUNT;
    for (int i = 0; i < contents->integer_count; i++)
        integers[i] = contents->integers[i];
    for (int i = 0; i < contents->address_count; i++)
        addresses[i] = contents->addresses[i];
    for (int i = 0; i < contents->datatype_count; i++)
        datatypes[i] = datatype_use(contents->datatypes[i]);
    return MPI_SUCCESS;
}
