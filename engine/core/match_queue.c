/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/core/match_queue.h"

#include "base/arena.h"

#include <stdlib.h>

#define TOGETHER_MOST 32
#define ENTRIES_PER_LIST 2

struct match_lists {
    uint32_t count; /* a power of two */
    struct match_list of[];
};

/* Where an entry is. */
struct match_place {
    struct match_list *list;
    struct match_node *before, *node; /* node NULL: nowhere */
};

static struct match_list *list_of(struct match_queue *queue, uint32_t source) {
    struct match_lists *lists = queue->by_source;
    return lists != NULL ? &lists->of[source & (lists->count - 1)] : &queue->all;
}

static void append(struct match_list *list, struct match_node *node) {
    node->next = NULL;
    if (list->first == NULL)
        list->first = node;
    else
        list->last->next = node;
    list->last = node;
}

static void move_all(struct match_queue *queue, const struct match_list *from) {
    for (struct match_node *node = from->first, *next; node != NULL; node = next) {
        next = node->next;
        append(list_of(queue, node->source), node);
    }
}

/* To so many lists: entries of a new one come from one of those of before, in its order. */
static void spread(struct match_queue *queue, uint32_t list_count) {
    struct match_lists *old = queue->by_source;
    struct match_list all = queue->all;
    queue->by_source = xcalloc(1, sizeof *old + list_count * sizeof *old->of);
    queue->by_source->count = list_count;
    queue->all = (struct match_list){0};
    move_all(queue, &all);
    for (uint32_t i = 0; old != NULL && i < old->count; i++)
        move_all(queue, &old->of[i]);
    free(old);
}

static int by_order(const void *left, const void *right) {
    const struct match_node *a = *(struct match_node *const *)left;
    const struct match_node *b = *(struct match_node *const *)right;
    int32_t difference = (int32_t)(a->order - b->order);
    return (difference > 0) - (difference < 0);
}

static void put_together(struct match_queue *queue) {
    struct match_node **nodes = xmalloc(queue->count * sizeof(struct match_node *));
    uint32_t count = 0;
    for (uint32_t i = 0; i < queue->by_source->count; i++)
        for (struct match_node *node = queue->by_source->of[i].first; node != NULL;
             node = node->next)
            nodes[count++] = node;
    qsort(nodes, count, sizeof(struct match_node *), by_order);
    free(queue->by_source);
    queue->by_source = NULL;
    for (uint32_t i = 0; i < count; i++)
        append(&queue->all, nodes[i]);
    free(nodes);
    queue->stays_together = true;
}

void match_queue_append(struct match_queue *queue, struct match_node *node, uint32_t source) {
    node->source = source;
    node->order = queue->order++;
    append(list_of(queue, source), node);
    queue->count++;
    uint32_t lists = queue->by_source != NULL ? queue->by_source->count : 0;
    if (lists == 0 && queue->count > TOGETHER_MOST && !queue->stays_together)
        spread(queue, TOGETHER_MOST);
    else if (lists > 0 && queue->count > ENTRIES_PER_LIST * lists)
        spread(queue, 2 * lists);
}

static struct match_place find_in(struct match_list *list, match_test *fits, const void *what) {
    struct match_place place = {.list = list, .node = list->first};
    while (place.node != NULL && !fits(place.node, what)) {
        place.before = place.node;
        place.node = place.node->next;
    }
    return place;
}

static struct match_place find(struct match_queue *queue, uint32_t source, match_test *fits,
                               const void *what) {
    if (source == ANY_RANK && queue->by_source != NULL)
        put_together(queue);
    struct match_list *own = list_of(queue, source), *any = list_of(queue, ANY_RANK);
    struct match_place of_own = find_in(own, fits, what);
    if (own == any)
        return of_own;
    struct match_place of_any = find_in(any, fits, what);
    if (of_own.node == NULL || of_any.node == NULL)
        return of_own.node != NULL ? of_own : of_any;
    return (int32_t)(of_own.node->order - of_any.node->order) < 0 ? of_own : of_any;
}

static void take_out(struct match_queue *queue, struct match_place place) {
    if (place.before != NULL)
        place.before->next = place.node->next;
    else
        place.list->first = place.node->next;
    if (place.list->last == place.node)
        place.list->last = place.before;
    if (--queue->count > 0)
        return;
    free(queue->by_source);
    queue->by_source = NULL;
    queue->stays_together = false;
}

struct match_node *match_queue_find(struct match_queue *queue, uint32_t source, match_test *fits,
                                    const void *what) {
    return find(queue, source, fits, what).node;
}

struct match_node *match_queue_take(struct match_queue *queue, uint32_t source, match_test *fits,
                                    const void *what) {
    struct match_place place = find(queue, source, fits, what);
    if (place.node != NULL)
        take_out(queue, place);
    return place.node;
}

static bool is_it(const struct match_node *node, const void *what) {
    return node == what;
}

bool match_queue_remove(struct match_queue *queue, struct match_node *node) {
    struct match_place place = find_in(list_of(queue, node->source), is_it, node);
    if (place.node != NULL)
        take_out(queue, place);
    return place.node != NULL;
}
