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

#define MPI_CLASSES(X)                                                                             \
    X(INIT)                                                                                        \
    X(FINALIZE)                                                                                    \
    X(ABORT)                                                                                       \
    X(TIME)                                                                                        \
    X(ENVIRONMENT)                                                                                 \
    X(P2P)        /* sends and receives, blocking, nonblocking, persistent */                      \
    X(REQUEST)    /* starts, frees, cancels a request */                                           \
    X(COMPLETION) /* wait, test and their kin */                                                   \
    X(PROBE)                                                                                       \
    X(STATUS)                                                                                      \
    X(COLLECTIVE)   /* blocking, nonblocking, neighbourhood */                                     \
    X(COMMUNICATOR) /* makes or frees a communicator */                                            \
    X(TOPOLOGY)                                                                                    \
    X(QUERY) /* asks about a communicator */                                                       \
    X(GROUP)                                                                                       \
    X(DATATYPE) /* also pack, unpack, addresses, counts from a status */                           \
    X(OPERATION)                                                                                   \
    X(ATTRIBUTE)                                                                                   \
    X(INFO)                                                                                        \
    X(ERROR)                                                                                       \
    X(DYNAMIC) /* spawning and connecting */                                                       \
    X(RMA)                                                                                         \
    X(FILE)

enum mpi_class {
#define MPI_CLASS_ENUMERATOR(class) MPI_CLASS_##class,
    MPI_CLASSES(MPI_CLASS_ENUMERATOR)
#undef MPI_CLASS_ENUMERATOR
};

/* Of collectives, nonblocking ones too: who cannot be done before whom (Scalasca's patterns). */
#define MPI_PATTERNS(X)                                                                            \
    X(NONE)                                                                                        \
    X(ALL_TO_ALL) /* nobody before the last one */                                                 \
    X(BARRIER)    /* likewise, without data */                                                     \
    X(ONE_TO_ALL) /* nobody before the root */                                                     \
    X(ALL_TO_ONE) /* the root before the last one */                                               \
    X(PREFIX)     /* each before those with lower ranks */                                         \
    X(NEIGHBOURS) /* the topology tells */

enum mpi_pattern {
#define MPI_PATTERN_ENUMERATOR(pattern) MPI_PATTERN_##pattern,
    MPI_PATTERNS(MPI_PATTERN_ENUMERATOR)
#undef MPI_PATTERN_ENUMERATOR
};

/* What neither class nor roles tell of a function. The last two are about SimGrid 3.32. */
#define MPI_FACTS(X)                                                                               \
    X(IS_POLL)         /* returns at once, and may have found nothing */                           \
    X(IS_CHOICE)       /* time decides which of several requests it completes */                   \
    X(IS_RACE)         /* what it gives depends on which rank comes first */                       \
    X(IS_PERSISTENT)   /* makes a request that is started later, several times */                  \
    X(IS_SYNCHRONOUS)  /* a send that waits for its receiver */                                    \
    X(IS_BUFFERED)     /* a send that never does */                                                \
    X(IS_FOR_ALL)      /* of files: all ranks wait for each other */                               \
    X(IS_DIVISION)     /* makes a communicator of ranks of the one it is given */                  \
    X(IS_FOR_GROUP)    /* asks only the ranks of its group */                                      \
    X(HAS_ONE_TYPE)    /* the datatype that it makes has elements of the one given */              \
    X(IS_MEASURE)      /* gives sizes or addresses of datatypes and memory */                      \
    X(TELLS_RANK)      /* of whoever asks, in a communicator */                                    \
    X(TELLS_SIZE)      /* how many ranks a communicator has */                                     \
    X(GIVES_NOBODY)    /* may give MPI_PROC_NULL */                                                \
    X(SHARES_MEMORY)   /* gives memory that other ranks have, too */                               \
    X(RUNS_ATTRIBUTES) /* of datatypes: functions of the program, if it made such */               \
    X(RUNS_HANDLER)    /* of errors */                                                             \
    X(IS_SUBSTITUTED)  /* bsim_MPI_X of the runtime is called in its place */                      \
    X(IS_UNTIMED)      /* communicates without stopping the clock of the rank's work */

/* What MPI keeps between calls, beside what handles and requests tell: which functions change it,
 * and which functions' results depend on it. */
#define MPI_STATES(X)                                                                              \
    X(RUN) /* begun, ended */                                                                      \
    X(BUFFER)                                                                                      \
    X(ATTRIBUTES)                                                                                  \
    X(NAMES)                                                                                       \
    X(INFO)                                                                                        \
    X(HINTS)                                                                                       \
    X(ERROR_HANDLERS)                                                                              \
    X(ERROR_CODES)                                                                                 \
    X(FILE_VIEW)                                                                                   \
    X(FILE_ATOMICITY)                                                                              \
    X(FILE_POSITION)                                                                               \
    X(SHARED_POSITION)                                                                             \
    X(FILE_SIZE)

/* Bits: MPI_IS_POLL, MPI_STATE_RUN, ... */
enum mpi_bits {
#define MPI_FACT_BIT(fact) MPI_BIT_##fact,
#define MPI_STATE_BIT(state) MPI_STATE_BIT_##state,
    MPI_FACTS(MPI_FACT_BIT) MPI_FACT_COUNT,
    MPI_STATES_BEGIN = -1,
    MPI_STATES(MPI_STATE_BIT) MPI_STATE_COUNT
};
enum mpi_fact {
#define MPI_FACT(fact) MPI_##fact = 1 << MPI_BIT_##fact,
    MPI_FACTS(MPI_FACT)
};
enum mpi_state {
#define MPI_STATE(state) MPI_STATE_##state = 1 << MPI_STATE_BIT_##state,
    MPI_STATES(MPI_STATE)
};
#undef MPI_FACT_BIT
#undef MPI_STATE_BIT
#undef MPI_FACT
#undef MPI_STATE

#endif
