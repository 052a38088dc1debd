/* SPDX-License-Identifier: Apache-2.0
 *
 * Ranks may make one communicator in different calls (each branch of an `if` has its own
 * MPI_Comm_split), so two calls make the same one unless they are of different functions, divide
 * different communicators, or stand under the same control (assumption aligned-collectives).
 */
#include "skeletonizer/slice/demands.h"

#include "base/hash_table.h"
#include "skeletonizer/pointsto/communicator_handles.h"
#include "skeletonizer/slice/callstrings.h"

#include <string.h>

/* Of calls that make communicators each pair is looked at once. */
struct communicator_comparison {
    const struct slice *slice;
    struct hash_table answers; /* struct call_pair -> bool; false while it is looked at: a circle */
};

struct call_pair {
    int one, other;
};

static const int_list *communicators_of(const struct slice *s, const struct call *call) {
    int index = mpi_call_parameter(call->mpi, MPI_ROLE_COMMUNICATOR);
    if (index < 0 || (size_t)index >= call->arguments.count)
        return NULL;
    return points_to_targets(s->points_to, call->arguments.items[index].value);
}

static bool calls_differ(struct communicator_comparison *c, const struct call *one,
                         const struct call *other);

static bool makers_differ(struct communicator_comparison *c, const struct call *one,
                          const struct call *other) {
    const struct call_pair pair = {one->id, other->id};
    bool *answer = hash_table_find(&c->answers, &pair, sizeof pair);
    if (answer == NULL) {
        answer = hash_table_add(&c->answers, &pair, sizeof pair, sizeof *answer);
        *answer = calls_differ(c, one, other);
    }
    return *answer;
}

static bool objects_differ(struct communicator_comparison *c, const struct object *one,
                           const struct object *other) {
    if (one == other || !communicator_handles_is_communicator(one) ||
        !communicator_handles_is_communicator(other))
        return false;
    if (one->call == NULL || other->call == NULL ||
        strcmp(one->call->mpi->name, other->call->mpi->name) != 0)
        return true;
    if (c->slice->assumptions.aligned_collectives &&
        callstrings_same_control(c->slice, one->call, other->call))
        return true;
    return makers_differ(c, one->call, other->call);
}

static bool calls_differ(struct communicator_comparison *c, const struct call *one,
                         const struct call *other) {
    const struct slice *s = c->slice;
    const int_list *left = communicators_of(s, one), *right = communicators_of(s, other);
    if (left == NULL || right == NULL || left->count == 0 || right->count == 0)
        return false;
    for (size_t i = 0; i < left->count; i++)
        for (size_t k = 0; k < right->count; k++) {
            int a = s->points_to->locations.items[left->items[i]].object;
            int b = s->points_to->locations.items[right->items[k]].object;
            if (!objects_differ(c, s->program->objects.items[a], s->program->objects.items[b]))
                return false;
        }
    return true;
}

bool communicators_differ(const struct slice *s, const struct call *one, const struct call *other) {
    struct communicator_comparison comparison = {.slice = s};
    bool differ = s->points_to->knows_communicators && calls_differ(&comparison, one, other);
    hash_table_dispose(&comparison.answers);
    return differ;
}
