/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes a trace (docs/reference/trace.md) while it happens: one buffer a rank, one write a block,
 * memory that does not grow with the length of the run. Used by the tool, and by the runtimes
 * through libbsim_trace.so, so that it needs nothing but libc, zstd and xxhash.
 *
 * Several processes may write one file, each the events of its own ranks: the first creates it, the
 * others open it behind that with `appends`, and the first closes it last. They lock the file for
 * each block, so that it may lie on a network file system.
 *
 * A trace that cannot be written is given up: the functions go on to work and do nothing, and
 * trace_writer_error tells why.
 */
#ifndef ANALYSIS_WRITER_TRACE_WRITER_H
#define ANALYSIS_WRITER_TRACE_WRITER_H

#include "analysis/writer/trace_counts.h"
#include "analysis/writer/trace_event.h"
#include "analysis/writer/trace_settings.h"

#include <stdbool.h>
#include <stddef.h>

struct trace_writer;

struct trace_writer_options {
    const char *path;
    int32_t ranks;                         /* of the run; decides how large blocks are */
    const char *header;                    /* JSON, one object; NULL: with `appends` */
    const struct trace_settings *settings; /* NULL: all */
    bool appends;
    bool has_details; /* events have details; the header has to say so */
    int32_t scope;    /* the only rank whose events come; TRACE_SCOPE_ALL: any */
};

/* NULL: out of memory, or the file cannot be written, and what is the matter in `why`. */
struct trace_writer *trace_writer_open(const struct trace_writer_options *options, char *why,
                                       size_t size);

/* The number of the site; the same for equal ones. Texts are copied. */
uint32_t trace_writer_site(struct trace_writer *writer, const struct trace_site *site);

/* The number of the communicator, by its key; its members and texts are copied. */
int32_t trace_writer_communicator(struct trace_writer *writer,
                                  const struct trace_communicator *communicator);
/* The number of the communicator with this key, or -1. */
int32_t trace_writer_find_communicator(const struct trace_writer *writer, uint64_t key);
/* Valid until the next one comes, its members as long as the writer. NULL: there is none with this
 * number. */
const struct trace_communicator *trace_writer_communicator_at(const struct trace_writer *writer,
                                                              int32_t number);

/* The number of the module, and of the frame (from 1; its parent has come before). */
uint32_t trace_writer_module(struct trace_writer *writer, const struct trace_module *module);
uint32_t trace_writer_frame(struct trace_writer *writer, const struct trace_frame *frame);

/* An event of a rank comes behind those that began before it; parts behind their call. Of the ids
 * only `number` counts, and whether `collective` is 0. */
void trace_writer_add(struct trace_writer *writer, const struct trace_event *event);

/* An operation of a device, behind those of its lane that began before it; its rank is not looked
 * at, and of settings only window and ranks (its peer). */
void trace_writer_operation(struct trace_writer *writer, struct trace_lane lane,
                            const struct trace_event *event);

/* Writes what is in buffers; before a process that shares the file says that it is done. */
void trace_writer_flush(struct trace_writer *writer);

/* What was written by this process, without what settings left out. */
const struct trace_counts *trace_writer_counts(struct trace_writer *writer);

/* NULL: all is well. */
const char *trace_writer_error(const struct trace_writer *writer);

/* Flushes, writes index and end if it `ends`, and frees. `others`: what other processes have
 * written, or NULL; `ends`: nobody writes behind it. Gives 0, or -1 if anything could not be
 * written. */
int trace_writer_close(struct trace_writer *writer, const struct trace_counts *others, bool ends,
                       char *why, size_t size);

#endif
