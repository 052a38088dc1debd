/* SPDX-License-Identifier: Apache-2.0
 *
 * In: a final slice. Out: how much of each allocation is looked at.
 *
 * A block is looked at where its contents are demanded, where a kept statement writes into it all
 * the same, and where a kept call of code without source is given a pointer to it, unless that only
 * gives it back or makes it larger. Members of a record in front of an array are told apart from
 * the array: then the block is needed up to the last of them. What a block's clones (one per call
 * of an allocation wrapper) and other instances of the same text need, the call in that text needs.
 *
 * Pointers to such memory go on being compared with NULL, copied, passed and given back: the block
 * is there, only smaller. Not handled: allocators that the table does not have.
 */
#include "skeletonizer/plan/unread_memory.h"

#include "skeletonizer/slice/events.h"
#include "skeletonizer/slice/kept.h"

#include <limits.h>
#include <string.h>

#define WHOLE LLONG_MAX

/* malloc takes 32 bytes for a block of one: what is smaller saves nothing. */
#define SMALL_BYTES 32

/* The size is the product of these arguments; of none: it is not told. */
static const struct allocator {
    const char *name;
    size_t first_factor, factors;
} allocators[] = {{"malloc", 0, 1},   {"calloc", 0, 2},         {"aligned_alloc", 1, 1},
                  {"memalign", 1, 1}, {"posix_memalign", 2, 1}, {"realloc", 1, 1},
                  {"strdup", 0, 0}};

static const struct allocator *allocator_of(const struct call *call) {
    if (call == NULL || call->library == NULL || call->targets.count > 0)
        return NULL;
    for (size_t i = 0; i < sizeof allocators / sizeof *allocators; i++)
        if (strcmp(call->library->name, allocators[i].name) == 0)
            return &allocators[i];
    return NULL;
}

static bool is_allocation(const struct call *call) {
    return allocator_of(call) != NULL;
}

/* What it allocates is known, and little. */
static bool is_small(const struct call *call) {
    const struct allocator *allocator = allocator_of(call);
    double bytes = 1;
    for (size_t i = 0; i < allocator->factors; i++) {
        size_t index = allocator->first_factor + i;
        if (index >= call->arguments.count || !call->arguments.items[index].ast->has_value)
            return false;
        bytes *= (double)call->arguments.items[index].ast->value;
    }
    return allocator->factors > 0 && bytes <= SMALL_BYTES;
}

/* ---- How far each object is looked at ---- */

static void look(long long *extents, struct location location) {
    long long end = location.offset_bytes + location.length_bytes;
    if (location.stride_bytes != 0 || location.length_bytes <= 0 || location.offset_bytes < 0)
        end = WHOLE;
    if (end > extents[location.object])
        extents[location.object] = end;
}

static void look_at_demands(long long *extents, const struct slice *s) {
    for (size_t i = 0; i < s->demands.count; i++)
        if (s->demands.items[i].kind == DEMAND_PLACE)
            look(extents, s->points_to->locations.items[s->demands.items[i].subject]);
}

static bool writes_in_argument(const struct slice *s, const struct node *node) {
    for (size_t i = 0; i < node->calls.count; i++) {
        const struct call *call = node->calls.items[i];
        for (size_t k = 0; slice_keeps_call(s, call) && k < call->arguments.count; k++)
            if (call->arguments.items[k].has_effects && slice_keeps_argument(s, call, (int)k))
                return true;
    }
    return false;
}

/* Numbers that an array begins with, as a buffer that is all zeroes: they make no call. */
static bool is_beginning(const struct slice *s, const struct event_at *at) {
    int object = s->points_to->locations.items[at->location].object;
    const struct node *node = at->event->node;
    return node->declares != NULL && node->declares->id == object && node->calls.count == 0;
}

/* What an allocation puts into its own block (calloc's zeroes, what realloc copies) is nothing. */
static bool is_done(const struct slice *s, const struct event_at *at) {
    const struct event *event = at->event;
    if (event->node != NULL)
        return !is_beginning(s, at) &&
               (slice_keeps_node(s, event->node) || writes_in_argument(s, event->node));
    return event->call != NULL && event->kind != EVENT_PAYLOAD && event->kind != EVENT_DEVICE &&
           !is_allocation(event->call) && slice_keeps_call(s, event->call);
}

static void look_at_writes(long long *extents, const struct slice *s) {
    for (size_t object = 0; object < s->events.count; object++) {
        const struct event_list *list = s->events.items[object];
        for (size_t i = 0; list != NULL && i < list->items.count; i++)
            if (is_done(s, &list->items.items[i]))
                look(extents, s->points_to->locations.items[list->items.items[i].location]);
    }
}

static bool is_harmless(const struct call *call, int index) {
    return call->library != NULL && extern_argument(call->library, index).effect == EXTERN_FREED;
}

static void look_at_argument(long long *extents, const struct slice *s,
                             const struct argument *argument) {
    const int_list *targets =
        argument->value >= 0 ? points_to_targets(s->points_to, argument->value) : NULL;
    for (size_t i = 0; targets != NULL && i < targets->count; i++)
        extents[s->points_to->locations.items[targets->items[i]].object] = WHOLE;
}

static void look_at_calls(long long *extents, const struct slice *s) {
    for (size_t i = 0; i < s->program->calls.count; i++) {
        const struct call *call = s->program->calls.items[i];
        if (call->targets.count > 0 || !slice_keeps_call(s, call))
            continue;
        for (size_t k = 0; k < call->arguments.count; k++)
            if (slice_keeps_argument(s, call, (int)k) && !is_harmless(call, (int)k))
                look_at_argument(extents, s, &call->arguments.items[k]);
    }
}

/* ---- Allocations ---- */

static long long most(long long one, long long other) {
    return one > other ? one : other;
}

static long long extent_of_block(const long long *extents, const struct slice *s, int object) {
    long long extent = extents[object];
    int other;
    for (size_t i = 0; (other = points_to_sharing(s->points_to, object, i)) >= 0; i++)
        extent = most(extent, extents[other]);
    return extent;
}

/* Several objects have a call where they are told apart by who calls its function. */
static void gather(long long *out, const long long *extents, const struct slice *s) {
    for (size_t i = 0; i < s->program->objects.count; i++) {
        const struct object *object = s->program->objects.items[i];
        if (object->kind == OBJECT_HEAP && is_allocation(object->call) &&
            slice_keeps_call(s, object->call))
            out[object->call->id] =
                most(out[object->call->id], extent_of_block(extents, s, object->id));
    }
}

/* Instances of a function have their calls in one text. */
static void agree(long long *out, const struct slice *s) {
    struct hash_table texts = {0};
    for (int round = 0; round < 2; round++)
        for (size_t i = 0; i < s->program->calls.count; i++) {
            const struct call *call = s->program->calls.items[i];
            if (!is_allocation(call) || !slice_keeps_call(s, call))
                continue;
            int key[2] = {call->ast->range.file, (int)call->ast->range.begin};
            long long *extent = hash_table_find(&texts, key, sizeof key);
            if (extent == NULL) {
                extent = hash_table_add(&texts, key, sizeof key, sizeof *extent);
                *extent = out[call->id];
            }
            /* A call whose block is not known is one that may be looked at. */
            *extent = out[call->id] == UNREAD_NOT ? WHOLE : most(*extent, out[call->id]);
            out[call->id] = *extent;
        }
    hash_table_dispose(&texts);
}

static long long *extents_of(const struct slice *s) {
    size_t objects = s->program->objects.count;
    long long *extents = ARENA_ARRAY(&s->program->arena, long long, objects + 1);
    look_at_demands(extents, s);
    look_at_writes(extents, s);
    look_at_calls(extents, s);
    return extents;
}

const long long *unread_memory_find(const struct slice *s) {
    size_t calls = s->program->calls.count;
    const long long *extents = extents_of(s);
    long long *out = ARENA_ARRAY(&s->program->arena, long long, calls + 1);
    for (size_t i = 0; i < calls; i++)
        out[i] = UNREAD_NOT;
    gather(out, extents, s);
    agree(out, s);
    for (size_t i = 0; i < calls; i++)
        if (out[i] == WHOLE || (out[i] != UNREAD_NOT && is_small(s->program->calls.items[i])))
            out[i] = UNREAD_NOT;
    return out;
}

/* ---- Variables ---- */

const bool *unread_memory_variables(const struct slice *s) {
    size_t count = s->program->objects.count;
    const long long *extents = extents_of(s);
    bool *out = ARENA_ARRAY(&s->program->arena, bool, count + 1);
    struct hash_table looked_at = {0}; /* declarations */
    for (size_t i = 0; i < count; i++) {
        const struct declaration *declaration = s->program->objects.items[i]->declaration;
        if (declaration != NULL && extents[i] > 0)
            hash_table_add(&looked_at, &declaration, sizeof declaration, sizeof(bool));
    }
    for (size_t i = 0; i < count; i++) {
        const struct object *object = s->program->objects.items[i];
        out[i] =
            object->kind == OBJECT_VARIABLE && object->type != NULL &&
            object->type->kind == TYPE_ARRAY && object->declaration != NULL &&
            object->same_text == NULL &&
            hash_table_find(&looked_at, &object->declaration, sizeof object->declaration) == NULL;
    }
    hash_table_dispose(&looked_at);
    return out;
}
