/* SPDX-License-Identifier: Apache-2.0
 *
 * Which algorithm a collective uses: SMPI's selection `default`, until a setting says otherwise;
 * see collective_algorithms.h.
 */
#include "engine/collectives/collective_algorithms.h"

#include <string.h>

struct collective_choice collectives = {.barrier = barrier_linear,
                                        .bcast = bcast_binomial,
                                        .gather = gather_linear,
                                        .scatter = scatter_linear,
                                        .allgather = allgather_linear,
                                        .reduce = reduce_linear,
                                        .allreduce = allreduce_by_root,
                                        .alltoall = alltoall_by_size};

/* What is written to the member of `collectives` is a pointer to a function of its type. */
typedef void any_function(void);

static const struct known_algorithm {
    const char *collective, *name;
    void *member; /* NULL: it is the only one, which needs no choice */
    any_function *function;
} known_algorithms[] = {
    {"barrier", "default", &collectives.barrier, (any_function *)barrier_linear},
    {"barrier", "ompi_basic_linear", &collectives.barrier, (any_function *)barrier_linear},
    {"barrier", "ompi_recursivedoubling", &collectives.barrier,
     (any_function *)barrier_recursive_doubling},
    {"bcast", "default", &collectives.bcast, (any_function *)bcast_binomial},
    {"bcast", "binomial_tree", &collectives.bcast, (any_function *)bcast_binomial},
    {"gather", "default", &collectives.gather, (any_function *)gather_linear},
    {"gather", "ompi_binomial", &collectives.gather, (any_function *)gather_binomial},
    {"scatter", "default", &collectives.scatter, (any_function *)scatter_linear},
    {"scatter", "ompi_binomial", &collectives.scatter, (any_function *)scatter_binomial},
    {"allgather", "default", &collectives.allgather, (any_function *)allgather_linear},
    {"allgather", "rdb", &collectives.allgather, (any_function *)allgather_recursive_doubling},
    {"reduce", "default", &collectives.reduce, (any_function *)reduce_linear},
    {"reduce", "binomial", &collectives.reduce, (any_function *)reduce_binomial},
    {"allreduce", "default", &collectives.allreduce, (any_function *)allreduce_by_root},
    {"allreduce", "rdb", &collectives.allreduce, (any_function *)allreduce_recursive_doubling},
    {"alltoall", "default", &collectives.alltoall, (any_function *)alltoall_by_size},
    {"alltoall", "ompi", &collectives.alltoall, (any_function *)alltoall_by_size},
    {"alltoall", "basic_linear", &collectives.alltoall, (any_function *)alltoall_linear},
    {"alltoall", "pair", &collectives.alltoall, (any_function *)alltoall_pairwise},
    {"alltoall", "bruck", &collectives.alltoall, (any_function *)alltoall_bruck},
    {"allgatherv", "default", NULL, NULL},
    {"alltoallv", "default", NULL, NULL},
    {"reduce_scatter", "default", NULL, NULL},
    {"coll-selector", "default", NULL, NULL},
};

bool collectives_choose(const char *collective, const char *algorithm) {
    for (size_t i = 0; i < sizeof known_algorithms / sizeof *known_algorithms; i++) {
        const struct known_algorithm *known = &known_algorithms[i];
        if (strcmp(known->collective, collective) != 0 || strcmp(known->name, algorithm) != 0)
            continue;
        if (known->member != NULL)
            memcpy(known->member, &known->function, sizeof known->function);
        return true;
    }
    return false;
}
