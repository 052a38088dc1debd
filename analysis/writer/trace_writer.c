/* SPDX-License-Identifier: Apache-2.0
 *
 * See trace_writer.h. A rank's block is written when it has enough bytes or events: fewer where
 * there are many ranks, so that all buffers together stay below some 64 MB.
 *
 * Events of ranks of one process come by turns, and what belongs to a rank has left the caches when
 * its next one comes. So they wait in a queue, which is emptied rank by rank.
 */
#include "analysis/writer/trace_writer.h"

#include "analysis/writer/trace_call_paths.h"
#include "analysis/writer/trace_definitions.h"
#include "analysis/writer/trace_file.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUFFERS_BYTES (64 << 20)
#define BLOCK_LEAST_BYTES 2048 /* below, headers would be more than 2 % */
#define BLOCK_MOST_BYTES 65536 /* zstd gains nothing from more */
#define BLOCK_EVENTS 8192
#define BLOCK_EVENTS_OF_MANY 1024 /* from so many ranks on: */
#define MANY_RANKS 2048
#define QUEUE_EVENTS 16384 /* some 1.4 MB, which a processor's own cache holds */
#define NOTHING UINT32_MAX

/* What a rank has, once it has an event. */
struct trace_rank {
    struct trace_columns columns;
    uint64_t *seen; /* by site: calls without a number, for `every` */
    size_t seen_count;
    struct trace_event bare; /* the last call, without its message, which was left out */
    bool has_bare;
};

/* Operations are few against calls: each goes into its block at once. */
struct trace_lane_block {
    struct trace_lane lane;
    struct trace_columns columns;
};

struct trace_queue {
    struct trace_event *events; /* NULL: there is none */
    uint32_t *next;             /* by event: the next one of its rank, or NOTHING */
    uint32_t *first, *last;     /* by rank; first: or NOTHING */
    uint32_t count;
};

struct trace_writer {
    struct trace_file *file;
    struct trace_settings settings;
    int32_t rank_count, scope;
    uint32_t block_events;
    size_t block_bytes;
    struct trace_lane_block *lanes;
    size_t lane_count;
    struct trace_queue queue;
    bool has_details;
    struct trace_definitions definitions;
    struct trace_call_paths call_paths;
    struct trace_bytes payload;
    struct trace_counts counts;
    int64_t end_ns;
    bool failed; /* out of memory */
    struct trace_rank *ranks[];
};

/* ---- Blocks ---- */

static void put_definitions(struct trace_writer *writer) {
    struct trace_record record;
    while (trace_definitions_take(&record, &writer->payload, &writer->definitions) ||
           trace_call_paths_take(&record, &writer->payload, &writer->call_paths)) {
        record.rank = writer->scope;
        trace_file_put(writer->file, record, &writer->payload);
    }
}

static void put_block(struct trace_writer *writer, enum trace_record_type type,
                      struct trace_columns *columns) {
    struct trace_record record = {.type = (uint8_t)type,
                                  .more = columns->has_details ? TRACE_MORE_COLUMNS : 0,
                                  .rank = columns->rank,
                                  .count = columns->count,
                                  .t0 = columns->t0,
                                  .t1 = columns->t1};
    if (columns->count == 0)
        return;
    put_definitions(writer);
    writer->payload.length = 0;
    if (trace_columns_take(&writer->payload, columns))
        trace_file_put(writer->file, record, &writer->payload);
    else
        writer->failed = true;
}

/* NULL: out of memory, or there is no such rank. */
static struct trace_rank *rank_of(struct trace_writer *writer, int32_t rank) {
    if (rank < 0 || rank >= writer->rank_count)
        return NULL;
    if (writer->ranks[rank] == NULL) {
        writer->ranks[rank] = calloc(1, sizeof *writer->ranks[rank]);
        if (writer->ranks[rank] == NULL)
            writer->failed = true;
        else
            writer->ranks[rank]->columns =
                (struct trace_columns){.rank = rank, .has_details = writer->has_details};
    }
    return writer->ranks[rank];
}

/* ---- What is kept ---- */

static bool grow_seen(struct trace_rank *rank, uint32_t site) {
    if (site < rank->seen_count)
        return true;
    size_t count = (size_t)site * 2 + 16;
    uint64_t *seen = realloc(rank->seen, count * sizeof *seen);
    if (seen == NULL)
        return false;
    memset(seen + rank->seen_count, 0, (count - rank->seen_count) * sizeof *seen);
    rank->seen = seen;
    rank->seen_count = count;
    return true;
}

/* Messages and collectives by their numbers, so that all of their ends are kept or none is. */
static bool is_sampled(struct trace_writer *writer, struct trace_rank *rank,
                       const struct trace_event *event) {
    uint64_t every = writer->settings.every;
    if (every == 1)
        return true;
    if (event->number != 0)
        return (event->number - 1) % every == 0;
    return grow_seen(rank, event->site) && rank->seen[event->site]++ % every == 0;
}

static bool is_in_window(const struct trace_settings *settings, const struct trace_event *event) {
    return event->begin_ns < settings->end_ns &&
           (event->end_ns > settings->begin_ns || event->begin_ns >= settings->begin_ns);
}

/* ---- Events ---- */

static void keep(struct trace_writer *writer, struct trace_rank *rank,
                 const struct trace_event *event) {
    struct trace_columns *columns = &rank->columns;
    bool full = columns->bytes >= writer->block_bytes || columns->count >= writer->block_events;
    if (full && event->kind != TRACE_PART)
        put_block(writer, TRACE_RECORD_EVENTS, columns);
    if (!trace_columns_add(columns, event)) {
        writer->failed = true;
        return;
    }
    trace_counts_add(&writer->counts, event);
    if (event->end_ns > writer->end_ns)
        writer->end_ns = event->end_ns;
}

/* A call whose message is left out: without it, should one of its parts be kept. */
static void leave_out(struct trace_rank *rank, const struct trace_event *event) {
    if (event->kind == TRACE_PART)
        return;
    rank->bare = *event;
    rank->bare.number = rank->bare.collective = 0;
    rank->bare.bytes = 0;
    rank->bare.peer = rank->bare.tag = rank->bare.root = TRACE_NONE;
    rank->bare.direction = TRACE_NEITHER;
    rank->has_bare = true;
}

static void take(struct trace_writer *writer, const struct trace_event *event) {
    struct trace_rank *rank = rank_of(writer, event->rank);
    if (rank == NULL || writer->failed)
        return;
    if (!is_sampled(writer, rank, event)) {
        leave_out(rank, event);
        return;
    }
    if (event->kind == TRACE_PART && rank->has_bare)
        keep(writer, rank, &rank->bare);
    rank->has_bare = false;
    keep(writer, rank, event);
}

/* ---- The queue ---- */

static void empty_queue(struct trace_writer *writer) {
    struct trace_queue *queue = &writer->queue;
    for (int32_t rank = 0; queue->count > 0 && rank < writer->rank_count; rank++) {
        for (uint32_t i = queue->first[rank]; i != NOTHING; i = queue->next[i])
            take(writer, &queue->events[i]);
        queue->first[rank] = NOTHING;
    }
    queue->count = 0;
}

static void enqueue(struct trace_writer *writer, const struct trace_event *event) {
    struct trace_queue *queue = &writer->queue;
    if (queue->count == QUEUE_EVENTS)
        empty_queue(writer);
    uint32_t place = queue->count++;
    queue->events[place] = *event;
    queue->next[place] = NOTHING;
    if (queue->first[event->rank] == NOTHING)
        queue->first[event->rank] = place;
    else
        queue->next[queue->last[event->rank]] = place;
    queue->last[event->rank] = place;
}

static void dispose_queue(struct trace_queue *queue) {
    free(queue->events);
    free(queue->next);
    free(queue->first);
    free(queue->last);
    *queue = (struct trace_queue){0};
}

/* Without memory for it each event is taken as it comes. */
static void make_queue(struct trace_writer *writer) {
    size_t ranks = (size_t)writer->rank_count;
    struct trace_queue queue = {.events = malloc(QUEUE_EVENTS * sizeof *queue.events),
                                .next = malloc(QUEUE_EVENTS * sizeof *queue.next),
                                .first = malloc(ranks * sizeof *queue.first),
                                .last = malloc(ranks * sizeof *queue.last)};
    if (queue.events == NULL || queue.next == NULL || queue.first == NULL || queue.last == NULL) {
        dispose_queue(&queue);
        return;
    }
    for (size_t i = 0; i < ranks; i++)
        queue.first[i] = NOTHING;
    writer->queue = queue;
}

void trace_writer_add(struct trace_writer *writer, const struct trace_event *event) {
    if (event->rank < 0 || event->rank >= writer->rank_count ||
        !is_in_window(&writer->settings, event) ||
        !trace_settings_has_rank(&writer->settings, event->rank))
        return;
    if (writer->queue.events != NULL)
        enqueue(writer, event);
    else
        take(writer, event);
}

/* ---- Operations of devices ---- */

/* NULL: out of memory, or there is no such lane. */
static struct trace_columns *lane_of(struct trace_writer *writer, struct trace_lane lane) {
    if (lane.device < 0 || lane.device >= TRACE_MOST_RANKS / TRACE_LANES_OF_DEVICE ||
        lane.number < 0 || lane.number >= TRACE_LANES_OF_DEVICE)
        return NULL;
    for (size_t i = 0; i < writer->lane_count; i++)
        if (writer->lanes[i].lane.device == lane.device &&
            writer->lanes[i].lane.number == lane.number)
            return &writer->lanes[i].columns;
    struct trace_lane_block *grown =
        realloc(writer->lanes, (writer->lane_count + 1) * sizeof *grown);
    writer->failed |= grown == NULL;
    if (grown == NULL)
        return NULL;
    writer->lanes = grown;
    writer->lanes[writer->lane_count] = (struct trace_lane_block){
        .lane = lane, .columns.rank = lane.device * TRACE_LANES_OF_DEVICE + lane.number};
    return &writer->lanes[writer->lane_count++].columns;
}

void trace_writer_operation(struct trace_writer *writer, struct trace_lane lane,
                            const struct trace_event *event) {
    if (!is_in_window(&writer->settings, event) ||
        !trace_settings_has_rank(&writer->settings, event->peer))
        return;
    struct trace_columns *columns = lane_of(writer, lane);
    if (columns == NULL || writer->failed)
        return;
    if (columns->bytes >= writer->block_bytes || columns->count >= writer->block_events)
        put_block(writer, TRACE_RECORD_OPERATIONS, columns);
    writer->failed |= !trace_columns_add(columns, event);
    if (event->end_ns > writer->end_ns)
        writer->end_ns = event->end_ns;
}

/* ---- Definitions ---- */

uint32_t trace_writer_site(struct trace_writer *writer, const struct trace_site *site) {
    uint32_t number = trace_definitions_site(&writer->definitions, site);
    writer->failed |= number == UINT32_MAX;
    return number != UINT32_MAX ? number : 0;
}

int32_t trace_writer_communicator(struct trace_writer *writer,
                                  const struct trace_communicator *communicator) {
    int32_t number = trace_definitions_communicator(&writer->definitions, communicator);
    writer->failed |= number < 0;
    return number;
}

uint32_t trace_writer_module(struct trace_writer *writer, const struct trace_module *module) {
    uint32_t number = trace_call_paths_module(&writer->call_paths, module);
    writer->failed |= number == UINT32_MAX;
    return number != UINT32_MAX ? number : 0;
}

uint32_t trace_writer_frame(struct trace_writer *writer, const struct trace_frame *frame) {
    uint32_t number = trace_call_paths_frame(&writer->call_paths, frame);
    writer->failed |= number == 0;
    return number;
}

int32_t trace_writer_find_communicator(const struct trace_writer *writer, uint64_t key) {
    return trace_definitions_find(&writer->definitions, key);
}

const struct trace_communicator *trace_writer_communicator_at(const struct trace_writer *writer,
                                                              int32_t number) {
    return trace_definitions_communicator_at(&writer->definitions, number);
}

/* ---- Start and end ---- */

const struct trace_counts *trace_writer_counts(struct trace_writer *writer) {
    empty_queue(writer);
    return &writer->counts;
}

const char *trace_writer_error(const struct trace_writer *writer) {
    return writer->failed ? "out of memory" : trace_file_error(writer->file);
}

static void put_header(struct trace_writer *writer, const char *text) {
    struct trace_record record = {.type = TRACE_RECORD_HEADER, .rank = TRACE_SCOPE_ALL};
    size_t length = strlen(text);
    if (!trace_bytes_reserve(&writer->payload, length)) {
        writer->failed = true;
        return;
    }
    memcpy(writer->payload.data, text, length);
    writer->payload.length = length;
    trace_file_put(writer->file, record, &writer->payload);
}

static void choose_blocks(struct trace_writer *writer) {
    size_t share = BUFFERS_BYTES / (size_t)(writer->rank_count > 0 ? writer->rank_count : 1);
    writer->block_bytes = share < BLOCK_LEAST_BYTES  ? BLOCK_LEAST_BYTES
                          : share > BLOCK_MOST_BYTES ? BLOCK_MOST_BYTES
                                                     : share;
    writer->block_events = writer->rank_count < MANY_RANKS ? BLOCK_EVENTS : BLOCK_EVENTS_OF_MANY;
}

struct trace_writer *trace_writer_open(const struct trace_writer_options *options, char *why,
                                       size_t size) {
    struct trace_writer *writer =
        calloc(1, sizeof *writer + (size_t)options->ranks * sizeof *writer->ranks);
    if (writer == NULL) {
        snprintf(why, size, "%s: error: out of memory", options->path);
        return NULL;
    }
    writer->file = trace_file_open(options->path, options->appends, why, size);
    if (writer->file == NULL) {
        free(writer);
        return NULL;
    }
    writer->rank_count = options->ranks;
    writer->scope = options->scope;
    writer->has_details = options->has_details;
    trace_settings_init(&writer->settings);
    if (options->settings != NULL)
        writer->settings = *options->settings;
    choose_blocks(writer);
    if (options->ranks > 1 && options->scope == TRACE_SCOPE_ALL)
        make_queue(writer);
    if (options->header != NULL)
        put_header(writer, options->header);
    return writer;
}

void trace_writer_flush(struct trace_writer *writer) {
    empty_queue(writer);
    for (int32_t i = 0; i < writer->rank_count; i++)
        if (writer->ranks[i] != NULL)
            put_block(writer, TRACE_RECORD_EVENTS, &writer->ranks[i]->columns);
    for (size_t i = 0; i < writer->lane_count; i++)
        put_block(writer, TRACE_RECORD_OPERATIONS, &writer->lanes[i].columns);
    put_definitions(writer);
}

static void dispose(struct trace_writer *writer) {
    for (int32_t i = 0; i < writer->rank_count; i++)
        if (writer->ranks[i] != NULL) {
            trace_columns_dispose(&writer->ranks[i]->columns);
            free(writer->ranks[i]->seen);
            free(writer->ranks[i]);
        }
    for (size_t i = 0; i < writer->lane_count; i++)
        trace_columns_dispose(&writer->lanes[i].columns);
    free(writer->lanes);
    dispose_queue(&writer->queue);
    trace_definitions_dispose(&writer->definitions);
    trace_call_paths_dispose(&writer->call_paths);
    free(writer->payload.data);
    trace_file_close(writer->file);
    free(writer);
}

static void add_counts(struct trace_counts *sum, const struct trace_counts *more) {
    sum->events += more->events;
    sum->parts += more->parts;
    sum->calls += more->calls;
    sum->regions += more->regions;
    sum->sends += more->sends;
    sum->receives += more->receives;
    sum->sent_bytes += more->sent_bytes;
    sum->received_bytes += more->received_bytes;
}

int trace_writer_close(struct trace_writer *writer, const struct trace_counts *others, bool ends,
                       char *why, size_t size) {
    trace_writer_flush(writer);
    if (others != NULL)
        add_counts(&writer->counts, others);
    if (ends)
        trace_file_end(writer->file, &writer->counts, writer->end_ns);
    const char *error = trace_writer_error(writer);
    if (error != NULL)
        snprintf(why, size, "the trace cannot be written: %s", error);
    int result = error != NULL ? -1 : 0;
    dispose(writer);
    return result;
}
