/* SPDX-License-Identifier: Apache-2.0
 *
 * Datatypes: what a program has described, kept as it was described (a datatype of a million
 * elements takes no million entries).
 *
 * A datatype that is not predefined is `repeats` times, `stride` bytes apart, a list of blocks,
 * each of `count` elements of another datatype at `offset`.
 */
#pragma once

#include "engine/objects/keyed_values.h"

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What elements of predefined datatypes are; operations go by it. */
enum element_kind {
    ELEMENT_NONE,
    ELEMENT_BYTES, /* no arithmetic */
    ELEMENT_INT8,
    ELEMENT_INT16,
    ELEMENT_INT32,
    ELEMENT_INT64,
    ELEMENT_UINT8,
    ELEMENT_UINT16,
    ELEMENT_UINT32,
    ELEMENT_UINT64,
    ELEMENT_FLOAT,
    ELEMENT_DOUBLE,
    ELEMENT_LONG_DOUBLE,
    ELEMENT_FLOAT_COMPLEX,
    ELEMENT_DOUBLE_COMPLEX,
    ELEMENT_LONG_DOUBLE_COMPLEX,
    ELEMENT_FLOAT_INT,
    ELEMENT_DOUBLE_INT,
    ELEMENT_LONG_INT,
    ELEMENT_SHORT_INT,
    ELEMENT_2INT,
    ELEMENT_LONG_DOUBLE_INT,
    ELEMENT_2FLOAT,
    ELEMENT_2DOUBLE,
    ELEMENT_2LONG,
};

struct datatype_block {
    MPI_Aint offset;
    int count;
    struct SMPI_Datatype *of;
};

struct datatype_name {
    struct datatype_name *next;
    uint32_t rank;
    char text[];
};

/* What MPI_Type_get_contents gives back. */
struct datatype_contents {
    int integer_count, address_count, datatype_count;
    int *integers;
    MPI_Aint *addresses;
    struct SMPI_Datatype **datatypes;
};

struct SMPI_Datatype {
    size_t size;                     /* bytes of an element that are sent */
    MPI_Aint lower, upper;           /* bounds; upper - lower is the extent */
    MPI_Aint true_lower, true_upper; /* of what is sent */
    enum element_kind kind;          /* of predefined ones; else ELEMENT_NONE */
    bool is_dense;                   /* `size` bytes at 0 are sent, and elements adjoin */
    uint32_t users;                  /* of others: handles and datatypes made of it */
    int repeats, block_count;
    MPI_Aint stride;
    struct datatype_block *blocks;
    int combiner;
    struct datatype_contents *contents;
    struct keyed_value *attributes;
    const char *name;            /* of a predefined one; NULL: none */
    struct datatype_name *names; /* what ranks have called it */
};

static inline MPI_Aint datatype_extent(const struct SMPI_Datatype *type) {
    return type->upper - type->lower;
}

/* A datatype of `repeats` x blocks, whose blocks are copied, and whose datatypes get a user more.
 */
struct SMPI_Datatype *datatype_new(int combiner, int repeats, MPI_Aint stride,
                                   const struct datatype_block *blocks, int block_count);
struct SMPI_Datatype *datatype_use(struct SMPI_Datatype *type);
void datatype_release(struct SMPI_Datatype *type);
bool datatype_is_predefined(const struct SMPI_Datatype *type);

/* The bytes of `count` elements, one after the other, and back; at most `bytes` of them. */
void datatype_pack(void *out, const void *from, int count, const struct SMPI_Datatype *type);
void datatype_unpack(void *to, const void *packed, size_t bytes, int count,
                     const struct SMPI_Datatype *type);
/* From one place to another, as a message would. */
void datatype_copy(void *to, int to_count, const struct SMPI_Datatype *to_type, const void *from,
                   int from_count, const struct SMPI_Datatype *from_type);

/* Memory for `count` elements, which count as much as those at `like`: where that is scratch this
 * is, too. NULL as `like`: they count. */
void *temporary_new(int count, const struct SMPI_Datatype *type, const void *like);
void temporary_free(void *temporary);

/* Calls `visit` for each dense piece of `count` elements, in order; it returns false to stop. */
typedef bool datatype_visitor(void *context, MPI_Aint offset, size_t bytes);
bool datatype_visit(const struct SMPI_Datatype *type, MPI_Aint offset, int count,
                    datatype_visitor *visit, void *context);
