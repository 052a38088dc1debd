/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/objects/datatype.h"

#include "base/arena.h"
#include "engine/objects/scratch_memory.h"

#include <stdlib.h>
#include <string.h>

bool datatype_is_predefined(const struct SMPI_Datatype *type) {
    return type->blocks == NULL && type->combiner == MPI_COMBINER_NAMED;
}

struct SMPI_Datatype *datatype_use(struct SMPI_Datatype *type) {
    type->users++;
    return type;
}

/* Takes the bounds of one block into account. */
static void widen(struct SMPI_Datatype *type, const struct datatype_block *block, MPI_Aint shift,
                  bool *is_first) {
    if (block->count == 0)
        return;
    MPI_Aint begin = shift + block->offset;
    MPI_Aint more = (block->count - 1) * datatype_extent(block->of);
    MPI_Aint lower = begin + block->of->lower, upper = begin + more + block->of->upper;
    MPI_Aint true_lower = begin + block->of->true_lower;
    MPI_Aint true_upper = begin + more + block->of->true_upper;
    if (*is_first || lower < type->lower)
        type->lower = lower;
    if (*is_first || upper > type->upper)
        type->upper = upper;
    if (*is_first || true_lower < type->true_lower)
        type->true_lower = true_lower;
    if (*is_first || true_upper > type->true_upper)
        type->true_upper = true_upper;
    *is_first = false;
}

static void measure(struct SMPI_Datatype *type) {
    bool is_first = true;
    size_t bytes = 0;
    for (int i = 0; i < type->block_count; i++) {
        const struct datatype_block *block = &type->blocks[i];
        bytes += (size_t)block->count * block->of->size;
        if (type->repeats > 0) {
            widen(type, block, 0, &is_first);
            widen(type, block, (type->repeats - 1) * type->stride, &is_first);
        }
    }
    type->size = bytes * (size_t)type->repeats;
}

/* A single block of dense elements, or blocks of them that adjoin in order. */
static bool is_dense(const struct SMPI_Datatype *type) {
    MPI_Aint end = 0;
    for (int i = 0; i < type->block_count; i++) {
        const struct datatype_block *block = &type->blocks[i];
        if (block->count == 0)
            continue;
        if (!block->of->is_dense || block->offset != end)
            return false;
        end += (MPI_Aint)((size_t)block->count * block->of->size);
    }
    return type->repeats <= 1 || type->stride == end;
}

struct SMPI_Datatype *datatype_new(int combiner, int repeats, MPI_Aint stride,
                                   const struct datatype_block *blocks, int block_count) {
    struct SMPI_Datatype *type = xcalloc(1, sizeof *type);
    size_t bytes = (size_t)block_count * sizeof *blocks;
    *type = (struct SMPI_Datatype){.users = 1,
                                   .combiner = combiner,
                                   .repeats = repeats,
                                   .stride = stride,
                                   .blocks = xmalloc(bytes + 1),
                                   .block_count = block_count};
    if (bytes > 0)
        memcpy(type->blocks, blocks, bytes);
    for (int i = 0; i < block_count; i++)
        datatype_use(type->blocks[i].of);
    measure(type);
    type->is_dense = is_dense(type);
    return type;
}

static void dispose_contents(struct datatype_contents *contents) {
    if (contents == NULL)
        return;
    for (int i = 0; i < contents->datatype_count; i++)
        datatype_release(contents->datatypes[i]);
    free(contents->integers);
    free(contents->addresses);
    free(contents->datatypes);
    free(contents);
}

void datatype_release(struct SMPI_Datatype *type) {
    if (datatype_is_predefined(type) || --type->users > 0)
        return;
    for (int i = 0; i < type->block_count; i++)
        datatype_release(type->blocks[i].of);
    dispose_contents(type->contents);
    free(type->blocks);
    for (struct datatype_name *name = type->names, *next; name != NULL; name = next) {
        next = name->next;
        free(name);
    }
    free(type);
}

bool datatype_visit(const struct SMPI_Datatype *type, MPI_Aint offset, int count,
                    datatype_visitor *visit, void *context) {
    if (type->is_dense)
        return count == 0 || visit(context, offset, (size_t)count * type->size);
    if (type->blocks == NULL) { /* predefined, with padding behind its bytes */
        for (int i = 0; i < count; i++)
            if (!visit(context, offset + i * datatype_extent(type), type->size))
                return false;
        return true;
    }
    for (int i = 0; i < count; i++)
        for (int repeat = 0; repeat < type->repeats; repeat++)
            for (int k = 0; k < type->block_count; k++) {
                MPI_Aint at = offset + i * datatype_extent(type) + repeat * type->stride +
                              type->blocks[k].offset;
                if (!datatype_visit(type->blocks[k].of, at, type->blocks[k].count, visit, context))
                    return false;
            }
    return true;
}

struct packing {
    char *packed, *memory;
    size_t left;
};

static bool pack_piece(void *context, MPI_Aint offset, size_t bytes) {
    struct packing *packing = context;
    memcpy(packing->packed, packing->memory + offset, bytes);
    packing->packed += bytes;
    return true;
}

static bool unpack_piece(void *context, MPI_Aint offset, size_t bytes) {
    struct packing *packing = context;
    size_t taken = bytes < packing->left ? bytes : packing->left;
    memmove(packing->memory + offset, packing->packed, taken);
    packing->packed += taken;
    packing->left -= taken;
    return packing->left > 0;
}

void datatype_pack(void *out, const void *from, int count, const struct SMPI_Datatype *type) {
    struct packing packing = {.packed = out, .memory = (char *)(uintptr_t)from};
    datatype_visit(type, 0, count, pack_piece, &packing);
}

void datatype_unpack(void *to, const void *packed, size_t bytes, int count,
                     const struct SMPI_Datatype *type) {
    struct packing packing = {.packed = (char *)(uintptr_t)packed, .memory = to, .left = bytes};
    if (bytes > 0)
        datatype_visit(type, 0, count, unpack_piece, &packing);
}

void datatype_copy(void *to, int to_count, const struct SMPI_Datatype *to_type, const void *from,
                   int from_count, const struct SMPI_Datatype *from_type) {
    size_t bytes = (size_t)from_count * from_type->size;
    size_t room = (size_t)to_count * to_type->size;
    if (bytes > room)
        bytes = room;
    if (bytes == 0 || to == NULL || from == NULL || scratch_memory_has(to) ||
        scratch_memory_has(from) || (to == from && to_type == from_type))
        return;
    if (from_type->is_dense && to_type->is_dense) {
        memmove(to, from, bytes);
        return;
    }
    char *packed = xmalloc((size_t)from_count * from_type->size);
    datatype_pack(packed, from, from_count, from_type);
    datatype_unpack(to, packed, bytes, to_count, to_type);
    free(packed);
}

void *temporary_new(int count, const struct SMPI_Datatype *type, const void *like) {
    size_t bytes = (size_t)count * (size_t)datatype_extent(type);
    if (like != NULL && scratch_memory_has(like))
        return (void *)(uintptr_t)like;
    return xcalloc(1, bytes > 0 ? bytes : 1);
}

void temporary_free(void *temporary) {
    if (!scratch_memory_has(temporary))
        free(temporary);
}
