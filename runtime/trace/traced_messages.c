/* SPDX-License-Identifier: Apache-2.0
 *
 * Messages: which number one has, at the send when it begins, at the receive when it is posted, or,
 * where it takes any source or tag, when it is complete and its sender known. What is posted while
 * such a receive is open gets its number at the end as well, since that one may come before it.
 *
 * Where all ranks are in one process, each end also learns when the other one began.
 */
#include "runtime/trace/traced_parts.h"

#include <stdlib.h>

void bsim__traced_add_end(struct bsim__traced_rank *rank, const struct bsim__traced_end *end) {
    if (rank->end_count == rank->end_capacity) {
        int capacity = rank->end_capacity * 2 + 16;
        void *grown = realloc(rank->ends, (size_t)capacity * sizeof *rank->ends);
        if (grown == NULL)
            return;
        rank->ends = grown;
        rank->end_capacity = capacity;
    }
    rank->ends[rank->end_count++] = *end;
}

/* ---- Channels ---- */

static int32_t world_rank(const struct bsim__traced_rank *rank, int communicator, int peer) {
    const struct bsim__traced_communicator *of =
        communicator >= 0 ? &rank->communicators[communicator] : NULL;
    return of != NULL && of->members != NULL && peer >= 0 && peer < of->size ? of->members[peer]
                                                                             : TRACE_NONE;
}

static int32_t number_of(const struct bsim__traced_rank *rank, int communicator) {
    return communicator >= 0 ? rank->communicators[communicator].number : TRACE_NONE;
}

static struct trace_channel_key sent_key(const struct bsim__traced_rank *rank, int communicator,
                                         int peer, int tag) {
    return (struct trace_channel_key){number_of(rank, communicator), rank->rank,
                                      world_rank(rank, communicator, peer), tag};
}

static struct trace_channel_key received_key(const struct bsim__traced_rank *rank, int communicator,
                                             int peer, int tag) {
    return (struct trace_channel_key){number_of(rank, communicator),
                                      world_rank(rank, communicator, peer), rank->rank, tag};
}

/* Of members that are known. */
static bool is_channel(const struct trace_channel_key *key) {
    return key->communicator >= 0 && key->sender >= 0 && key->receiver >= 0;
}

static struct trace_channel_message send(struct bsim__traced_rank *rank,
                                         const struct trace_channel_key *key, int64_t now_ns,
                                         int64_t bytes) {
    struct trace_channel_message none = {0};
    return is_channel(key)
               ? rank->run->calls->trace_channels_send(rank->run->channels, key, now_ns, bytes)
               : none;
}

/* Number 0: not yet known. */
static struct trace_channel_message post(struct bsim__traced_rank *rank,
                                         const struct trace_channel_key *key, int64_t now_ns) {
    struct trace_channel_message none = {0};
    return is_channel(key) && rank->open_any == 0
               ? rank->run->calls->trace_channels_post(rank->run->channels, key, now_ns)
               : none;
}

/* Whether a send cannot end before its receive is posted. */
static bool send_waits(const struct bsim__traced_run *run, const struct bsim__traced_kind *kind,
                       int64_t bytes) {
    return run->arrivals != NULL && !kind->never_waits &&
           (kind->always_waits || bytes >= run->detached_bytes);
}

static void end_send(struct bsim__traced_rank *rank, struct bsim__traced_end *end, bool waits) {
    const struct trace_calls *calls = rank->run->calls;
    if (end->message.number == 0 || rank->run->arrivals == NULL)
        return;
    if (waits)
        end->until_ns = calls->trace_channels_posted_ns(end->message);
    calls->trace_channels_sent(end->message);
}

static int received_bytes(const MPI_Status *status) {
    int bytes = 0;
    PMPI_Get_count((MPI_Status *)status, MPI_BYTE, &bytes);
    return bytes != MPI_UNDEFINED ? bytes : 0;
}

/* A receive that is complete: its number if it has none so far, and what came when. */
static void end_receive(struct bsim__traced_rank *rank, struct bsim__traced_end *end,
                        const MPI_Status *status) {
    const struct trace_calls *calls = rank->run->calls;
    struct trace_channels *channels = rank->run->channels;
    if (!is_channel(&end->key))
        return;
    if (end->message.number == 0)
        end->message = calls->trace_channels_post(channels, &end->key, TRACE_UNKNOWN_NS);
    if (rank->run->arrivals == NULL) {
        end->bytes = status != NULL ? received_bytes(status) : end->bytes;
        return;
    }
    end->until_ns = calls->trace_channels_sent_ns(end->message, &end->bytes);
    calls->trace_channels_received(end->message);
}

/* ---- Calls ---- */

static bool takes_any(const struct bsim__traced_call *call, const struct bsim__traced_kind *kind) {
    return bsim__traced_integer(call, kind->source) == MPI_ANY_SOURCE ||
           bsim__traced_integer(call, kind->received_tag) == MPI_ANY_TAG;
}

static void begin_receive(struct bsim__traced_call *call, const struct bsim__traced_kind *kind) {
    struct bsim__traced_rank *rank = call->rank;
    bool any = kind->source < 0 || takes_any(call, kind);
    if (any || rank->run->arrivals == NULL)
        bsim__traced_lend_status(call, kind);
    if (any || kind->is_nonblocking)
        return;
    struct trace_channel_key key = received_key(rank, bsim__traced_communicator_of(call),
                                                bsim__traced_integer(call, kind->source),
                                                bsim__traced_integer(call, kind->received_tag));
    call->received = post(rank, &key, call->begin_ns);
}

void bsim__traced_begin(struct bsim__traced_call *call, const struct bsim__traced_kind *kind) {
    struct bsim__traced_rank *rank = call->rank;
    if (kind->is_persistent)
        return;
    if (kind->destination >= 0) {
        struct trace_channel_key key = sent_key(rank, bsim__traced_communicator_of(call),
                                                bsim__traced_integer(call, kind->destination),
                                                bsim__traced_integer(call, kind->sent_tag));
        call->sent = send(rank, &key, call->begin_ns, bsim__traced_bytes(call, kind->sent_count));
    }
    if (kind->received_count >= 0 || kind->message >= 0)
        begin_receive(call, kind);
}

static struct bsim__traced_end sent_end(const struct bsim__traced_call *call,
                                        const struct bsim__traced_kind *kind) {
    int peer = bsim__traced_integer(call, kind->destination);
    return (struct bsim__traced_end){.key =
                                         sent_key(call->rank, bsim__traced_communicator_of(call),
                                                  peer, bsim__traced_integer(call, kind->sent_tag)),
                                     .message = call->sent,
                                     .bytes = bsim__traced_bytes(call, kind->sent_count),
                                     .until_ns = INT64_MIN,
                                     .is_send = true,
                                     .is_message = call->sent.number != 0};
}

/* As it was asked for: any source and tag as TRACE_ANY. */
static struct bsim__traced_end asked_end(const struct bsim__traced_call *call,
                                         const struct bsim__traced_kind *kind) {
    int peer = bsim__traced_integer(call, kind->source);
    int tag = bsim__traced_integer(call, kind->received_tag);
    struct bsim__traced_end end = {.key =
                                       received_key(call->rank, bsim__traced_communicator_of(call),
                                                    peer, tag == MPI_ANY_TAG ? TRACE_ANY : tag),
                                   .bytes = bsim__traced_bytes(call, kind->received_count),
                                   .until_ns = INT64_MIN};
    if (peer == MPI_ANY_SOURCE)
        end.key.sender = TRACE_ANY;
    return end;
}

/* What came, where it could have been any. */
static void take_status(struct bsim__traced_end *end, const struct bsim__traced_rank *rank,
                        int communicator, const MPI_Status *status) {
    end->key = received_key(rank, communicator, status->MPI_SOURCE, status->MPI_TAG);
    end->bytes = received_bytes(status);
}

static void end_blocking_receive(struct bsim__traced_call *call,
                                 const struct bsim__traced_kind *kind) {
    const MPI_Status *status = bsim__traced_pointer(call, kind->status);
    struct bsim__traced_end end = asked_end(call, kind);
    if (end.key.sender == TRACE_NONE) /* MPI_PROC_NULL */
        return;
    end.message = call->received;
    if (takes_any(call, kind) && status != MPI_STATUS_IGNORE)
        take_status(&end, call->rank, bsim__traced_communicator_of(call), status);
    end_receive(call->rank, &end, status != MPI_STATUS_IGNORE ? status : NULL);
    end.is_message = end.message.number != 0;
    bsim__traced_add_end(call->rank, &end);
}

/* ---- Requests ---- */

static void remember(struct bsim__traced_call *call, const struct bsim__traced_kind *kind,
                     const struct bsim__traced_end *end) {
    const MPI_Request *handle = bsim__traced_pointer(call, kind->request);
    struct bsim__traced_rank *rank = call->rank;
    if (*handle == MPI_REQUEST_NULL)
        return;
    struct bsim__traced_request *request =
        bsim__traced_add(rank, bsim__traced_handle(handle, sizeof *handle));
    if (request == NULL)
        return;
    request->is_send = end->is_send;
    request->is_persistent = kind->is_persistent;
    request->communicator = bsim__traced_communicator_of(call);
    request->key = end->key;
    request->bytes = end->bytes;
    request->takes_any = end->key.sender == TRACE_ANY || end->key.tag == TRACE_ANY;
    request->waits = end->is_send && send_waits(rank->run, kind, end->bytes);
    request->message = end->message;
    request->order = rank->orders++;
    bsim__traced_number(rank, request, handle);
    request->is_active = !kind->is_persistent;
    if (!end->is_send && request->is_active) {
        if (!request->takes_any)
            request->message = post(rank, &request->key, call->begin_ns);
        rank->open_any += request->takes_any;
    }
}

void bsim__traced_start(struct bsim__traced_rank *rank, struct bsim__traced_request *request,
                        int64_t now_ns) {
    request->is_active = true;
    request->order = rank->orders++;
    struct bsim__traced_end end = {.key = request->key,
                                   .bytes = request->bytes,
                                   .until_ns = INT64_MIN,
                                   .is_send = request->is_send,
                                   .request = request->number};
    if (!request->is_send) {
        request->message = (struct trace_channel_message){0};
        if (!request->takes_any)
            request->message = post(rank, &request->key, now_ns);
        rank->open_any += request->takes_any;
        if (rank->run->has_details)
            bsim__traced_add_end(rank, &end);
        return;
    }
    end.message = request->message = send(rank, &request->key, now_ns, request->bytes);
    end.is_message = request->message.number != 0;
    bsim__traced_add_end(rank, &end);
}

static bool was_cancelled(const struct bsim__traced_request *request, const MPI_Status *status) {
    int flag = 0;
    if (request->is_cancelled && status != NULL)
        PMPI_Test_cancelled((MPI_Status *)status, &flag);
    return flag != 0;
}

static void finish_collective(struct bsim__traced_rank *rank,
                              struct bsim__traced_request *request) {
    struct bsim__traced_end end = {
        .until_ns = INT64_MIN, .is_send = true, .is_bare = true, .request = request->number};
    if (rank->run->arrivals != NULL)
        end.until_ns = rank->run->calls->trace_arrivals_leave(
            rank->run->arrivals, &request->arrival, request->kind->pattern);
    bsim__traced_add_end(rank, &end);
}

static void finish_message(struct bsim__traced_rank *rank, struct bsim__traced_request *request,
                           const MPI_Status *status) {
    struct bsim__traced_end end = {.key = request->key,
                                   .message = request->message,
                                   .bytes = request->bytes,
                                   .until_ns = INT64_MIN,
                                   .is_send = request->is_send,
                                   .request = request->number};
    if (request->is_send) { /* its event was where it began */
        end_send(rank, &end, request->waits);
        bsim__traced_add_end(rank, &end);
        return;
    }
    rank->open_any -= request->takes_any;
    if (was_cancelled(request, status)) {
        if (request->message.number != 0)
            rank->run->calls->trace_channels_unpost(request->message);
        end.is_bare = true;
        if (rank->run->has_details)
            bsim__traced_add_end(rank, &end);
        return;
    }
    if (request->takes_any && status != NULL)
        take_status(&end, rank, request->communicator, status);
    end_receive(rank, &end, status);
    end.is_message = end.message.number != 0;
    bsim__traced_add_end(rank, &end);
}

void bsim__traced_finish(struct bsim__traced_rank *rank, struct bsim__traced_request *request,
                         const MPI_Status *status) {
    if (request->is_collective)
        finish_collective(rank, request);
    else
        finish_message(rank, request, status);
    request->is_active = request->is_listed = false;
    if (!request->is_persistent)
        bsim__traced_remove(rank, request);
}

void bsim__traced_end(struct bsim__traced_call *call, const struct bsim__traced_kind *kind) {
    bool is_request = kind->is_nonblocking || kind->is_persistent;
    if (kind->destination >= 0) {
        struct bsim__traced_end end = sent_end(call, kind);
        if (is_request)
            remember(call, kind, &end);
        else
            end_send(call->rank, &end, send_waits(call->rank->run, kind, end.bytes));
        bsim__traced_add_end(call->rank, &end);
    }
    if (kind->source < 0)
        return;
    if (!is_request) {
        end_blocking_receive(call, kind);
        return;
    }
    struct bsim__traced_end end = asked_end(call, kind);
    if (end.key.sender != TRACE_NONE || call->rank->run->has_details)
        remember(call, kind, &end);
    bsim__traced_add_end(call->rank, &end);
}
