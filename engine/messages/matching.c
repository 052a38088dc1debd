/* SPDX-License-Identifier: Apache-2.0
 *
 * Which receive a message goes to: the first posted one that matches, and the other way round, as
 * MPI says; see message.h. Each rank has one queue of each kind, in the order of posting.
 */
#include "engine/messages/message.h"

#include "base/arena.h"
#include "engine/core/simulation.h"
#include "engine/messages/message_settings.h"

#include <stdlib.h>

#define SPARE_AT_ONCE 256

static struct engine_message *spare_messages;

struct engine_message *message_new(void) {
    if (spare_messages == NULL) {
        struct engine_message *block = xcalloc(SPARE_AT_ONCE, sizeof *block);
        for (size_t i = 0; i + 1 < SPARE_AT_ONCE; i++)
            block[i].next = &block[i + 1];
        spare_messages = block;
    }
    struct engine_message *message = spare_messages;
    spare_messages = message->next;
    *message = (struct engine_message){0};
    return message;
}

void message_dispose(struct engine_message *message) {
    free(message->payload);
    message->next = spare_messages;
    spare_messages = message;
}

static bool matches(const struct SMPI_Request *receive, const struct engine_message *message) {
    if (receive->context != message->context ||
        ((receive->flags & REQUEST_ONE_SIDED) != 0) != message->is_one_sided)
        return false;
    bool tags = receive->tag == message->tag || (receive->tag == MPI_ANY_TAG && message->tag >= 0);
    return tags && (receive->source == message->source || receive->source == ANY_RANK);
}

static void append_receive(struct SMPI_Request *receive) {
    struct posted_receives *queue = &simulation.ranks[receive->destination].posted;
    receive->next = NULL;
    if (queue->first == NULL)
        queue->first = receive;
    else
        queue->last->next = receive;
    queue->last = receive;
}

static void append_message(struct engine_message *message) {
    struct arrived_messages *queue = &simulation.ranks[message->destination].arrived;
    message->next = NULL;
    if (queue->first == NULL)
        queue->first = message;
    else
        queue->last->next = message;
    queue->last = message;
}

static void unlink_receive(struct posted_receives *queue, struct SMPI_Request *before,
                           struct SMPI_Request *receive) {
    if (before != NULL)
        before->next = receive->next;
    else
        queue->first = receive->next;
    if (queue->last == receive)
        queue->last = before;
}

static void unlink_message(struct arrived_messages *queue, struct engine_message *before,
                           struct engine_message *message) {
    if (before != NULL)
        before->next = message->next;
    else
        queue->first = message->next;
    if (queue->last == message)
        queue->last = before;
}

static void send_away(struct engine_message *message) {
    flows_start(simulation.flows, simulation.now_s, simulation.ranks[message->source].host,
                simulation.ranks[message->destination].host,
                (double)message->bytes + ENVELOPE_BYTES, message);
}

static void match(struct engine_message *message, struct SMPI_Request *receive) {
    message->receive = receive;
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
        send_away(message);
}

/* ---- Early messages ----
 *
 * SMPI has two mailboxes a rank: in one of them messages are sent whether or not they are expected.
 * Who looks for a receive looks among those of large messages first, who looks for a message among
 * the early ones, but takes no message before another one of the same source and tag. */

static bool is_small(size_t bytes) {
    return bytes < message_settings.early_bytes;
}

static bool is_in_turn(const struct engine_message *message) {
    const struct engine_message *other = simulation.ranks[message->destination].arrived.first;
    while (other != message && (other->source != message->source || other->tag != message->tag ||
                                other->context != message->context))
        other = other->next;
    return other == message;
}

static bool post_to(struct engine_message *message, bool among_small) {
    struct posted_receives *queue = &simulation.ranks[message->destination].posted;
    struct SMPI_Request *before = NULL;
    for (struct SMPI_Request *receive = queue->first; receive != NULL; receive = receive->next) {
        if (is_small(receive->bytes) == among_small && matches(receive, message)) {
            unlink_receive(queue, before, receive);
            match(message, receive);
            return true;
        }
        before = receive;
    }
    return false;
}

void message_post(struct engine_message *message) {
    if (post_to(message, false) || (is_small(message->bytes) && post_to(message, true)))
        return;
    append_message(message);
    message->is_early = message->may_be_early;
    if (message->is_early)
        send_away(message);
}

static struct engine_message *find_among(struct engine_message **before, bool among_early,
                                         const struct SMPI_Request *receive) {
    struct engine_message *message = simulation.ranks[receive->destination].arrived.first;
    bool may_overtake = message_settings.early_bytes > 0;
    *before = NULL;
    while (message != NULL && (message->is_early != among_early || !matches(receive, message) ||
                               (may_overtake && !is_in_turn(message)))) {
        *before = message;
        message = message->next;
    }
    return message;
}

static struct engine_message *find_message(struct engine_message **before,
                                           const struct SMPI_Request *receive) {
    struct engine_message *message = NULL;
    if (message_settings.early_bytes > 0 || (receive->flags & REQUEST_ONE_SIDED) != 0)
        message = find_among(before, true, receive);
    return message != NULL ? message : find_among(before, false, receive);
}

const struct engine_message *message_peek(const struct SMPI_Request *receive) {
    struct engine_message *before;
    return find_message(&before, receive);
}

void message_receive(struct SMPI_Request *receive) {
    struct engine_message *before, *message = find_message(&before, receive);
    if (message == NULL) {
        append_receive(receive);
        return;
    }
    unlink_message(&simulation.ranks[receive->destination].arrived, before, message);
    match(message, receive);
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
    struct arrived_messages *queue = &simulation.ranks[message->destination].arrived;
    struct engine_message *before = NULL;
    for (struct engine_message *other = queue->first; other != NULL; other = other->next) {
        if (other == message) {
            unlink_message(queue, before, message);
            return true;
        }
        before = other;
    }
    return false;
}

bool message_take_receive_back(struct SMPI_Request *receive) {
    struct posted_receives *queue = &simulation.ranks[receive->destination].posted;
    struct SMPI_Request *before = NULL;
    for (struct SMPI_Request *other = queue->first; other != NULL; other = other->next) {
        if (other == receive) {
            unlink_receive(queue, before, receive);
            return true;
        }
        before = other;
    }
    return false;
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

void message_arrived(void *owner) {
    struct engine_message *message = owner;
    struct SMPI_Request *receive = message->receive, *send = message->send;
    simulation.ranks[message->source].open -= !message->is_there;
    message->is_there = true;
    if (receive == NULL) {
        if (send != NULL)
            request_complete(send);
        message->send = NULL;
        return;
    }
    simulation.ranks[receive->destination].open--;
    receive->payload = message->payload;
    receive->pays_for_receiving = send == NULL;
    receive->message = NULL;
    message->payload = NULL;
    message_dispose(message);
    if (send == NULL)
        request_complete(receive);
    else
        complete(send, receive);
}
