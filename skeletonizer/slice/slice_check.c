/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether the slice is closed: all demands raise theirs once more, which must not bring a new one.
 */
#include "skeletonizer/slice/slice.h"

static size_t subjects_of(const struct slice *s, enum demand_kind kind) {
    switch (kind) {
    case DEMAND_NODE:
    case DEMAND_JUMP:
        return s->program->nodes.count;
    case DEMAND_CALL:
    case DEMAND_VALUE:
    case DEMAND_PAYLOAD:
    case DEMAND_ARGUMENT:
    case DEMAND_DEVICE:
        return s->program->calls.count;
    case DEMAND_PLACE:
        return s->points_to->locations.count;
    case DEMAND_PARAMETER:
    case DEMAND_CHAIN:
        return s->program->functions.count;
    case DEMAND_DECLARE:
        return s->program->objects.count;
    }
    return 0;
}

static int check_demand(const struct slice *s, int index, struct error *error) {
    const struct demand *demand = &s->demands.items[index];
    if (demand->subject < 0 || (size_t)demand->subject >= subjects_of(s, demand->kind))
        return error_set(error, "demand %d is of kind %d and asks for subject %d of %zu", index,
                         demand->kind, demand->subject, subjects_of(s, demand->kind));
    if (demand->why == NULL || demand->parent >= index)
        return error_set(error, "demand %d has no reason: its parent is %d", index, demand->parent);
    if (slice_find(s, demand->kind, demand->subject, demand->detail) != index)
        return error_set(error, "demand %d is found as demand %d", index,
                         slice_find(s, demand->kind, demand->subject, demand->detail));
    return 0;
}

static int check_criteria(const struct slice *s, struct error *error) {
    for (size_t i = 0; i < s->program->calls.count; i++) {
        const struct call *call = s->program->calls.items[i];
        if (call->node->function != NULL && call->node->function->is_live &&
            slice_is_criterion(s, call) && !slice_keeps_call(s, call))
            return error_set(error, "call %d of %s has to stay and does not", call->id,
                             call->name != NULL ? call->name : "a pointer");
    }
    return 0;
}

int slice_check(struct slice *s, struct error *error) {
    size_t count = s->demands.count;
    for (size_t i = 0; i < count; i++)
        if (check_demand(s, (int)i, error) != 0)
            return -1;
    if (check_criteria(s, error) != 0)
        return -1;
    if (s->next != count)
        return error_set(error, "%zu demands have raised theirs, of %zu", s->next, count);
    size_t raised = slice_raise_again(s);
    if (raised == count)
        return 0;
    const struct demand *extra = &s->demands.items[count];
    return error_set(error,
                     "the slice is not closed: raising demand %d once more brings one of kind %d "
                     "for subject %d (%s)",
                     extra->parent, extra->kind, extra->subject, extra->why);
}
