/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of MPI functions (mpi/calls.def) as data. It needs no mpi.h: types are text. The
 * conventions by which a payload finds its count and an array its length are written down at the
 * head of the table; here they are functions, so that nobody else has to know them.
 */
#ifndef MPI_CALLS_H
#define MPI_CALLS_H

#include "mpi/roles.h"

#include <stdbool.h>
#include <stddef.h>

struct mpi_parameter {
    enum mpi_role role;
    const char *type, *name;
};

/* How SimGrid 3.32 supports a function: not at all; itself; or the skeleton's runtime instead. */
enum mpi_support { MPI_SUPPORT_NO, MPI_SUPPORT_YES, MPI_SUPPORT_RUNTIME };

struct mpi_call {
    const char *name;
    enum mpi_class class;
    bool criterion; /* kept in every skeleton and recorded by verify */
    enum mpi_support support;
    bool in_smpi;  /* a skeleton may call it: support is not MPI_SUPPORT_NO */
    bool variadic; /* takes more arguments than the parameters */
    const char *result_type;
    int parameter_count;
    const struct mpi_parameter *parameters;
    enum mpi_pattern pattern;
    unsigned facts;         /* bits: enum mpi_fact */
    unsigned reads, writes; /* bits: enum mpi_state */
};

/* NULL: not in the table. A name that begins with PMPI_ finds the function without the P. */
const struct mpi_call *mpi_call_find(const char *name);

/* All rows, for 0 <= index < mpi_call_count(), sorted by name. */
size_t mpi_call_count(void);
const struct mpi_call *mpi_call_at(size_t index);

bool mpi_role_reads(enum mpi_role role);
bool mpi_role_writes(enum mpi_role role);
bool mpi_role_is_payload(enum mpi_role role);
/* Neither reads nor writes through it: the value itself is all. */
bool mpi_role_is_value(enum mpi_role role);
const char *mpi_role_name(enum mpi_role role);

/* The words of mpi/roles.h. */
extern const char *const mpi_class_names[];
extern const char *const mpi_pattern_names[];
extern const char *const mpi_fact_names[MPI_FACT_COUNT];
extern const char *const mpi_state_names[MPI_STATE_COUNT];

/* The parameter that tells the count (or counts), displacements, datatype (or datatypes) of the
 * payload with index `payload`; -1: there is none. No count: one element of the datatype, or, for
 * EXPOSED and BUFFER, as many bytes as the parameter after it says. No datatype: bytes. */
int mpi_payload_count(const struct mpi_call *call, int payload);
int mpi_payload_displacements(const struct mpi_call *call, int payload);
int mpi_payload_datatype(const struct mpi_call *call, int payload);

/* The LENGTH parameter of an array parameter (requests, statuses, indices, ARRAY_*, STRING_OUT);
 * -1: none, the array has one element per rank or per dimension, or tells its length itself. */
int mpi_array_length(const struct mpi_call *call, int array);

/* The first parameter with that role, or -1. */
int mpi_call_parameter(const struct mpi_call *call, enum mpi_role role);

/* Of NULL, and of names without a row, nothing is a fact. */
bool mpi_call_is(const struct mpi_call *call, enum mpi_fact fact);
bool mpi_function_is(const char *name, enum mpi_fact fact);

/* In every skeleton, whether or not its results are needed: the criteria, what changes MPI's state,
 * and what calls a handler of errors. */
bool mpi_call_is_kept(const struct mpi_call *call);

enum mpi_type_class {
    MPI_TYPE_UNKNOWN, /* bytes, char, packed, pairs, complex of unknown layout, derived, no name */
    MPI_TYPE_INTEGER,
    MPI_TYPE_FLOATING
};

/* The class of a predefined datatype by its name as the source has it, such as "MPI_DOUBLE". */
enum mpi_type_class mpi_datatype_class(const char *name);
bool mpi_datatype_is_predefined(const char *name);
/* One name for all predefined datatypes of which elements look alike in memory (MPI_CHAR and
 * MPI_BYTE: "MPI_CHAR"), as mpi/representations.def has them. Else `name` itself. */
const char *mpi_datatype_representation(const char *name);

#endif
