/* SPDX-License-Identifier: Apache-2.0
 *
 * Each function that completes requests, where composites are among these. They are looked at by
 * their parts; to SimGrid's function the others are given alone, with MPI_REQUEST_NULL in place of
 * composites. MPI_Waitany waits for the parts of all at once, since waiting for one request after
 * the other could be for one that never completes.
 *
 * Those of SimGrid's nonblocking collectives are composites of one part: SimGrid's MPI_Waitany
 * waits for such a request whatever else is complete, and its MPI_Request_get_status takes it for
 * done. Here it is asked again and again.
 *
 * Not handled: MPI_Cancel, which MPI does not allow for collectives.
 */
#include "runtime/smpi/composites.h"

#include <simgrid/engine.h>
#include <stdlib.h>

#define BSIM_NO_MACROS
#include "bsim_calls.h"

struct composite *composites_new(int part_count) {
    struct composite *composite =
        bsim__grow(NULL, 0, sizeof *composite + (size_t)part_count * sizeof(MPI_Request));
    composite->part_count = part_count;
    for (int i = 0; i < part_count; i++)
        composite->parts[i] = MPI_REQUEST_NULL;
    composite->status.MPI_SOURCE = MPI_ANY_SOURCE;
    composite->status.MPI_TAG = MPI_ANY_TAG;
    return composite;
}

MPI_Request composites_request(struct composite *composite) {
    bsim__handle_add(&bsim__current_rank()->composites, composite);
    return (MPI_Request)(void *)composite;
}

static void tell(MPI_Status *out, const struct composite *composite) {
    if (out != MPI_STATUS_IGNORE)
        *out = composite->status;
}

int composites_wait(MPI_Status *out, struct composite *composite) {
    struct bsim__handles *all = &bsim__current_rank()->composites;
    MPI_Waitall(composite->part_count, composite->parts, MPI_STATUSES_IGNORE);
    int result = composite->finish != NULL ? composite->finish(composite) : MPI_SUCCESS;
    tell(out, composite);
    int index = bsim__handle_find(all, composite);
    if (index >= 0)
        all->items[index] = all->items[--all->count];
    free(composite);
    return result;
}

/* NULL: it is one of MPI's. */
static struct composite *composite_of(MPI_Request request) {
    const struct bsim__handles *all = &bsim__current_rank()->composites;
    bool is_one = request != MPI_REQUEST_NULL && bsim__handle_find(all, request) >= 0;
    return is_one ? (struct composite *)(void *)request : NULL;
}

static int finish(MPI_Request *request, MPI_Status *status) {
    int result = composites_wait(status, composite_of(*request));
    *request = MPI_REQUEST_NULL;
    return result;
}

static bool is_ready(struct composite *composite) {
    int flag = 1;
    MPI_Testall(composite->part_count, composite->parts, &flag, MPI_STATUSES_IGNORE);
    return flag;
}

/* An array without composites, for SimGrid. Freed by put_back, which gives the program those of the
 * others that have changed. */
static MPI_Request *without_composites(const MPI_Request *requests, int count) {
    MPI_Request *others = bsim__grow(NULL, 0, ((size_t)count + 1) * sizeof *others);
    for (int i = 0; i < count; i++)
        others[i] = composite_of(requests[i]) == NULL ? requests[i] : MPI_REQUEST_NULL;
    return others;
}

static void put_back(MPI_Request *requests, MPI_Request *others, int count) {
    for (int i = 0; i < count; i++)
        if (composite_of(requests[i]) == NULL)
            requests[i] = others[i];
    free(others);
}

static MPI_Status *at(MPI_Status *statuses, int index) {
    return statuses != MPI_STATUSES_IGNORE ? &statuses[index] : MPI_STATUS_IGNORE;
}

/* ---- All ---- */

static int wait_all(int count, MPI_Request *requests, MPI_Status *statuses) {
    MPI_Request *others = without_composites(requests, count);
    int result = MPI_Waitall(count, others, statuses);
    put_back(requests, others, count);
    for (int i = 0; i < count; i++)
        if (composite_of(requests[i]) != NULL && finish(&requests[i], at(statuses, i)) != 0)
            result = MPI_ERR_IN_STATUS;
    return result;
}

static int test_all(int count, MPI_Request *requests, int *flag, MPI_Status *statuses) {
    *flag = 1;
    for (int i = 0; i < count; i++)
        if (composite_of(requests[i]) != NULL && !is_ready(composite_of(requests[i])))
            *flag = 0;
    if (!*flag)
        return MPI_SUCCESS;
    MPI_Request *others = without_composites(requests, count);
    int result = MPI_Testall(count, others, flag, statuses);
    put_back(requests, others, count);
    for (int i = 0; i < count && *flag; i++)
        if (composite_of(requests[i]) != NULL && finish(&requests[i], at(statuses, i)) != 0)
            result = MPI_ERR_IN_STATUS;
    return result;
}

/* ---- Any ---- */

/* All that is waited for: other requests, and parts of composites. */
struct composites_list {
    MPI_Request *items;
    int *owners; /* by item: the request of the program */
    int count;
};

static void list_dispose(struct composites_list *list) {
    free(list->items);
    free(list->owners);
}

static void list_of(struct composites_list *out, int count, const MPI_Request *requests) {
    size_t most = 1;
    for (int i = 0; i < count; i++)
        most +=
            1 +
            (size_t)(composite_of(requests[i]) != NULL ? composite_of(requests[i])->part_count : 0);
    *out = (struct composites_list){.items = bsim__grow(NULL, 0, most * sizeof(MPI_Request)),
                                    .owners = bsim__grow(NULL, 0, most * sizeof(int))};
    for (int i = 0; i < count; i++) {
        const struct composite *composite = composite_of(requests[i]);
        const MPI_Request *parts = composite != NULL ? composite->parts : &requests[i];
        for (int k = 0; k < (composite != NULL ? composite->part_count : 1); k++) {
            out->owners[out->count] = i;
            out->items[out->count++] = parts[k];
        }
    }
}

/* A part that is complete is so in its composite, too; the order of both is the same. */
static void note_part(const struct composites_list *list, int item, MPI_Request request) {
    int first = item;
    while (first > 0 && list->owners[first - 1] == list->owners[item])
        first--;
    composite_of(request)->parts[item - first] = MPI_REQUEST_NULL;
}

static bool has_parts_left(const struct composite *composite) {
    for (int i = 0; i < composite->part_count; i++)
        if (composite->parts[i] != MPI_REQUEST_NULL)
            return true;
    return false;
}

static int first_complete(int count, const MPI_Request *requests) {
    for (int i = 0; i < count; i++)
        if (composite_of(requests[i]) != NULL && !has_parts_left(composite_of(requests[i])))
            return i;
    return -1;
}

static int test_any(int count, MPI_Request *requests, int *index, int *flag, MPI_Status *status);

static bool are_polled(int count, const MPI_Request *requests) {
    for (int i = 0; i < count; i++)
        if (composite_of(requests[i]) != NULL && composite_of(requests[i])->is_polled)
            return true;
    return false;
}

static int poll_any(int count, MPI_Request *requests, int *index, MPI_Status *status) {
    int flag = 0, result = MPI_SUCCESS;
    for (;;) {
        double begin_s = simgrid_get_clock();
        result = test_any(count, requests, index, &flag, status);
        if (flag || result != MPI_SUCCESS)
            return result;
        bsim__stall_look(begin_s);
    }
}

static int wait_any(int count, MPI_Request *requests, int *index, MPI_Status *status) {
    if (are_polled(count, requests))
        return poll_any(count, requests, index, status);
    struct composites_list list;
    int result = MPI_SUCCESS, item = 0;
    list_of(&list, count, requests);
    for (*index = first_complete(count, requests); *index < 0;) {
        result = MPI_Waitany(list.count, list.items, &item, status);
        if (item == MPI_UNDEFINED) {
            *index = item;
            break;
        }
        int owner = list.owners[item];
        if (composite_of(requests[owner]) == NULL) {
            requests[owner] = list.items[item];
            *index = owner;
            break;
        }
        note_part(&list, item, requests[owner]);
        *index = first_complete(count, requests);
    }
    list_dispose(&list);
    if (*index >= 0 && composite_of(requests[*index]) != NULL)
        result = finish(&requests[*index], status);
    return result;
}

/* The first composite that is ready; -1: none is. */
static int first_ready(int count, const MPI_Request *requests) {
    for (int i = 0; i < count; i++)
        if (composite_of(requests[i]) != NULL && is_ready(composite_of(requests[i])))
            return i;
    return -1;
}

/* SimGrid's MPI_Testany passes over messages that it has sent (idle_requests.c). */
static bool is_sent(MPI_Request request) {
    return request != MPI_REQUEST_NULL &&
           bsim__handle_find(&bsim__current_rank()->persistent, request) < 0;
}

static int test_any(int count, MPI_Request *requests, int *index, int *flag, MPI_Status *status) {
    *index = first_ready(count, requests);
    *flag = *index >= 0;
    if (*flag)
        return finish(&requests[*index], status);
    MPI_Request *others = without_composites(requests, count);
    int result = MPI_Testany(count, others, index, flag, status);
    if (*index == MPI_UNDEFINED)
        *flag = 0; /* composites are left */
    for (int i = 0; i < count && !*flag; i++)
        if (is_sent(others[i]))
            MPI_Test(&others[ *index = i], flag, status);
    put_back(requests, others, count);
    return result;
}

/* ---- Some ---- */

static int finish_ready(int count, MPI_Request *requests, int *out, int *indices,
                        MPI_Status *statuses) {
    int result = MPI_SUCCESS;
    for (int i = 0; i < count; i++) {
        if (composite_of(requests[i]) == NULL || !is_ready(composite_of(requests[i])))
            continue;
        if (finish(&requests[i], at(statuses, *out)) != MPI_SUCCESS)
            result = MPI_ERR_IN_STATUS;
        indices[(*out)++] = i;
    }
    return result;
}

static int test_some(int count, MPI_Request *requests, int *out, int *indices,
                     MPI_Status *statuses) {
    MPI_Request *others = without_composites(requests, count);
    int result = MPI_Testsome(count, others, out, indices, statuses);
    put_back(requests, others, count);
    if (*out == MPI_UNDEFINED)
        *out = 0; /* composites are left */
    int code = finish_ready(count, requests, out, indices, statuses);
    return code != MPI_SUCCESS ? code : result;
}

static int wait_some(int count, MPI_Request *requests, int *out, int *indices,
                     MPI_Status *statuses) {
    int more = 0, result = wait_any(count, requests, &indices[0], at(statuses, 0));
    *out = indices[0] == MPI_UNDEFINED ? MPI_UNDEFINED : 1;
    if (*out != 1)
        return result;
    int code = test_some(count, requests, &more, indices + 1, at(statuses, 1));
    *out += more > 0 ? more : 0;
    return code != MPI_SUCCESS ? code : result;
}

/* ---- One ---- */

static int test_one(MPI_Request *request, int *flag, MPI_Status *status) {
    *flag = is_ready(composite_of(*request));
    return *flag ? finish(request, status) : MPI_SUCCESS;
}

static int ask(MPI_Request request, int *flag, MPI_Status *status) {
    *flag = is_ready(composite_of(request));
    if (*flag)
        tell(status, composite_of(request));
    return MPI_SUCCESS;
}

/* ---- Which call ---- */

static bool has_composites(const MPI_Request *requests, int count) {
    for (int i = 0; i < count; i++)
        if (composite_of(requests[i]) != NULL)
            return true;
    return false;
}

/* Those of files are completed elsewhere (io_requests.c), each kind without the other. */
static void refuse_files(const struct bsim__call *call) {
    if (bsim__current_rank()->io != NULL)
        bsim__stop("%s:%d: error: '%s' with requests of files under way beside those of a "
                   "neighbourhood collective, MPI_Ibarrier or MPI_Imrecv is not simulated; "
                   "complete either first",
                   call->file, call->line, bsim__functions[call->id].name);
}

static bool complete_several(struct bsim__call *call, int count) {
    MPI_Request *requests = *(MPI_Request **)call->args[1];
    int *numbers = call->args[2] != NULL ? *(int **)call->args[2] : NULL;
    if (!has_composites(requests, count))
        return false;
    refuse_files(call);
    if (call->id == BSIM__ID_MPI_Waitall)
        call->code = wait_all(count, requests, *(MPI_Status **)call->args[2]);
    else if (call->id == BSIM__ID_MPI_Testall)
        call->code = test_all(count, requests, numbers, *(MPI_Status **)call->args[3]);
    else if (call->id == BSIM__ID_MPI_Waitany)
        call->code = wait_any(count, requests, numbers, *(MPI_Status **)call->args[3]);
    else if (call->id == BSIM__ID_MPI_Testany)
        call->code = test_any(count, requests, numbers, *(int **)call->args[3],
                              *(MPI_Status **)call->args[4]);
    else if (call->id == BSIM__ID_MPI_Waitsome)
        call->code = wait_some(count, requests, numbers, *(int **)call->args[3],
                               *(MPI_Status **)call->args[4]);
    else
        call->code = test_some(count, requests, numbers, *(int **)call->args[3],
                               *(MPI_Status **)call->args[4]);
    return true;
}

static bool complete_one(struct bsim__call *call, MPI_Request *request) {
    if (composite_of(*request) == NULL)
        return false;
    if (call->id == BSIM__ID_MPI_Request_free) { /* it completes by itself, and nobody asks */
        *request = MPI_REQUEST_NULL;
        call->code = MPI_SUCCESS;
        return true;
    }
    if (call->id == BSIM__ID_MPI_Wait)
        call->code = finish(request, *(MPI_Status **)call->args[1]);
    else if (call->id == BSIM__ID_MPI_Test)
        call->code = test_one(request, *(int **)call->args[1], *(MPI_Status **)call->args[2]);
    else
        call->code = ask(*request, *(int **)call->args[1], *(MPI_Status **)call->args[2]);
    return true;
}

bool bsim__composites_complete(struct bsim__call *call) {
    const struct bsim__function *function = &bsim__functions[call->id];
    bool completes =
        function->class == MPI_CLASS_COMPLETION || call->id == BSIM__ID_MPI_Request_free;
    if (!completes || bsim__current_rank()->composites.count == 0)
        return false;
    if (function->parameters[0].role == MPI_ROLE_LENGTH)
        return complete_several(call, *(int *)call->args[0]);
    if (function->parameters[0].role == MPI_ROLE_REQUEST)
        return complete_one(call, call->args[0]);
    return complete_one(call, *(MPI_Request **)call->args[0]);
}

static MPI_Request polled_composite(MPI_Request request) {
    struct composite *composite = composites_new(1);
    composite->parts[0] = request;
    composite->is_polled = true;
    return composites_request(composite);
}

static int finish_data(struct composite *composite) {
    bsim__data_finish(composite->data, true);
    return MPI_SUCCESS;
}

/* What is left to be done for a nonblocking collective when it is complete. */
static void keep_data(struct bsim__call *call, MPI_Request request) {
    struct composite *composite = composite_of(request);
    if (call->data != NULL && composite != NULL) {
        composite->data = call->data;
        composite->finish = finish_data;
    } else if (call->data != NULL) {
        bsim__data_finish(call->data, true);
    }
    call->data = NULL;
}

void bsim__composites_note(struct bsim__call *call) {
    const struct bsim__function *function = &bsim__functions[call->id];
    if (function->request_out < 0 || function->class != MPI_CLASS_COLLECTIVE)
        return;
    for (int i = function->request_out; i < function->parameter_count; i++) {
        MPI_Request *request = function->parameters[i].role == MPI_ROLE_REQUEST_OUT
                                   ? *(MPI_Request **)call->args[i]
                                   : NULL;
        if (request != NULL && *request != MPI_REQUEST_NULL && composite_of(*request) == NULL)
            *request = polled_composite(*request);
        if (request != NULL)
            keep_data(call, *request);
    }
}
