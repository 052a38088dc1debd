/* SPDX-License-Identifier: Apache-2.0
 *
 * In: a region and a place. Out: whether the region, or a function that it leads to, may write
 * there. Not told apart: before and after the read within the region.
 */
#include "skeletonizer/writes.h"

#include "skeletonizer/events.h"

#include <string.h>
#include <uthash.h>

/* What was found out about a place. */
struct written_place {
    struct {
        long long offset_bytes, length_bytes, stride_bytes;
        int object, pointer, class;
    } key;
    bool is_written;
    UT_hash_handle hh;
};

void writes_dispose(struct reached *reached) {
    struct written_place *place, *next;
    HASH_ITER(hh, reached->places, place, next) {
        HASH_DEL(reached->places, place);
        free(place);
    }
    free(reached->functions);
}

bool writes_in_region(const struct plan_region *region, const struct node *node) {
    for (const struct tree *tree = node->tree; tree != NULL; tree = tree->parent)
        for (size_t i = 0; i < region->trees.count; i++)
            if (region->trees.items[i] == tree)
                return true;
    return false;
}

/* Calls of the region, and all functions they lead to. */
static void reached_functions(const struct function *function, bool *reached) {
    if (reached[function->id])
        return;
    reached[function->id] = true;
    for (size_t i = 0; i < function->nodes.count; i++)
        for (size_t k = 0; k < function->nodes.items[i]->calls.count; k++) {
            const struct call *call = function->nodes.items[i]->calls.items[k];
            for (size_t t = 0; t < call->targets.count; t++)
                reached_functions(call->targets.items[t], reached);
        }
}

bool writes_call_leads_to(const struct program *program, const struct call *call,
                          const struct function *function) {
    size_t count = program->functions.count;
    bool *reached = memset(xmalloc(count + 1), 0, count + 1);
    for (size_t t = 0; t < call->targets.count; t++)
        reached_functions(call->targets.items[t], reached);
    bool leads = reached[function->id];
    free(reached);
    return leads;
}

static void find_reached(struct reached *out, const struct frame *frame) {
    size_t count = frame->slice->program->functions.count;
    bool *reached = memset(xmalloc(count + 1), 0, count + 1);
    const struct function *function = frame->region->function;
    out->functions = reached;
    for (size_t i = 0; i < function->nodes.count; i++) {
        const struct node *node = function->nodes.items[i];
        if (!writes_in_region(frame->region, node))
            continue;
        for (size_t k = 0; k < node->calls.count; k++)
            for (size_t t = 0; t < node->calls.items[k]->targets.count; t++)
                reached_functions(node->calls.items[k]->targets.items[t], reached);
    }
}

static bool is_inside(const struct frame *frame, const struct node *node) {
    if (node == NULL || node->function == NULL)
        return false;
    return frame->reached->functions[node->function->id] ||
           (node->function == frame->region->function && writes_in_region(frame->region, node));
}

static bool event_hits(const struct slice *s, const struct event *event, struct location wanted,
                       enum value_class class) {
    bool compatible = !s->assumptions.type_classes || class == CLASS_ANY ||
                      event->class == CLASS_ANY || event->class == class;
    return compatible && location_overlap(s->points_to->locations.items[event->location], wanted);
}

static bool find_write(const struct frame *frame, struct place place) {
    struct slice *s = frame->slice;
    int_list locations = {0};
    bool found = false;
    points_to_locations(s->points_to, place, &locations);
    for (size_t i = 0; i < locations.count && !found; i++) {
        struct location wanted = s->points_to->locations.items[locations.items[i]];
        const struct event_list *list =
            (size_t)wanted.object < s->events.count ? s->events.items[wanted.object] : NULL;
        for (size_t k = 0; list != NULL && k < list->items.count && !found; k++) {
            const struct event *event = &list->items.items[k];
            const struct node *node = event->call != NULL ? event->call->node : event->node;
            found = event_hits(s, event, wanted, place.class) && is_inside(frame, node);
        }
    }
    vec_dispose(&locations);
    return found;
}

bool writes_of_region(const struct frame *frame, struct place place) {
    struct written_place asked, *known;
    memset(&asked, 0, sizeof asked); /* padding is part of the key */
    asked.key.offset_bytes = place.offset_bytes;
    asked.key.length_bytes = place.length_bytes;
    asked.key.stride_bytes = place.stride_bytes;
    asked.key.object = place.object;
    asked.key.pointer = place.pointer;
    asked.key.class = place.class;
    HASH_FIND(hh, frame->reached->places, &asked.key, sizeof asked.key, known);
    if (known != NULL)
        return known->is_written;
    if (frame->reached->functions == NULL)
        find_reached(frame->reached, frame);
    known = xmalloc(sizeof *known);
    *known = asked;
    known->is_written = find_write(frame, place);
    HASH_ADD(hh, frame->reached->places, key, sizeof known->key, known);
    return known->is_written;
}
