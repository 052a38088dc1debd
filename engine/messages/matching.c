/* SPDX-License-Identifier: Apache-2.0
 *
 * Which receive a message goes to: the first posted one that matches, and the other way round, as
 * MPI says; see message.h. Each rank has one queue of each kind, in the order of posting.
 */
#include "engine/messages/message.h"

#include "base/arena.h"
#include "engine/core/simulation.h"

#include <stdlib.h>

#define ENVELOPE_BYTES 16 /* of SMPI, on each message */
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
    if (receive->comm->context != message->context ||
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
    flows_start(simulation.flows, simulation.now_s, simulation.ranks[message->source].host,
                simulation.ranks[message->destination].host,
                (double)message->bytes + ENVELOPE_BYTES, message);
}

void message_post(struct engine_message *message) {
    struct posted_receives *queue = &simulation.ranks[message->destination].posted;
    struct SMPI_Request *before = NULL;
    for (struct SMPI_Request *receive = queue->first; receive != NULL; receive = receive->next) {
        if (matches(receive, message)) {
            unlink_receive(queue, before, receive);
            match(message, receive);
            return;
        }
        before = receive;
    }
    append_message(message);
}

void message_receive(struct SMPI_Request *receive) {
    struct arrived_messages *queue = &simulation.ranks[receive->destination].arrived;
    struct engine_message *before = NULL;
    for (struct engine_message *message = queue->first; message != NULL; message = message->next) {
        if (matches(receive, message)) {
            unlink_message(queue, before, message);
            match(message, receive);
            return;
        }
        before = message;
    }
    append_receive(receive);
}

const struct engine_message *message_peek(const struct SMPI_Request *receive) {
    const struct engine_message *message = simulation.ranks[receive->destination].arrived.first;
    while (message != NULL && !matches(receive, message))
        message = message->next;
    return message;
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

void message_arrived(void *owner) {
    struct engine_message *message = owner;
    struct SMPI_Request *receive = message->receive, *send = message->send;
    receive->payload = message->payload;
    receive->pays_for_receiving = send == NULL;
    receive->message = NULL;
    message->payload = NULL;
    message_dispose(message);
    request_complete(receive);
    if (send != NULL) {
        send->message = NULL;
        request_complete(send);
    }
}
