/* SPDX-License-Identifier: Apache-2.0
 *
 * Events of one rank as columns of varints, which compress far better than rows: sites; gaps since
 * the end of the event before; durations without waiting; arguments, where they differ from the
 * last ones at that site; waiting; numbers of messages and collectives; two more
 * of traces with details. A block begins without
 * memory of the one before, so that each can be read alone.
 */
#ifndef ANALYSIS_WRITER_TRACE_COLUMNS_H
#define ANALYSIS_WRITER_TRACE_COLUMNS_H

#include "analysis/writer/trace_bytes.h"
#include "analysis/writer/trace_details.h"
#include "analysis/writer/trace_event.h"
#include "analysis/writer/trace_format.h"
#include "analysis/writer/varint.h"

#include <stdbool.h>
#include <stddef.h>

enum trace_column {
    TRACE_COLUMN_SITE,
    TRACE_COLUMN_GAP,
    TRACE_COLUMN_OWN,
    TRACE_COLUMN_ARGUMENTS,
    TRACE_COLUMN_WAITED,
    TRACE_COLUMN_NUMBER,
    TRACE_COLUMN_DETAILS, /* this and the next: only of events with details */
    TRACE_COLUMN_CPU,
    TRACE_COLUMN_COUNT
};

/* The last arguments at a site, of its calls or of their parts; those of another block do not
 * count. */
struct trace_site_state {
    uint32_t block;
    uint8_t flags;
    int32_t peer, tag, communicator, root;
    int64_t bytes;
    uint64_t number;
};

struct trace_site_states {
    struct trace_site_state *of; /* two a site: calls, parts */
    size_t count;
    uint32_t block; /* the number of this block, from 1 */
};

/* One is used again and again; of zeroes it is ready but for the rank. */
struct trace_columns {
    int32_t rank;
    uint32_t count; /* events and parts in the block */
    int64_t t0, t1, previous_end;
    size_t bytes; /* of all columns */
    struct trace_bytes of[TRACE_COLUMN_COUNT];
    struct trace_site_states sites;
    bool has_details;
    struct trace_details details;
};

/* False: out of memory, and the event is not in. */
bool trace_columns_add(struct trace_columns *columns, const struct trace_event *event);
/* Appends the block; an empty one follows. False: out of memory. */
bool trace_columns_take(struct trace_bytes *out, struct trace_columns *columns);
void trace_columns_dispose(struct trace_columns *columns);

/* Reads a block. The payload stays the caller's, and has to stay as long as events are read. */
struct trace_columns_input {
    int32_t rank;
    uint32_t left;       /* events and parts */
    uint32_t site_count; /* what a site has to be below */
    int64_t previous_begin, previous_end;
    struct varint_input of[TRACE_COLUMN_COUNT];
    struct trace_site_states sites;
    bool has_details;
    struct trace_details details;
};

/* `more`: of the record. 0, or -1: it is no block. The states of the input are used again; zeroes
 * at first. */
int trace_columns_open(struct trace_columns_input *input, const uint8_t *payload, size_t bytes,
                       int32_t rank, uint32_t count, int64_t t0, uint32_t site_count,
                       uint16_t more);
/* 1 and the next event, with site and communicator as the writer numbered them, without kind
 * (TRACE_PART apart) and ids; 0 at the end; -1: it is damaged. */
int trace_columns_next(struct trace_event *out, struct trace_columns_input *input);
void trace_columns_close(struct trace_columns_input *input);

#endif
