/* SPDX-License-Identifier: Apache-2.0
 *
 * MPI's functions that make datatypes; those that ask about them are in datatype_queries.c.
 */
#include "engine/core/simulation.h"
#include "engine/mpi/checks.h"
#include "engine/objects/shared_types.h"

#include "base/arena.h"
#include "engine/mpi/type_contents.h"

#include <stdlib.h>
#include <string.h>

static bool is_invalid(const struct SMPI_Datatype *type) {
    return type == NULL || type == MPI_DATATYPE_NULL;
}

int PMPI_Type_contiguous(int count, MPI_Datatype old, MPI_Datatype *out) {
    if (is_invalid(old))
        return MPI_ERR_TYPE;
    if (count < 0)
        return MPI_ERR_COUNT;
    struct datatype_block block = {.count = count, .of = old};
    *out = datatype_new(MPI_COMBINER_CONTIGUOUS, 1, 0, &block, 1);
    contents_note(*out, 1, &count, 0, NULL, 1, &old);
    *out = datatype_shared(*out);
    return MPI_SUCCESS;
}

int PMPI_Type_dup(MPI_Datatype old, MPI_Datatype *out) {
    if (is_invalid(old))
        return MPI_ERR_TYPE;
    struct datatype_block block = {.count = 1, .of = old};
    *out = datatype_new(MPI_COMBINER_DUP, 1, 0, &block, 1);
    contents_note(*out, 0, NULL, 0, NULL, 1, &old);
    *out = datatype_shared(*out);
    return keyed_values_copy(&(*out)->attributes, old->attributes, old, simulation.current);
}

static struct SMPI_Datatype *strided(int combiner, int count, int length, MPI_Aint stride,
                                     MPI_Datatype old) {
    struct datatype_block block = {.count = length, .of = old};
    return datatype_new(combiner, count, stride, &block, 1);
}

int PMPI_Type_vector(int count, int length, int stride, MPI_Datatype old, MPI_Datatype *out) {
    int integers[] = {count, length, stride};
    if (is_invalid(old))
        return MPI_ERR_TYPE;
    if (count < 0)
        return MPI_ERR_COUNT;
    if (length < 0)
        return MPI_ERR_ARG;
    *out = strided(MPI_COMBINER_VECTOR, count, length, stride * datatype_extent(old), old);
    contents_note(*out, 3, integers, 0, NULL, 1, &old);
    *out = datatype_shared(*out);
    return MPI_SUCCESS;
}

int PMPI_Type_create_hvector(int count, int length, MPI_Aint stride, MPI_Datatype old,
                             MPI_Datatype *out) {
    int integers[] = {count, length};
    if (is_invalid(old))
        return MPI_ERR_TYPE;
    if (count < 0)
        return MPI_ERR_COUNT;
    if (length < 0)
        return MPI_ERR_ARG;
    *out = strided(MPI_COMBINER_HVECTOR, count, length, stride, old);
    contents_note(*out, 2, integers, 1, &stride, 1, &old);
    *out = datatype_shared(*out);
    return MPI_SUCCESS;
}

ALSO_NAMED(PMPI_Type_hvector, PMPI_Type_create_hvector);

/* Blocks of different lengths and datatypes: of which there is either one for all, or one each. */
struct block_list {
    int count, length; /* `length`: of all, where there are no lengths */
    const int *lengths, *offsets;
    const MPI_Aint *byte_offsets;
    MPI_Datatype type; /* NULL: one each */
    const MPI_Datatype *types;
};

static int length_at(const struct block_list *list, int i) {
    return list->lengths != NULL ? list->lengths[i] : list->length;
}

static MPI_Datatype type_at(const struct block_list *list, int i) {
    return list->type != NULL ? list->type : list->types[i];
}

static int check_blocks(const struct block_list *list) {
    if (list->count < 0)
        return MPI_ERR_COUNT;
    for (int i = 0; i < list->count; i++)
        if (is_invalid(type_at(list, i)))
            return MPI_ERR_TYPE;
        else if (length_at(list, i) < 0)
            return MPI_ERR_ARG;
    return MPI_SUCCESS;
}

/* MPI_LB and MPI_UB are bounds, and no data. */
static void set_bounds(struct SMPI_Datatype *type, const struct block_list *list) {
    for (int i = 0; i < list->count; i++) {
        if (type_at(list, i) == MPI_LB)
            type->lower = list->byte_offsets[i];
        if (type_at(list, i) == MPI_UB)
            type->upper = list->byte_offsets[i];
        type->is_dense = type->is_dense && type_at(list, i) != MPI_LB && type_at(list, i) != MPI_UB;
    }
}

static struct SMPI_Datatype *from_blocks(int combiner, const struct block_list *list) {
    struct datatype_block *blocks =
        xmalloc((size_t)(list->count > 0 ? list->count : 1) * sizeof *blocks);
    int count = 0;
    for (int i = 0; i < list->count; i++) {
        MPI_Datatype type = type_at(list, i);
        MPI_Aint offset = list->byte_offsets != NULL ? list->byte_offsets[i]
                                                     : list->offsets[i] * datatype_extent(type);
        if (type != MPI_LB && type != MPI_UB)
            blocks[count++] =
                (struct datatype_block){.offset = offset, .count = length_at(list, i), .of = type};
    }
    struct SMPI_Datatype *made = datatype_new(combiner, 1, 0, blocks, count);
    set_bounds(made, list);
    free(blocks);
    return made;
}

static int make_blocks(MPI_Datatype *out, int combiner, const struct block_list *list) {
    int result = check_blocks(list);
    if (result == MPI_SUCCESS)
        *out = from_blocks(combiner, list);
    return result;
}

int PMPI_Type_indexed(int count, const int *lengths, const int *offsets, MPI_Datatype old,
                      MPI_Datatype *out) {
    struct block_list list = {.count = count, .lengths = lengths, .offsets = offsets, .type = old};
    int result = make_blocks(out, MPI_COMBINER_INDEXED, &list);
    if (result == MPI_SUCCESS) {
        contents_note_blocks(*out, count, lengths, offsets, NULL, 1, &old);
        *out = datatype_shared(*out);
    }
    return result;
}

ALSO_NAMED(PMPI_Type_create_indexed, PMPI_Type_indexed);

int PMPI_Type_create_indexed_block(int count, int length, const int *offsets, MPI_Datatype old,
                                   MPI_Datatype *out) {
    struct block_list list = {.count = count, .length = length, .offsets = offsets, .type = old};
    int result = make_blocks(out, MPI_COMBINER_INDEXED_BLOCK, &list);
    if (result == MPI_SUCCESS) {
        contents_note_block(*out, count, length, offsets, NULL, &old);
        *out = datatype_shared(*out);
    }
    return result;
}

int PMPI_Type_create_hindexed(int count, const int *lengths, const MPI_Aint *offsets,
                              MPI_Datatype old, MPI_Datatype *out) {
    struct block_list list = {
        .count = count, .lengths = lengths, .byte_offsets = offsets, .type = old};
    int result = make_blocks(out, MPI_COMBINER_HINDEXED, &list);
    if (result == MPI_SUCCESS) {
        contents_note_blocks(*out, count, lengths, NULL, offsets, 1, &old);
        *out = datatype_shared(*out);
    }
    return result;
}

ALSO_NAMED(PMPI_Type_hindexed, PMPI_Type_create_hindexed);

int PMPI_Type_create_hindexed_block(int count, int length, const MPI_Aint *offsets,
                                    MPI_Datatype old, MPI_Datatype *out) {
    struct block_list list = {
        .count = count, .length = length, .byte_offsets = offsets, .type = old};
    int result = make_blocks(out, MPI_COMBINER_HINDEXED_BLOCK, &list);
    if (result == MPI_SUCCESS) {
        contents_note_block(*out, count, length, NULL, offsets, &old);
        *out = datatype_shared(*out);
    }
    return result;
}

int PMPI_Type_create_struct(int count, const int *lengths, const MPI_Aint *offsets,
                            const MPI_Datatype *types, MPI_Datatype *out) {
    struct block_list list = {
        .count = count, .lengths = lengths, .byte_offsets = offsets, .types = types};
    int result = make_blocks(out, MPI_COMBINER_STRUCT, &list);
    if (result == MPI_SUCCESS) {
        contents_note_blocks(*out, count, lengths, NULL, offsets, count, types);
        *out = datatype_shared(*out);
    }
    return result;
}

ALSO_NAMED(PMPI_Type_struct, PMPI_Type_create_struct);

int PMPI_Type_create_resized(MPI_Datatype old, MPI_Aint lower, MPI_Aint extent, MPI_Datatype *out) {
    if (is_invalid(old))
        return MPI_ERR_TYPE;
    struct datatype_block block = {.count = 1, .of = old};
    MPI_Aint addresses[] = {lower, extent};
    *out = datatype_new(MPI_COMBINER_RESIZED, 1, 0, &block, 1);
    (*out)->lower = lower;
    (*out)->upper = lower + extent;
    (*out)->is_dense = old->is_dense && lower == 0 && extent == (MPI_Aint)old->size;
    contents_note(*out, 0, NULL, 2, addresses, 1, &old);
    *out = datatype_shared(*out);
    return MPI_SUCCESS;
}

/* A part of an array: from the fastest dimension on, each one is a vector of what is inside it. */
static struct SMPI_Datatype *part_of(int dimensions, const int *sizes, const int *part_sizes,
                                     const int *starts, bool is_c_order, MPI_Datatype old) {
    struct SMPI_Datatype *inner = datatype_use(old);
    MPI_Aint stride = datatype_extent(old), offset = 0;
    for (int k = 0; k < dimensions; k++) {
        int i = is_c_order ? dimensions - 1 - k : k;
        struct SMPI_Datatype *outer =
            strided(MPI_COMBINER_HVECTOR, part_sizes[i], 1, stride, inner);
        datatype_release(inner);
        inner = outer;
        offset += stride * starts[i];
        stride *= sizes[i];
    }
    struct datatype_block block = {.offset = offset, .count = 1, .of = inner};
    struct SMPI_Datatype *made = datatype_new(MPI_COMBINER_SUBARRAY, 1, 0, &block, 1);
    made->lower = 0;
    made->upper = stride;
    made->is_dense = made->is_dense && stride == (MPI_Aint)made->size;
    datatype_release(inner);
    return made;
}

int PMPI_Type_create_subarray(int dimensions, const int *sizes, const int *part_sizes,
                              const int *starts, int order, MPI_Datatype old, MPI_Datatype *out) {
    if (is_invalid(old))
        return MPI_ERR_TYPE;
    for (int i = 0; i < dimensions; i++)
        if (part_sizes[i] < 1 || starts[i] < 0 || starts[i] + part_sizes[i] > sizes[i])
            return MPI_ERR_ARG;
    *out = part_of(dimensions, sizes, part_sizes, starts, order == MPI_ORDER_C, old);
    contents_note_part(*out, dimensions, sizes, part_sizes, starts, order, &old);
    *out = datatype_shared(*out);
    return MPI_SUCCESS;
}

int PMPI_Type_commit(MPI_Datatype *type) {
    return type == NULL || is_invalid(*type) ? MPI_ERR_TYPE : MPI_SUCCESS;
}

int PMPI_Type_free(MPI_Datatype *type) {
    if (type == NULL || is_invalid(*type) || datatype_is_predefined(*type))
        return MPI_ERR_TYPE;
    int result = keyed_values_delete_all(&(*type)->attributes, *type, simulation.current);
    datatype_release(*type);
    *type = MPI_DATATYPE_NULL;
    return result;
}
