/* SPDX-License-Identifier: Apache-2.0
 *
 * All that may write an object is among its events (events.h): of a copy there is one, the move.
 */
#include "skeletonizer/slice/copied_records.h"

#include "skeletonizer/slice/assigned.h"
#include "skeletonizer/slice/events.h"

static bool find(struct copied *out, const struct slice *slice, const struct object *object) {
    bool is_record =
        object->function != NULL && object->type != NULL && object->type->kind == TYPE_RECORD;
    const struct event_list *events = is_record ? events_of_object(slice, object->id) : NULL;
    if (events == NULL || events->items.count != 1)
        return false;
    const struct event *event = events->items.items[0].event;
    if (event->kind != EVENT_MOVE || event->from.stride_bytes != 0)
        return false;
    const struct ast *source = assigned_value(event->node, object);
    while (source != NULL && source->kind == AST_CAST && source->kid_count > 0)
        source = source->kids[source->kid_count - 1];
    *out = (struct copied){.node = event->node, .source = source, .lvalue = event->from};
    return source != NULL;
}

/* Copies of each other come from nowhere: a way through more objects than there are is a circle. */
bool copied_find(struct copied *out, const struct slice *slice, const struct object *object) {
    struct copied next;
    if (!find(out, slice, object))
        return false;
    next = *out;
    for (size_t steps = 0; steps < slice->program->objects.count; steps++) {
        int source = next.lvalue.object;
        if (source < 0 || !find(&next, slice, slice->program->objects.items[source]))
            return true;
    }
    return false;
}
