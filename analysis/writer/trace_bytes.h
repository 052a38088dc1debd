/* SPDX-License-Identifier: Apache-2.0
 *
 * Bytes that grow at their end, as columns and payloads of records are made of.
 */
#ifndef ANALYSIS_WRITER_TRACE_BYTES_H
#define ANALYSIS_WRITER_TRACE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct trace_bytes {
    uint8_t *data;
    size_t length, capacity;
};

/* At least so much room behind the end. False: out of memory. */
bool trace_bytes_reserve(struct trace_bytes *bytes, size_t room);

/* A varint; a text with its length before it. False: out of memory. */
bool trace_bytes_put(struct trace_bytes *bytes, uint64_t value);
bool trace_bytes_put_text(struct trace_bytes *bytes, const char *text);

#endif
