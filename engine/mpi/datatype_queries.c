/* SPDX-License-Identifier: Apache-2.0
 *
 * MPI's functions that ask about datatypes, and that pack; and operations.
 */
#include "base/arena.h"
#include "engine/core/simulation.h"
#include "engine/objects/datatype.h"
#include "engine/objects/reduce_operation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_invalid(const struct SMPI_Datatype *type) {
    return type == NULL || type == MPI_DATATYPE_NULL;
}

int PMPI_Type_size(MPI_Datatype type, int *size) {
    if (is_invalid(type))
        return MPI_ERR_TYPE;
    *size = (int)type->size;
    return MPI_SUCCESS;
}

int PMPI_Type_size_x(MPI_Datatype type, MPI_Count *size) {
    if (is_invalid(type))
        return MPI_ERR_TYPE;
    *size = (MPI_Count)type->size;
    return MPI_SUCCESS;
}

int PMPI_Type_get_extent(MPI_Datatype type, MPI_Aint *lower, MPI_Aint *extent) {
    if (is_invalid(type))
        return MPI_ERR_TYPE;
    *lower = type->lower;
    *extent = datatype_extent(type);
    return MPI_SUCCESS;
}

int PMPI_Type_get_extent_x(MPI_Datatype type, MPI_Count *lower, MPI_Count *extent) {
    if (is_invalid(type))
        return MPI_ERR_TYPE;
    *lower = type->lower;
    *extent = datatype_extent(type);
    return MPI_SUCCESS;
}

int PMPI_Type_get_true_extent(MPI_Datatype type, MPI_Aint *lower, MPI_Aint *extent) {
    if (is_invalid(type))
        return MPI_ERR_TYPE;
    *lower = type->true_lower;
    *extent = type->true_upper - type->true_lower;
    return MPI_SUCCESS;
}

int PMPI_Type_get_true_extent_x(MPI_Datatype type, MPI_Count *lower, MPI_Count *extent) {
    if (is_invalid(type))
        return MPI_ERR_TYPE;
    *lower = type->true_lower;
    *extent = type->true_upper - type->true_lower;
    return MPI_SUCCESS;
}

int PMPI_Type_extent(MPI_Datatype type, MPI_Aint *extent) {
    MPI_Aint lower;
    return PMPI_Type_get_extent(type, &lower, extent);
}

int PMPI_Type_lb(MPI_Datatype type, MPI_Aint *lower) {
    MPI_Aint extent;
    return PMPI_Type_get_extent(type, lower, &extent);
}

int PMPI_Type_ub(MPI_Datatype type, MPI_Aint *upper) {
    if (is_invalid(type))
        return MPI_ERR_TYPE;
    *upper = type->upper;
    return MPI_SUCCESS;
}

/* That of the rank which runs: several may have the datatype. */
static struct datatype_name **find_name(struct SMPI_Datatype *type) {
    struct datatype_name **at = &type->names;
    while (*at != NULL && (*at)->rank != simulation.current)
        at = &(*at)->next;
    return at;
}

int PMPI_Type_get_name(MPI_Datatype type, char *name, int *length) {
    if (is_invalid(type))
        return MPI_ERR_TYPE;
    const char *text = type->name != NULL ? type->name : "";
    const struct datatype_name *own = *find_name(type);
    *length = snprintf(name, MPI_MAX_OBJECT_NAME, "%s", own != NULL ? own->text : text);
    return MPI_SUCCESS;
}

int PMPI_Type_set_name(MPI_Datatype type, const char *name) {
    if (is_invalid(type))
        return MPI_ERR_TYPE;
    struct datatype_name **at = find_name(type), *before = *at;
    struct datatype_name *own = xmalloc(sizeof *own + strlen(name) + 1);
    *own = (struct datatype_name){.next = before != NULL ? before->next : NULL,
                                  .rank = simulation.current};
    strcpy(own->text, name);
    *at = own;
    free(before);
    return MPI_SUCCESS;
}

int PMPI_Pack_size(int count, MPI_Datatype type, MPI_Comm comm, int *size) {
    (void)comm;
    if (is_invalid(type))
        return MPI_ERR_TYPE;
    *size = count * (int)type->size;
    return MPI_SUCCESS;
}

int PMPI_Pack(const void *in, int count, MPI_Datatype type, void *out, int out_bytes, int *position,
              MPI_Comm comm) {
    (void)comm;
    if (is_invalid(type))
        return MPI_ERR_TYPE;
    int bytes = count * (int)type->size;
    if (*position + bytes > out_bytes)
        return MPI_ERR_OTHER;
    datatype_copy((char *)out + *position, bytes, MPI_BYTE, in, count, type);
    *position += bytes;
    return MPI_SUCCESS;
}

int PMPI_Unpack(const void *in, int in_bytes, int *position, void *out, int count,
                MPI_Datatype type, MPI_Comm comm) {
    (void)comm;
    if (is_invalid(type))
        return MPI_ERR_TYPE;
    int bytes = count * (int)type->size;
    if (*position + bytes > in_bytes)
        return MPI_ERR_OTHER;
    datatype_copy(out, count, type, (const char *)in + *position, bytes, MPI_BYTE);
    *position += bytes;
    return MPI_SUCCESS;
}

/* ---- Operations ---- */

int PMPI_Op_create(MPI_User_function *function, int commutes, MPI_Op *op) {
    struct SMPI_Op *own = xcalloc(1, sizeof *own);
    *own = (struct SMPI_Op){.kind = OPERATION_OWN, .function = function, .commutes = commutes != 0};
    *op = own;
    return MPI_SUCCESS;
}

int PMPI_Op_free(MPI_Op *op) {
    if (op == NULL || *op == MPI_OP_NULL)
        return MPI_ERR_OP;
    if ((*op)->kind != OPERATION_OWN)
        return MPI_ERR_OP;
    *op = MPI_OP_NULL; /* reductions that are under way may still need it */
    return MPI_SUCCESS;
}

int PMPI_Op_commutative(MPI_Op op, int *commutes) {
    if (op == MPI_OP_NULL)
        return MPI_ERR_OP;
    *commutes = op->commutes;
    return MPI_SUCCESS;
}
