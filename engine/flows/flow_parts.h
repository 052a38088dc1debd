/* SPDX-License-Identifier: Apache-2.0
 *
 * What flows consist of: shared by the files of this folder.
 *
 * A link's level is the rate that it gives per weight to flows that it holds back; INFINITY: it
 * holds back none. A flow sends at its weight times the least level of its links, or at its limit.
 */
#pragma once

#include "base/hash_table.h"
#include "engine/flows/flows.h"
#include "engine/network/piecewise.h"

#include <stdbool.h>
#include <stdint.h>

#define FLOW_NONE UINT32_MAX

enum flow_state { FLOW_FREE, FLOW_WAITS, FLOW_SENDS }; /* waits: for its latency */

/* Which part of a flow's rate a link carries; none where it holds back each flow by itself. */
enum flow_part { PART_NONE, PART_ACKNOWLEDGEMENTS, PART_MESSAGE, PART_BOTH };

#define CROSS_TRAFFIC 0.05

static const double flow_parts[] = {0, CROSS_TRAFFIC, 1, 1 + CROSS_TRAFFIC};

#define FLOW_BITS 30 /* of a flow's number */

/* A flow on one link: in the list of the link's, and one of the flow's successive steps. */
struct flow_step {
    uint32_t link;
    uint32_t flow : FLOW_BITS, part : 2;
    uint32_t before, after; /* steps of the same link */
};

/* What flows of the same links look at in each other comes first. */
struct message_flow {
    double weight, limit; /* limit: of the rate / weight; INFINITY: none */
    double least, second; /* levels: of its slowest link, and of all but that one */
    union {
        uint32_t slowest; /* the link with the level `least`, while it sends */
        uint32_t next;    /* of those that wait for one latency, or of free ones */
    };
    uint32_t first_step;
    uint32_t steps;
    uint8_t step_class; /* of the block of its steps */
    uint8_t state;
    bool is_queued, is_touched;
    double rate, left_bytes; /* left at since_s; bytes of the link's, rate without factor */
    double since_s;          /* while it waits: when its latency is over */
    void *owner;
};

/* What only flow_ties.c needs of a flow. */
struct flow_tie {
    uint32_t joined_solve, joined_order; /* when it began to send, as links have it (seed) */
    uint32_t visit, number;
};

struct flow_link {
    double bandwidth, level; /* bandwidth 0: never used so far */
    uint32_t first;          /* step; FLOW_NONE: nobody sends */
    bool is_changed;
};

struct flow_link_tie {
    uint32_t seed_solve, seed_order; /* when flows joined or left last, and before which others */
    uint32_t visit;
    bool is_walked;
};

struct flow_event {
    double at_s;
    uint32_t order, flow;
};

/* Flows that wait for the same latency, in the order of their starts, which is that in which it
 * ends: no heap is needed for them. */
struct flow_queue {
    double latency_s;
    uint32_t first, last; /* FLOW_NONE: empty */
};

/* What a flow has besides where connections are ordered (connections.c). */
struct flow_turn {
    struct flow_connection *connection, *back; /* its own, and the one that goes the other way */
    struct flow_card *card, *card_there;       /* of its sender and receiver */
    double asked_s, trip_s, handed_s;
    double headers_s; /* of its frame */
    uint32_t behind;  /* the next one on its connection; FLOW_NONE: it is the last */
    uint32_t waiter,
        next_waiter;       /* flows that begin when this one has ended; others of that list */
    uint32_t next_on_card; /* that waits for the card behind it */
    uint32_t order;        /* of their starts */
    double buffered_bytes; /* of the link's: once only these are left its sender may go on */
    double burst;    /* by what part of it one connection is ahead of others; 0: it is eager */
    bool is_whole;   /* it is one frame */
    bool is_known;   /* its receiver had heard of it and answers it first */
    bool is_counted; /* among those that are under way */
    bool is_rendezvous, is_handed, is_ready;
};

#define STEP_CLASSES 32
/* Most networks have a few latencies; flows with others go through the heap. */
#define FLOW_QUEUES 4

struct flows {
    const struct host_network *network;
    struct piecewise bandwidth_factor, latency_factor;
    double weight_s, gamma, precision_s, now_s;
    bool has_cross_traffic, keeps_ties, is_checked;
    uint32_t looks; /* where it is checked: how often the next event was asked for */
    struct route route, back;
    struct message_flow *flow;
    uint32_t *heap_at;    /* by flow: FLOW_NONE while it is not in the heap; apart, since moving an
                           * entry of the heap writes to it */
    struct flow_tie *tie; /* by flow, where ties are kept */
    uint32_t flow_count, flow_capacity, free_flow; /* a list by next */
    struct flow_queue queues[FLOW_QUEUES];
    size_t queue_count;
    struct flow_step *step;
    uint32_t step_count, step_capacity;
    uint32_t free_steps[STEP_CLASSES]; /* blocks of 2 to the power of i steps, a list by `after` */
    struct flow_link *link;
    struct flow_link_tie *link_tie;
    struct flow_event *heap;
    uint32_t heap_count, heap_capacity;
    uint32_t *changed; /* links, a ring */
    uint32_t changed_first, changed_count, changed_capacity;
    uint32_t *touched; /* flows whose least level may have changed */
    uint32_t touched_count, touched_capacity;
    uint32_t *walk; /* links that flows have joined or left since rates were computed */
    uint32_t walk_count, walk_capacity;
    uint32_t order;          /* of what was set in the heap last */
    uint32_t solves, visit;  /* rates were computed so often; flow_ties.c has searched so often */
    struct flow_event *tied; /* taken out of the heap, since they end together */
    uint32_t tied_first, tied_count, tied_capacity;
    uint64_t running, started;
    bool orders_connections;
    double buffer_bytes;           /* that a connection holds for its sender */
    void (*buffered)(void *owner); /* NULL: nobody asks */
    double frame_bytes;            /* messages of at most so many leave a host in their order */
    double header_bytes;           /* of a frame, on top of what SMPI counts */
    double burst_bytes;            /* that connections of a card are ahead of each other */
    struct hash_table connections; /* by sender and receiver */
    struct hash_table cards;       /* by host */
    struct flow_turn *turn;        /* by flow; NULL: connections are not ordered */
    uint32_t turn_capacity, order_of_turns;
};

/* Behind those of its latency; false: there is no queue for that. */
bool flow_queue_add(struct flows *flows, uint32_t flow, double latency_s);
/* The first of all queues; NULL: they are empty. */
struct flow_queue *flow_queue_next(struct flows *flows);
/* Takes out one flow, wherever it is. */
void flow_queue_remove(struct flows *flows, struct flow_queue *queue, uint32_t flow);

/* The heap of events: when a flow's latency is over, or when it ends. */
void flow_heap_set(struct flows *flows, uint32_t flow, double at_s);
void flow_heap_remove(struct flows *flows, uint32_t flow);

/* Into the order in which SimGrid would end them; they end together, and have not left. */
void flow_ties_sort(struct flows *flows, struct flow_event *tied, uint32_t count);

/* Its links change. */
void sharing_note(struct flows *flows, uint32_t flow);
/* Onto all links of its steps, and off them. */
void sharing_join(struct flows *flows, uint32_t flow);
void sharing_leave(struct flows *flows, uint32_t flow);

/* For a flow between two ranks that starts now, with its factor of bandwidth. */
void connections_add(struct flows *flows, uint32_t flow, const struct flow_message *message,
                     double factor);
/* Its latency is over: may it send now? If not, connections_end begins it. */
bool connections_may_send(struct flows *flows, uint32_t flow);
/* It begins to send. */
void connections_begin(struct flows *flows, uint32_t flow);
/* It has ended, or is cancelled. */
void connections_end(struct flows *flows, uint32_t flow);
void connections_dispose(struct flows *flows);

/* Onto its links now, and after a further latency. */
void flow_begin(struct flows *flows, uint32_t flow);
void flow_wait(struct flows *flows, uint32_t flow, double latency_s);

/* Levels and rates after links have changed; at flows->now_s. */
void sharing_solve(struct flows *flows);
