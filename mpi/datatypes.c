/* SPDX-License-Identifier: Apache-2.0
 *
 * The predefined datatypes of MPI 3.1 (C and Fortran names) and their classes. Pairs of
 * two kinds (MPI_DOUBLE_INT, ...) mix both and single bytes may carry anything, so they are of
 * unknown class.
 */
#include "mpi/calls.h"

#include <string.h>

static const char *const integers[] = {
    "MPI_SHORT",         "MPI_INT",      "MPI_LONG",           "MPI_LONG_LONG",
    "MPI_LONG_LONG_INT", "MPI_UNSIGNED", "MPI_UNSIGNED_SHORT", "MPI_UNSIGNED_LONG",
    "MPI_INT16_T",       "MPI_INT32_T",  "MPI_INT64_T",        "MPI_UNSIGNED_LONG_LONG",
    "MPI_UINT16_T",      "MPI_UINT32_T", "MPI_UINT64_T",       "MPI_WCHAR",
    "MPI_AINT",          "MPI_OFFSET",   "MPI_COUNT",          "MPI_INTEGER",
    "MPI_INTEGER2",      "MPI_INTEGER4", "MPI_INTEGER8",       "MPI_INTEGER16",
    "MPI_LOGICAL",       "MPI_LOGICAL2", "MPI_LOGICAL4",       "MPI_LOGICAL8",
    "MPI_2INTEGER",      "MPI_2INT",     "MPI_2LONG",
};

static const char *const floatings[] = {
    "MPI_FLOAT",
    "MPI_DOUBLE",
    "MPI_LONG_DOUBLE",
    "MPI_C_COMPLEX",
    "MPI_C_FLOAT_COMPLEX",
    "MPI_C_DOUBLE_COMPLEX",
    "MPI_REAL",
    "MPI_C_LONG_DOUBLE_COMPLEX",
    "MPI_REAL2",
    "MPI_REAL4",
    "MPI_REAL8",
    "MPI_REAL16",
    "MPI_COMPLEX",
    "MPI_COMPLEX4",
    "MPI_COMPLEX8",
    "MPI_COMPLEX16",
    "MPI_COMPLEX32",
    "MPI_DOUBLE_COMPLEX",
    "MPI_2REAL",
    "MPI_DOUBLE_PRECISION",
    "MPI_2FLOAT",
    "MPI_2DOUBLE_PRECISION",
    "MPI_2DOUBLE",
    "MPI_CXX_FLOAT_COMPLEX",
    "MPI_CXX_LONG_DOUBLE_COMPLEX",
    "MPI_CXX_DOUBLE_COMPLEX",
};

static const char *const others[] = {
    "MPI_BYTE",      "MPI_CHAR",     "MPI_SIGNED_CHAR", "MPI_UNSIGNED_CHAR",   "MPI_PACKED",
    "MPI_C_BOOL",    "MPI_INT8_T",   "MPI_UINT8_T",     "MPI_CHARACTER",       "MPI_INTEGER1",
    "MPI_LOGICAL1",  "MPI_CXX_BOOL", "MPI_FLOAT_INT",   "MPI_DOUBLE_INT",      "MPI_LONG_INT",
    "MPI_SHORT_INT", "MPI_LB",       "MPI_UB",          "MPI_LONG_DOUBLE_INT",
};

#define CONTAINS(list, name) contains(list, sizeof(list) / sizeof((list)[0]), name)

static bool contains(const char *const list[], size_t count, const char *name) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i], name) == 0)
            return true;
    return false;
}

enum mpi_type_class mpi_datatype_class(const char *name) {
    if (CONTAINS(floatings, name))
        return MPI_TYPE_FLOATING;
    return CONTAINS(integers, name) ? MPI_TYPE_INTEGER : MPI_TYPE_UNKNOWN;
}

bool mpi_datatype_is_predefined(const char *name) {
    return mpi_datatype_class(name) != MPI_TYPE_UNKNOWN || CONTAINS(others, name);
}

/* ---- Representation ---- */

struct datatypes_representation {
    const char *first, *all;
};

static const struct datatypes_representation representations[] = {
#define MPI_REPRESENTATION(first, ...) {#first, #first ", " #__VA_ARGS__},
#include "mpi/representations.def"
#undef MPI_REPRESENTATION
};

static bool has_word(const char *list, const char *word) {
    size_t length = strlen(word);
    for (const char *at = list; (at = strstr(at, word)) != NULL; at += length)
        if ((at == list || at[-1] == ' ') && (at[length] == ',' || at[length] == '\0'))
            return true;
    return false;
}

const char *mpi_datatype_representation(const char *name) {
    for (size_t i = 0; i < sizeof representations / sizeof *representations; i++)
        if (has_word(representations[i].all, name))
            return representations[i].first;
    return name;
}
