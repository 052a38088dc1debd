/* SPDX-License-Identifier: Apache-2.0
 *
 * The topologies of a rank's communicators: those that SimGrid lacks (graphs, distributed graphs),
 * and grids, whose neighbours the neighbourhood collectives ask for.
 */
#pragma once

#include "runtime/smpi/runtime.h"

/* Ranks of the communicator that this rank receives from or sends to, in MPI's order; in a grid
 * also MPI_PROC_NULL. */
struct topologies_neighbours {
    int count;
    int *ranks;
    int *weights; /* NULL: there are none */
};

struct topology {
    MPI_Comm communicator;
    int kind; /* MPI_CART, MPI_GRAPH, MPI_DIST_GRAPH */
    /* A graph's nodes are in `size`, the ends of their edges in `first`, the edges in `second`. A
     * grid's dimensions are in `size`, their lengths in `first`, their periods in `second`. */
    int size;
    int *first, *second;
    struct topologies_neighbours sources, destinations;
};

/* Borrowed until the next communicator is made or freed; NULL: it has no topology. */
const struct topology *topologies_of(const struct bsim__rank *rank, MPI_Comm communicator);

/* How many destinations, or sources, a rank has; 0 without a topology. */
int topologies_neighbour_count(const struct bsim__rank *rank, MPI_Comm communicator,
                               bool destinations);
