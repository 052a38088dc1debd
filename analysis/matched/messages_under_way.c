/* SPDX-License-Identifier: Apache-2.0
 *
 * Hash tables by the ids that a trace gives messages and collectives.
 */
#include "analysis/matched/messages_under_way.h"

static union event_value key_of(uint64_t id) {
    return (union event_value){.i = (long long)id};
}

static void forget(struct events_keys *keys, long number) {
    events_keys_remove(keys, number);
    events_keys_release(keys, number);
}

long message_send(struct messages_under_way *all, const struct trace_event *event) {
    long number = events_keys_add(&all->messages, key_of(event->message));
    while (number >= 0 && all->sent_ns.count <= (size_t)number)
        vec_push(&all->sent_ns, 0);
    if (number >= 0)
        all->sent_ns.items[number] = event->begin_ns;
    return number;
}

bool message_is_sent(const struct messages_under_way *all, const struct trace_event *event) {
    return events_keys_find(&all->messages, key_of(event->message)) >= 0;
}

long message_receive(int64_t *out_sent_ns, struct messages_under_way *all,
                     const struct trace_event *event) {
    long number = events_keys_find(&all->messages, key_of(event->message));
    if (number < 0)
        return -1;
    *out_sent_ns = all->sent_ns.items[number];
    forget(&all->messages, number);
    return number;
}

long collective_enter(struct messages_under_way *all, const struct trace_event *event,
                      int32_t members) {
    size_t before = all->collectives.used;
    long number = events_keys_add(&all->collectives, key_of(event->collective));
    if (number < 0)
        return -1;
    while (all->states.count <= (size_t)number)
        vec_push(&all->states, (struct collective_under_way){0});
    struct collective_under_way *state = &all->states.items[number];
    if (all->collectives.used != before)
        *state = (struct collective_under_way){
            .members = members, .last_ns = event->begin_ns, .root_ns = TRACE_NONE};
    state->entered++;
    if (event->begin_ns > state->last_ns)
        state->last_ns = event->begin_ns;
    if (event->root == event->rank)
        state->root_ns = event->begin_ns;
    return number;
}

bool collective_can_end(const struct messages_under_way *all, const struct trace_event *event) {
    long number = events_keys_find(&all->collectives, key_of(event->collective));
    if (number < 0)
        return true;
    const struct collective_under_way *state = &all->states.items[number];
    if (event->root >= 0 && event->root != event->rank)
        return state->root_ns != TRACE_NONE;
    return state->entered == state->members;
}

long collective_leave(struct collective_under_way *out_known, struct messages_under_way *all,
                      const struct trace_event *event) {
    long number = events_keys_find(&all->collectives, key_of(event->collective));
    if (number < 0)
        return -1;
    struct collective_under_way *state = &all->states.items[number];
    state->left++;
    *out_known = *state;
    if (state->left == state->members)
        forget(&all->collectives, number);
    return number;
}

void messages_under_way_dispose(struct messages_under_way *all) {
    events_keys_dispose(&all->messages);
    events_keys_dispose(&all->collectives);
    vec_dispose(&all->sent_ns);
    vec_dispose(&all->states);
}
