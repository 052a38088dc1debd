/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/report/packed.h"

#include "analysis/writer/varint.h"
#include "base/arena.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* Of zlib's levels: 9 makes pictures of runs 4 % smaller than this, and takes four times as long.
 */
#define DEFLATE_LEVEL 6

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static json_t *base64(const unsigned char *bytes, size_t length) {
    char *text = xmalloc((length + 2) / 3 * 4 + 1), *at = text;
    for (size_t i = 0; i < length; i += 3) {
        size_t left = length - i;
        unsigned group = (unsigned)bytes[i] << 16 | (left > 1 ? (unsigned)bytes[i + 1] << 8 : 0) |
                         (left > 2 ? bytes[i + 2] : 0);
        *at++ = digits[group >> 18];
        *at++ = digits[group >> 12 & 63];
        *at++ = left > 1 ? digits[group >> 6 & 63] : '=';
        *at++ = left > 2 ? digits[group & 63] : '=';
    }
    json_t *value = json_stringn(text, (size_t)(at - text));
    free(text);
    return value;
}

/* A JSON text, the caller's. */
static json_t *packed_bytes(const void *bytes, size_t length) {
    z_stream stream = {0};
    if (deflateInit2(&stream, DEFLATE_LEVEL, Z_DEFLATED, -MAX_WBITS, MAX_MEM_LEVEL,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        return base64((const unsigned char *)"\3", 2); /* out of memory: an empty stream */
    size_t bound = deflateBound(&stream, length);
    unsigned char *out = xmalloc(bound + 1);
    stream.next_in = (unsigned char *)(uintptr_t)bytes; /* zlib does not write there */
    stream.avail_in = (uInt)length;
    stream.next_out = out;
    stream.avail_out = (uInt)bound;
    deflate(&stream, Z_FINISH);
    json_t *value = base64(out, stream.total_out);
    deflateEnd(&stream);
    free(out);
    return value;
}

json_t *packed_floats(const double *numbers, size_t count) {
    float *narrow = xmalloc((count + 1) * sizeof *narrow);
    for (size_t i = 0; i < count; i++)
        narrow[i] = (float)numbers[i];
    json_t *value = packed_bytes(narrow, count * sizeof *narrow);
    free(narrow);
    return value;
}

void varints_add(struct varints *varints, uint64_t number) {
    vec_reserve(&varints->bytes, varints->bytes.count + VARINT_MOST_BYTES);
    uint8_t *items = varints->bytes.items;
    varints->bytes.count = (size_t)(varint_put(items + varints->bytes.count, number) - items);
}

void varints_add_signed(struct varints *varints, int64_t number) {
    varints_add(varints, zigzag(number));
}

void varints_append(struct varints *varints, struct varints *more) {
    size_t length = varints->bytes.count + more->bytes.count;
    vec_reserve(&varints->bytes, length);
    if (more->bytes.count > 0)
        memcpy(varints->bytes.items + varints->bytes.count, more->bytes.items, more->bytes.count);
    varints->bytes.count = length;
    vec_dispose(&more->bytes);
}

json_t *varints_pack(struct varints *varints) {
    json_t *value = packed_bytes(varints->bytes.items, varints->bytes.count);
    vec_dispose(&varints->bytes);
    return value;
}
