/* SPDX-License-Identifier: Apache-2.0
 *
 * Locks of windows in place of SimGrid 3.32's, which stops, or lets two ranks in at once, where one
 * window is locked both by MPI_LOCK_EXCLUSIVE and by several ranks with MPI_LOCK_SHARED.
 *
 * In: calls that make, lock, unlock and free windows. Out: for each rank of a window a lock that
 * several may share or one may have. SimGrid is told of shared locks only, which it counts right,
 * and which its accesses ask for.
 *
 * A window is another handle on each rank: handles are one window if its ranks are the same and
 * they have made as many windows with these ranks before, as they have to make them together.
 */
#include "runtime/smpi/runtime.h"

#include <simgrid/semaphore.h>
#include <stdlib.h>

struct lock {
    int readers;
    bool is_exclusive;
};

struct window {
    uint64_t ranks; /* a hash of their numbers in MPI_COMM_WORLD */
    int number;     /* how many windows of these ranks were made before */
    int size;
    struct lock *locks; /* by rank in the window */
    sg_sem_t *waiting;  /* for any of them, each rank by a semaphore of its own */
    int waiting_count;
};

struct handle {
    MPI_Win win; /* MPI_WIN_NULL: freed */
    int owner;   /* number of the actor's rank */
    struct window *window;
};

struct bsim__windows {
    struct window **items;
    struct handle *handles;
    int count, handle_count;
};

/* ---- Which window it is ---- */

/* SimGrid 3.32 does not count that it hands out a window's group: it must not be freed. */
static uint64_t hash_of_ranks(MPI_Win win, int *out_size) {
    MPI_Group group, world;
    uint64_t hash = 14695981039346656037u; /* FNV-1a */
    MPI_Win_get_group(win, &group);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_size(group, out_size);
    for (int i = 0; i < *out_size; i++) {
        int rank = 0;
        MPI_Group_translate_ranks(group, 1, &i, world, &rank);
        hash = (hash ^ (uint64_t)rank) * 1099511628211u;
    }
    return hash;
}

static int windows_before(const struct bsim__windows *windows, int owner, uint64_t ranks) {
    int number = 0;
    for (int i = 0; i < windows->handle_count; i++)
        number += windows->handles[i].owner == owner && windows->handles[i].window->ranks == ranks;
    return number;
}

static void *append(void *items, int count, size_t bytes) {
    return bsim__grow(items, (size_t)count * bytes, (size_t)(count + 1) * bytes);
}

static struct window *window_of(struct bsim__windows *windows, uint64_t ranks, int number,
                                int size) {
    for (int i = 0; i < windows->count; i++)
        if (windows->items[i]->ranks == ranks && windows->items[i]->number == number)
            return windows->items[i];
    struct window *window = bsim__grow(NULL, 0, sizeof *window);
    *window = (struct window){.ranks = ranks, .number = number, .size = size};
    window->locks = bsim__grow(NULL, 0, (size_t)size * sizeof *window->locks);
    window->waiting = bsim__grow(NULL, 0, (size_t)size * sizeof *window->waiting);
    windows->items = append(windows->items, windows->count, sizeof(struct window *));
    windows->items[windows->count++] = window;
    return window;
}

static void note_window(MPI_Win win) {
    struct bsim__shared *shared = bsim__shared();
    int owner = bsim__current_rank()->number, size = 0;
    uint64_t ranks = hash_of_ranks(win, &size);
    if (shared->windows == NULL)
        shared->windows = bsim__grow(NULL, 0, sizeof *shared->windows);
    struct bsim__windows *windows = shared->windows;
    int number = windows_before(windows, owner, ranks);
    windows->handles = append(windows->handles, windows->handle_count, sizeof(struct handle));
    windows->handles[windows->handle_count++] =
        (struct handle){win, owner, window_of(windows, ranks, number, size)};
}

static struct handle *find(MPI_Win win) {
    struct bsim__windows *windows = bsim__shared()->windows;
    for (int i = windows != NULL ? windows->handle_count - 1 : -1; i >= 0; i--)
        if (windows->handles[i].win == win)
            return &windows->handles[i];
    return NULL;
}

/* ---- Locks ---- */

static void acquire(struct window *window, int target, bool is_exclusive) {
    if (target < 0 || target >= window->size)
        return; /* MPI_PROC_NULL; MPI tells of others */
    struct lock *lock = &window->locks[target];
    while (lock->is_exclusive || (is_exclusive && lock->readers > 0)) {
        sg_sem_t turn = sg_sem_init(0);
        window->waiting[window->waiting_count++] = turn;
        smpi_bench_end();
        sg_sem_acquire(turn);
        sg_sem_destroy(turn);
        smpi_bench_begin();
    }
    lock->is_exclusive = is_exclusive;
    lock->readers += !is_exclusive;
}

static void release(struct window *window, int target) {
    if (target < 0 || target >= window->size)
        return;
    struct lock *lock = &window->locks[target];
    if (lock->is_exclusive)
        lock->is_exclusive = false;
    else if (lock->readers > 0)
        lock->readers--;
    sg_sem_t *woken = window->waiting; /* who still has to wait comes back, to another list */
    int count = window->waiting_count;
    window->waiting = bsim__grow(NULL, 0, (size_t)window->size * sizeof *window->waiting);
    window->waiting_count = 0;
    for (int i = 0; i < count; i++)
        sg_sem_release(woken[i]);
    free(woken);
}

void bsim__windows_enter(struct bsim__call *call) {
    if (call->id == BSIM__ID_MPI_Win_lock) {
        int *type = call->args[0];
        struct handle *handle = find(*(MPI_Win *)call->args[3]);
        call->code = *type; /* for the record */
        if (handle == NULL)
            return;
        acquire(handle->window, *(int *)call->args[1], *type == MPI_LOCK_EXCLUSIVE);
        *type = *type == MPI_LOCK_EXCLUSIVE ? MPI_LOCK_SHARED : *type;
    } else if (call->id == BSIM__ID_MPI_Win_lock_all) {
        struct handle *handle = find(*(MPI_Win *)call->args[1]);
        for (int i = 0; handle != NULL && i < handle->window->size; i++)
            acquire(handle->window, i, false);
    } else if (call->id == BSIM__ID_MPI_Win_free) {
        struct handle *handle = find(**(MPI_Win **)call->args[0]);
        if (handle != NULL)
            handle->win = MPI_WIN_NULL;
    }
}

void bsim__windows_leave(struct bsim__call *call) {
    const struct bsim__function *function = &bsim__functions[call->id];
    if (call->id == BSIM__ID_MPI_Win_lock) {
        *(int *)call->args[0] = call->code;
    } else if (call->id == BSIM__ID_MPI_Win_unlock) {
        struct handle *handle = find(*(MPI_Win *)call->args[1]);
        if (handle != NULL)
            release(handle->window, *(int *)call->args[0]);
    } else if (call->id == BSIM__ID_MPI_Win_unlock_all) {
        struct handle *handle = find(*(MPI_Win *)call->args[0]);
        for (int i = 0; handle != NULL && i < handle->window->size; i++)
            release(handle->window, i);
    } else if (function->class == MPI_CLASS_RMA && function->communicator >= 0 &&
               function->parameters[function->parameter_count - 1].role == MPI_ROLE_WINDOW_OUT) {
        MPI_Win *made = *(MPI_Win **)call->args[function->parameter_count - 1];
        if (made != NULL && *made != MPI_WIN_NULL)
            note_window(*made);
    }
}
