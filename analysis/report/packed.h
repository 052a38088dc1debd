/* SPDX-License-Identifier: Apache-2.0
 *
 * Bytes for a page: deflated (RFC 1951, without a header), then base64. The page's script unpacks
 * them with DecompressionStream("deflate-raw").
 */
#ifndef ANALYSIS_REPORT_PACKED_H
#define ANALYSIS_REPORT_PACKED_H

#include "base/json.h"

#include <stddef.h>
#include <stdint.h>

/* A JSON text, the caller's. */
json_t *packed_bytes(const void *bytes, size_t length);

/* Numbers of 32 bits as they lie in memory, which is little endian. */
json_t *packed_floats(const double *numbers, size_t count);

/* Unsigned numbers of 7 bits a byte, the lowest first; the high bit says that more follow. */
struct varints {
    unsigned char *bytes;
    size_t length, capacity;
};

void varints_add(struct varints *varints, uint64_t number);
void varints_append(struct varints *varints, const struct varints *more);
/* Small ones of either sign stay small: 0, -1, 1, -2 become 0, 1, 2, 3. */
void varints_add_signed(struct varints *varints, int64_t number);
void varints_dispose(struct varints *varints);

#endif
