/* SPDX-License-Identifier: Apache-2.0
 *
 * Ranks may make one communicator in different calls (each branch of an `if` has its own
 * MPI_Comm_split), so two calls make the same one unless they are of different functions, divide
 * different communicators, or stand under the same control (assumption aligned-collectives).
 */
#include "skeletonizer/slice/demands.h"

#include "skeletonizer/pointsto/communicator_handles.h"
#include "skeletonizer/slice/callstrings.h"

#include <string.h>

#define MAX_DEPTH 8 /* of communicators that are made out of others */

static const int_list *communicators_of(const struct slice *s, const struct call *call) {
    int index = mpi_call_parameter(call->mpi, MPI_ROLE_COMMUNICATOR);
    if (index < 0 || (size_t)index >= call->arguments.count)
        return NULL;
    return points_to_targets(s->points_to, call->arguments.items[index].value);
}

static bool calls_differ(const struct slice *s, const struct call *one, const struct call *other,
                         int depth);

static bool objects_differ(const struct slice *s, const struct object *one,
                           const struct object *other, int depth) {
    if (one == other || !communicator_handles_is_communicator(one) ||
        !communicator_handles_is_communicator(other))
        return false;
    if (one->call == NULL || other->call == NULL ||
        strcmp(one->call->mpi->name, other->call->mpi->name) != 0)
        return true;
    if (s->assumptions.aligned_collectives && callstrings_same_control(s, one->call, other->call))
        return true;
    return calls_differ(s, one->call, other->call, depth + 1);
}

static bool calls_differ(const struct slice *s, const struct call *one, const struct call *other,
                         int depth) {
    const int_list *left = communicators_of(s, one), *right = communicators_of(s, other);
    const struct program *program = s->program;
    if (depth > MAX_DEPTH || left == NULL || right == NULL || left->count == 0 || right->count == 0)
        return false;
    for (size_t i = 0; i < left->count; i++)
        for (size_t k = 0; k < right->count; k++) {
            int a = s->points_to->locations.items[left->items[i]].object;
            int b = s->points_to->locations.items[right->items[k]].object;
            if (!objects_differ(s, program->objects.items[a], program->objects.items[b], depth))
                return false;
        }
    return true;
}

bool communicators_differ(const struct slice *s, const struct call *one, const struct call *other) {
    return s->points_to->knows_communicators && calls_differ(s, one, other, 0);
}
