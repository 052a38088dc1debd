/* SPDX-License-Identifier: Apache-2.0
 *
 * What an MPI function does with messages, told by its row in mpi/calls.def.
 */
#include "runtime/trace/traced_parts.h"

#include <string.h>

static bool is(const struct bsim__function *function, enum mpi_fact fact) {
    return (function->facts & fact) != 0;
}

/* The n-th parameter with the role; -1: there are not as many. */
static int8_t find(const struct bsim__function *function, enum mpi_role role, int n) {
    for (int i = 0; i < function->parameter_count; i++)
        if (function->parameters[i].role == role && n-- == 0)
            return (int8_t)i;
    return -1;
}

static bool has_role(const struct bsim__function *function, enum mpi_role role) {
    return find(function, role, 0) >= 0;
}

static void know_message(struct bsim__traced_kind *kind, const struct bsim__function *of) {
    bool both = find(of, MPI_ROLE_PEER, 1) >= 0, sends = has_role(of, MPI_ROLE_PAYLOAD_IN);
    int8_t first_peer = find(of, MPI_ROLE_PEER, 0), first_tag = find(of, MPI_ROLE_TAG, 0);
    int8_t count = find(of, MPI_ROLE_COUNT, 0), second = find(of, MPI_ROLE_COUNT, 1);
    kind->what = TRACED_MESSAGE;
    if (sends || both) {
        kind->destination = first_peer;
        kind->sent_tag = first_tag;
        kind->sent_count = count;
    }
    if (!sends || both) {
        kind->source = both ? find(of, MPI_ROLE_PEER, 1) : first_peer;
        kind->received_tag = both ? find(of, MPI_ROLE_TAG, 1) : first_tag;
        kind->received_count = second >= 0 ? second : count;
    }
    kind->message = find(of, MPI_ROLE_MESSAGE_INOUT, 0);
    kind->is_persistent = is(of, MPI_IS_PERSISTENT);
    kind->is_nonblocking = kind->request >= 0 && !kind->is_persistent;
    kind->always_waits = is(of, MPI_IS_SYNCHRONOUS);
    kind->never_waits = is(of, MPI_IS_BUFFERED);
}

static void know_request(struct bsim__traced_kind *kind, enum bsim__id id) {
    if (id == BSIM__ID_MPI_Start || id == BSIM__ID_MPI_Startall)
        kind->what = TRACED_START;
    else if (id == BSIM__ID_MPI_Request_free)
        kind->what = TRACED_FREE;
    else if (id == BSIM__ID_MPI_Cancel)
        kind->what = TRACED_CANCEL;
}

static void know_access(struct bsim__traced_kind *kind, const struct bsim__function *of,
                        bool is_collective) {
    if (is_collective)
        kind->what = TRACED_COLLECTIVE;
    else if (has_role(of, MPI_ROLE_PAYLOAD_IN) || has_role(of, MPI_ROLE_PAYLOAD_OUT))
        kind->what = TRACED_ONE_SIDED;
}

static void know(struct bsim__traced_kind *kind, enum bsim__id id) {
    const struct bsim__function *of = &bsim__functions[id];
    switch (of->class) {
    case MPI_CLASS_P2P:
        know_message(kind, of);
        break;
    case MPI_CLASS_REQUEST:
        know_request(kind, id);
        break;
    case MPI_CLASS_COMPLETION:
        if (id != BSIM__ID_MPI_Request_get_status)
            kind->what = TRACED_COMPLETION;
        break;
    case MPI_CLASS_PROBE:
        kind->what = TRACED_PROBE;
        kind->probed_source = find(of, MPI_ROLE_PEER, 0);
        kind->probed_tag = find(of, MPI_ROLE_TAG, 0);
        break;
    case MPI_CLASS_COLLECTIVE:
        kind->what = TRACED_COLLECTIVE;
        kind->is_nonblocking = kind->request >= 0;
        break;
    case MPI_CLASS_COMMUNICATOR:
    case MPI_CLASS_TOPOLOGY:
        if (is(of, MPI_IS_DIVISION) && !is(of, MPI_IS_FOR_GROUP) && kind->request < 0)
            kind->what = TRACED_COLLECTIVE;
        break;
    case MPI_CLASS_RMA:
        know_access(kind, of, id == BSIM__ID_MPI_Win_fence || kind->window_out >= 0);
        break;
    case MPI_CLASS_FILE:
        know_access(kind, of, is(of, MPI_IS_FOR_ALL));
        break;
    default:
        break;
    }
}

struct bsim__traced_kind *bsim__traced_kind(struct bsim__traced_run *run, enum bsim__id id) {
    struct bsim__traced_kind *kind = &run->kinds[id];
    const struct bsim__function *of = &bsim__functions[id];
    if (kind->is_known)
        return kind;
    int8_t outs = find(of, MPI_ROLE_REQUEST_OUT, 0), inouts = find(of, MPI_ROLE_REQUEST_INOUT, 0);
    *kind = (struct bsim__traced_kind){
        .is_known = true,
        .what = TRACED_OTHER,
        .pattern = of->pattern,
        .destination = -1,
        .sent_tag = -1,
        .sent_count = -1,
        .source = -1,
        .received_tag = -1,
        .received_count = -1,
        .message = -1,
        .request = outs >= 0     ? outs
                   : inouts >= 0 ? inouts
                                 : find(of, MPI_ROLE_REQUEST, 0),
        .requests = find(of, MPI_ROLE_REQUESTS, 0),
        .length = find(of, MPI_ROLE_LENGTH, 0),
        .status = find(of, MPI_ROLE_STATUS_OUT, 0),
        .statuses = find(of, MPI_ROLE_STATUSES_OUT, 0),
        .flag = (int8_t)of->flag,
        .index = find(of, MPI_ROLE_INDEX_OUT, 0),
        .indices = find(of, MPI_ROLE_INDICES_OUT, 0),
        .index_count = find(of, MPI_ROLE_OUT, 0),
        .window = find(of, MPI_ROLE_WINDOW, 0),
        .file = find(of, MPI_ROLE_FILE, 0),
        .window_out = find(of, MPI_ROLE_WINDOW_OUT, 0),
        .file_out = find(of, MPI_ROLE_FILE_OUT, 0),
        .communicator_out = find(of, MPI_ROLE_COMMUNICATOR_OUT, 0),
        .makes_request = outs >= 0,
        .is_poll = is(of, MPI_IS_POLL),
        .has_input = has_role(of, MPI_ROLE_PAYLOAD_IN),
    };
    know(kind, id);
    return kind;
}

/* ---- Arguments ---- */

int bsim__traced_integer(const struct bsim__traced_call *call, int parameter) {
    return *(const int *)call->args[parameter];
}

void *bsim__traced_pointer(const struct bsim__traced_call *call, int parameter) {
    return parameter >= 0 ? *(void **)call->args[parameter] : NULL;
}

int64_t bsim__traced_bytes(const struct bsim__traced_call *call, int count) {
    if (count < 0)
        return 0;
    int datatype = bsim__functions[call->id].parameters[count].datatype, size = 1;
    if (datatype >= 0)
        size = bsim__traced_type_size(*(MPI_Datatype *)call->args[datatype]);
    int number = bsim__traced_integer(call, count); /* negative: an error that moves nothing */
    return number > 0 ? (int64_t)number * size : 0;
}

uint64_t bsim__traced_handle(const void *handle, size_t size) {
    uint64_t number = 0;
    memcpy(&number, handle, size);
    return number;
}
