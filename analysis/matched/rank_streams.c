/* SPDX-License-Identifier: Apache-2.0
 *
 * A binary heap of ranks by time (J. W. J. Williams, Algorithm 232: Heapsort, CACM 7(6), 1964),
 * whose keys lie in the heap. Within a rank the steps have their order: nested calls (in callbacks)
 * begin at the end of what came before.
 */
#include "analysis/matched/rank_streams.h"

#include <stdlib.h>
#include <string.h>

/* Times that a step is put off: as long as a chain of messages at one time may be. What does not
 * come at that time (a root does not wait for those that it gives to) costs so many sifts. */
#define PUT_OFF_MOST 8

/* Events of a rank that are decoded at once, while what its block needs is in the cache: 5 % less
 * time than one by one on 1,024 ranks, of which these are 1.5 MB; more would leave the cache. */
#define DECODED_AT_ONCE 16

struct stream_key {
    int64_t time_ns;
    uint64_t order; /* the level (of begins 0, of ends 1, of ends that were put off more), then the
                     * rank in the lower half */
};

#define LEVEL (1ull << 32)

struct rank_stream {
    struct trace_cursor *cursor;
    VEC(struct trace_event) decoded;
    size_t at, count; /* of these: the event in hand and its parts */
    bool has_more;    /* behind what is decoded */
    bool is_end;
};

struct rank_streams {
    struct rank_stream *ranks;
    int32_t rank_count;
    bool with_begins;
    struct stream_key *heap;
    size_t count;
};

/* Without a branch: which of two ranks is first cannot be foreseen. */
static bool is_before(const struct stream_key *a, const struct stream_key *b) {
    return (a->time_ns < b->time_ns) | ((a->time_ns == b->time_ns) & (a->order < b->order));
}

/* The first key has changed. */
static void sift(struct rank_streams *streams) {
    struct stream_key key = streams->heap[0];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < streams->count; at = child) {
        if (child + 1 < streams->count)
            child += is_before(&streams->heap[child + 1], &streams->heap[child]);
        if (!is_before(&streams->heap[child], &key))
            break;
        streams->heap[at] = streams->heap[child];
    }
    streams->heap[at] = key;
}

static void push(struct rank_streams *streams, struct stream_key key) {
    size_t at = streams->count++;
    for (; at > 0 && is_before(&key, &streams->heap[(at - 1) / 2]); at = (at - 1) / 2)
        streams->heap[at] = streams->heap[(at - 1) / 2];
    streams->heap[at] = key;
}

/* Only the group in hand stays. */
static int decode_more(struct rank_stream *stream, struct error *error) {
    if (stream->count > 0)
        memmove(stream->decoded.items, stream->decoded.items + stream->at,
                stream->count * sizeof *stream->decoded.items);
    stream->at = 0;
    stream->decoded.count = stream->count;
    vec_reserve(&stream->decoded, stream->count + DECODED_AT_ONCE);
    for (int i = 0; i < DECODED_AT_ONCE && stream->has_more; i++) {
        int result =
            trace_cursor_next(&stream->decoded.items[stream->decoded.count], stream->cursor, error);
        if (result < 0)
            return -1;
        stream->has_more = result == 1;
        stream->decoded.count += stream->has_more;
    }
    return 0;
}

/* The next event and its parts; none at the end. */
static int read_group(struct rank_stream *stream, struct error *error) {
    stream->at += stream->count;
    stream->count = 0;
    stream->is_end = false;
    for (;;) {
        if (stream->at + stream->count == stream->decoded.count && stream->has_more &&
            decode_more(stream, error) != 0)
            return -1;
        size_t next = stream->at + stream->count;
        if (next == stream->decoded.count ||
            (stream->count > 0 && stream->decoded.items[next].kind != TRACE_PART))
            return 0;
        stream->count++;
    }
}

/* When its next step is. */
static int64_t begin_group(const struct rank_streams *streams, struct rank_stream *stream) {
    stream->is_end = !streams->with_begins;
    const struct trace_event *event = &stream->decoded.items[stream->at];
    return stream->is_end ? event->end_ns : event->begin_ns;
}

static int open_rank(struct rank_streams *streams, const struct trace *trace, int32_t rank,
                     struct error *error) {
    struct rank_stream *stream = &streams->ranks[rank];
    if (trace_cursor_open(&stream->cursor, trace, rank, TRACE_FROM_START, TRACE_TO_END, error) != 0)
        return -1;
    stream->has_more = true;
    if (read_group(stream, error) != 0)
        return -1;
    if (stream->count > 0)
        push(streams, (struct stream_key){begin_group(streams, stream), (uint64_t)rank});
    return 0;
}

int rank_streams_open(struct rank_streams **out, const struct trace *trace, bool with_begins,
                      bool with_lanes, struct error *error) {
    struct rank_streams *streams = xmalloc(sizeof *streams);
    int32_t rows = trace_ranks(trace) + (with_lanes ? trace_lane_count(trace) : 0);
    size_t count = (size_t)rows;
    *streams = (struct rank_streams){.rank_count = rows, .with_begins = with_begins};
    streams->ranks = xmalloc((count + 1) * sizeof *streams->ranks);
    memset(streams->ranks, 0, (count + 1) * sizeof *streams->ranks);
    streams->heap = xmalloc((count + 1) * sizeof *streams->heap);
    for (int32_t rank = 0; rank < streams->rank_count; rank++)
        if (open_rank(streams, trace, rank, error) != 0) {
            rank_streams_close(streams);
            return -1;
        }
    *out = streams;
    return 0;
}

void rank_streams_close(struct rank_streams *streams) {
    for (int32_t rank = 0; rank < streams->rank_count; rank++) {
        if (streams->ranks[rank].cursor != NULL)
            trace_cursor_close(streams->ranks[rank].cursor);
        vec_dispose(&streams->ranks[rank].decoded);
    }
    free(streams->ranks);
    free(streams->heap);
    free(streams);
}

static bool shares_time(const struct rank_streams *streams) {
    int64_t now_ns = streams->heap[0].time_ns;
    return (streams->count > 1 && streams->heap[1].time_ns == now_ns) ||
           (streams->count > 2 && streams->heap[2].time_ns == now_ns);
}

bool rank_streams_step(struct rank_step *out, struct rank_streams *streams) {
    if (streams->count == 0)
        return false;
    const struct rank_stream *stream = &streams->ranks[(uint32_t)streams->heap[0].order];
    out->events = stream->decoded.items + stream->at;
    out->count = stream->count;
    out->is_end = stream->is_end;
    out->can_wait = streams->heap[0].order < PUT_OFF_MOST * LEVEL && shares_time(streams);
    return true;
}

int rank_streams_advance(struct rank_streams *streams, struct error *error) {
    struct stream_key *key = &streams->heap[0];
    struct rank_stream *stream = &streams->ranks[(uint32_t)key->order];
    int64_t next_ns;
    if (!stream->is_end) {
        stream->is_end = true;
        next_ns = stream->decoded.items[stream->at].end_ns;
        key->order += LEVEL;
    } else {
        if (read_group(stream, error) != 0)
            return -1;
        if (stream->count == 0) {
            *key = streams->heap[--streams->count];
            sift(streams);
            return 0;
        }
        next_ns = begin_group(streams, stream);
        key->order = (uint32_t)key->order;
    }
    key->time_ns = next_ns > key->time_ns ? next_ns : key->time_ns;
    sift(streams);
    return 0;
}

void rank_streams_put_off(struct rank_streams *streams) {
    streams->heap[0].order += LEVEL;
    sift(streams);
}
