/* SPDX-License-Identifier: Apache-2.0
 *
 * What is known of messages between their send and their receive, and of collectives between their
 * first member and their last. Memory is that of what is under way at a time.
 */
#pragma once

#include "analysis/source/keys.h"
#include "analysis/writer/trace_event.h"

#include <stdbool.h>

struct collective_under_way {
    int32_t members, entered, left;
    int64_t last_ns; /* the last begin so far */
    int64_t root_ns; /* when the root began; TRACE_NONE: it has not */
};

struct messages_under_way {
    struct events_keys messages, collectives; /* by id */
    VEC(int64_t) sent_ns;                     /* by the message's number: the begin of its send */
    VEC(struct collective_under_way) states;  /* by the collective's number */
};

/* The message's number, which others have once it was received. */
long message_send(struct messages_under_way *all, const struct trace_event *event);
bool message_is_sent(const struct messages_under_way *all, const struct trace_event *event);
/* -1: its send is not in the trace; else *out_sent_ns is its begin. */
long message_receive(int64_t *out_sent_ns, struct messages_under_way *all,
                     const struct trace_event *event);

/* A member begins; the collective's number, which others have once all members have left. */
long collective_enter(struct messages_under_way *all, const struct trace_event *event,
                      int32_t members);
/* Has all come that it may have waited for: the root, or (on the root, or without one) all? */
bool collective_can_end(const struct messages_under_way *all, const struct trace_event *event);
/* A member ends; *out_known is what is known by then. */
long collective_leave(struct collective_under_way *out_known, struct messages_under_way *all,
                      const struct trace_event *event);

void messages_under_way_dispose(struct messages_under_way *all);
