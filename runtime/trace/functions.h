/* SPDX-License-Identifier: Apache-2.0
 *
 * What the runtimes know of MPI functions, and of their parameters: generated from mpi/calls.def
 * into bsim_table.h, which whoever defines bsim__functions expands.
 */
#pragma once

#include "mpi/roles.h"

#include <stddef.h>

struct bsim__parameter {
    enum mpi_role role;
    size_t size;
    const char *label;
    unsigned owners; /* bit i: belongs to payload i */
    int datatype;    /* of a count: the parameter with its datatype, or -1 */
    int length;      /* of an array: the parameter with its length, or -1 */
};

struct bsim__function {
    const char *name;
    enum mpi_class class;
    int parameter_count;
    int communicator, root, flag;                           /* parameters, or -1 */
    int request_out, communicator_out, operation, datatype; /* the first ones, likewise */
    int is_supported;                                       /* by SimGrid 3.32, or the runtime */
    enum mpi_pattern pattern;
    unsigned facts; /* bits: enum mpi_fact */
    const struct bsim__parameter *parameters;
};

enum bsim__id {
#define BSIM__ID(name) BSIM__ID_##name,
#include "bsim_table.h"
#undef BSIM__ID
    BSIM__ID_COUNT
};

extern const struct bsim__function bsim__functions[BSIM__ID_COUNT];
