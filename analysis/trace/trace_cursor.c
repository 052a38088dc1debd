/* SPDX-License-Identifier: Apache-2.0
 *
 * The events of one rank, block by block: one block is in memory at a time. Blocks that end before
 * the window are passed over without being read.
 */
#include "analysis/trace/trace_parts.h"
#include "analysis/writer/trace_id.h"

#include <string.h>

struct trace_cursor {
    const struct trace *trace;
    const struct trace_scope *scope;
    const struct trace_block *blocks;
    int32_t rank, code; /* code: as blocks have it */
    bool is_lane;
    int64_t begin_ns, end_ns;
    size_t next_block, end_block;
    bool is_open, in_window; /* a block; the call that parts belong to */
    struct trace_bytes payload;
    struct trace_columns_input input;
};

static bool overlaps(int64_t t0, int64_t t1, const struct trace_cursor *cursor) {
    return t0 < cursor->end_ns && (t1 > cursor->begin_ns || t0 >= cursor->begin_ns);
}

int trace_cursor_open(struct trace_cursor **out, const struct trace *trace, int32_t rank,
                      int64_t begin_ns, int64_t end_ns, struct error *error) {
    int32_t lane = rank - trace->ranks;
    if (rank < 0 || lane >= trace_lane_count(trace))
        return error_set(error, "%s: error: the trace has no rank %d, only 0 to %d", trace->path,
                         rank, trace->ranks - 1);
    struct trace_cursor *cursor = memset(xmalloc(sizeof *cursor), 0, sizeof *cursor);
    cursor->trace = trace;
    cursor->rank = cursor->code = rank;
    cursor->is_lane = lane >= 0;
    cursor->blocks = cursor->is_lane ? trace->operations.of.items : trace->blocks.of.items;
    const size_t *first = trace->first_blocks + rank;
    if (cursor->is_lane) {
        first = trace->first_operations.items + lane;
        cursor->code = cursor->blocks[*first].rank;
    }
    cursor->scope = trace_scope_of(trace, lane >= 0 ? trace->lanes.items[lane].device : rank);
    cursor->begin_ns = begin_ns;
    cursor->end_ns = end_ns;
    cursor->next_block = first[0];
    cursor->end_block = first[1];
    *out = cursor;
    return 0;
}

void trace_cursor_close(struct trace_cursor *cursor) {
    trace_columns_close(&cursor->input);
    free(cursor->payload.data);
    free(cursor);
}

static int fail(const struct trace_cursor *cursor, struct error *error) {
    return error_set(error,
                     "%s: error: the block of rank %d at byte %llu is damaged; `mpiskel trace cut` "
                     "up to there makes a trace that is whole",
                     cursor->trace->path, cursor->rank,
                     (unsigned long long)cursor->blocks[cursor->next_block - 1].offset);
}

/* 1: a block is open; 0: there are no more; -1. */
static int open_block(struct trace_cursor *cursor, struct error *error) {
    const struct trace_block *blocks = cursor->blocks;
    int type = cursor->is_lane ? TRACE_RECORD_OPERATIONS : TRACE_RECORD_EVENTS;
    struct trace_record record;
    while (cursor->next_block < cursor->end_block &&
           !overlaps(blocks[cursor->next_block].t0, blocks[cursor->next_block].t1, cursor))
        cursor->next_block++;
    if (cursor->next_block >= cursor->end_block)
        return 0;
    uint64_t offset = blocks[cursor->next_block++].offset;
    if (trace_read_record(&record, &cursor->payload, cursor->trace, offset) != 0 ||
        record.type != type || record.rank != cursor->code ||
        trace_columns_open(&cursor->input, cursor->payload.data, cursor->payload.length,
                           cursor->code, record.count, record.t0, cursor->scope->site_count,
                           record.more) != 0)
        return fail(cursor, error);
    cursor->is_open = true;
    return 1;
}

static uint64_t message_id(const struct trace_event *event, uint64_t key) {
    bool sends = event->direction == TRACE_SENDS;
    return trace_message_id(key, sends ? event->rank : event->peer,
                            sends ? event->peer : event->rank, event->tag, event->number);
}

static void add_ids(struct trace_event *out, const struct trace *trace) {
    bool is_collective = out->collective != 0;
    uint64_t key =
        out->communicator >= 0 ? trace->definitions.communicators[out->communicator].key : 0;
    out->collective = 0;
    if (out->number == 0)
        return;
    if (is_collective)
        out->collective = trace_collective_id(key, out->number);
    else
        out->message = message_id(out, key);
}

/* From the numbers of the process that wrote it. -1: there are no such ones. */
static int translate(struct trace_event *out, const struct trace_cursor *cursor) {
    const struct trace_scope *scope = cursor->scope;
    out->site = scope->sites[out->site];
    if (out->kind != TRACE_PART)
        out->kind = cursor->trace->definitions.sites[out->site].kind;
    if (out->communicator < TRACE_NONE || out->communicator >= (int32_t)scope->communicator_count ||
        out->peer < TRACE_ANY || out->peer >= cursor->trace->ranks || out->root < TRACE_NONE ||
        out->root >= cursor->trace->ranks || out->end_ns < out->begin_ns || out->waited_ns < 0 ||
        out->made < TRACE_NONE || out->made >= (int32_t)scope->communicator_count ||
        out->call_path > scope->frame_count)
        return -1;
    if (out->made >= 0)
        out->made = scope->communicators[out->made];
    if (out->call_path > 0)
        out->call_path = scope->frames[out->call_path - 1];
    if (out->communicator >= 0)
        out->communicator = scope->communicators[out->communicator];
    out->rank = cursor->rank;
    if (out->kind != TRACE_OPERATION)
        add_ids(out, cursor->trace);
    return cursor->is_lane && out->kind != TRACE_OPERATION ? -1 : 0;
}

int trace_cursor_next(struct trace_event *out, struct trace_cursor *cursor, struct error *error) {
    for (;;) {
        int result = cursor->is_open ? trace_columns_next(out, &cursor->input) : 0;
        if (result == 0) {
            cursor->is_open = false;
            result = open_block(cursor, error);
            if (result <= 0)
                return result;
            continue;
        }
        if (result < 0 || translate(out, cursor) != 0)
            return fail(cursor, error);
        if (out->kind != TRACE_PART)
            cursor->in_window = overlaps(out->begin_ns, out->end_ns, cursor);
        if (cursor->in_window)
            return 1;
    }
}
