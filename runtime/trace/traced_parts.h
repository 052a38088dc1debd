/* SPDX-License-Identifier: Apache-2.0
 *
 * What the parts of traced.h share.
 */
#pragma once

#include "analysis/writer/trace_calls.h"
#include "analysis/writer/trace_id.h"
#include "analysis/writer/trace_table.h"
#include "runtime/trace/traced.h"

#include <mpi.h>

/* ---- Functions ---- */

enum bsim__traced_what {
    TRACED_OTHER,      /* nothing but its time */
    TRACED_MESSAGE,    /* sends, receives, or both */
    TRACED_START,      /* of persistent requests */
    TRACED_COMPLETION, /* of requests */
    TRACED_PROBE,
    TRACED_COLLECTIVE, /* also what makes communicators, windows, opens files */
    TRACED_ONE_SIDED,  /* also files */
    TRACED_FREE,       /* of a request */
    TRACED_CANCEL,
};

/* What a function's parameters are, by number; -1: it has none. */
struct bsim__traced_kind {
    bool is_known; /* looked at before */
    enum bsim__traced_what what;
    enum mpi_pattern pattern;
    bool is_persistent, is_nonblocking; /* makes a request, which is active */
    bool is_poll;                       /* tells at once whether something has come */
    bool makes_request;
    bool always_waits, never_waits; /* sends: MPI_Ssend, MPI_Bsend */
    int8_t destination, sent_tag, sent_count, source, received_tag, received_count;
    int8_t probed_source, probed_tag;
    int8_t request, requests, length, status, statuses, flag, index, indices, index_count;
    int8_t message, window, file, window_out, file_out, communicator_out;
    bool has_input; /* a payload that is read */
};

/* ---- State ---- */

struct bsim__traced_communicator {
    uint64_t handle;
    int32_t number; /* in the trace; TRACE_NONE: of no use, as it joins two groups */
    int32_t size, me;
    const int32_t *members;
    uint64_t collectives; /* so far */
};

/* A request; or, by its handle, what a window, a file or a matched message belongs to. */
struct bsim__traced_request {
    struct trace_node node;
    uint64_t handle;
    struct bsim__traced_kind *kind;
    bool is_send, is_collective, is_persistent, is_active, is_cancelled;
    bool is_pushed;   /* on the stack of the call */
    bool is_listed;   /* among those that the call completes */
    bool takes_any;   /* source or tag */
    bool waits;       /* a send, for its receiver */
    int communicator; /* of the rank's */
    struct trace_channel_key key;
    struct trace_arrival arrival;
    struct trace_channel_message message; /* number 0: known when it is complete */
    uint64_t order;                       /* in which they were posted */
    uint64_t number;                      /* among those of the rank, from 1 */
    const void *place;                    /* of the handle that the call wrote */
    int64_t bytes;
};

/* An end of a message, as a call has it. */
struct bsim__traced_end {
    struct trace_channel_key key;
    struct trace_channel_message message;
    int64_t bytes, until_ns; /* until when it was waited for; INT64_MIN: it was not */
    bool is_send, is_message;
    bool is_bare;     /* a request without message: of a collective, of a file */
    uint64_t request; /* its number; 0: none */
};

struct bsim__traced_completion {
    struct bsim__traced_request *request;
    MPI_Status *status;
};

struct bsim__traced_run {
    const struct trace_calls *calls;
    struct trace_writer *writer;
    struct trace_channels *channels;
    struct trace_arrivals *arrivals; /* NULL: not all ranks are here */
    struct trace_table sites;
    uint32_t *regions; /* sites by region, plus 1 */
    int region_count;
    int64_t detached_bytes;
    bool has_details;
    int32_t world; /* its number; TRACE_NONE: not yet */
    int32_t size;
    struct bsim__traced_kind kinds[BSIM__ID_COUNT];
};

struct bsim__traced_rank {
    struct bsim__traced_run *run;
    int32_t rank;
    int64_t last_end_ns;
    struct bsim__traced_communicator *communicators;
    int communicator_count, communicator_capacity, last_communicator;
    struct trace_table same_members; /* communicators so far, by the hash of their members */
    struct trace_table requests;
    uint64_t orders, request_numbers;
    uint64_t made_request;               /* by the call; 0: none */
    int open_any;                        /* active receives from any source or with any tag */
    struct bsim__traced_request **stack; /* NULL: a request that is not known */
    int stack_count, stack_capacity;
    struct bsim__traced_completion *completions;
    struct bsim__traced_end *ends;
    int completion_count, completion_capacity, end_count, end_capacity;
    MPI_Status *statuses; /* in place of ignored ones */
    int status_capacity;
    MPI_Status status; /* likewise */
};

/* The site of a region. */
uint32_t bsim__traced_region_site(struct bsim__traced_run *run, int region);

/* ---- traced_kind.c ---- */

struct bsim__traced_kind *bsim__traced_kind(struct bsim__traced_run *run, enum bsim__id id);
int bsim__traced_integer(const struct bsim__traced_call *call, int parameter);
/* The value of a parameter that is a pointer, or NULL if there is no such parameter. */
void *bsim__traced_pointer(const struct bsim__traced_call *call, int parameter);
/* Elements times the size of their datatype. */
int64_t bsim__traced_bytes(const struct bsim__traced_call *call, int count);
/* What MPI_Type_size says, but for pairs with a gap that of the struct: SMPI sends them whole. */
int bsim__traced_type_size(MPI_Datatype type);
/* The bytes of a handle, as a number. */
uint64_t bsim__traced_handle(const void *handle, size_t size);

/* ---- traced_details.c ---- */

/* Those of the event of a call, but for its requests. */
void bsim__traced_add_details(struct trace_event *event, const struct bsim__traced_call *call,
                              const struct bsim__traced_kind *kind);

/* ---- traced_communicators.c ---- */

/* The index among the rank's; a new one if it is not known. -1: none. */
int bsim__traced_communicator(struct bsim__traced_rank *rank, MPI_Comm communicator);
/* Communicators that a call frees or has made. */
void bsim__traced_forget(const struct bsim__traced_call *call);
void bsim__traced_note(const struct bsim__traced_call *call);
/* The number of the communicator that the call made; TRACE_NONE: none. */
int32_t bsim__traced_made(const struct bsim__traced_call *call);
/* That of the call's communicator, window or file; -1: none. */
int bsim__traced_communicator_of(const struct bsim__traced_call *call);

/* ---- traced_requests.c ---- */

/* NULL: it is not known. */
struct bsim__traced_request *bsim__traced_find(const struct bsim__traced_rank *rank,
                                               uint64_t handle);
/* NULL: out of memory. */
struct bsim__traced_request *bsim__traced_add(struct bsim__traced_rank *rank, uint64_t handle);
/* The next number, for a request that the call made and wrote to that place. */
void bsim__traced_number(struct bsim__traced_rank *rank, struct bsim__traced_request *request,
                         const void *place);
void bsim__traced_remove(struct bsim__traced_rank *rank, struct bsim__traced_request *request);
/* Before a call: a status where the program ignores the one that it is given. */
void bsim__traced_lend_status(const struct bsim__traced_call *call,
                              const struct bsim__traced_kind *kind);
/* Before a call: which requests it may complete, and statuses to look at behind it; behind it:
 * those that are complete, in the order in which they were posted. */
void bsim__traced_look_at(struct bsim__traced_call *call, const struct bsim__traced_kind *kind);
void bsim__traced_completed(struct bsim__traced_call *call, const struct bsim__traced_kind *kind);

/* ---- traced_messages.c ---- */

/* Sends and receives that begin with the call. */
void bsim__traced_begin(struct bsim__traced_call *call, const struct bsim__traced_kind *kind);
/* And end with it, or become a request. */
void bsim__traced_end(struct bsim__traced_call *call, const struct bsim__traced_kind *kind);
/* A persistent request is started; an active one is complete. */
void bsim__traced_start(struct bsim__traced_rank *rank, struct bsim__traced_request *request,
                        int64_t now_ns);
void bsim__traced_finish(struct bsim__traced_rank *rank, struct bsim__traced_request *request,
                         const MPI_Status *status);
/* One more end for the event of the call. */
void bsim__traced_add_end(struct bsim__traced_rank *rank, const struct bsim__traced_end *end);
