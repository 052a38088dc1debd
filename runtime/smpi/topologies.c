/* SPDX-License-Identifier: Apache-2.0
 *
 * Looks a communicator up among those with a topology. Without calls of other parts, so that the
 * record of calls may ask here (kept_topologies.c has the rest).
 */
#include "runtime/smpi/topologies.h"

const struct topology *topologies_of(const struct bsim__rank *rank, MPI_Comm communicator) {
    const struct bsim__handles *all = &rank->topologies;
    for (int i = 0; i < all->count; i++) {
        const struct topology *topology = all->items[i];
        if (topology->communicator == communicator)
            return topology;
    }
    return NULL;
}

int topologies_neighbour_count(const struct bsim__rank *rank, MPI_Comm communicator,
                               bool destinations) {
    const struct topology *topology = topologies_of(rank, communicator);
    if (topology == NULL)
        return 0;
    return destinations ? topology->destinations.count : topology->sources.count;
}
