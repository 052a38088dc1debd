/* SPDX-License-Identifier: Apache-2.0
 *
 * Operations of reductions.
 */
#pragma once

#include "engine/objects/datatype.h"

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

enum operation_kind {
    OPERATION_OWN, /* a function of the program's */
    OPERATION_MAX,
    OPERATION_MIN,
    OPERATION_SUM,
    OPERATION_PROD,
    OPERATION_LAND,
    OPERATION_LOR,
    OPERATION_LXOR,
    OPERATION_BAND,
    OPERATION_BOR,
    OPERATION_BXOR,
    OPERATION_MAXLOC,
    OPERATION_MINLOC,
    OPERATION_REPLACE,
    OPERATION_NO_OP,
};

struct SMPI_Op {
    enum operation_kind kind;
    MPI_User_function *function;
    bool commutes;
};

/* Is it a function of the program's? */
static inline bool operation_is_own(const struct SMPI_Op *op) {
    return op != MPI_OP_NULL && op->kind == OPERATION_OWN;
}

/* inout = in OP inout, of `count` elements. Nothing where memory is nobody's concern. */
void operation_apply(const struct SMPI_Op *op, const void *in, void *inout, int count,
                     struct SMPI_Datatype *type);

/* Likewise, from packed elements into memory as the datatype has it: of MPI_Accumulate. */
void operation_accumulate(const struct SMPI_Op *op, const void *packed, void *to, size_t bytes,
                          struct SMPI_Datatype *type);
