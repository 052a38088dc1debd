/* SPDX-License-Identifier: Apache-2.0
 *
 * In: a region and an lvalue. Out: whether the region, or a function that it leads to, may write
 * there. Not told apart: before and after the read within the region.
 */
#include "skeletonizer/features/region_writes.h"

#include "skeletonizer/slice/events.h"

#include <stdlib.h>
#include <string.h>

/* An lvalue that was asked for. */
struct written_lvalue {
    long long offset_bytes, length_bytes, stride_bytes;
    int object, pointer, class;
};

/* What the region writes of an object: each location and class once. */
struct write {
    int location;
    enum value_class class;
};

struct written_object {
    struct write *items;
    size_t count;
    bool is_known;
};

void region_writes_dispose(struct region_writes *reached) {
    for (size_t i = 0; i < reached->asked.count; i++)
        free(reached->objects[reached->asked.items[i]].items);
    vec_dispose(&reached->asked);
    free(reached->objects);
    hash_table_dispose(&reached->lvalues);
    free(reached->functions);
    free(reached->nodes);
}

bool region_writes_call_leads_to(const struct slice *slice, const struct call *call,
                                 const struct function *function) {
    for (size_t t = 0; t < call->targets.count; t++)
        if (slice_may_run(slice, call->targets.items[t], function))
            return true;
    return false;
}

/* All functions that `function`, which a call of the region may be of, leads to. */
static void add_reached(bool *reached, const struct slice *s, const struct function *function) {
    if (!reached[function->id]) /* else all that it leads to is, too */
        may_run_add(reached, &s->may_run, function->id);
}

static bool *find_functions(const struct frame *frame) {
    size_t count = frame->slice->program->functions.count;
    bool *reached = memset(xmalloc(count + 1), 0, count + 1);
    const struct function *function = frame->region->function;
    for (size_t i = 0; i < function->nodes.count; i++) {
        const struct node *node = function->nodes.items[i];
        if (!code_region_has(frame->region, node->tree))
            continue;
        for (size_t k = 0; k < node->calls.count; k++)
            for (size_t t = 0; t < node->calls.items[k]->targets.count; t++)
                add_reached(reached, frame->slice, node->calls.items[k]->targets.items[t]);
    }
    return reached;
}

static void find_reached(struct region_writes *out, const struct frame *frame) {
    size_t count = frame->slice->program->nodes.count;
    const struct function *function = frame->region->function;
    out->functions = find_functions(frame);
    out->nodes = memset(xmalloc(count + 1), 0, count + 1);
    for (size_t i = 0; i < function->nodes.count; i++)
        out->nodes[function->nodes.items[i]->id] =
            code_region_has(frame->region, function->nodes.items[i]->tree);
}

/* Of its own statements the region has some. */
static bool is_reached(const struct frame *frame, const struct event_writer *writer) {
    return writer->function >= 0 && (frame->reached->functions[writer->function] ||
                                     (writer->function == frame->region->function->id &&
                                      frame->reached->nodes[writer->node]));
}

static int compare_writes(const void *left, const void *right) {
    const struct write *l = left, *r = right;
    return l->location != r->location ? (l->location > r->location) - (l->location < r->location)
                                      : (int)l->class - (int)r->class;
}

static void find_written(struct written_object *out, const struct frame *frame, int object) {
    struct event_list *list = frame->slice->events.items[object];
    size_t count = 0;
    out->is_known = true;
    if (list == NULL)
        return;
    events_find_writers(list);
    struct write *items = xmalloc((list->writer_count + 1) * sizeof *items);
    for (size_t k = 0; k < list->writer_count; k++)
        if (is_reached(frame, &list->writers[k]))
            items[count++] = (struct write){list->writers[k].location, list->writers[k].class};
    qsort(items, count, sizeof *items, compare_writes);
    for (size_t k = 0; k < count; k++)
        if (k == 0 || compare_writes(&items[k], &items[k - 1]) != 0)
            items[out->count++] = items[k];
    out->items = xrealloc(items, (out->count + 1) * sizeof *items);
}

/* NULL: nothing anywhere. */
static const struct written_object *written_of(const struct frame *frame, int object) {
    struct region_writes *reached = frame->reached;
    if (reached->objects == NULL) {
        reached->object_count = frame->slice->events.count;
        reached->objects = xcalloc(reached->object_count + 1, sizeof *reached->objects);
    }
    if ((size_t)object >= reached->object_count)
        return NULL;
    if (!reached->objects[object].is_known) {
        vec_push(&reached->asked, object);
        find_written(&reached->objects[object], frame, object);
    }
    return &reached->objects[object];
}

static bool hits(const struct slice *s, const struct write *write, struct location wanted,
                 enum value_class class) {
    bool compatible = !s->assumptions.type_classes || class == CLASS_ANY ||
                      write->class == CLASS_ANY || write->class == class;
    return compatible && location_overlap(s->points_to->locations.items[write->location], wanted);
}

static bool find_write(const struct frame *frame, struct lvalue lvalue) {
    struct slice *s = frame->slice;
    int_list locations = {0};
    bool found = false;
    points_to_locations(s->points_to, lvalue, &locations);
    for (size_t i = 0; i < locations.count && !found; i++) {
        struct location wanted = s->points_to->locations.items[locations.items[i]];
        const struct written_object *written = written_of(frame, wanted.object);
        for (size_t k = 0; written != NULL && k < written->count && !found; k++)
            found = hits(s, &written->items[k], wanted, lvalue.class);
    }
    vec_dispose(&locations);
    return found;
}

bool region_writes_of(const struct frame *frame, struct lvalue lvalue) {
    struct written_lvalue asked;
    memset(&asked, 0, sizeof asked); /* padding is part of the key */
    asked.offset_bytes = lvalue.offset_bytes;
    asked.length_bytes = lvalue.length_bytes;
    asked.stride_bytes = lvalue.stride_bytes;
    asked.object = lvalue.object;
    asked.pointer = lvalue.pointer;
    asked.class = lvalue.class;
    bool *is_written = hash_table_find(&frame->reached->lvalues, &asked, sizeof asked);
    if (is_written != NULL)
        return *is_written;
    if (frame->reached->functions == NULL)
        find_reached(frame->reached, frame);
    is_written = hash_table_add(&frame->reached->lvalues, &asked, sizeof asked, sizeof *is_written);
    *is_written = find_write(frame, lvalue);
    return *is_written;
}
