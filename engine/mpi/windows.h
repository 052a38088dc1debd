/* SPDX-License-Identifier: Apache-2.0
 *
 * Windows and one-sided operations, as SMPI 3.32 makes them: an operation is a send and a receive,
 * which the origin posts for both sides, and each side waits for at the next synchronisation.
 *
 * A window is a handle of its own on each rank. Functions return MPI's error codes.
 */
#pragma once

#include "base/vec.h"
#include "engine/core/waiting_ranks.h"
#include "engine/messages/request.h"

struct SMPI_Win {
    char *base;
    MPI_Aint size, shown_size, shown_unit; /* `shown`: to who asks for attributes */
    int unit, rank, flavor;
    struct SMPI_Comm *comm;
    struct SMPI_Win **of; /* by rank in the communicator */
    VEC(struct SMPI_Request *) requests;
    struct engine_mutex mutex, atomic;
    int accumulated; /* operations so far, which order them */
    int opened;
    VEC(int) lockers; /* ranks that have locked it */
    struct SMPI_Group *targets, *origins;
    struct keyed_value *attributes;
    struct SMPI_Errhandler *handler;
    struct SMPI_Info *info;
    char *name;
    bool is_allocated;
};

/* One side of an operation. */
struct window_part {
    const void *address;
    int count;
    struct SMPI_Datatype *type;
};
struct window_target {
    int rank;
    MPI_Aint displacement;
    int count;
    struct SMPI_Datatype *type;
};

/* Collective. */
struct SMPI_Win *window_new(void *base, MPI_Aint size, int unit, struct SMPI_Info *info,
                            struct SMPI_Comm *comm, int flavor);
void window_free(struct SMPI_Win *win);

/* *request: what the origin waits for; NULL: at the next synchronisation. */
int window_put(struct SMPI_Win *win, const struct window_part *from,
               const struct window_target *target, MPI_Request *request);
int window_get(struct SMPI_Win *win, const struct window_part *to,
               const struct window_target *target, MPI_Request *request);
int window_accumulate(struct SMPI_Win *win, const struct window_part *from,
                      const struct window_target *target, struct SMPI_Op *op, MPI_Request *request);
int window_get_accumulate(struct SMPI_Win *win, const struct window_part *from,
                          const struct window_part *result, const struct window_target *target,
                          struct SMPI_Op *op);
int window_compare_and_swap(struct SMPI_Win *win, const struct window_part *from,
                            const void *compare, void *result, const struct window_target *target);

/* Waits for what this side has to do with operations: all of them, or those with one rank; and both
 * sides of it. */
void window_finish(struct SMPI_Win *win);
void window_finish_of(struct SMPI_Win *win, int rank);
void window_finish_with(struct SMPI_Win *win, int rank);
/* Of all windows of the communicator, this rank's (MPI_Barrier). */
void window_finish_all_of(const struct SMPI_Comm *comm);
