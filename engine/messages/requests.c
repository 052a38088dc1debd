/* SPDX-License-Identifier: Apache-2.0
 *
 * Requests from their start to their end; see request.h.
 */
#include "engine/messages/message.h"
#include "engine/messages/message_settings.h"

#include "base/arena.h"
#include "engine/core/simulation.h"
#include "engine/core/waiting_ranks.h"
#include "engine/messages/message_counts.h"

#include "engine/objects/failure.h"
#include "engine/objects/reduce_operation.h"
#include "engine/objects/scratch_memory.h"

#include <stdlib.h>
#include <string.h>

#define SPARE_AT_ONCE 256

static struct SMPI_Request *spare_requests;

struct message_settings message_settings = {
    .eager_bytes = 65536, .test_s = 1e-4, .probe_s = 1e-4, .grows = true};

double message_cost_s(const struct piecewise *pieces, size_t bytes) {
    if (pieces->count > 0 && (double)bytes <= pieces->of[0].size_bytes)
        return pieces->of[0].constant + pieces->of[0].per_byte * (double)bytes;
    return pieces->count > 0 ? piecewise_at(pieces, (double)bytes) : 0;
}

static struct SMPI_Request *take_spare(void) {
    if (spare_requests == NULL) {
        struct SMPI_Request *block = new_lines(SPARE_AT_ONCE * sizeof *block);
        for (size_t i = 0; i + 1 < SPARE_AT_ONCE; i++)
            block[i].next = &block[i + 1];
        spare_requests = block;
    }
    struct SMPI_Request *request = spare_requests;
    spare_requests = request->next;
    return request;
}

struct SMPI_Request *request_new(uint32_t flags, const void *buffer, int count,
                                 struct SMPI_Datatype *type, struct SMPI_Comm *comm) {
    struct SMPI_Request *request = take_spare();
    *request = (struct SMPI_Request){.comm = comm,
                                     .type = datatype_use(type),
                                     .buffer = (void *)(uintptr_t)buffer,
                                     .bytes = (size_t)count * type->size,
                                     .count = count,
                                     .context = comm->context,
                                     .flags = flags,
                                     .waiter = NO_RANK,
                                     .op = MPI_OP_NULL};
    return request;
}

void request_dispose(struct SMPI_Request *request) {
    free(request->payload);
    datatype_release(request->type);
    request->next = spare_requests;
    spare_requests = request;
}

/* Its other side. */
static uint32_t find_member(struct SMPI_Request *request, int rank) {
    if (rank == MPI_PROC_NULL)
        request->flags |= REQUEST_NOBODY;
    return rank < 0 ? ANY_RANK : communicator_member(request->comm, rank);
}

struct SMPI_Request *request_send(uint32_t flags, const void *buffer, int count,
                                  struct SMPI_Datatype *type, int to, int tag,
                                  struct SMPI_Comm *comm) {
    struct SMPI_Request *request = request_new(REQUEST_SEND | flags, buffer, count, type, comm);
    request->source = simulation.current;
    request->destination = find_member(request, to);
    request->tag = tag;
    return request;
}

struct SMPI_Request *request_receive(uint32_t flags, void *buffer, int count,
                                     struct SMPI_Datatype *type, int from, int tag,
                                     struct SMPI_Comm *comm) {
    struct SMPI_Request *request = request_new(REQUEST_RECEIVE | flags, buffer, count, type, comm);
    request->source = find_member(request, from);
    request->destination = simulation.current;
    request->tag = tag;
    return request;
}

/* NULL: there is none, or nobody looks at it. One-sided operations read another rank's memory. */
static void *copy_payload(const struct SMPI_Request *request) {
    if (request->bytes == 0 || request->buffer == NULL || scratch_memory_has(request->buffer))
        return NULL;
    void *payload = xmalloc(request->bytes);
    const void *from =
        coroutine_memory(&simulation.ranks[request->source].coroutine, request->buffer);
    if (request->type->is_dense)
        memcpy(payload, from, request->bytes);
    else
        datatype_pack(payload, from, request->count, request->type);
    return payload;
}

static bool goes_on_at_once(const struct SMPI_Request *request) {
    return (request->flags & REQUEST_SYNCHRONOUS) == 0 &&
           ((request->flags & (REQUEST_ONE_SIDED | REQUEST_BUFFERED)) != 0 ||
            request->bytes < message_settings.eager_bytes);
}

/* ---- Posting ----
 *
 * Where a rank has two mailboxes, SMPI looks into both, one after the other, and locks them. */

static bool has_two_mailboxes(const struct SMPI_Request *request) {
    return message_settings.early_bytes > 0 || (request->flags & REQUEST_ONE_SIDED) != 0;
}

static bool is_small(const struct SMPI_Request *request) {
    return (request->flags & REQUEST_ONE_SIDED) != 0 ||
           request->bytes < message_settings.early_bytes;
}

static struct engine_mutex *mailboxes_of(uint32_t rank) {
    struct engine_mutex **mutex = &simulation.ranks[rank].mailboxes;
    if (*mutex == NULL)
        *mutex = xcalloc(1, sizeof **mutex);
    return *mutex;
}

static void post(struct rank_call *call, const struct SMPI_Request *request) {
    if (!has_two_mailboxes(request)) {
        simulation_call(call);
        return;
    }
    struct engine_mutex *mutex = mailboxes_of(request->destination);
    engine_mutex_lock(mutex, "a mailbox");
    bool is_receive = (request->flags & REQUEST_RECEIVE) != 0;
    simulation_pass_rounds(is_receive || is_small(request));
    if (is_receive && is_small(request)) {
        const struct engine_message *message = message_peek(request);
        simulation_pass_rounds(message == NULL || !message->is_early);
    }
    simulation_call(call);
    engine_mutex_unlock(mutex);
}

static double send_cost_s(const struct SMPI_Request *request) {
    if ((request->flags & REQUEST_NONBLOCKING) != 0)
        return message_cost_s(&message_settings.nonblocking_send, request->bytes);
    if ((request->flags & (REQUEST_DETACHED | REQUEST_SYNCHRONOUS)) != 0)
        return message_cost_s(&message_settings.send, request->bytes);
    return 0;
}

static void start_send(struct SMPI_Request *request) {
    bool detached = goes_on_at_once(request);
    bool is_synchronous = (request->flags & REQUEST_SYNCHRONOUS) != 0;
    struct engine_message *message = message_new();
    *message = (struct engine_message){.call.take_effect = message_posts,
                                       .source = request->source,
                                       .destination = request->destination,
                                       .tag = request->tag,
                                       .context = request->context,
                                       .bytes = request->bytes,
                                       .payload = copy_payload(request),
                                       .send = detached ? NULL : request,
                                       .is_one_sided = (request->flags & REQUEST_ONE_SIDED) != 0,
                                       .may_be_early = is_small(request) && !is_synchronous};
    request->flags &= ~(uint32_t)REQUEST_DETACHED;
    request->flags |= detached ? REQUEST_DETACHED : 0;
    request->message = detached ? NULL : message;
    request->is_done = detached;
    request->real_bytes = request->bytes;
    request->real_source = request->source;
    request->real_tag = request->tag;
    double cost_s = send_cost_s(request);
    if (cost_s > 0)
        simulation_sleep(cost_s);
    message_counts_add(request->bytes);
    simulation.ranks[request->source].open++;
    post(&message->call, request);
}

void request_start(struct SMPI_Request *request) {
    request->flags &= ~(uint32_t)(REQUEST_PREPARED | REQUEST_FINISHED);
    request->is_done = request->is_matched = request->is_truncated = false;
    request->was_cancelled = false;
    if ((request->flags & REQUEST_NOBODY) != 0) {
        request->is_done = true;
    } else if ((request->flags & REQUEST_SEND) != 0) {
        start_send(request);
    } else {
        request->call.take_effect = message_receives;
        simulation.ranks[request->destination].open++;
        post(&request->call, request);
    }
}

void request_complete(struct SMPI_Request *request) {
    request->is_done = true;
    if ((request->flags & REQUEST_FREED) != 0) {
        request->flags &= ~(uint32_t)REQUEST_PERSISTENT;
        request->pays_for_receiving = false;
        request_finish(request, MPI_STATUS_IGNORE);
    } else if (request->waiter != NO_RANK) {
        uint32_t waiter = request->waiter;
        request->waiter = NO_RANK;
        simulation_complete(waiter, request);
    }
}

void request_cancel(struct SMPI_Request *request) {
    request->flags |= REQUEST_CANCELLED;
    simulation_catch_up();
    if (request->is_done || request->is_matched)
        return;
    if ((request->flags & REQUEST_RECEIVE) != 0) {
        request->was_cancelled = message_take_receive_back(request);
        simulation.ranks[request->destination].open -= request->was_cancelled;
        request->real_source = 0;
        request->real_tag = 0;
        request->real_bytes = 0;
    } else if (message_take_back(request->message)) {
        request->was_cancelled = true;
        simulation.ranks[request->source].open--;
        message_dispose(request->message);
        request->message = NULL;
    }
    if (request->was_cancelled)
        request_complete(request);
}

void request_free(struct SMPI_Request *request) {
    bool is_under_way = (request->flags & (REQUEST_PREPARED | REQUEST_FINISHED)) == 0;
    if (is_under_way && !request->is_done)
        request->flags |= REQUEST_FREED;
    else
        request_dispose(request);
}

void status_empty(MPI_Status *status) {
    if (status != MPI_STATUS_IGNORE)
        *status = (MPI_Status){
            .MPI_SOURCE = MPI_ANY_SOURCE, .MPI_TAG = MPI_ANY_TAG, .MPI_ERROR = MPI_SUCCESS};
}

void status_of_nobody(MPI_Status *status) {
    status_empty(status);
    if (status != MPI_STATUS_IGNORE)
        status->MPI_SOURCE = MPI_PROC_NULL;
}

/* At the owner's place, which may be another rank's stack. */
static void deliver(struct SMPI_Request *request) {
    void *payload = request->payload;
    request->payload = NULL;
    if (payload != NULL && request->buffer != NULL && !scratch_memory_has(request->buffer)) {
        void *to =
            coroutine_memory(&simulation.ranks[request->destination].coroutine, request->buffer);
        if (request->op != MPI_OP_NULL && (request->flags & REQUEST_ACCUMULATE) != 0)
            operation_accumulate(request->op, payload, to, request->real_bytes, request->type);
        else if (request->type->is_dense)
            memcpy(to, payload, request->real_bytes);
        else
            datatype_unpack(to, payload, request->real_bytes, request->count, request->type);
    }
    free(payload);
}

static void fill_status(const struct SMPI_Request *request, MPI_Status *status) {
    if ((request->flags & REQUEST_NOBODY) != 0) {
        status_of_nobody(status);
        return;
    }
    status_empty(status);
    if (status == MPI_STATUS_IGNORE)
        return;
    status->MPI_SOURCE = process_group_rank(request->comm->group, request->real_source);
    status->MPI_TAG = request->real_tag;
    status->MPI_ERROR = request->is_truncated ? MPI_ERR_TRUNCATE : MPI_SUCCESS;
    status->count = (int)request->real_bytes;
}

static void end(struct SMPI_Request *request) {
    if ((request->flags & REQUEST_PERSISTENT) != 0)
        request->flags |= REQUEST_FINISHED;
    else
        request_dispose(request);
}

int request_finish(struct SMPI_Request *request, MPI_Status *status) {
    int result = request->is_truncated ? MPI_ERR_TRUNCATE : MPI_SUCCESS;
    if (request->was_cancelled) {
        status_empty(status);
        if (status != MPI_STATUS_IGNORE)
            status->cancelled = 1;
        end(request);
        return MPI_SUCCESS;
    }
    if ((request->flags & (REQUEST_GENERALIZED | REQUEST_COLLECTIVE)) == 0)
        fill_status(request, status);
    else
        status_empty(status);
    if ((request->flags & REQUEST_RECEIVE) != 0)
        deliver(request);
    double cost_s = request->pays_for_receiving
                        ? message_cost_s(&message_settings.receive, request->real_bytes)
                        : 0;
    if (cost_s > 0)
        simulation_sleep(cost_s);
    if (result != MPI_SUCCESS)
        failure_of_communicator(request->comm, result, "recv");
    end(request);
    return result;
}
