/* SPDX-License-Identifier: Apache-2.0
 *
 * Where handles are equal the name that comes first is given: the same one in all programs.
 */
#include "runtime/calls/predefined_names.h"

#include <stdbool.h>
#include <stddef.h>

#define NAME(handle) {handle, #handle}

const char *predefined_datatype_name(MPI_Datatype datatype) {
    static const struct {
        MPI_Datatype handle;
        const char *name;
    } names[] = {
        NAME(MPI_DOUBLE),        NAME(MPI_INT),
        NAME(MPI_FLOAT),         NAME(MPI_CHAR),
        NAME(MPI_BYTE),          NAME(MPI_LONG),
        NAME(MPI_LONG_LONG),     NAME(MPI_UNSIGNED),
        NAME(MPI_UNSIGNED_LONG), NAME(MPI_UNSIGNED_LONG_LONG),
        NAME(MPI_SHORT),         NAME(MPI_UNSIGNED_SHORT),
        NAME(MPI_SIGNED_CHAR),   NAME(MPI_UNSIGNED_CHAR),
        NAME(MPI_LONG_DOUBLE),   NAME(MPI_C_BOOL),
        NAME(MPI_INT8_T),        NAME(MPI_UINT8_T),
        NAME(MPI_INT16_T),       NAME(MPI_UINT16_T),
        NAME(MPI_INT32_T),       NAME(MPI_UINT32_T),
        NAME(MPI_INT64_T),       NAME(MPI_UINT64_T),
        NAME(MPI_DOUBLE_INT),    NAME(MPI_C_FLOAT_COMPLEX),
        NAME(MPI_FLOAT_INT),     NAME(MPI_C_DOUBLE_COMPLEX),
        NAME(MPI_2INT),          NAME(MPI_C_LONG_DOUBLE_COMPLEX),
        NAME(MPI_LONG_INT),      NAME(MPI_LONG_DOUBLE_INT),
        NAME(MPI_PACKED),        NAME(MPI_WCHAR),
        NAME(MPI_DATATYPE_NULL), NAME(MPI_AINT),
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (names[i].handle == datatype)
            return names[i].name;
    return NULL;
}

const char *predefined_operation_name(MPI_Op operation) {
    static const struct {
        MPI_Op handle;
        const char *name;
    } names[] = {
        NAME(MPI_SUM),    NAME(MPI_MAX),    NAME(MPI_MIN),     NAME(MPI_PROD),  NAME(MPI_LAND),
        NAME(MPI_LOR),    NAME(MPI_LXOR),   NAME(MPI_BAND),    NAME(MPI_BOR),   NAME(MPI_BXOR),
        NAME(MPI_MAXLOC), NAME(MPI_MINLOC), NAME(MPI_REPLACE), NAME(MPI_NO_OP), NAME(MPI_OP_NULL),
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (names[i].handle == operation)
            return names[i].name;
    return NULL;
}

static bool is_pair(MPI_Datatype datatype) {
    return datatype == MPI_DOUBLE_INT || datatype == MPI_LONG_INT || datatype == MPI_SHORT_INT ||
           datatype == MPI_LONG_DOUBLE_INT;
}

/* Of pairs with padding as in memory: SimGrid counts it, and other MPI do not. */
long long bsim__type_size(MPI_Datatype datatype) {
    MPI_Aint lower = 0, extent = 0;
    int size = 0;
    if (datatype == MPI_DATATYPE_NULL)
        return 0;
    PMPI_Type_size(datatype, &size);
    if (is_pair(datatype))
        PMPI_Type_get_extent(datatype, &lower, &extent);
    return extent > size ? extent : size;
}
