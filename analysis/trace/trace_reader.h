/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads traces (docs/reference/trace.md): what is in one, and its events, of a rank or of all ranks
 * merged by time, all or those of a window. Memory is that of a block a rank, however long the
 * trace is. Truncated and hostile files are read as far as they are whole.
 *
 *     struct trace *trace;
 *     struct trace_merge *events;
 *     struct trace_event event;
 *     if (trace_open(&trace, "run.trace", &error) != 0 ||
 *         trace_merge_open(&events, trace, TRACE_FROM_START, TRACE_TO_END, &error) != 0)
 *         return -1;
 *     while ((result = trace_merge_next(&event, events, &error)) == 1)
 *         printf("%d %s\n", event.rank, trace_site(trace, event.site)->function);
 *     trace_merge_close(events);
 *     trace_close(trace);
 *
 * What an event says is told in analysis/writer/trace_event.h. Events of a rank come by begin and
 * do not overlap, but for parts and for calls in callbacks of other calls.
 */
#pragma once

#include "analysis/writer/trace_counts.h"
#include "analysis/writer/trace_event.h"
#include "base/error.h"
#include "base/json.h"

#include <stdbool.h>
#include <stdint.h>

#define TRACE_FROM_START INT64_MIN /* of a window, in nanoseconds */
#define TRACE_TO_END INT64_MAX

struct trace;

/* By its first bytes, whether or not the rest is whole. */
bool trace_is_one(const char *path);

/* A file, or the directory of a recording. 0, or -1 if the file is no trace or has no whole header.
 * A trace that is truncated or damaged is opened as far as it is whole: see trace_damage. */
int trace_open(struct trace **out, const char *path, struct error *error);
void trace_close(struct trace *trace);

/* NULL: the file is whole, as far as was seen without reading all of it. Else `path: warning: ...`:
 * up to where it can be read. */
const char *trace_damage(const struct trace *trace);

const char *trace_path(const struct trace *trace);

/* An object (members: docs/reference/trace.md); borrowed. */
const json_t *trace_header(const struct trace *trace);

/* Of the run; events' ranks are below. */
int32_t trace_ranks(const struct trace *trace);

/* Lanes of devices, behind the ranks: that with number i is rank trace_ranks + i of its events. */
int32_t trace_lane_count(const struct trace *trace);
const struct trace_lane *trace_lane(const struct trace *trace, int32_t number);
/* "device 0, engine 1", of a recording "rank 0, queue 1"; the caller frees it. */
char *trace_lane_name(const struct trace *trace, int32_t number);

/* The end of the last event. */
int64_t trace_end_ns(const struct trace *trace);

/* Whether events tell how long they waited: those of simulations do, those of real runs do not. */
bool trace_has_waits(const struct trace *trace);

/* Numbers of sites and communicators are those in events. */
uint32_t trace_site_count(const struct trace *trace);
const struct trace_site *trace_site(const struct trace *trace, uint32_t number);
int32_t trace_communicator_count(const struct trace *trace);
const struct trace_communicator *trace_communicator(const struct trace *trace, int32_t number);

/* Whether events have details (struct trace_event), and calls have paths. */
bool trace_has_details(const struct trace *trace);

/* Frames of call paths, those of all ranks as one tree: numbers from 1; with 0 there is none. Equal
 * paths of two runs of a program have frames with equal modules (by name) and offsets. */
uint32_t trace_frame_count(const struct trace *trace); /* the largest number */
const struct trace_frame *trace_frame(const struct trace *trace, uint32_t number);
uint32_t trace_module_count(const struct trace *trace);
const struct trace_module *trace_module(const struct trace *trace, uint32_t number);

/* What the file says at its end; NULL: it has no end, since it is truncated. */
const struct trace_counts *trace_counts(const struct trace *trace);

/* Events and parts that the blocks have: known without reading them. */
uint64_t trace_stored_events(const struct trace *trace);

/* ---- Events of one rank ---- */

struct trace_cursor;

/* Those that overlap the window; of a rank, or of a lane. */
int trace_cursor_open(struct trace_cursor **out, const struct trace *trace, int32_t rank,
                      int64_t begin_ns, int64_t end_ns, struct error *error);
/* 1: *out is the next one; 0: there are no more; -1: a block is damaged. */
int trace_cursor_next(struct trace_event *out, struct trace_cursor *cursor, struct error *error);
void trace_cursor_close(struct trace_cursor *cursor);

/* ---- Events of all ranks ---- */

/* By begin, then by rank; parts directly behind their call. Lanes are among them. */
struct trace_merge;

int trace_merge_open(struct trace_merge **out, const struct trace *trace, int64_t begin_ns,
                     int64_t end_ns, struct error *error);
int trace_merge_next(struct trace_event *out, struct trace_merge *merge, struct error *error);
void trace_merge_close(struct trace_merge *merge);
