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
 * The sender of a message that waits goes on when the rest of it is in the connection's buffer. A
 * receiver that has heard of a message before it posts the receive answers right then, so that the
 * answer goes in front of announcements of what it sends itself; its messages to the same rank then
 * wait until that one has ended. So ranks that send large messages both ways again and again fall
 * out of step, and their messages take up to twice as long.
 *
 * Messages of one frame leave a host one after the other, whatever their connections, and behind
 * each one its headers. (A message that is alone has them in its latency.) Those of more frames
 * share the card, since their connections hand over further frames by turns.
 *
 * Source: packet traces of Open MPI 4.1 over TCP, whose ob1 component has one connection for a pair
 * of processes, and the results on docs/results/network.md.
 * Not handled: the request that comes before the answer waits for nothing; connections of several
 * ranks of a host are apart.
 */
#include "engine/flows/flow_parts.h"

#include "base/arena.h"

#include <math.h>
#include <stdlib.h>

#define BURST_MOST 0.5 /* of a message: it does not get nothing of a link, however small it is */

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

/* Of a host. */
struct flow_card {
    uint32_t sends, first, last; /* FLOW_NONE: nothing; first and last of those that wait */
    uint32_t out, in;            /* messages under way from and to it */
    double free_s;               /* when the headers of the last frame have left */
};

static struct flow_card *card_of(struct flows *flows, uint32_t host) {
    struct flow_card *found = hash_table_find(&flows->cards, &host, sizeof host);
    if (found != NULL)
        return found;
    found = hash_table_add(&flows->cards, &host, sizeof host, sizeof *found);
    *found = (struct flow_card){FLOW_NONE, FLOW_NONE, FLOW_NONE, 0, 0, -1};
    return found;
}

/* If not, the flow waits until it is. */
static bool is_card_free(struct flows *flows, uint32_t flow) {
    double missing_s = flows->turn[flow].card->free_s - flows->now_s;
    if (missing_s <= 0)
        return true;
    flow_wait(flows, flow, missing_s);
    return false;
}

/* May the flow send now? If not, it is begun when its turn has come. */
static bool card_takes(struct flows *flows, uint32_t flow) {
    struct flow_card *card = flows->turn[flow].card;
    if (!flows->turn[flow].is_whole || card->sends == flow)
        return true;
    if (card->sends == FLOW_NONE) {
        card->sends = flow;
        return is_card_free(flows, flow);
    }
    if (card->first == FLOW_NONE)
        card->first = flow;
    else
        flows->turn[card->last].next_on_card = flow;
    card->last = flow;
    return false;
}

static void card_begin_next(struct flows *flows, struct flow_card *card) {
    card->sends = card->first;
    if (card->first == FLOW_NONE)
        return;
    card->first = flows->turn[card->first].next_on_card;
    if (is_card_free(flows, card->sends))
        flow_begin(flows, card->sends);
}

/* It sends, waits, or has not come to the card. */
static void card_release(struct flows *flows, struct flow_card *card, uint32_t flow) {
    uint32_t before = FLOW_NONE, at = card->first;
    if (card->sends == flow) {
        card->free_s = flows->now_s + flows->turn[flow].headers_s;
        card_begin_next(flows, card);
        return;
    }
    while (at != FLOW_NONE && at != flow) {
        before = at;
        at = flows->turn[at].next_on_card;
    }
    if (at == FLOW_NONE)
        return;
    if (before == FLOW_NONE)
        card->first = flows->turn[flow].next_on_card;
    else
        flows->turn[before].next_on_card = flows->turn[flow].next_on_card;
    if (card->last == flow)
        card->last = before;
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

/* Where the receiver knows already of the message, its answer is the first that it sends: before
 * announcements of what it sends itself. Nothing is in front of the answer. */
static void answer_if_known(struct flows *flows, uint32_t flow,
                            const struct flow_message *message) {
    struct flow_turn *turn = &flows->turn[flow];
    turn->is_known =
        message->posted_s + turn->trip_s <= message->looked_s && turn->back->first == FLOW_NONE;
    if (!turn->is_known)
        return;
    turn->is_rendezvous = false;
    hand_over(flows, flow);
    turn->handed_s = flows->now_s + turn->trip_s;
}

/* Its sender may go on when the rest is in the connection's buffer. */
static void leave_to_buffer(struct flows *flows, uint32_t flow, double factor) {
    double *left_bytes = &flows->flow[flow].left_bytes, bytes = flows->buffer_bytes / factor;
    flows->turn[flow].buffered_bytes = bytes < *left_bytes ? bytes : *left_bytes;
    *left_bytes -= flows->turn[flow].buffered_bytes;
}

static double route_bandwidth(const struct flows *flows) {
    double least = INFINITY;
    for (size_t i = 0; i < flows->route.count; i++)
        least = fmin(least, host_network_bandwidth(flows->network, flows->route.links[i]));
    return least;
}

void connections_add(struct flows *flows, uint32_t flow, const struct flow_message *message,
                     double factor) {
    if (flows->turn_capacity < flows->flow_capacity) {
        flows->turn_capacity = flows->flow_capacity;
        flows->turn = xrealloc(flows->turn, flows->turn_capacity * sizeof *flows->turn);
    }
    struct flow_turn *turn = &flows->turn[flow];
    *turn = (struct flow_turn){.behind = FLOW_NONE,
                               .waiter = FLOW_NONE,
                               .next_waiter = FLOW_NONE,
                               .next_on_card = FLOW_NONE,
                               .trip_s = trip_s(flows)};
    if (message == NULL || message->from_host == message->to_host)
        return;
    turn->connection = connection_of(flows, message->from_rank, message->to_rank);
    turn->back = connection_of(flows, message->to_rank, message->from_rank);
    turn->asked_s = flows->now_s + turn->trip_s;
    turn->is_rendezvous = message->waits;
    turn->order = flows->order_of_turns++;
    turn->card = card_of(flows, message->from_host);
    turn->card_there = card_of(flows, message->to_host);
    turn->burst = turn->is_rendezvous ? fmin(flows->burst_bytes / message->bytes, BURST_MOST) : 0;
    if (turn->is_rendezvous) {
        leave_to_buffer(flows, flow, factor);
        answer_if_known(flows, flow, message);
        return;
    }
    turn->is_whole = message->bytes <= flows->frame_bytes;
    turn->headers_s = flows->header_bytes / route_bandwidth(flows);
    hand_over(flows, flow);
}

/* Is the flow handed over before the answer to another one that goes the other way? */
static bool is_before_answer(const struct flow_turn *turn, const struct flow_turn *other) {
    bool is_same_moment = turn->is_known && turn->handed_s == other->asked_s;
    return turn->handed_s < other->asked_s || (is_same_moment && turn->order < other->order);
}

/* The last flow that was handed to the way back before the answer; FLOW_NONE: there is none. */
static uint32_t in_front_of_answer(const struct flows *flows, const struct flow_turn *turn) {
    uint32_t last = FLOW_NONE;
    for (uint32_t i = turn->back->first; i != FLOW_NONE; i = flows->turn[i].behind)
        if (is_before_answer(&flows->turn[i], turn))
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
    return turn->connection->first == flow && card_takes(flows, flow);
}

/* SplitMix64's output (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA
 * 2014), from -1 to 1. */
static double draw(uint64_t state) {
    state = (state ^ state >> 30) * 0xbf58476d1ce4e5b9U;
    state = (state ^ state >> 27) * 0x94d049bb133111ebU;
    state ^= state >> 31;
    return 2 * (double)(state >> 11) / 9007199254740992.0 - 1;
}

/* Connections that share a card have their turns in bursts, so that one is ahead of another one by
 * up to a burst when they end. In a simulation with even shares ranks that do the same would stay
 * in step for ever. Messages that do not wait for their receivers end within a burst anyway. */
void connections_begin(struct flows *flows, uint32_t flow) {
    struct flow_turn *turn = &flows->turn[flow];
    if (turn->connection == NULL)
        return;
    if (turn->burst > 0 && (turn->card->out > 0 || turn->card_there->in > 0)) {
        double share = 1 + turn->burst * draw(0x9e3779b97f4a7c15U * (turn->order + 1U));
        flows->flow[flow].weight *= share;
        flows->flow[flow].limit /= share;
    }
    turn->card->out++;
    turn->card_there->in++;
    turn->is_counted = true;
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
    bool was_first = connection->first == flow;
    take_out(flows, connection, flow);
    connection->ended_s = flows->now_s;
    for (uint32_t waiter = turn->waiter; waiter != FLOW_NONE;
         waiter = flows->turn[waiter].next_waiter)
        flow_wait(flows, waiter, flows->turn[waiter].trip_s);
    if (turn->is_whole)
        card_release(flows, turn->card, flow);
    if (turn->is_counted) {
        turn->card->out--;
        turn->card_there->in--;
    }
    uint32_t next = connection->first;
    if (was_first && next != FLOW_NONE && flows->turn[next].is_ready && card_takes(flows, next))
        flow_begin(flows, next);
}

void connections_dispose(struct flows *flows) {
    hash_table_dispose(&flows->connections);
    hash_table_dispose(&flows->cards);
    free(flows->turn);
}
