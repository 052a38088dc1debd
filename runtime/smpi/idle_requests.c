/* SPDX-License-Identifier: Apache-2.0
 *
 * Requests of messages to or from MPI_PROC_NULL, which are complete from the beginning.
 * SimGrid 3.32 does not see that where any one of several requests is waited or tested for:
 * MPI_Waitany crashes where others are still active, MPI_Testany says that there is none. So they
 * are remembered and given out first. Persistent ones are left to SimGrid.
 *
 * Requests that are freed before they are complete are here as well.
 *
 * Nor does its MPI_Testany ever tell of a small message that MPI_Isend has sent: it passes over it
 * as over a request that is not active. Where nothing else is done each one is tested by itself, if
 * other requests are under way not each time, since each test takes time. Persistent ones are not:
 * whether they have been started is not known here.
 */
#include "runtime/smpi/runtime.h"

#define BSIM_NO_MACROS
#include "bsim_calls.h"

#include <string.h>

/* Requests are freed by many functions, and new ones come to lie where they were. */
static void forget(struct bsim__handles *idle, const void *request) {
    int index = bsim__handle_find(idle, request);
    if (index >= 0)
        idle->items[index] = idle->items[--idle->count];
}

static bool goes_nowhere(const struct bsim__function *function, const struct bsim__call *call) {
    for (int i = 0; i < function->parameter_count; i++)
        if (function->parameters[i].role == MPI_ROLE_PEER)
            return *(const int *)call->args[i] == MPI_PROC_NULL;
    return false;
}

void bsim__idle_note(struct bsim__rank *rank, const struct bsim__call *call) {
    const struct bsim__function *function = &bsim__functions[call->id];
    if (function->request_out < 0)
        return;
    for (int i = function->request_out; i < function->parameter_count; i++) {
        if (function->parameters[i].role != MPI_ROLE_REQUEST_OUT)
            continue;
        MPI_Request request = **(MPI_Request **)call->args[i];
        bool persistent = (function->facts & MPI_IS_PERSISTENT) != 0;
        if (rank->idle.count > 0)
            forget(&rank->idle, request);
        if (rank->persistent.count > 0)
            forget(&rank->persistent, request);
        if (persistent)
            bsim__handle_add(&rank->persistent, request);
        else if (request != MPI_REQUEST_NULL && goes_nowhere(function, call))
            bsim__handle_add(&rank->idle, request);
    }
}

bool bsim__idle_given(const struct bsim__call *call) {
    bool waits = call->id == BSIM__ID_MPI_Waitany, tests = call->id == BSIM__ID_MPI_Testany;
    struct bsim__handles *idle = &bsim__current_rank()->idle;
    if ((!waits && !tests) || idle->count == 0)
        return false;
    int count = *(const int *)call->args[0], *index = *(int **)call->args[2];
    MPI_Request *requests = *(MPI_Request **)call->args[1];
    for (int i = 0; i < count; i++) {
        if (requests[i] == MPI_REQUEST_NULL || bsim__handle_find(idle, requests[i]) < 0)
            continue;
        forget(idle, requests[i]);
        *index = i;
        if (tests)
            **(int **)call->args[3] = 1;
        MPI_Wait(&requests[i], *(MPI_Status **)call->args[tests ? 4 : 3]);
        return true;
    }
    return false;
}

/* SimGrid forgets a message that is under way with its request (or crashes). One that is complete
 * is freed by MPI_Test; others stay, a KiB each, and complete by themselves. */
bool bsim__idle_frees(struct bsim__call *call) {
    const struct bsim__rank *rank = bsim__current_rank();
    if (call->id != BSIM__ID_MPI_Request_free)
        return false;
    MPI_Request *request = *(MPI_Request **)call->args[0];
    int done = 0;
    if (*request == MPI_REQUEST_NULL || bsim__handle_find(&rank->persistent, *request) >= 0 ||
        bsim__handle_find(&rank->idle, *request) >= 0)
        return false;
    call->code = MPI_Test(request, &done, MPI_STATUS_IGNORE);
    *request = MPI_REQUEST_NULL;
    return true;
}

#define POLLS_BETWEEN 8

void bsim__idle_look_again(const struct bsim__call *call) {
    struct bsim__rank *rank = bsim__current_rank();
    if (call->id != BSIM__ID_MPI_Testany)
        return;
    int count = *(const int *)call->args[0], *index = *(int **)call->args[2], done = 0;
    int *flag = *(int **)call->args[3];
    MPI_Request *requests = *(MPI_Request **)call->args[1];
    if (*flag && *index != MPI_UNDEFINED) {
        rank->empty_polls = 0;
        return;
    }
    if (!*flag && ++rank->empty_polls % POLLS_BETWEEN != 0)
        return;
    for (int i = 0; i < count && !done; i++) {
        if (requests[i] == MPI_REQUEST_NULL ||
            bsim__handle_find(&rank->composites, requests[i]) >= 0 ||
            bsim__handle_find(&rank->persistent, requests[i]) >= 0)
            continue;
        MPI_Test(&requests[i], &done, *(MPI_Status **)call->args[4]);
        if (done)
            *index = i;
    }
    *flag = *flag || done;
}
