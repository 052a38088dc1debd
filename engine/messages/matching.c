/* SPDX-License-Identifier: Apache-2.0
 *
 * Which receive a message goes to: the first posted one that matches, and the other way round, as
 * MPI says; see message.h.
 */
#include "engine/messages/message.h"

#include "base/arena.h"
#include "engine/core/simulation.h"
#include "engine/messages/message_settings.h"

#include <math.h>
#include <stdlib.h>

#define SPARE_AT_ONCE 256

static struct engine_message *spare_messages;

struct engine_message *message_new(void) {
    if (spare_messages == NULL) {
        struct engine_message *block = new_lines(SPARE_AT_ONCE * sizeof *block);
        for (size_t i = 0; i + 1 < SPARE_AT_ONCE; i++)
            block[i].next = &block[i + 1];
        spare_messages = block;
    }
    struct engine_message *message = spare_messages;
    spare_messages = message->next;
    return message;
}

void message_dispose(struct engine_message *message) {
    free(message->payload);
    message->next = spare_messages;
    spare_messages = message;
}

static struct SMPI_Request *receive_of(const struct match_node *node) {
    return (struct SMPI_Request *)(uintptr_t)node;
}

static struct engine_message *message_of(const struct match_node *node) {
    return (struct engine_message *)(uintptr_t)node;
}

static bool matches(const struct SMPI_Request *receive, const struct engine_message *message) {
    if (receive->context != message->context ||
        ((receive->flags & REQUEST_ONE_SIDED) != 0) != message->is_one_sided)
        return false;
    bool tags = receive->tag == message->tag || (receive->tag == MPI_ANY_TAG && message->tag >= 0);
    return tags && (receive->source == message->source || receive->source == ANY_RANK);
}

/* looked_s: when the receiver saw last what had come, if it had not expected the message. */
static void send_away(struct engine_message *message, double posted_s, double looked_s) {
    const struct flow_message flow = {.from_rank = message->source,
                                      .to_rank = message->destination,
                                      .from_host = simulation.ranks[message->source].host,
                                      .to_host = simulation.ranks[message->destination].host,
                                      .bytes = (double)message->bytes + ENVELOPE_BYTES,
                                      .waits = message->bytes >= message_settings.eager_bytes,
                                      .posted_s = posted_s,
                                      .looked_s = looked_s};
    flows_start_message(simulation.flows, simulation.now_s, &flow, message);
}

static void match(struct engine_message *message, struct SMPI_Request *receive, double looked_s) {
    double posted_s = message->posted_s;
    message->receive = receive;
    message->is_matched = true;
    receive->message = message;
    receive->is_matched = true;
    receive->real_source = message->source;
    receive->real_tag = message->tag;
    receive->is_truncated = message->bytes > receive->bytes;
    receive->real_bytes = receive->is_truncated ? receive->bytes : message->bytes;
    if (message->send != NULL)
        message->send->is_matched = true;
    if (message->is_there)
        message_arrived(message);
    else if (!message->is_early)
        send_away(message, posted_s, looked_s);
}

/* ---- Early messages ----
 *
 * SMPI has two mailboxes a rank: in one of them messages are sent whether or not they are expected.
 * Who looks for a receive looks among those of large messages first, who looks for a message among
 * the early ones, but takes no message before another one of the same source and tag. */

static bool is_small(size_t bytes) {
    return bytes < message_settings.early_bytes;
}

static bool has_same_key(const struct match_node *node, const void *what) {
    const struct engine_message *other = message_of(node), *message = what;
    return other->source == message->source && other->tag == message->tag &&
           other->context == message->context;
}

static bool is_in_turn(const struct engine_message *message) {
    struct match_queue *queue = &simulation.ranks[message->destination].arrived;
    return match_queue_find(queue, message->source, has_same_key, message) == &message->queued;
}

static bool matches_message(const struct match_node *node, const void *message) {
    return matches(receive_of(node), message);
}

static bool matches_as_small(const struct match_node *node, const void *message) {
    return is_small(receive_of(node)->bytes) && matches(receive_of(node), message);
}

static bool matches_as_large(const struct match_node *node, const void *message) {
    return !is_small(receive_of(node)->bytes) && matches(receive_of(node), message);
}

static struct match_node *take_receive(const struct engine_message *message) {
    struct match_queue *queue = &simulation.ranks[message->destination].posted;
    if (message_settings.early_bytes == 0)
        return match_queue_take(queue, message->source, matches_message, message);
    struct match_node *node = match_queue_take(queue, message->source, matches_as_large, message);
    return node != NULL || !is_small(message->bytes)
               ? node
               : match_queue_take(queue, message->source, matches_as_small, message);
}

void message_post(struct engine_message *message) {
    struct match_node *receive = take_receive(message);
    if (receive != NULL) {
        match(message, receive_of(receive), -INFINITY);
        return;
    }
    match_queue_append(&simulation.ranks[message->destination].arrived, &message->queued,
                       message->source);
    message->posted_s = simulation.now_s;
    message->is_early = message->may_be_early;
    if (message->is_early)
        send_away(message, message->posted_s, -INFINITY);
}

static bool may_take(const struct SMPI_Request *receive, const struct engine_message *message) {
    bool may_overtake = message_settings.early_bytes > 0;
    return matches(receive, message) && (!may_overtake || is_in_turn(message));
}

static bool is_early_match(const struct match_node *node, const void *receive) {
    return message_of(node)->is_early && may_take(receive, message_of(node));
}

static bool is_late_match(const struct match_node *node, const void *receive) {
    return !message_of(node)->is_early && may_take(receive, message_of(node));
}

/* `search`: match_queue_find, or match_queue_take. */
static struct match_node *search_message(const struct SMPI_Request *receive, match_search *search) {
    struct match_queue *queue = &simulation.ranks[receive->destination].arrived;
    struct match_node *node = NULL;
    if (message_settings.early_bytes > 0 || (receive->flags & REQUEST_ONE_SIDED) != 0)
        node = search(queue, receive->source, is_early_match, receive);
    return node != NULL ? node : search(queue, receive->source, is_late_match, receive);
}

const struct engine_message *message_peek(const struct SMPI_Request *receive) {
    const struct match_node *node = search_message(receive, match_queue_find);
    return node != NULL ? message_of(node) : NULL;
}

void message_receive(struct SMPI_Request *receive) {
    struct match_node *node = search_message(receive, match_queue_take);
    if (node != NULL)
        match(message_of(node), receive, simulation.ranks[receive->destination].awaited_s);
    else
        match_queue_append(&simulation.ranks[receive->destination].posted, &receive->queued,
                           receive->source);
}

bool message_posts(struct rank_call *call) {
    message_post((struct engine_message *)call);
    return true;
}

bool message_receives(struct rank_call *call) {
    message_receive((struct SMPI_Request *)call);
    return true;
}

bool message_take_back(struct engine_message *message) {
    return match_queue_remove(&simulation.ranks[message->destination].arrived, &message->queued);
}

bool message_take_receive_back(struct SMPI_Request *receive) {
    return match_queue_remove(&simulation.ranks[receive->destination].posted, &receive->queued);
}

/* Who has waited first goes on first. */
static void complete(struct SMPI_Request *send, struct SMPI_Request *receive) {
    bool both_wait = send->waiter != NO_RANK && receive->waiter != NO_RANK;
    bool send_first = both_wait && (int32_t)(simulation.ranks[send->waiter].wait_order -
                                             simulation.ranks[receive->waiter].wait_order) < 0;
    send->message = NULL;
    request_complete(send_first ? send : receive);
    request_complete(send_first ? receive : send);
}

void message_is_buffered(void *owner) {
    struct engine_message *message = owner;
    struct SMPI_Request *send = message->send;
    if (send == NULL)
        return;
    message->send = NULL;
    message->is_waited_for = true;
    send->message = NULL;
    request_complete(send);
}

void message_arrived(void *owner) {
    struct engine_message *message = owner;
    struct SMPI_Request *send = message->send;
    simulation.ranks[message->source].open -= !message->is_there;
    message->is_there = true;
    if (!message->is_matched) {
        if (send != NULL)
            request_complete(send);
        message->send = NULL;
        return;
    }
    struct SMPI_Request *receive = message->receive;
    simulation.ranks[message->destination].open--;
    receive->payload = message->payload;
    receive->pays_for_receiving = send == NULL && !message->is_waited_for;
    receive->message = NULL;
    message->payload = NULL;
    message->is_waited_for = false;
    message_dispose(message);
    if (send == NULL)
        request_complete(receive);
    else
        complete(send, receive);
}
