/* SPDX-License-Identifier: Apache-2.0
 *
 * In: communicators as the program makes, copies and frees them. Out: the topology of one of them.
 * A copy (MPI_Comm_dup and its kin) has the topology of what it was copied from; all others begin
 * with none (MPI 3.1, section 7.2). A grid's ranks are in row-major order, as in SimGrid.
 *
 * Not handled: communicators that another function than the runtime's makes.
 */
#include "runtime/smpi/kept_topologies.h"

#include <stdlib.h>
#include <string.h>

#define BSIM_NO_MACROS
#include "bsim_calls.h"

void kept_topologies_add(const struct topology *topology) {
    struct topology *kept = bsim__grow(NULL, 0, sizeof *kept);
    *kept = *topology;
    bsim__handle_add(&bsim__current_rank()->topologies, kept);
}

int *kept_topologies_numbers(const int *numbers, int count) {
    if (numbers == NULL)
        return NULL;
    int *copy = bsim__grow(NULL, 0, ((size_t)count + 1) * sizeof *copy);
    memcpy(copy, numbers, (size_t)count * sizeof *copy);
    return copy;
}

static void forget(struct bsim__rank *rank, MPI_Comm communicator) {
    struct topology *topology = (struct topology *)topologies_of(rank, communicator);
    struct bsim__handles *all = &rank->topologies;
    if (topology == NULL)
        return;
    int index = bsim__handle_find(all, topology);
    all->items[index] = all->items[--all->count];
    free(topology->first);
    free(topology->second);
    free(topology->sources.ranks);
    free(topology->sources.weights);
    free(topology->destinations.ranks);
    free(topology->destinations.weights);
    free(topology);
}

void bsim__kept_topologies_forget(const struct bsim__call *call) {
    const struct bsim__function *function = &bsim__functions[call->id];
    struct bsim__rank *rank = bsim__current_rank();
    for (int i = 0; function->class == MPI_CLASS_COMMUNICATOR && i < function->parameter_count; i++)
        if (function->parameters[i].role == MPI_ROLE_COMMUNICATOR_INOUT)
            forget(rank, **(MPI_Comm **)call->args[i]);
}

/* ---- Grids ---- */

static int rank_at(const struct topology *grid, int rank, int dimension, int step) {
    int stride = 1, length = grid->first[dimension];
    for (int i = dimension + 1; i < grid->size; i++)
        stride *= grid->first[i];
    int place = rank / stride % length, moved = place + step;
    if (grid->second[dimension])
        moved = (moved + length) % length;
    else if (moved < 0 || moved >= length)
        return MPI_PROC_NULL;
    return rank + (moved - place) * stride;
}

static void find_neighbours(struct topology *grid) {
    int rank, count = 2 * grid->size;
    int *ranks = bsim__grow(NULL, 0, ((size_t)count + 1) * sizeof *ranks);
    MPI_Comm_rank(grid->communicator, &rank);
    for (int i = 0; i < count; i++)
        ranks[i] = rank_at(grid, rank, i / 2, i % 2 == 0 ? -1 : 1);
    grid->sources = (struct topologies_neighbours){.count = count, .ranks = ranks};
    grid->destinations = grid->sources;
    grid->destinations.ranks = kept_topologies_numbers(ranks, count);
}

/* Takes over the arrays. */
static void add_grid(MPI_Comm communicator, int size, int *lengths, int *periods) {
    struct topology grid = {.communicator = communicator,
                            .kind = MPI_CART,
                            .size = size,
                            .first = lengths,
                            .second = periods};
    find_neighbours(&grid);
    kept_topologies_add(&grid);
}

static void note_part_of_grid(MPI_Comm communicator, const struct topology *grid,
                              const int *remain) {
    int size = 0;
    int *lengths = kept_topologies_numbers(grid->first, grid->size);
    int *periods = kept_topologies_numbers(grid->second, grid->size);
    for (int i = 0; i < grid->size; i++) {
        lengths[size] = grid->first[i];
        periods[size] = grid->second[i];
        size += remain[i] != 0;
    }
    add_grid(communicator, size, lengths, periods);
}

/* ---- Copies ---- */

static struct topologies_neighbours copy_of(const struct topologies_neighbours *of) {
    return (struct topologies_neighbours){.count = of->count,
                                          .ranks = kept_topologies_numbers(of->ranks, of->count),
                                          .weights =
                                              kept_topologies_numbers(of->weights, of->count)};
}

static void note_copy(MPI_Comm communicator, const struct topology *of) {
    struct topology copy = *of;
    int edges = of->size;
    if (of->kind == MPI_GRAPH)
        edges = of->size > 0 ? of->first[of->size - 1] : 0;
    copy.communicator = communicator;
    copy.first = kept_topologies_numbers(of->first, of->size);
    copy.second = kept_topologies_numbers(of->second, edges);
    copy.sources = copy_of(&of->sources);
    copy.destinations = copy_of(&of->destinations);
    kept_topologies_add(&copy);
}

static bool copies(enum bsim__id id) {
    return id == BSIM__ID_MPI_Comm_dup || id == BSIM__ID_MPI_Comm_dup_with_info ||
           id == BSIM__ID_MPI_Comm_idup;
}

static MPI_Comm new_communicator(const struct bsim__call *call) {
    const struct bsim__function *function = &bsim__functions[call->id];
    for (int i = 0; i < function->parameter_count; i++)
        if (function->parameters[i].role == MPI_ROLE_COMMUNICATOR_OUT)
            return *(MPI_Comm **)call->args[i] != NULL ? **(MPI_Comm **)call->args[i]
                                                       : MPI_COMM_NULL;
    return MPI_COMM_NULL;
}

void bsim__kept_topologies_note(const struct bsim__call *call) {
    MPI_Comm made = bsim__functions[call->id].class == MPI_CLASS_COMMUNICATOR
                        ? new_communicator(call)
                        : MPI_COMM_NULL;
    if (made == MPI_COMM_NULL)
        return;
    if (call->id == BSIM__ID_MPI_Cart_create) {
        int size = *(int *)call->args[1];
        add_grid(made, size, kept_topologies_numbers(*(int **)call->args[2], size),
                 kept_topologies_numbers(*(int **)call->args[3], size));
        return;
    }
    const struct topology *of = topologies_of(bsim__current_rank(), *(MPI_Comm *)call->args[0]);
    if (of != NULL && copies(call->id))
        note_copy(made, of);
    if (of != NULL && of->kind == MPI_CART && call->id == BSIM__ID_MPI_Cart_sub)
        note_part_of_grid(made, of, *(int **)call->args[1]);
}
