/* SPDX-License-Identifier: Apache-2.0
 *
 * See trace_channels.h. Each channel has a ring of the messages of which an end is still to come or
 * to ask.
 */
#include "analysis/writer/trace_channels.h"

#include "analysis/writer/trace_id.h"
#include "analysis/writer/trace_table.h"

#include <string.h>

#define MANY_CHANNELS 65536 /* some 6 MB: below, nothing is forgotten */

enum { SENDER_DONE = 1, RECEIVER_DONE = 2, BOTH_DONE = 3 };

struct trace_message {
    int64_t sent_ns, posted_ns, bytes;
    unsigned done;
};

struct trace_channel {
    struct trace_node node;
    struct trace_channel_key key;
    uint64_t next_send, next_receive;
    uint64_t first; /* the number of the oldest message in the ring */
    struct trace_message *ring;
    uint32_t begin, count, capacity; /* of the ring; a power of two */
};

struct trace_channels {
    struct trace_table table;
    bool keeps_times;
    size_t next_sweep; /* channels from which on idle ones are looked for */
    uint64_t base;     /* above all numbers of channels that were forgotten */
};

static void dispose(struct trace_node *node) {
    free(((struct trace_channel *)node)->ring);
}

struct trace_channels *trace_channels_new(bool all_ranks_are_here) {
    struct trace_channels *channels = calloc(1, sizeof *channels);
    if (channels == NULL)
        return NULL;
    channels->keeps_times = all_ranks_are_here;
    channels->next_sweep = MANY_CHANNELS;
    channels->base = 1;
    return channels;
}

void trace_channels_free(struct trace_channels *channels) {
    trace_table_dispose(&channels->table, dispose);
    free(channels);
}

/* ---- Channels ---- */

static uint64_t hash(const struct trace_channel_key *key) {
    uint64_t ends = (uint64_t)(uint32_t)key->sender << 32 | (uint32_t)key->receiver;
    uint64_t rest = (uint64_t)(uint32_t)key->communicator << 32 | (uint32_t)key->tag;
    return trace_mix(trace_mix(ends, 0), rest);
}

static struct trace_channel *find(const struct trace_channels *channels,
                                  const struct trace_channel_key *key) {
    struct trace_node *node = trace_table_find(&channels->table, hash(key));
    while (node != NULL && memcmp(&((struct trace_channel *)node)->key, key, sizeof *key) != 0)
        node = trace_table_after(node);
    return (struct trace_channel *)node;
}

static bool is_idle(const struct trace_channel *channel) {
    return channel->count == 0 && channel->next_send == channel->next_receive;
}

/* What is forgotten begins again above all numbers that it had. */
static void forget_idle(struct trace_channels *channels) {
    struct trace_table *table = &channels->table;
    for (size_t i = 0; i < table->capacity; i++)
        for (struct trace_node *node = table->places[i], *next; node != NULL; node = next) {
            struct trace_channel *channel = (struct trace_channel *)node;
            next = node->next;
            if (!is_idle(channel))
                continue;
            if (channel->next_send > channels->base)
                channels->base = channel->next_send;
            trace_table_remove(table, node);
            dispose(node);
            free(node);
        }
    channels->next_sweep = table->count * 2 > MANY_CHANNELS ? table->count * 2 : MANY_CHANNELS;
}

/* NULL: out of memory. */
static struct trace_channel *get(struct trace_channels *channels,
                                 const struct trace_channel_key *key) {
    struct trace_channel *channel = find(channels, key);
    if (channel != NULL)
        return channel;
    if (channels->keeps_times && channels->table.count >= channels->next_sweep)
        forget_idle(channels);
    channel = calloc(1, sizeof *channel);
    if (channel == NULL)
        return NULL;
    channel->key = *key;
    channel->next_send = channel->next_receive = channel->first = channels->base;
    if (trace_table_add(&channels->table, &channel->node, hash(key)))
        return channel;
    free(channel);
    return NULL;
}

/* ---- Messages ---- */

static struct trace_message *at(const struct trace_channel *channel, uint64_t number) {
    if (channel == NULL || number < channel->first || number - channel->first >= channel->count)
        return NULL;
    uint32_t place = channel->begin + (uint32_t)(number - channel->first);
    return &channel->ring[place & (channel->capacity - 1)];
}

static bool grow(struct trace_channel *channel) {
    uint32_t capacity = channel->capacity > 0 ? channel->capacity * 2 : 4;
    struct trace_message *ring = malloc(capacity * sizeof *ring);
    if (ring == NULL)
        return false;
    for (uint32_t i = 0; i < channel->count; i++)
        ring[i] = channel->ring[(channel->begin + i) & (channel->capacity - 1)];
    free(channel->ring);
    channel->ring = ring;
    channel->begin = 0;
    channel->capacity = capacity;
    return true;
}

/* The message of this number, which is the next one of either end. NULL: out of memory. */
static struct trace_message *get_message(struct trace_channel *channel, uint64_t number) {
    if (channel->count == 0)
        channel->first = number;
    if (at(channel, number) != NULL)
        return at(channel, number);
    if (channel->count == channel->capacity && !grow(channel))
        return NULL;
    uint32_t place = (channel->begin + channel->count++) & (channel->capacity - 1);
    channel->ring[place] = (struct trace_message){TRACE_UNKNOWN_NS, TRACE_UNKNOWN_NS, 0, 0};
    return &channel->ring[place];
}

static void drop_done(struct trace_channel *channel) {
    while (channel->count > 0 && channel->ring[channel->begin].done == BOTH_DONE) {
        channel->begin = (channel->begin + 1) & (channel->capacity - 1);
        channel->first++;
        channel->count--;
    }
}

struct trace_channel_message trace_channels_send(struct trace_channels *channels,
                                                 const struct trace_channel_key *key,
                                                 int64_t now_ns, int64_t bytes) {
    struct trace_channel_message none = {0};
    struct trace_channel *channel = get(channels, key);
    if (channel == NULL)
        return none;
    if (channels->keeps_times) {
        struct trace_message *message = get_message(channel, channel->next_send);
        if (message == NULL)
            return none;
        message->sent_ns = now_ns;
        message->bytes = bytes;
    }
    return (struct trace_channel_message){channel, channel->next_send++};
}

struct trace_channel_message trace_channels_post(struct trace_channels *channels,
                                                 const struct trace_channel_key *key,
                                                 int64_t now_ns) {
    struct trace_channel_message none = {0};
    struct trace_channel *channel = get(channels, key);
    if (channel == NULL)
        return none;
    if (channels->keeps_times) {
        struct trace_message *message = get_message(channel, channel->next_receive);
        if (message == NULL)
            return none;
        message->posted_ns = now_ns;
    }
    return (struct trace_channel_message){channel, channel->next_receive++};
}

void trace_channels_unpost(struct trace_channel_message of) {
    struct trace_message *message = at(of.channel, of.number);
    if (of.channel->next_receive == of.number + 1)
        of.channel->next_receive--;
    if (message != NULL)
        message->posted_ns = TRACE_UNKNOWN_NS;
}

int64_t trace_channels_sent_ns(struct trace_channel_message of, int64_t *bytes) {
    const struct trace_message *message = at(of.channel, of.number);
    if (message == NULL || message->sent_ns == TRACE_UNKNOWN_NS)
        return TRACE_UNKNOWN_NS;
    *bytes = message->bytes;
    return message->sent_ns;
}

int64_t trace_channels_posted_ns(struct trace_channel_message of) {
    const struct trace_message *message = at(of.channel, of.number);
    return message != NULL ? message->posted_ns : TRACE_UNKNOWN_NS;
}

struct trace_channel_message trace_channels_next(const struct trace_channels *channels,
                                                 const struct trace_channel_key *key) {
    struct trace_channel *channel = find(channels, key);
    return (struct trace_channel_message){channel, channel != NULL ? channel->next_receive : 0};
}

static void end(struct trace_channel_message of, unsigned which) {
    struct trace_message *message = at(of.channel, of.number);
    if (message == NULL)
        return;
    message->done |= which;
    drop_done(of.channel);
}

void trace_channels_sent(struct trace_channel_message message) {
    end(message, SENDER_DONE);
}

void trace_channels_received(struct trace_channel_message message) {
    end(message, RECEIVER_DONE);
}
