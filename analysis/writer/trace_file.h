/* SPDX-License-Identifier: Apache-2.0
 *
 * The file below a writer: records with checksums, packed by zstd, appended with one write each,
 * and the index of what has been written. The one place that uses zstd and xxhash for writing.
 */
#ifndef ANALYSIS_WRITER_TRACE_FILE_H
#define ANALYSIS_WRITER_TRACE_FILE_H

#include "analysis/writer/trace_columns.h"
#include "analysis/writer/trace_counts.h"
#include "analysis/writer/trace_format.h"

#include <stdbool.h>
#include <stddef.h>

struct trace_file;

/* Creates the file, or opens one that another process has created. NULL: see `why`. */
struct trace_file *trace_file_open(const char *path, bool appends, char *why, size_t size);

/* Packs the payload, fills in what is missing in `record`, and writes both; the payload is
 * emptied. */
void trace_file_put(struct trace_file *file, struct trace_record record,
                    struct trace_bytes *payload);

/* The rest of the index, and the counts. */
void trace_file_end(struct trace_file *file, const struct trace_counts *counts, int64_t end_ns);

/* NULL: all is well. Nothing is written after the first error. */
const char *trace_file_error(const struct trace_file *file);

void trace_file_close(struct trace_file *file);

#endif
