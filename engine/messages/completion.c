/* SPDX-License-Identifier: Apache-2.0
 *
 * See completion.h. SMPI waits for several by waiting for any, again and again, so receivers pay
 * for one message after the other; where receiving costs nothing all are waited for at once, which
 * is the same.
 */
#include "engine/messages/completion.h"

#include "base/arena.h"
#include "engine/core/simulation.h"
#include "engine/messages/message_settings.h"
#include "engine/objects/reduce_operation.h"

#include <stdlib.h>

struct request_parts {
    struct SMPI_Request **of;
    int count;
};

struct generalized_request {
    MPI_Grequest_query_function *query;
    MPI_Grequest_free_function *forget;
    MPI_Grequest_cancel_function *cancel;
    void *extra;
};

static bool is_active(const struct SMPI_Request *request) {
    return request != MPI_REQUEST_NULL &&
           (request->flags & (REQUEST_PREPARED | REQUEST_FINISHED)) == 0;
}

/* Does SimGrid know of it? The others need no call of its kernel. */
static bool has_activity(const struct SMPI_Request *request) {
    return (request->flags & (REQUEST_COLLECTIVE | REQUEST_DETACHED | REQUEST_NOBODY)) == 0;
}

/* ---- Parts ---- */

struct SMPI_Request *request_of_parts(struct SMPI_Request **parts, int count, void *buffer,
                                      int elements, struct SMPI_Datatype *type, struct SMPI_Op *op,
                                      struct SMPI_Comm *comm) {
    struct SMPI_Request *request = request_new(REQUEST_COLLECTIVE, buffer, elements, type, comm);
    request->op = op;
    for (int i = 0; i < count; i++)
        request_start(parts[i]);
    if (count == 1) {
        request->only_part = parts[0];
        free(parts);
    } else {
        request->parts = xmalloc(sizeof *request->parts);
        *request->parts = (struct request_parts){.of = parts, .count = count};
    }
    return request;
}

static struct request_parts parts_of(struct SMPI_Request *request) {
    return request->parts != NULL ? *request->parts
                                  : (struct request_parts){.of = &request->only_part, .count = 1};
}

/* All parts have ended, and are finished persistent requests. */
static void end_parts(struct SMPI_Request *request) {
    struct request_parts parts = parts_of(request);
    for (int i = 0; i < parts.count; i++) {
        struct SMPI_Request *part = parts.of[i];
        if (request->buffer != NULL && (part->flags & REQUEST_RECEIVE) != 0) {
            operation_apply(request->op, part->buffer, request->buffer, request->count,
                            request->type);
            temporary_free(part->buffer);
        }
        request_dispose(part);
    }
    if (request->parts != NULL)
        free(request->parts->of);
    free(request->parts);
    request->parts = NULL;
    request->only_part = NULL;
    request->is_done = true;
}

static void wait_for_parts(struct SMPI_Request *request, const char *call) {
    if (request->is_done)
        return;
    struct request_parts parts = parts_of(request);
    wait_all(parts.count, parts.of, MPI_STATUSES_IGNORE, call);
    end_parts(request);
}

static bool test_parts(struct SMPI_Request *request) {
    int flag = 1;
    if (request->is_done)
        return true;
    struct request_parts parts = parts_of(request);
    test_all(&flag, parts.count, parts.of, MPI_STATUSES_IGNORE);
    if (flag)
        end_parts(request);
    return flag;
}

/* ---- Generalized requests ---- */

struct SMPI_Request *generalized_new(MPI_Grequest_query_function *query,
                                     MPI_Grequest_free_function *forget,
                                     MPI_Grequest_cancel_function *cancel, void *extra) {
    struct SMPI_Request *request =
        request_new(REQUEST_GENERALIZED, NULL, 0, MPI_BYTE, MPI_COMM_WORLD);
    request->generalized = xmalloc(sizeof *request->generalized);
    *request->generalized = (struct generalized_request){
        .query = query, .forget = forget, .cancel = cancel, .extra = extra};
    return request;
}

static bool complete(struct rank_call *call) {
    (void)call;
    request_complete(current_rank()->object);
    return true;
}

void generalized_complete(struct SMPI_Request *request) {
    simulation_ask(complete, request, NULL);
}

/* ---- Waiting ---- */

static void block_on(struct SMPI_Request *request, const char *call) {
    if (!request->is_done)
        request->waiter = simulation.current;
    simulation_await(1, request->is_done, call);
}

/* Finishes it, and takes the handle away unless it stays. */
static int finish(struct SMPI_Request **handle, MPI_Status *status) {
    struct SMPI_Request *request = *handle;
    if ((request->flags & REQUEST_PERSISTENT) == 0)
        *handle = MPI_REQUEST_NULL;
    return request_finish(request, status);
}

static int end_generalized(struct SMPI_Request **handle, MPI_Status *status) {
    struct generalized_request *own = (*handle)->generalized;
    MPI_Status unread, *to = status != MPI_STATUS_IGNORE ? status : &unread;
    status_empty(to);
    int result = own->query(own->extra, to);
    own->forget(own->extra);
    free(own);
    request_dispose(*handle);
    *handle = MPI_REQUEST_NULL;
    return result;
}

int wait_one(struct SMPI_Request **handle, MPI_Status *status, const char *call) {
    struct SMPI_Request *request = *handle;
    if (!is_active(request)) {
        status_empty(status);
        return MPI_SUCCESS;
    }
    if ((request->flags & REQUEST_COLLECTIVE) != 0)
        wait_for_parts(request, call);
    else if (has_activity(request))
        block_on(request, call);
    if ((request->flags & REQUEST_GENERALIZED) != 0)
        return end_generalized(handle, status);
    return finish(handle, status);
}

/* SMPI takes those without an activity first, whatever has ended. -1: there is none. */
static int find_without_activity(int from, int count, struct SMPI_Request **requests) {
    for (int i = from; i < count; i++)
        if (is_active(requests[i]) && !has_activity(requests[i]))
            return i;
    return -1;
}

/* The first that has ended, of those with an activity; -1: none has. */
static int find_ended(bool *any, int from, int count, struct SMPI_Request **requests) {
    *any = false;
    for (int i = from; i < count; i++) {
        if (!is_active(requests[i]) || !has_activity(requests[i]))
            continue;
        *any = true;
        if (requests[i]->is_done)
            return i;
    }
    return -1;
}

static void set_waiter(uint32_t waiter, int from, int count, struct SMPI_Request **requests) {
    for (int i = from; i < count; i++)
        if (is_active(requests[i]) && !requests[i]->is_done)
            requests[i]->waiter = waiter;
}

/* Which woke the rank; others may have ended in the same instant. */
static int find_first_completed(int from, int count, struct SMPI_Request **requests) {
    int i = from;
    while (i < count && requests[i] != current_rank()->completed)
        i++;
    return i;
}

static int end_one(struct SMPI_Request **handle, MPI_Status *status, const char *call) {
    if (((*handle)->flags & REQUEST_COLLECTIVE) != 0)
        wait_for_parts(*handle, call);
    if (((*handle)->flags & REQUEST_GENERALIZED) != 0)
        return end_generalized(handle, status);
    return finish(handle, status);
}

static int find_or_await(int from, int count, struct SMPI_Request **requests, const char *call) {
    bool any;
    int index = find_without_activity(from, count, requests);
    if (index >= 0)
        return index;
    simulation_end_sleeps();
    index = find_ended(&any, from, count, requests);
    if (index < 0 && any)
        set_waiter(simulation.current, from, count, requests);
    if (any)
        simulation_await(1, index >= 0, call);
    if (index >= 0 || !any)
        return any ? index : MPI_UNDEFINED;
    set_waiter(NO_RANK, from, count, requests);
    return find_first_completed(from, count, requests);
}

static int wait_any_from(int from, int count, struct SMPI_Request **requests, MPI_Status *status,
                         int *result, const char *call) {
    int index = find_or_await(from, count, requests, call);
    if (index == MPI_UNDEFINED)
        status_empty(status);
    else
        *result = end_one(&requests[index], status, call);
    return index;
}

int wait_any(int count, struct SMPI_Request **requests, MPI_Status *status, const char *call) {
    int result = MPI_SUCCESS;
    return wait_any_from(0, count, requests, status, &result, call);
}

static void count_awaited(uint32_t *out, uint32_t *done, int count,
                          struct SMPI_Request **requests) {
    for (int i = 0; i < count; i++)
        if (is_active(requests[i]) && has_activity(requests[i])) {
            ++*out;
            *done += requests[i]->is_done;
        }
}

bool wait_all_begin(int count, struct SMPI_Request **requests, const char *call) {
    uint32_t awaited = 0, done = 0;
    count_awaited(&awaited, &done, count, requests);
    set_waiter(simulation.current, 0, count, requests);
    return simulation_begin_to_await(awaited, done, call);
}

void wait_all_end(int count, struct SMPI_Request **requests) {
    for (int i = 0; i < count; i++)
        finish(&requests[i], MPI_STATUS_IGNORE);
}

/* Waits until all have ended. */
static void block_on_all(int count, struct SMPI_Request **requests, const char *call) {
    uint32_t awaited = 0, done = 0;
    for (int i = 0; i < count; i++)
        if (is_active(requests[i]) && (requests[i]->flags & REQUEST_COLLECTIVE) != 0)
            wait_for_parts(requests[i], call);
    count_awaited(&awaited, &done, count, requests);
    set_waiter(simulation.current, 0, count, requests);
    simulation_await(awaited, done, call);
}

static void empty_inactive(int count, struct SMPI_Request **requests, MPI_Status *statuses) {
    for (int i = 0; i < count && statuses != MPI_STATUSES_IGNORE; i++)
        if (!is_active(requests[i]))
            status_empty(&statuses[i]);
}

static MPI_Status *at(MPI_Status *statuses, int i) {
    return statuses != MPI_STATUSES_IGNORE ? &statuses[i] : MPI_STATUS_IGNORE;
}

/* What was accumulated is finished last, in the order in which it was begun: tags go down. */
static int by_tag(const void *left, const void *right) {
    const struct SMPI_Request *a = *(struct SMPI_Request *const *)left;
    const struct SMPI_Request *b = *(struct SMPI_Request *const *)right;
    return (a->tag < b->tag) - (a->tag > b->tag);
}

static bool is_accumulated(const struct SMPI_Request *request) {
    return (request->flags & (REQUEST_RECEIVE | REQUEST_ACCUMULATE)) ==
           (REQUEST_RECEIVE | REQUEST_ACCUMULATE);
}

static bool has_accumulated(int count, struct SMPI_Request **requests) {
    for (int i = 0; i < count; i++)
        if (is_active(requests[i]) && is_accumulated(requests[i]))
            return true;
    return false;
}

static void finish_accumulated(int count, struct SMPI_Request **requests) {
    struct SMPI_Request **found = NULL;
    int found_count = 0;
    for (int i = 0; i < count; i++)
        if (is_active(requests[i]) && is_accumulated(requests[i])) {
            found = xrealloc(found, (size_t)(found_count + 1) * sizeof *found);
            found[found_count++] = requests[i];
            requests[i] = MPI_REQUEST_NULL;
        }
    if (found_count > 1)
        qsort(found, (size_t)found_count, sizeof *found, by_tag);
    for (int i = 0; i < found_count; i++)
        request_finish(found[i], MPI_STATUS_IGNORE);
    free(found);
}

static int wait_all_at_once(int count, struct SMPI_Request **requests, MPI_Status *statuses,
                            const char *call) {
    int result = MPI_SUCCESS;
    block_on_all(count, requests, call);
    for (int i = 0; i < count; i++) {
        if (!is_active(requests[i]) || is_accumulated(requests[i]))
            continue;
        if (end_one(&requests[i], at(statuses, i), call) != MPI_SUCCESS)
            result = MPI_ERR_IN_STATUS;
    }
    finish_accumulated(count, requests);
    return result;
}

static int wait_all_by_turns(int count, struct SMPI_Request **requests, MPI_Status *statuses,
                             const char *call) {
    int result = MPI_SUCCESS, first = 0;
    for (int ended = 0; ended < count; ended++) {
        while (first < count && !is_active(requests[first]))
            first++;
        MPI_Status status;
        int code = MPI_SUCCESS;
        int index = wait_any_from(first, count, requests, &status, &code, call);
        if (index == MPI_UNDEFINED)
            break;
        if (statuses != MPI_STATUSES_IGNORE)
            statuses[index] = status;
        if (code != MPI_SUCCESS)
            result = MPI_ERR_IN_STATUS;
    }
    return result;
}

int wait_all(int count, struct SMPI_Request **requests, MPI_Status *statuses, const char *call) {
    empty_inactive(count, requests, statuses);
    if (message_settings.receive.count == 0 || has_accumulated(count, requests))
        return wait_all_at_once(count, requests, statuses, call);
    return wait_all_by_turns(count, requests, statuses, call);
}

int wait_some(int count, struct SMPI_Request **requests, int *indices, MPI_Status *statuses,
              const char *call) {
    int found = 0, first = wait_any(count, requests, at(statuses, 0), call);
    if (first == MPI_UNDEFINED)
        return MPI_UNDEFINED;
    indices[found++] = first;
    for (int i = 0; i < count; i++) {
        int flag = 0;
        if (i == first || !is_active(requests[i]))
            continue;
        test_one(&flag, &requests[i], at(statuses, found));
        if (flag)
            indices[found++] = i;
    }
    return found;
}

/* ---- Testing ---- */

static int failed_tests = 1, failed_any_tests = 1; /* of all ranks */

static void take_poll(int times, double seconds) {
    if (seconds > 0)
        simulation_sleep(times * seconds);
}

static bool is_done_in_turn(const struct SMPI_Request *request) {
    simulation_pass_rounds(1);
    return request->is_done;
}

int test_one(int *flag, struct SMPI_Request **handle, MPI_Status *status) {
    struct SMPI_Request *request = *handle;
    take_poll(failed_tests, message_settings.test_s);
    status_empty(status);
    *flag = 1;
    if (!is_active(request))
        return MPI_SUCCESS;
    if ((request->flags & REQUEST_COLLECTIVE) != 0)
        *flag = test_parts(request);
    else if (has_activity(request))
        *flag = is_done_in_turn(request);
    if (!*flag) {
        failed_tests += message_settings.grows;
        return MPI_SUCCESS;
    }
    failed_tests = 1;
    return end_one(handle, status, "MPI_Test");
}

int test_any(int *flag, int *index, int count, struct SMPI_Request **requests, MPI_Status *status) {
    bool any;
    int ended = find_ended(&any, 0, count, requests);
    *index = MPI_UNDEFINED;
    *flag = 1;
    if (!any) {
        status_empty(status);
        return MPI_SUCCESS;
    }
    take_poll(failed_any_tests, message_settings.test_s);
    simulation_pass_rounds(1);
    ended = find_ended(&any, 0, count, requests);
    *flag = ended >= 0;
    if (!*flag) {
        failed_any_tests += message_settings.grows; /* as runtime/preload/polls.c has it */
        return MPI_SUCCESS;
    }
    failed_any_tests = 1;
    *index = ended;
    return end_one(&requests[ended], status, "MPI_Testany");
}

int test_all(int *flag, int count, struct SMPI_Request **requests, MPI_Status *statuses) {
    int result = MPI_SUCCESS;
    *flag = 1;
    for (int i = 0; i < count; i++) {
        int ended = 1;
        if (requests[i] == MPI_REQUEST_NULL || (requests[i]->flags & REQUEST_PREPARED) != 0)
            status_empty(at(statuses, i));
        else if (test_one(&ended, &requests[i], at(statuses, i)) != MPI_SUCCESS)
            result = MPI_ERR_IN_STATUS;
        *flag = *flag && ended;
    }
    return result;
}

int test_some(int *out, int count, struct SMPI_Request **requests, int *indices,
              MPI_Status *statuses) {
    int result = MPI_SUCCESS, inactive = 0;
    *out = 0;
    for (int i = 0; i < count; i++) {
        int flag = 0;
        if (requests[i] == MPI_REQUEST_NULL || (requests[i]->flags & REQUEST_FINISHED) != 0) {
            inactive++;
            continue;
        }
        if (test_one(&flag, &requests[i], at(statuses, *out)) != MPI_SUCCESS)
            result = MPI_ERR_IN_STATUS;
        if (flag)
            indices[(*out)++] = i;
    }
    if (inactive == count)
        *out = MPI_UNDEFINED;
    return result;
}
