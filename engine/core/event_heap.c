/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/core/event_heap.h"

#include "base/arena.h"

#include <math.h>
#include <stdbool.h>

#define CHILDREN 4

static bool is_before(const struct rank_event *a, const struct rank_event *b) {
    return a->at_s < b->at_s || (a->at_s == b->at_s && a->order < b->order);
}

void event_heap_push(struct event_heap *heap, double at_s, uint32_t rank) {
    struct rank_event event = {.at_s = at_s, .order = heap->order++, .rank = rank};
    if (heap->count == heap->capacity) {
        heap->capacity = 2 * heap->capacity + 64;
        heap->of = xrealloc(heap->of, heap->capacity * sizeof *heap->of);
    }
    size_t i = heap->count++;
    while (i > 0 && is_before(&event, &heap->of[(i - 1) / CHILDREN])) {
        heap->of[i] = heap->of[(i - 1) / CHILDREN];
        i = (i - 1) / CHILDREN;
    }
    heap->of[i] = event;
}

/* The first of the children of i; the count of the heap: it has none. */
static size_t first_child(const struct event_heap *heap, size_t i) {
    size_t child = CHILDREN * i + 1, end = child + CHILDREN, least = child;
    if (child >= heap->count)
        return heap->count;
    for (size_t k = child + 1; k < end && k < heap->count; k++)
        if (is_before(&heap->of[k], &heap->of[least]))
            least = k;
    return least;
}

struct rank_event event_heap_pop(struct event_heap *heap) {
    struct rank_event top = heap->of[0], last = heap->of[--heap->count];
    size_t i = 0;
    for (size_t child; (child = first_child(heap, i)) < heap->count; i = child) {
        if (!is_before(&heap->of[child], &last))
            break;
        heap->of[i] = heap->of[child];
    }
    if (heap->count > 0)
        heap->of[i] = last;
    return top;
}

double event_heap_next_s(const struct event_heap *heap) {
    return heap->count > 0 ? heap->of[0].at_s : INFINITY;
}
