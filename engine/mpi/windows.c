/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/mpi/windows.h"

#include "base/arena.h"
#include "engine/collectives/collective_algorithms.h"
#include "engine/core/simulation.h"

#include <stdlib.h>
#include <string.h>

/* Below those of all others; each accumulate has one of its own, further below. */
#define TAG_PUT (-1001000)
#define TAG_GET (-1001001)
#define TAG_ACCUMULATE (-1001002)

static void lock(struct engine_mutex *mutex) {
    engine_mutex_lock(mutex, "a window");
}

/* ---- Making and freeing ---- */

static void note_in_communicator(struct SMPI_Comm *comm, struct SMPI_Win *win) {
    size_t bytes = (comm->window_count + 1) * sizeof(struct SMPI_Win *);
    comm->windows = xrealloc(comm->windows, bytes);
    comm->windows[comm->window_count++] = win;
}

static void forget_in_communicator(struct SMPI_Comm *comm, const struct SMPI_Win *win) {
    size_t i = 0;
    while (comm->windows[i] != win)
        i++;
    comm->windows[i] = comm->windows[--comm->window_count];
}

struct SMPI_Win *window_new(void *base, MPI_Aint size, int unit, struct SMPI_Info *info,
                            struct SMPI_Comm *comm, int flavor) {
    simulation.is_one_sided = true;
    struct SMPI_Win *win = xcalloc(1, sizeof *win);
    int ranks = comm->group->size;
    *win = (struct SMPI_Win){.base = base,
                             .size = size,
                             .unit = unit,
                             .info = info,
                             .comm = comm,
                             .rank = communicator_rank(comm),
                             .flavor = flavor,
                             .of = xcalloc((size_t)ranks, sizeof(struct SMPI_Win *))};
    note_in_communicator(comm, win);
    collectives.allgather(&win, (int)sizeof win, MPI_BYTE, win->of, (int)sizeof win, MPI_BYTE,
                          comm);
    return win;
}

void window_free(struct SMPI_Win *win) {
    collectives.barrier(win->comm);
    window_finish(win);
    forget_in_communicator(win->comm, win);
    collectives.barrier(win->comm);
    keyed_values_delete_all(&win->attributes, win, simulation.current);
    if (win->is_allocated)
        free(win->base);
    vec_dispose(&win->requests);
    vec_dispose(&win->lockers);
    waiting_ranks_dispose(&win->mutex.queue);
    waiting_ranks_dispose(&win->atomic.queue);
    free(win->of);
    free(win->name);
    free(win);
}

/* ---- Operations ---- */

/* Between fences, or after post and start, or with a lock of this rank. */
static bool is_open(const struct SMPI_Win *win, const struct SMPI_Win *target) {
    if (win->opened != 0)
        return true;
    for (size_t i = 0; i < target->lockers.count; i++)
        if (target->lockers.items[i] == win->rank)
            return true;
    return false;
}

static int check(const struct SMPI_Win *win, const struct window_target *target) {
    const struct SMPI_Win *other = win->of[target->rank];
    if (!is_open(win, other))
        return MPI_ERR_WIN;
    return target->count * datatype_extent(target->type) > other->size ? MPI_ERR_RMA_RANGE
                                                                       : MPI_SUCCESS;
}

static char *address_at(const struct SMPI_Win *win, const struct window_target *target) {
    const struct SMPI_Win *other = win->of[target->rank];
    return other->base + target->displacement * other->unit;
}

static struct SMPI_Request *one_side(uint32_t flags, const void *address, int count,
                                     struct SMPI_Datatype *type, const struct SMPI_Win *win,
                                     int from, int to, int tag) {
    struct SMPI_Request *request =
        request_new(REQUEST_ONE_SIDED | flags, address, count, type, win->comm);
    request->source = communicator_member(win->comm, from);
    request->destination = communicator_member(win->comm, to);
    request->tag = tag;
    return request;
}

/* Hands the request to a side of the operation, which waits for it later; and starts it. */
static void give(struct SMPI_Win *win, struct SMPI_Request *request, bool starts) {
    lock(&win->mutex);
    vec_push(&win->requests, request);
    if (starts)
        request_start(request);
    engine_mutex_unlock(&win->mutex);
}

#define SENDS (REQUEST_SEND | REQUEST_NONBLOCKING)

int window_put(struct SMPI_Win *win, const struct window_part *from,
               const struct window_target *target, MPI_Request *request) {
    int result = check(win, target);
    char *to = address_at(win, target);
    if (result != MPI_SUCCESS)
        return result;
    if (target->rank == win->rank) {
        datatype_copy(to, target->count, target->type, from->address, from->count, from->type);
        if (request != NULL)
            *request = MPI_REQUEST_NULL;
        return MPI_SUCCESS;
    }
    struct SMPI_Request *send = one_side(SENDS, from->address, from->count, from->type, win,
                                         win->rank, target->rank, TAG_PUT);
    struct SMPI_Request *receive = one_side(REQUEST_RECEIVE, to, target->count, target->type, win,
                                            win->rank, target->rank, TAG_PUT);
    request_start(send);
    if (request != NULL)
        *request = send;
    else
        give(win, send, false);
    give(win->of[target->rank], receive, true);
    return MPI_SUCCESS;
}

int window_get(struct SMPI_Win *win, const struct window_part *to,
               const struct window_target *target, MPI_Request *request) {
    int result = check(win, target);
    char *from = address_at(win, target);
    if (result != MPI_SUCCESS)
        return result;
    if (target->rank == win->rank) {
        datatype_copy((void *)(uintptr_t)to->address, to->count, to->type, from, target->count,
                      target->type);
        if (request != NULL)
            *request = MPI_REQUEST_NULL;
        return MPI_SUCCESS;
    }
    struct SMPI_Request *send =
        one_side(SENDS, from, target->count, target->type, win, target->rank, win->rank, TAG_GET);
    struct SMPI_Request *receive = one_side(REQUEST_RECEIVE, to->address, to->count, to->type, win,
                                            target->rank, win->rank, TAG_GET);
    request_start(send);
    give(win->of[target->rank], send, false);
    request_start(receive);
    if (request != NULL)
        *request = receive;
    else
        give(win, receive, false);
    return MPI_SUCCESS;
}

int window_accumulate(struct SMPI_Win *win, const struct window_part *from,
                      const struct window_target *target, struct SMPI_Op *op,
                      MPI_Request *request) {
    int result = check(win, target), tag = TAG_ACCUMULATE - win->accumulated;
    if (result != MPI_SUCCESS)
        return result;
    struct SMPI_Request *send = one_side(SENDS | REQUEST_ACCUMULATE, from->address, from->count,
                                         from->type, win, win->rank, target->rank, tag);
    struct SMPI_Request *receive =
        one_side(REQUEST_RECEIVE | REQUEST_ACCUMULATE, address_at(win, target), target->count,
                 target->type, win, win->rank, target->rank, tag);
    receive->op = op;
    win->accumulated++;
    request_start(send);
    give(win->of[target->rank], receive, true);
    if (request != NULL)
        *request = send;
    else
        give(win, send, false);
    window_finish_with(win, target->rank);
    return MPI_SUCCESS;
}

static void wait_for(MPI_Request *request) {
    if (*request != MPI_REQUEST_NULL)
        wait_one(request, MPI_STATUS_IGNORE, "a one-sided operation");
}

int window_get_accumulate(struct SMPI_Win *win, const struct window_part *from,
                          const struct window_part *result, const struct window_target *target,
                          struct SMPI_Op *op) {
    struct SMPI_Win *other = win->of[target->rank];
    MPI_Request request = MPI_REQUEST_NULL;
    lock(&other->atomic);
    int code = window_get(win, result, target, &request);
    wait_for(&request);
    if (code == MPI_SUCCESS && op != MPI_NO_OP)
        code = window_accumulate(win, from, target, op, &request);
    wait_for(&request);
    engine_mutex_unlock(&other->atomic);
    return code;
}

int window_compare_and_swap(struct SMPI_Win *win, const struct window_part *from,
                            const void *compare, void *result, const struct window_target *target) {
    struct SMPI_Win *other = win->of[target->rank];
    struct window_part into = {result, 1, from->type};
    MPI_Request request = MPI_REQUEST_NULL;
    lock(&other->atomic);
    int code = window_get(win, &into, target, &request);
    wait_for(&request);
    if (code == MPI_SUCCESS && memcmp(result, compare, (size_t)datatype_extent(from->type)) == 0)
        code = window_put(win, from, target, NULL);
    engine_mutex_unlock(&other->atomic);
    return code;
}

/* ---- Synchronisation ---- */

void window_finish(struct SMPI_Win *win) {
    lock(&win->mutex);
    wait_all((int)win->requests.count, win->requests.items, MPI_STATUSES_IGNORE,
             "the end of one-sided operations");
    win->requests.count = 0;
    engine_mutex_unlock(&win->mutex);
}

/* The requests among those of the window that have to do with the member. */
static int take_requests_of(struct SMPI_Win *win, uint32_t member, struct SMPI_Request **out) {
    size_t kept = 0;
    int count = 0;
    for (size_t i = 0; i < win->requests.count; i++) {
        struct SMPI_Request *request = win->requests.items[i];
        if (request->source == member || request->destination == member)
            out[count++] = request;
        else
            win->requests.items[kept++] = request;
    }
    win->requests.count = kept;
    return count;
}

void window_finish_of(struct SMPI_Win *win, int rank) {
    lock(&win->mutex);
    struct SMPI_Request **requests =
        xmalloc((win->requests.count + 1) * sizeof(struct SMPI_Request *));
    int count = take_requests_of(win, communicator_member(win->comm, rank), requests);
    wait_all(count, requests, MPI_STATUSES_IGNORE, "the end of one-sided operations");
    free(requests);
    engine_mutex_unlock(&win->mutex);
}

void window_finish_with(struct SMPI_Win *win, int rank) {
    window_finish_of(win, rank);
    if (rank != win->rank)
        window_finish_of(win->of[rank], win->rank);
}

void window_finish_all_of(const struct SMPI_Comm *comm) {
    int rank = comm->window_count > 0 ? communicator_rank(comm) : 0;
    for (size_t i = 0; i < comm->window_count; i++)
        if (comm->windows[i]->rank == rank)
            window_finish(comm->windows[i]);
}
