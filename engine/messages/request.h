/* SPDX-License-Identifier: Apache-2.0
 *
 * Requests: sends and receives from their start to their end, with the rules of SMPI 3.32.
 *
 * A transfer begins when both sides are posted. A send of fewer bytes than the threshold (eager,
 * buffered or one-sided) ends at once for the sender; any other when it has been received. Payload
 * is copied when a send starts, and put in place by whoever finishes the receive.
 */
#pragma once

#include "engine/core/simulation.h"
#include "engine/objects/communicator.h"
#include "engine/objects/datatype.h"

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum request_flag {
    REQUEST_SEND = 1u << 0,
    REQUEST_RECEIVE = 1u << 1,
    REQUEST_NONBLOCKING = 1u << 2, /* a send that gives back control */
    REQUEST_SYNCHRONOUS = 1u << 3,
    REQUEST_BUFFERED = 1u << 4,
    REQUEST_PERSISTENT = 1u << 5,
    REQUEST_PREPARED = 1u << 6, /* has never been started */
    REQUEST_FINISHED = 1u << 7, /* a persistent one that is not under way */
    REQUEST_CANCELLED = 1u << 8,
    REQUEST_COLLECTIVE = 1u << 9, /* stands for its parts */
    REQUEST_ONE_SIDED = 1u << 10,
    REQUEST_ACCUMULATE = 1u << 11,
    REQUEST_GENERALIZED = 1u << 12,
    REQUEST_FREED = 1u << 13,    /* by the program, while it was under way */
    REQUEST_DETACHED = 1u << 14, /* a send whose sender goes on at once */
    REQUEST_NOBODY = 1u << 15,   /* its other side is MPI_PROC_NULL */
};

struct request_parts;
struct generalized_request;

/* What a message looks at on its way comes first, in as much as a line of the cache. To let each
 * request begin at a line makes more misses, since they take more of the cache. */
struct SMPI_Request {
    union {
        struct match_node queued;  /* a receive that waits */
        struct SMPI_Request *next; /* among spare ones */
        struct rank_call call;     /* its start */
        struct {                   /* what it was matched with */
            uint32_t real_source;
            int real_tag;
            size_t real_bytes;
        };
    };
    uint32_t flags;
    uint32_t waiter; /* the rank that waits for it; NO_RANK: none */
    int tag;
    int context;     /* the communicator's */
    uint32_t source; /* a rank of the world; a receive: ANY_RANK */
    bool is_done;
    bool pays_for_receiving; /* its sender did not wait */
    bool is_matched : 1, is_truncated : 1, was_cancelled : 1;
    void *payload; /* that has arrived */
    union {
        struct engine_message *message; /* that a send, or a matched receive, is about */
        struct SMPI_Request *only_part; /* of a collective without `parts` */
    };
    size_t bytes; /* count * size of the datatype */

    struct SMPI_Comm *comm;
    struct SMPI_Datatype *type;
    void *buffer;
    int count;
    uint32_t destination;
    struct SMPI_Op *op; /* accumulates, or reduces the parts; MPI_OP_NULL: none */
    union {
        struct request_parts *parts; /* NULL: it has one, or they have ended */
        struct generalized_request *generalized;
    };
};

/* A request that is not started; all its members are set but those of what arrives. */
struct SMPI_Request *request_new(uint32_t flags, const void *buffer, int count,
                                 struct SMPI_Datatype *type, struct SMPI_Comm *comm);
void request_dispose(struct SMPI_Request *request);

/* A send from the current rank to one of the communicator, or MPI_PROC_NULL; a receive from one of
 * it, or MPI_ANY_SOURCE, MPI_PROC_NULL. Not started. */
struct SMPI_Request *request_send(uint32_t flags, const void *buffer, int count,
                                  struct SMPI_Datatype *type, int to, int tag,
                                  struct SMPI_Comm *comm);
struct SMPI_Request *request_receive(uint32_t flags, void *buffer, int count,
                                     struct SMPI_Datatype *type, int from, int tag,
                                     struct SMPI_Comm *comm);

void request_start(struct SMPI_Request *request);
/* Where nobody has matched it; otherwise it takes its course. */
void request_cancel(struct SMPI_Request *request);
/* The program's handle is gone. */
void request_free(struct SMPI_Request *request);

/* Marks it as done and wakes who waits for it. */
void request_complete(struct SMPI_Request *request);

/* The end of a request that is done: puts the payload in place, takes the receiver's time, fills
 * the status (which may be NULL), frees the request unless it is persistent. Returns an error code.
 */
int request_finish(struct SMPI_Request *request, MPI_Status *status);

void status_empty(MPI_Status *status);
void status_of_nobody(MPI_Status *status); /* of MPI_PROC_NULL */
