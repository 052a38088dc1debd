/* SPDX-License-Identifier: Apache-2.0
 *
 * MPI's one-sided operations, and what synchronises them.
 */
#include "engine/collectives/collective_algorithms.h"
#include "engine/core/simulation.h"
#include "engine/mpi/windows.h"

#include "base/arena.h"

#include <stdlib.h>

#define TAG_POST (-1000001)
#define TAG_COMPLETE (-1000002)

/* ---- Making ---- */

int PMPI_Win_create(void *base, MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm,
                    MPI_Win *win) {
    if (comm == MPI_COMM_NULL)
        return MPI_ERR_COMM;
    if (size < 0 || unit < 0)
        return MPI_ERR_OTHER;
    if (base == NULL && size > 0)
        return MPI_ERR_BUFFER;
    *win = window_new(base, size, unit, info, comm, MPI_WIN_FLAVOR_CREATE);
    return MPI_SUCCESS;
}

int PMPI_Win_allocate(MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *base,
                      MPI_Win *win) {
    if (comm == MPI_COMM_NULL)
        return MPI_ERR_COMM;
    if (size < 0 || unit < 0)
        return MPI_ERR_OTHER;
    void *memory = xmalloc((size_t)size + 1);
    *(void **)base = memory;
    *win = window_new(memory, size, unit, info, comm, MPI_WIN_FLAVOR_ALLOCATE);
    (*win)->is_allocated = true;
    return MPI_SUCCESS;
}

int PMPI_Win_allocate_shared(MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *base,
                             MPI_Win *win) {
    if (comm == MPI_COMM_NULL)
        return MPI_ERR_COMM;
    if (size < 0 || unit < 0)
        return MPI_ERR_OTHER;
    int rank = communicator_rank(comm);
    char *memory = rank == 0 ? xmalloc((size_t)size * (size_t)comm->group->size + 1) : NULL;
    collectives.bcast(&memory, (int)sizeof memory, MPI_BYTE, 0, comm);
    collectives.barrier(comm);
    *(void **)base = memory + rank * size;
    *win = window_new(memory, size, unit, info, comm, MPI_WIN_FLAVOR_SHARED);
    (*win)->is_allocated = rank == 0;
    return MPI_SUCCESS;
}

int PMPI_Win_create_dynamic(MPI_Info info, MPI_Comm comm, MPI_Win *win) {
    if (comm == MPI_COMM_NULL)
        return MPI_ERR_COMM;
    *win = window_new(MPI_BOTTOM, 0, 1, info, comm, MPI_WIN_FLAVOR_DYNAMIC);
    return MPI_SUCCESS;
}

/* Displacements are addresses then. */
int PMPI_Win_attach(MPI_Win win, void *base, MPI_Aint size) {
    (void)base;
    win->base = NULL;
    win->size += size;
    return MPI_SUCCESS;
}

int PMPI_Win_detach(MPI_Win win, const void *base) {
    (void)base;
    win->base = MPI_BOTTOM;
    win->size = -1;
    return MPI_SUCCESS;
}

int PMPI_Win_free(MPI_Win *win) {
    if (win == NULL || *win == MPI_WIN_NULL)
        return MPI_ERR_WIN;
    window_free(*win);
    *win = MPI_WIN_NULL;
    return MPI_SUCCESS;
}

/* ---- Operations ---- */

static int check(const struct SMPI_Win *win, int origin_count, const struct SMPI_Datatype *type,
                 const struct window_target *target) {
    if (win == MPI_WIN_NULL)
        return MPI_ERR_WIN;
    if (target->rank < 0 || target->rank >= win->comm->group->size)
        return MPI_ERR_RANK;
    if (origin_count < 0 || target->count < 0)
        return MPI_ERR_COUNT;
    if (type == NULL || type == MPI_DATATYPE_NULL || target->type == MPI_DATATYPE_NULL)
        return MPI_ERR_TYPE;
    return win->flavor != MPI_WIN_FLAVOR_DYNAMIC && target->displacement < 0 ? MPI_ERR_RMA_RANGE
                                                                             : MPI_SUCCESS;
}

#define SIDES                                                                                      \
    struct window_part origin = {address, count, type};                                            \
    struct window_target target = {rank, displacement, target_count, target_type};                 \
    if (rank == MPI_PROC_NULL)                                                                     \
        return MPI_SUCCESS;                                                                        \
    int result = check(win, count, type, &target);                                                 \
    if (result != MPI_SUCCESS)                                                                     \
    return result

int PMPI_Put(const void *address, int count, MPI_Datatype type, int rank, MPI_Aint displacement,
             int target_count, MPI_Datatype target_type, MPI_Win win) {
    SIDES;
    return window_put(win, &origin, &target, NULL);
}

int PMPI_Rput(const void *address, int count, MPI_Datatype type, int rank, MPI_Aint displacement,
              int target_count, MPI_Datatype target_type, MPI_Win win, MPI_Request *request) {
    *request = MPI_REQUEST_NULL;
    SIDES;
    return window_put(win, &origin, &target, request);
}

int PMPI_Get(void *address, int count, MPI_Datatype type, int rank, MPI_Aint displacement,
             int target_count, MPI_Datatype target_type, MPI_Win win) {
    SIDES;
    return window_get(win, &origin, &target, NULL);
}

int PMPI_Rget(void *address, int count, MPI_Datatype type, int rank, MPI_Aint displacement,
              int target_count, MPI_Datatype target_type, MPI_Win win, MPI_Request *request) {
    *request = MPI_REQUEST_NULL;
    SIDES;
    return window_get(win, &origin, &target, request);
}

int PMPI_Accumulate(const void *address, int count, MPI_Datatype type, int rank,
                    MPI_Aint displacement, int target_count, MPI_Datatype target_type, MPI_Op op,
                    MPI_Win win) {
    SIDES;
    return window_accumulate(win, &origin, &target, op, NULL);
}

int PMPI_Raccumulate(const void *address, int count, MPI_Datatype type, int rank,
                     MPI_Aint displacement, int target_count, MPI_Datatype target_type, MPI_Op op,
                     MPI_Win win, MPI_Request *request) {
    *request = MPI_REQUEST_NULL;
    SIDES;
    return window_accumulate(win, &origin, &target, op, request);
}

int PMPI_Get_accumulate(const void *from, int from_count, MPI_Datatype from_type, void *address,
                        int count, MPI_Datatype type, int rank, MPI_Aint displacement,
                        int target_count, MPI_Datatype target_type, MPI_Op op, MPI_Win win) {
    struct window_part sent = {from, from_count, from_type};
    SIDES;
    return window_get_accumulate(win, &sent, &origin, &target, op);
}

int PMPI_Rget_accumulate(const void *from, int from_count, MPI_Datatype from_type, void *address,
                         int count, MPI_Datatype type, int rank, MPI_Aint displacement,
                         int target_count, MPI_Datatype target_type, MPI_Op op, MPI_Win win,
                         MPI_Request *request) {
    *request = MPI_REQUEST_NULL;
    return PMPI_Get_accumulate(from, from_count, from_type, address, count, type, rank,
                               displacement, target_count, target_type, op, win);
}

int PMPI_Fetch_and_op(const void *from, void *result, MPI_Datatype type, int rank,
                      MPI_Aint displacement, MPI_Op op, MPI_Win win) {
    return PMPI_Get_accumulate(from, from == NULL ? 0 : 1, type, result, 1, type, rank,
                               displacement, 1, type, op, win);
}

int PMPI_Compare_and_swap(const void *address, void *compare, void *out, MPI_Datatype type,
                          int rank, MPI_Aint displacement, MPI_Win win) {
    int count = 1, target_count = 1;
    MPI_Datatype target_type = type;
    SIDES;
    return window_compare_and_swap(win, &origin, compare, out, &target);
}

/* ---- Synchronisation ---- */

int PMPI_Win_fence(int assertion, MPI_Win win) {
    if (win == MPI_WIN_NULL)
        return MPI_ERR_WIN;
    win->opened++;
    if ((assertion & MPI_MODE_NOPRECEDE) == 0) {
        collectives.barrier(win->comm);
        window_finish(win);
        win->accumulated = 0;
    }
    if ((assertion & MPI_MODE_NOSUCCEED) != 0)
        win->opened = 0;
    collectives.barrier(win->comm);
    return MPI_SUCCESS;
}

/* Empty messages with all other members of the group, all at once. */
static void meet(MPI_Win win, const struct SMPI_Group *group, bool sends, int tag,
                 const char *call) {
    struct SMPI_Request **requests =
        xmalloc((size_t)(group->size + 1) * sizeof(struct SMPI_Request *));
    int count = 0;
    for (int i = 0; i < group->size; i++) {
        int rank = process_group_rank(win->comm->group, process_group_member(group, i));
        if (rank != win->rank)
            requests[count++] = sends ? request_send(0, NULL, 0, MPI_CHAR, rank, tag, win->comm)
                                      : request_receive(0, NULL, 0, MPI_CHAR, rank, tag, win->comm);
    }
    for (int i = 0; i < count; i++)
        request_start(requests[i]);
    wait_all(count, requests, MPI_STATUSES_IGNORE, call);
    free(requests);
}

int PMPI_Win_start(MPI_Group group, int assertion, MPI_Win win) {
    (void)assertion;
    meet(win, group, false, TAG_POST, "MPI_Win_start");
    win->targets = process_group_use(group);
    win->opened--;
    return MPI_SUCCESS;
}

int PMPI_Win_post(MPI_Group group, int assertion, MPI_Win win) {
    (void)assertion;
    meet(win, group, true, TAG_POST, "MPI_Win_post");
    win->origins = process_group_use(group);
    win->opened--;
    return MPI_SUCCESS;
}

static void close_epoch(MPI_Win win, struct SMPI_Group **group) {
    window_finish(win);
    win->opened++;
    process_group_release(*group);
    *group = NULL;
}

int PMPI_Win_complete(MPI_Win win) {
    if (win->targets == NULL)
        return MPI_ERR_WIN;
    meet(win, win->targets, true, TAG_COMPLETE, "MPI_Win_complete");
    close_epoch(win, &win->targets);
    return MPI_SUCCESS;
}

int PMPI_Win_wait(MPI_Win win) {
    if (win->origins == NULL)
        return MPI_ERR_WIN;
    meet(win, win->origins, false, TAG_COMPLETE, "MPI_Win_wait");
    close_epoch(win, &win->origins);
    return MPI_SUCCESS;
}

/* Who may have the lock is for the runtime to say (runtime/smpi/window_locks.c). */
int PMPI_Win_lock(int type, int rank, int assertion, MPI_Win win) {
    (void)type, (void)assertion;
    if (win == MPI_WIN_NULL)
        return MPI_ERR_WIN;
    if (rank == MPI_PROC_NULL)
        return MPI_SUCCESS;
    vec_push(&win->of[rank]->lockers, win->rank);
    window_finish_with(win, rank);
    return MPI_SUCCESS;
}

int PMPI_Win_unlock(int rank, MPI_Win win) {
    if (win == MPI_WIN_NULL)
        return MPI_ERR_WIN;
    if (rank == MPI_PROC_NULL)
        return MPI_SUCCESS;
    struct SMPI_Win *other = win->of[rank];
    size_t kept = 0;
    for (size_t i = 0; i < other->lockers.count; i++)
        if (other->lockers.items[i] != win->rank)
            other->lockers.items[kept++] = other->lockers.items[i];
    other->lockers.count = kept;
    window_finish_with(win, rank);
    return MPI_SUCCESS;
}

int PMPI_Win_lock_all(int assertion, MPI_Win win) {
    for (int i = 0; i < win->comm->group->size; i++)
        PMPI_Win_lock(MPI_LOCK_SHARED, i, assertion, win);
    return MPI_SUCCESS;
}

int PMPI_Win_unlock_all(MPI_Win win) {
    for (int i = 0; i < win->comm->group->size; i++)
        PMPI_Win_unlock(i, win);
    return MPI_SUCCESS;
}

int PMPI_Win_flush(int rank, MPI_Win win) {
    window_finish_with(win, rank);
    return MPI_SUCCESS;
}

int PMPI_Win_flush_local(int rank, MPI_Win win) {
    window_finish_of(win, rank);
    return MPI_SUCCESS;
}

int PMPI_Win_flush_all(MPI_Win win) {
    window_finish(win);
    for (int i = 0; i < win->comm->group->size; i++)
        if (i != win->rank)
            window_finish_of(win->of[i], win->rank);
    return MPI_SUCCESS;
}

int PMPI_Win_flush_local_all(MPI_Win win) {
    window_finish(win);
    return MPI_SUCCESS;
}

int PMPI_Win_sync(MPI_Win win) {
    return win == MPI_WIN_NULL ? MPI_ERR_WIN : MPI_SUCCESS;
}
