/* SPDX-License-Identifier: Apache-2.0
 *
 * Payloads as they come from a file: whole or not, unpacked. The one place that uses zstd and
 * xxhash for reading.
 */
#ifndef ANALYSIS_WRITER_TRACE_UNPACK_H
#define ANALYSIS_WRITER_TRACE_UNPACK_H

#include "analysis/writer/trace_columns.h"
#include "analysis/writer/trace_format.h"

#include <stdbool.h>

/* Whether a header can be one, without looking at its checksum. */
bool trace_record_is_sane(const struct trace_record *record);

/* Whether the checksum is that of header and payload (`record->packed` bytes). */
bool trace_record_is_whole(const struct trace_record *record, const uint8_t *payload);

/* The payload of a sane record, in place of what was in `out`. False: it is damaged, or out of
 * memory. */
bool trace_unpack(struct trace_bytes *out, const struct trace_record *record,
                  const uint8_t *payload);

#endif
