/* SPDX-License-Identifier: Apache-2.0
 *
 * What the parameters of MPI functions are for, and the classes of functions: the vocabulary of
 * mpi/calls.def. Only enumerations, so that the runtimes can include it beside mpi.h.
 *
 * MPI_ROLES(X): X(role, reads, writes, payload) for each role: does the call read through the
 * pointer, does it write through it, is what it points to the contents of a message. A role with
 * neither is a plain value (a number, a handle, an address that is only passed on).
 */
#ifndef MPI_ROLES_H
#define MPI_ROLES_H

#define MPI_ROLES(X)                                                                               \
    /* values */                                                                                   \
    X(VALUE, 0, 0, 0)  /* a number that is nothing of the following */                             \
    X(COUNT, 0, 0, 0)  /* elements of a payload; bytes where no datatype follows */                \
    X(LENGTH, 0, 0, 0) /* elements of the arrays that follow */                                    \
    X(PEER, 0, 0, 0)   /* source, destination or target rank */                                    \
    X(ROOT, 0, 0, 0)                                                                               \
    X(TAG, 0, 0, 0)                                                                                \
    X(COMMUNICATOR, 0, 0, 0)                                                                       \
    X(DATATYPE, 0, 0, 0)                                                                           \
    X(OPERATION, 0, 0, 0)                                                                          \
    X(REQUEST, 0, 0, 0)                                                                            \
    X(GROUP, 0, 0, 0)                                                                              \
    X(INFO, 0, 0, 0)                                                                               \
    X(WINDOW, 0, 0, 0)                                                                             \
    X(FILE, 0, 0, 0)                                                                               \
    X(ERRHANDLER, 0, 0, 0)                                                                         \
    X(KEYVAL, 0, 0, 0)                                                                             \
    X(FUNCTION, 0, 0, 0) /* a callback */                                                          \
    X(ADDRESS, 0, 0, 0)  /* a pointer whose value matters, not what it points to */                \
    X(FREED, 0, 0, 0)    /* memory that is given back */                                           \
    /* read through */                                                                             \
    X(COUNTS, 1, 0, 0) /* one count per rank of the communicator */                                \
    X(DISPLACEMENTS, 1, 0, 0)                                                                      \
    X(DATATYPES, 1, 0, 0)                                                                          \
    X(ARRAY_IN, 1, 0, 0)  /* LENGTH elements */                                                    \
    X(RAGGED_IN, 1, 0, 0) /* an array whose length no parameter tells */                           \
    X(STRING_IN, 1, 0, 0)                                                                          \
    X(STRINGS_IN, 1, 0, 0)                                                                         \
    X(STATUS_IN, 1, 0, 0)                                                                          \
    /* written through */                                                                          \
    X(OUT, 0, 1, 0) /* one scalar */                                                               \
    X(FLAG_OUT, 0, 1, 0)                                                                           \
    X(INDEX_OUT, 0, 1, 0)                                                                          \
    X(INDICES_OUT, 0, 1, 0)                                                                        \
    X(ARRAY_OUT, 0, 1, 0)  /* LENGTH elements */                                                   \
    X(RAGGED_OUT, 0, 1, 0) /* an array whose length no parameter tells */                          \
    X(STRING_OUT, 0, 1, 0)                                                                         \
    X(STATUS_OUT, 0, 1, 0)                                                                         \
    X(STATUSES_OUT, 0, 1, 0)                                                                       \
    X(ADDRESS_OUT, 0, 1, 0)    /* receives the value of the ADDRESS before it or of a BUFFER */    \
    X(ALLOCATION_OUT, 0, 1, 0) /* receives a pointer to memory that MPI allocates */               \
    X(REQUEST_OUT, 0, 1, 0)                                                                        \
    X(COMMUNICATOR_OUT, 0, 1, 0)                                                                   \
    X(DATATYPE_OUT, 0, 1, 0)                                                                       \
    X(OPERATION_OUT, 0, 1, 0)                                                                      \
    X(GROUP_OUT, 0, 1, 0)                                                                          \
    X(INFO_OUT, 0, 1, 0)                                                                           \
    X(WINDOW_OUT, 0, 1, 0)                                                                         \
    X(FILE_OUT, 0, 1, 0)                                                                           \
    X(ERRHANDLER_OUT, 0, 1, 0)                                                                     \
    X(KEYVAL_OUT, 0, 1, 0)                                                                         \
    X(MESSAGE_OUT, 0, 1, 0)                                                                        \
    /* read and written through */                                                                 \
    X(INOUT, 1, 1, 0)                                                                              \
    X(ARRAY_INOUT, 1, 1, 0)                                                                        \
    X(ARGC, 1, 1, 0)                                                                               \
    X(ARGV, 1, 1, 0)                                                                               \
    X(STATUS_INOUT, 1, 1, 0)                                                                       \
    X(REQUEST_INOUT, 1, 1, 0)                                                                      \
    X(REQUESTS, 1, 1, 0) /* LENGTH requests */                                                     \
    X(COMMUNICATOR_INOUT, 1, 1, 0)                                                                 \
    X(DATATYPE_INOUT, 1, 1, 0)                                                                     \
    X(OPERATION_INOUT, 1, 1, 0)                                                                    \
    X(GROUP_INOUT, 1, 1, 0)                                                                        \
    X(INFO_INOUT, 1, 1, 0)                                                                         \
    X(WINDOW_INOUT, 1, 1, 0)                                                                       \
    X(FILE_INOUT, 1, 1, 0)                                                                         \
    X(ERRHANDLER_INOUT, 1, 1, 0)                                                                   \
    X(KEYVAL_INOUT, 1, 1, 0)                                                                       \
    X(MESSAGE_INOUT, 1, 1, 0)                                                                      \
    /* payload */                                                                                  \
    X(PAYLOAD_IN, 1, 0, 1)                                                                         \
    X(PAYLOAD_OUT, 0, 1, 1)                                                                        \
    X(PAYLOAD_INOUT, 1, 1, 1)                                                                      \
    X(PAYLOAD_IN_ROOT, 1, 0, 1) /* it, its count and datatype are looked at on the root only */    \
    X(PAYLOAD_OUT_ROOT, 0, 1, 1)                                                                   \
    X(EXPOSED, 1, 1, 1) /* a window's memory, which other ranks read and write later */            \
    X(BUFFER, 1, 1, 1)  /* memory for MPI's own use (MPI_Buffer_attach) */

enum mpi_role {
#define MPI_ROLE_ENUMERATOR(role, reads, writes, payload) MPI_ROLE_##role,
    MPI_ROLES(MPI_ROLE_ENUMERATOR)
#undef MPI_ROLE_ENUMERATOR
        MPI_ROLE_COUNT_OF_ALL
};

enum mpi_class {
    MPI_CLASS_INIT,
    MPI_CLASS_FINALIZE,
    MPI_CLASS_ABORT,
    MPI_CLASS_TIME,
    MPI_CLASS_ENVIRONMENT,
    MPI_CLASS_P2P,        /* sends and receives, blocking, nonblocking, persistent */
    MPI_CLASS_REQUEST,    /* starts, frees, cancels a request */
    MPI_CLASS_COMPLETION, /* wait, test and their kin */
    MPI_CLASS_PROBE,
    MPI_CLASS_STATUS,
    MPI_CLASS_COLLECTIVE,   /* blocking, nonblocking, neighbourhood */
    MPI_CLASS_COMMUNICATOR, /* makes or frees a communicator */
    MPI_CLASS_TOPOLOGY,
    MPI_CLASS_QUERY, /* asks about a communicator */
    MPI_CLASS_GROUP,
    MPI_CLASS_DATATYPE, /* also pack, unpack, addresses, counts from a status */
    MPI_CLASS_OPERATION,
    MPI_CLASS_ATTRIBUTE,
    MPI_CLASS_INFO,
    MPI_CLASS_ERROR,
    MPI_CLASS_DYNAMIC, /* spawning and connecting */
    MPI_CLASS_RMA,
    MPI_CLASS_FILE
};

#endif
