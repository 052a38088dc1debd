/* SPDX-License-Identifier: Apache-2.0
 *
 * What the parts of the reader share: an open trace, and its blocks.
 */
#pragma once

#include "analysis/trace/trace_reader.h"
#include "analysis/writer/trace_call_paths.h"
#include "analysis/writer/trace_columns.h"
#include "analysis/writer/trace_definitions.h"
#include "analysis/writer/trace_format.h"
#include "base/vec.h"

/* A record, as the index or its header tells. */
struct trace_block {
    uint64_t offset;
    int32_t rank;
    uint32_t count;
    int64_t t0, t1;
    uint8_t type;
};

struct trace_block_list {
    VEC(struct trace_block) of;
};

/* From numbers that a rank's process gave to those of the trace. */
struct trace_scope {
    uint32_t *sites;
    int32_t *communicators;
    uint32_t site_count, communicator_count;
    uint32_t *modules, *frames; /* frames: the first has number 1 */
    uint32_t module_count, frame_count;
};

struct trace {
    char *path;
    int file;
    uint64_t bytes;
    char *damage; /* or NULL */
    json_t *header;
    int32_t ranks;
    int64_t end_ns;
    bool has_counts;
    struct trace_counts counts;
    uint64_t stored;
    struct trace_definitions definitions; /* of all scopes, each once */
    struct trace_call_paths call_paths;   /* likewise */
    struct trace_scope all;               /* definitions for all ranks */
    struct trace_scope *scopes;           /* by rank; NULL: none has its own */
    struct trace_block_list blocks; /* of events, by rank, those of a rank in the order of time */
    size_t *first_blocks;           /* by rank, and one more */
    struct trace_block_list operations; /* blocks of lanes, likewise */
    VEC(struct trace_lane) lanes;
    VEC(size_t) first_operations; /* by lane, and one more; empty: there are no lanes */
};

/* The record at the offset; 0: its payload is in `out`, unpacked and whole; -1. */
int trace_read_record(struct trace_record *record, struct trace_bytes *out,
                      const struct trace *trace, uint64_t offset);

/* All records but indices and the end, by the index or by going through the file (trace_scan.c);
 * sets counts, end and damage. -1: it is no trace. */
int trace_scan(struct trace_block_list *out, struct trace *trace, struct error *error);

/* A site in the application's own words: calls at the lines of its sources, regions by the
 * functions that they are in, as the header's bundle tells (trace_names.c). What it does not know
 * stays. */
void trace_name_site(struct trace_site *site, const json_t *header);

/* Definitions of one record (trace_tables.c). -1: they are damaged. */
int trace_tables_add(struct trace *trace, const struct trace_record *record,
                     const struct trace_bytes *payload);
/* Modules and frames of one record (trace_paths.c), in the rank's scope. */
int trace_paths_add(struct trace *trace, struct trace_scope *scope,
                    const struct trace_record *record, struct varint_input *in);
/* A text with its length before it. NULL: it is not whole. The caller frees it. */
char *trace_get_text(struct varint_input *in);
void trace_tables_dispose(struct trace *trace);
/* Of the rank's definitions, or those for all. */
const struct trace_scope *trace_scope_of(const struct trace *trace, int32_t rank);
