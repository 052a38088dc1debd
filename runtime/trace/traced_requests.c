/* SPDX-License-Identifier: Apache-2.0
 *
 * Requests of a rank by their handles, and which of them a call has completed. MPI sets handles of
 * completed requests to MPI_REQUEST_NULL, so that they are kept on a stack over the call; where
 * the program ignores statuses that are needed, it is given some to ignore.
 */
#include "runtime/trace/traced_parts.h"

#include <stdlib.h>

struct bsim__traced_request *bsim__traced_find(const struct bsim__traced_rank *rank,
                                               uint64_t handle) {
    return (void *)trace_table_find(&rank->requests, trace_mix(handle, 0));
}

struct bsim__traced_request *bsim__traced_add(struct bsim__traced_rank *rank, uint64_t handle) {
    struct bsim__traced_request *request = bsim__traced_find(rank, handle);
    bool is_shared = request != NULL && rank->run->has_details && request->is_active &&
                     request->is_send && !request->is_persistent;
    if (request != NULL && !is_shared) { /* its handle came again, so that it is no more */
        struct trace_node node = request->node;
        *request = (struct bsim__traced_request){.node = node, .handle = handle};
        return request;
    }
    request = calloc(1, sizeof *request);
    if (request == NULL)
        return NULL;
    request->handle = handle;
    if (trace_table_add(&rank->requests, &request->node, trace_mix(handle, 0)))
        return request;
    free(request);
    return NULL;
}

void bsim__traced_number(struct bsim__traced_rank *rank, struct bsim__traced_request *request,
                         const void *place) {
    request->number = rank->made_request = ++rank->request_numbers;
    request->place = place;
}

void bsim__traced_remove(struct bsim__traced_rank *rank, struct bsim__traced_request *request) {
    trace_table_remove(&rank->requests, &request->node);
    free(request);
}

/* ---- Before ---- */

/* Sends that are over at once may all have the same handle: that which was written to the same
 * place, else the oldest. */
static struct bsim__traced_request *find_at(const struct bsim__traced_rank *rank,
                                            const MPI_Request *place) {
    struct bsim__traced_request *best = NULL;
    struct trace_node *node =
        (void *)bsim__traced_find(rank, bsim__traced_handle(place, sizeof *place));
    for (; node != NULL; node = trace_table_after(node)) {
        struct bsim__traced_request *one = (struct bsim__traced_request *)node;
        if (one->is_pushed)
            continue;
        if (one->place == place)
            return one;
        if (best == NULL || one->order < best->order)
            best = one;
    }
    return best;
}

static void push(struct bsim__traced_call *call, const MPI_Request *handle) {
    struct bsim__traced_rank *rank = call->rank;
    if (rank->stack_count == rank->stack_capacity) {
        int capacity = rank->stack_capacity * 2 + 16;
        void *grown = realloc(rank->stack, (size_t)capacity * sizeof *rank->stack);
        if (grown == NULL)
            return;
        rank->stack = grown;
        rank->stack_capacity = capacity;
    }
    struct bsim__traced_request *one = *handle != MPI_REQUEST_NULL ? find_at(rank, handle) : NULL;
    if (one != NULL)
        one->is_pushed = rank->run->has_details;
    rank->stack[rank->stack_count++] = one;
    call->handles++;
}

/* Here all ranks' sends are known, so that it matters only from whom a message came. */
static bool needs_statuses(const struct bsim__traced_call *call) {
    const struct bsim__traced_rank *rank = call->rank;
    bool needs = false;
    for (int i = 0; i < call->handles; i++) {
        const struct bsim__traced_request *one = rank->stack[call->first_handle + i];
        needs |= one != NULL && one->is_active && !one->is_send && !one->is_collective &&
                 (one->takes_any || one->is_cancelled || rank->run->arrivals == NULL);
    }
    return needs;
}

void bsim__traced_lend_status(const struct bsim__traced_call *call,
                              const struct bsim__traced_kind *kind) {
    if (kind->status >= 0 && bsim__traced_pointer(call, kind->status) == MPI_STATUS_IGNORE)
        *(MPI_Status **)call->args[kind->status] = &call->rank->status;
}

static void lend_statuses(const struct bsim__traced_call *call,
                          const struct bsim__traced_kind *kind) {
    struct bsim__traced_rank *rank = call->rank;
    bsim__traced_lend_status(call, kind);
    if (kind->statuses < 0 ||
        bsim__traced_pointer(call, kind->statuses) != (void *)MPI_STATUSES_IGNORE)
        return;
    if (rank->status_capacity < call->handles) {
        void *grown = realloc(rank->statuses, (size_t)call->handles * sizeof *rank->statuses);
        if (grown == NULL)
            return;
        rank->statuses = grown;
        rank->status_capacity = call->handles;
    }
    *(MPI_Status **)call->args[kind->statuses] = rank->statuses;
}

void bsim__traced_look_at(struct bsim__traced_call *call, const struct bsim__traced_kind *kind) {
    call->first_handle = call->rank->stack_count;
    call->handles = 0;
    if (kind->requests >= 0) {
        const MPI_Request *requests = bsim__traced_pointer(call, kind->requests);
        for (int i = 0; i < bsim__traced_integer(call, kind->length); i++)
            push(call, &requests[i]);
    } else if (kind->request >= 0) {
        push(call, bsim__traced_pointer(call, kind->request));
    }
    for (int i = 0; i < call->handles; i++)
        if (call->rank->stack[call->first_handle + i] != NULL)
            call->rank->stack[call->first_handle + i]->is_pushed = false;
    if (kind->what == TRACED_COMPLETION && needs_statuses(call))
        lend_statuses(call, kind);
}

/* ---- Behind ---- */

static void complete(struct bsim__traced_call *call, int index, MPI_Status *status) {
    struct bsim__traced_rank *rank = call->rank;
    if (index < 0 || index >= call->handles)
        return;
    struct bsim__traced_request *request = rank->stack[call->first_handle + index];
    if (request == NULL || !request->is_active || request->is_listed)
        return; /* sends that are over at once may all have the same handle */
    if (rank->completion_count == rank->completion_capacity) {
        int capacity = rank->completion_capacity * 2 + 16;
        void *grown = realloc(rank->completions, (size_t)capacity * sizeof *rank->completions);
        if (grown == NULL)
            return;
        rank->completions = grown;
        rank->completion_capacity = capacity;
    }
    request->is_listed = true;
    int at = rank->completion_count++;
    for (; at > 0 && rank->completions[at - 1].request->order > request->order; at--)
        rank->completions[at] = rank->completions[at - 1];
    rank->completions[at] = (struct bsim__traced_completion){request, status};
}

static MPI_Status *status_at(MPI_Status *statuses, int index) {
    return statuses != MPI_STATUSES_IGNORE ? &statuses[index] : NULL;
}

static void complete_some(struct bsim__traced_call *call, const struct bsim__traced_kind *kind,
                          MPI_Status *statuses) {
    const int *indices = bsim__traced_pointer(call, kind->indices);
    int count = *(const int *)bsim__traced_pointer(call, kind->index_count);
    for (int i = 0; count != MPI_UNDEFINED && i < count; i++)
        complete(call, indices[i], status_at(statuses, i));
}

void bsim__traced_completed(struct bsim__traced_call *call, const struct bsim__traced_kind *kind) {
    MPI_Status *status = bsim__traced_pointer(call, kind->status);
    MPI_Status *statuses = bsim__traced_pointer(call, kind->statuses);
    bool flag = kind->flag < 0 || *(const int *)bsim__traced_pointer(call, kind->flag) != 0;
    call->rank->completion_count = 0;
    if (kind->indices >= 0)
        complete_some(call, kind, statuses);
    else if (kind->index >= 0 && flag)
        complete(call, *(const int *)bsim__traced_pointer(call, kind->index), status);
    else if (kind->requests >= 0 && flag)
        for (int i = 0; i < call->handles; i++)
            complete(call, i, status_at(statuses, i));
    else if (kind->requests < 0 && flag)
        complete(call, 0, status);
}
