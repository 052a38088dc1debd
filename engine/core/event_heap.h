/* SPDX-License-Identifier: Apache-2.0
 *
 * When ranks go on: a 4-ary heap by time, equal times in the order in which they were pushed.
 * (Larkin, Sen, Tarjan: A Back-to-Basics Empirical Study of Priority Queues, ALENEX 2014: of
 * implicit heaps the 4-ary one is the fastest at these sizes.)
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct rank_event {
    double at_s;
    uint64_t order;
    uint32_t rank;
};

struct event_heap { /* {0}: empty */
    struct rank_event *of;
    size_t count, capacity;
    uint64_t order;
};

void event_heap_push(struct event_heap *heap, double at_s, uint32_t rank);
/* There has to be one. */
struct rank_event event_heap_pop(struct event_heap *heap);
/* INFINITY: it is empty. */
double event_heap_next_s(const struct event_heap *heap);
