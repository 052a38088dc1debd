/* SPDX-License-Identifier: Apache-2.0
 *
 * A message from when it is sent to when it has arrived; and who matches whom.
 */
#pragma once

#include "engine/messages/request.h"

#define ENVELOPE_BYTES 16 /* of SMPI, on each message */

/* Of a rank's number, so that flags have place beside it. */
#define RANK_BITS 26
#define MOST_RANKS ((size_t)1 << RANK_BITS)

/* A line of the cache. */
struct engine_message {
    union {
        struct match_node queued;    /* at its receiver */
        struct engine_message *next; /* among spare ones */
        struct rank_call call;       /* message_post */
    };
    uint32_t destination;
    uint32_t source : RANK_BITS;
    bool is_one_sided : 1;
    bool may_be_early : 1;  /* it is sent even if nobody expects it */
    bool is_early : 1;      /* it was */
    bool is_waited_for : 1; /* its sender waited until it was buffered */
    bool is_there : 1;      /* it has arrived */
    bool is_matched : 1;
    int tag, context;
    size_t bytes;
    void *payload;             /* NULL: nobody looks at it */
    struct SMPI_Request *send; /* that waits for it; NULL: the sender has gone on */
    union {
        double posted_s;              /* when it was queued, not expected; until it is matched */
        struct SMPI_Request *receive; /* then */
    };
};

_Static_assert(sizeof(struct engine_message) <= CACHE_LINE, "each message touches two lines");

/* Hands the message of a send to its receiver: matched with a posted receive, or queued. */
void message_post(struct engine_message *message);
/* Looks for a message that has been sent already; else the receive is queued. */
void message_receive(struct SMPI_Request *receive);
/* Both as calls of the kernel. */
bool message_posts(struct rank_call *call);
bool message_receives(struct rank_call *call);
/* The first message that the receive would match, without taking it; NULL: there is none. */
const struct engine_message *message_peek(const struct SMPI_Request *receive);

/* Takes an unmatched one out of its queue; false: it is not there. */
bool message_take_back(struct engine_message *message);
bool message_take_receive_back(struct SMPI_Request *receive);

/* Of no particular contents. */
struct engine_message *message_new(void);
void message_dispose(struct engine_message *message);

/* What flows tell (struct engine_simulation): the sender need no longer wait; it has arrived. */
void message_is_buffered(void *owner);
void message_arrived(void *owner);
