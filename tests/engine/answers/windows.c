/* SPDX-License-Identifier: Apache-2.0 */
#include "answers.h"

#include <stdlib.h>

#define CELLS 64

struct window {
    MPI_Win win;
    int *cells;
};

static void tell_cells(const struct rank *rank, const char *what, const struct window *window) {
    tell(rank, what, sum(window->cells, CELLS), window->cells[0], window->cells[5]);
}

static void between_fences(const struct rank *rank, const struct window *window) {
    int *own = ints_from(1000 * rank->rank, 8), got[8] = {0};
    MPI_Win_fence(MPI_MODE_NOPRECEDE, window->win);
    MPI_Put(own, 4, MPI_INT, rank->next, 0, 4, MPI_INT, window->win);
    MPI_Accumulate(own, 2, MPI_INT, rank->next, 5, 2, MPI_INT, MPI_SUM, window->win);
    MPI_Accumulate(own + 2, 2, MPI_INT, rank->last, 5, 2, MPI_INT, MPI_SUM, window->win);
    MPI_Win_fence(0, window->win);
    tell_cells(rank, "put", window);
    MPI_Get(got, 8, MPI_INT, rank->last, 0, 8, MPI_INT, window->win);
    MPI_Get(got, 2, MPI_INT, rank->rank, 40, 2, MPI_INT, window->win); /* of itself */
    MPI_Put(own, 2, MPI_INT, rank->rank, 42, 2, MPI_INT, window->win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, window->win);
    tell(rank, "got", sum(got, 8), got[0], got[1]);
    free(own);
}

/* Each one exposes its window to the one before it, and reaches that of the next one. */
static void between_post_and_wait(const struct rank *rank, const struct window *window) {
    int *own = ints_from(2000 * rank->rank, 8);
    MPI_Group all, before, behind;
    MPI_Comm_group(WORLD, &all);
    MPI_Group_incl(all, 1, &rank->last, &before);
    MPI_Group_incl(all, 1, &rank->next, &behind);
    MPI_Win_post(before, 0, window->win);
    MPI_Win_start(behind, 0, window->win);
    MPI_Put(own, 8, MPI_INT, rank->next, 8, 8, MPI_INT, window->win);
    MPI_Win_complete(window->win);
    MPI_Win_wait(window->win);
    tell_cells(rank, "posted", window);
    MPI_Group_free(&before);
    MPI_Group_free(&behind);
    MPI_Group_free(&all);
    free(own);
}

static void with_requests(const struct rank *rank, const struct window *window) {
    int *own = ints_from(3000 * rank->rank, 8), got[4] = {0};
    MPI_Request requests[3];
    MPI_Rput(own, 2, MPI_INT, rank->next, 16, 2, MPI_INT, window->win, &requests[0]);
    MPI_Raccumulate(own, 2, MPI_INT, rank->next, 18, 2, MPI_INT, MPI_MAX, window->win,
                    &requests[1]);
    MPI_Rget(got, 4, MPI_INT, rank->last, 40, 4, MPI_INT, window->win, &requests[2]);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    tell(rank, "requested", sum(got, 4), 0, 0);
    MPI_Rput(own, 2, MPI_INT, rank->rank, 44, 2, MPI_INT, window->win, &requests[0]);
    MPI_Rget(got, 2, MPI_INT, rank->rank, 42, 2, MPI_INT, window->win, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    tell(rank, "requested_of_itself", sum(got, 4), 0, 0);
    free(own);
}

static void one_by_one(const struct rank *rank, const struct window *window) {
    int own = rank->rank + 1, old[2] = {-1, -1}, compare = 40, result = -1;
    MPI_Fetch_and_op(&own, &old[0], MPI_INT, rank->next, 20, MPI_SUM, window->win);
    MPI_Win_flush(rank->next, window->win);
    MPI_Fetch_and_op(&own, &old[1], MPI_INT, rank->next, 20, MPI_NO_OP, window->win);
    MPI_Win_flush_local(rank->next, window->win);
    tell(rank, "Fetch_and_op", old[0], old[1], 0);
    MPI_Get_accumulate(&own, 1, MPI_INT, old, 1, MPI_INT, rank->next, 21, 1, MPI_INT, MPI_REPLACE,
                       window->win);
    tell(rank, "Get_accumulate", old[0], 0, 0);
    for (int i = 0; i < 2; i++) { /* the second time there is another value */
        MPI_Compare_and_swap(&own, &compare, &result, MPI_INT, rank->next, 40, window->win);
        MPI_Win_flush_all(window->win);
        tell(rank, "Compare_and_swap", result, i, 0);
    }
}

static void with_locks(const struct rank *rank, const struct window *window) {
    MPI_Win_lock_all(0, window->win);
    with_requests(rank, window);
    MPI_Win_flush_local_all(window->win);
    MPI_Win_unlock_all(window->win);
    MPI_Barrier(WORLD);
    tell_cells(rank, "unlocked", window);
    MPI_Win_lock(MPI_LOCK_SHARED, rank->next, 0, window->win);
    one_by_one(rank, window);
    MPI_Win_unlock(rank->next, window->win);
    MPI_Barrier(WORLD);
    tell_cells(rank, "unlocked", window);
}

#define TELL(call, ...) tell(rank, #call, MPI_##call(__VA_ARGS__), 0, 0)

static void wrong_operations(const struct rank *rank, const struct window *window) {
    int cell = 1, other = 1, result = 0;
    TELL(Put, &cell, 1, MPI_INT, rank->next, 0, 1, MPI_INT, window->win); /* no epoch */
    TELL(Get, &cell, 1, MPI_INT, rank->next, 0, 1, MPI_INT, window->win);
    TELL(Accumulate, &cell, 1, MPI_INT, rank->next, 0, 1, MPI_INT, MPI_SUM, window->win);
    TELL(Fetch_and_op, &cell, &result, MPI_INT, rank->next, 0, MPI_SUM, window->win);
    TELL(Compare_and_swap, &cell, &other, &result, MPI_INT, rank->next, 0, window->win);
    MPI_Win_fence(0, window->win);
    TELL(Put, &cell, 1, MPI_INT, rank->size, 0, 1, MPI_INT, window->win);
    TELL(Put, &cell, 1, MPI_INT, -1, 0, 1, MPI_INT, window->win);
    TELL(Put, &cell, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, window->win);
    TELL(Put, &cell, -1, MPI_INT, rank->next, 0, 1, MPI_INT, window->win);
    TELL(Put, &cell, 1, MPI_DATATYPE_NULL, rank->next, 0, 1, MPI_INT, window->win);
    TELL(Put, &cell, 1, MPI_INT, rank->next, -1, 1, MPI_INT, window->win);
    TELL(Put, &cell, 1, MPI_INT, rank->next, 0, CELLS + 1, MPI_INT, window->win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, window->win);
}

static void wrong_windows(const struct rank *rank) {
    MPI_Win none = MPI_WIN_NULL, win;
    int *cells = calloc(CELLS, sizeof *cells);
    TELL(Win_free, &none);
    TELL(Win_fence, 0, none);
    TELL(Win_lock, MPI_LOCK_SHARED, 0, 0, none);
    TELL(Win_unlock, 0, none);
    TELL(Put, cells, 1, MPI_INT, 0, 0, 1, MPI_INT, none);
    TELL(Win_create, cells, CELLS, 4, MPI_INFO_NULL, MPI_COMM_NULL, &win);
    TELL(Win_create, cells, -1, 4, MPI_INFO_NULL, WORLD, &win);
    TELL(Win_create, cells, CELLS, -1, MPI_INFO_NULL, WORLD, &win);
    TELL(Win_create, NULL, CELLS, 4, MPI_INFO_NULL, WORLD, &win);
    TELL(Win_create, cells, CELLS, 0, MPI_INFO_NULL, WORLD, &win); /* a window all the same */
    TELL(Win_sync, win);
    TELL(Win_free, &win);
    free(cells);
}

static void tell_attributes(const struct rank *rank, const struct window *window) {
    void *base = NULL;
    MPI_Aint *size = NULL;
    int *unit = NULL, flags[3] = {0}, members = 0;
    MPI_Group group;
    MPI_Win_get_attr(window->win, MPI_WIN_BASE, &base, &flags[0]);
    MPI_Win_get_attr(window->win, MPI_WIN_SIZE, &size, &flags[1]);
    MPI_Win_get_attr(window->win, MPI_WIN_DISP_UNIT, &unit, &flags[2]);
    tell(rank, "Win_get_attr", base == window->cells, *size, *unit);
    MPI_Win_get_group(window->win, &group);
    MPI_Group_size(group, &members);
    tell(rank, "Win_get_group", members, sum(flags, 3), 0);
    MPI_Group_free(&group);
}

static void fill(const struct window *window) {
    for (int i = 0; i < CELLS; i++)
        window->cells[i] = i;
}

static void all_of(const struct rank *rank, struct window *window) {
    fill(window);
    MPI_Win_set_errhandler(window->win, MPI_ERRORS_RETURN);
    tell_attributes(rank, window);
    between_fences(rank, window);
    between_post_and_wait(rank, window);
    with_locks(rank, window);
    wrong_operations(rank, window);
    MPI_Win_free(&window->win);
    tell(rank, "Win_free", window->win == MPI_WIN_NULL, 0, 0);
    MPI_Barrier(WORLD);
}

void windows(const struct rank *rank) {
    struct window window = {.cells = calloc(CELLS, sizeof(int))};
    wrong_windows(rank);
    MPI_Win_create(window.cells, CELLS * sizeof(int), sizeof(int), MPI_INFO_NULL, WORLD,
                   &window.win);
    all_of(rank, &window);
    free(window.cells);
    MPI_Win_allocate(CELLS * sizeof(int), sizeof(int), MPI_INFO_NULL, WORLD, &window.cells,
                     &window.win);
    all_of(rank, &window);
}
