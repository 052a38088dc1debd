/* SPDX-License-Identifier: Apache-2.0
 *
 * Bytes for a page: deflated (RFC 1951, without a header), then base64. The page's script unpacks
 * them with DecompressionStream("deflate-raw").
 */
#pragma once

#include "base/json.h"
#include "base/vec.h"

#include <stddef.h>
#include <stdint.h>

/* Numbers of 32 bits as they lie in memory, which is little endian. */
json_t *packed_floats(const double *numbers, size_t count);

/* Numbers of one to ten bytes, as traces have them (analysis/writer/varint.h). */
struct varints {
    VEC(uint8_t) bytes;
};

void varints_add(struct varints *varints, uint64_t number);
/* Small ones of either sign stay small. */
void varints_add_signed(struct varints *varints, int64_t number);
/* Takes all of `more`, which is empty then. */
void varints_append(struct varints *varints, struct varints *more);
/* As packed_bytes; the numbers are gone then. */
json_t *varints_pack(struct varints *varints);
