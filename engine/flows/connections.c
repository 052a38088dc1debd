/* SPDX-License-Identifier: Apache-2.0
 *
 * Connections whose messages go one after the other, as those of a TCP connection or of a queue
 * pair do, where SimGrid's flows share their links evenly.
 *
 * An eager message is handed to its connection when it starts. One that waits for its receiver (a
 * rendezvous) is handed over when the receiver's answer has come, which is when its latency is
 * over. A message sends when its latency is over and all that were handed over before it have
 * ended. The receiver's answer is a message as well, on the connection that goes the other way:
 * what was handed to that one before the answer goes first, so that large messages that cross each
 * other can take twice as long. The answer is sent one trip after the start.
 *
 * Source: packet traces of Open MPI 4.1 over TCP, whose ob1 component has one connection for a pair
 * of processes, and the results on docs/results/network.md.
 * Not handled: the request that comes before the answer waits for nothing; connections of several
 * ranks of a host are apart.
 */
#include "engine/flows/flow_parts.h"

#include "base/arena.h"

#include <stdlib.h>

struct flow_connection {
    uint32_t first, last; /* FLOW_NONE: nothing is handed over */
    double ended_s;       /* when the last one ended */
};

static struct flow_connection *connection_of(struct flows *flows, uint32_t from, uint32_t to) {
    const uint64_t key = (uint64_t)from << 32 | to;
    struct flow_connection *found = hash_table_find(&flows->connections, &key, sizeof key);
    if (found != NULL)
        return found;
    found = hash_table_add(&flows->connections, &key, sizeof key, sizeof *found);
    *found = (struct flow_connection){FLOW_NONE, FLOW_NONE, -1};
    return found;
}

static void hand_over(struct flows *flows, uint32_t flow) {
    struct flow_turn *turn = &flows->turn[flow];
    struct flow_connection *connection = turn->connection;
    if (connection->first == FLOW_NONE)
        connection->first = flow;
    else
        flows->turn[connection->last].behind = flow;
    connection->last = flow;
    turn->handed_s = flows->now_s;
    turn->is_handed = true;
}

static double trip_s(const struct flows *flows) {
    return flows->route.latency_s * piecewise_at(&flows->latency_factor, 1);
}

void connections_add(struct flows *flows, uint32_t flow, const struct flow_message *message) {
    if (flows->turn_capacity < flows->flow_capacity) {
        flows->turn_capacity = flows->flow_capacity;
        flows->turn = xrealloc(flows->turn, flows->turn_capacity * sizeof *flows->turn);
    }
    struct flow_turn *turn = &flows->turn[flow];
    *turn = (struct flow_turn){.behind = FLOW_NONE,
                               .waiter = FLOW_NONE,
                               .next_waiter = FLOW_NONE,
                               .trip_s = trip_s(flows)};
    if (message == NULL || message->from_host == message->to_host)
        return;
    turn->connection = connection_of(flows, message->from_rank, message->to_rank);
    turn->back = connection_of(flows, message->to_rank, message->from_rank);
    turn->asked_s = flows->now_s + turn->trip_s;
    turn->is_rendezvous = message->bytes >= flows->rendezvous_bytes;
    if (!turn->is_rendezvous)
        hand_over(flows, flow);
}

/* The last flow that was handed to the way back before the answer; FLOW_NONE: there is none. */
static uint32_t in_front_of_answer(const struct flows *flows, const struct flow_turn *turn) {
    uint32_t last = FLOW_NONE;
    for (uint32_t i = turn->back->first; i != FLOW_NONE; i = flows->turn[i].behind)
        if (flows->turn[i].handed_s < turn->asked_s)
            last = i;
    return last;
}

/* Has the answer come? If not, the flow goes on waiting. */
static bool is_answered(struct flows *flows, uint32_t flow) {
    struct flow_turn *turn = &flows->turn[flow];
    uint32_t front = in_front_of_answer(flows, turn);
    turn->is_rendezvous = false;
    if (front != FLOW_NONE) {
        turn->next_waiter = flows->turn[front].waiter;
        flows->turn[front].waiter = flow;
        return false;
    }
    double missing_s =
        turn->back->ended_s > turn->asked_s ? turn->back->ended_s + turn->trip_s - flows->now_s : 0;
    if (missing_s <= 0)
        return true;
    flow_wait(flows, flow, missing_s);
    return false;
}

bool connections_may_send(struct flows *flows, uint32_t flow) {
    struct flow_turn *turn = &flows->turn[flow];
    if (turn->connection == NULL)
        return true;
    if (turn->is_rendezvous && !is_answered(flows, flow))
        return false;
    if (!turn->is_handed)
        hand_over(flows, flow);
    turn->is_ready = true;
    return turn->connection->first == flow;
}

/* It need not be the first one, if it is cancelled. */
static void take_out(struct flows *flows, struct flow_connection *connection, uint32_t flow) {
    uint32_t before = FLOW_NONE;
    for (uint32_t at = connection->first; at != flow; at = flows->turn[at].behind)
        before = at;
    if (before == FLOW_NONE)
        connection->first = flows->turn[flow].behind;
    else
        flows->turn[before].behind = flows->turn[flow].behind;
    if (connection->last == flow)
        connection->last = before;
}

void connections_end(struct flows *flows, uint32_t flow) {
    struct flow_turn *turn = &flows->turn[flow];
    struct flow_connection *connection = turn->connection;
    if (connection == NULL || !turn->is_handed)
        return;
    take_out(flows, connection, flow);
    connection->ended_s = flows->now_s;
    for (uint32_t waiter = turn->waiter; waiter != FLOW_NONE;
         waiter = flows->turn[waiter].next_waiter)
        flow_wait(flows, waiter, flows->turn[waiter].trip_s);
    uint32_t next = connection->first;
    if (next != FLOW_NONE && flows->turn[next].is_ready && flows->flow[next].state == FLOW_WAITS)
        flow_begin(flows, next);
}

void connections_dispose(struct flows *flows) {
    hash_table_dispose(&flows->connections);
    free(flows->turn);
}
