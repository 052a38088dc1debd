/* SPDX-License-Identifier: Apache-2.0
 *
 * See packed.h.
 */
#include "analysis/report/packed.h"

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

json_t *packed_bytes(const void *bytes, size_t length) {
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
    if (varints->capacity < varints->length + 10) {
        varints->capacity = varints->capacity * 2 + 4096;
        varints->bytes = xrealloc(varints->bytes, varints->capacity);
    }
    for (; number >= 0x80; number >>= 7)
        varints->bytes[varints->length++] = (unsigned char)(number | 0x80);
    varints->bytes[varints->length++] = (unsigned char)number;
}

void varints_append(struct varints *varints, const struct varints *more) {
    size_t length = varints->length + more->length;
    if (varints->capacity < length + 1) {
        varints->capacity = length * 2 + 1;
        varints->bytes = xrealloc(varints->bytes, varints->capacity);
    }
    if (more->length > 0)
        memcpy(varints->bytes + varints->length, more->bytes, more->length);
    varints->length = length;
}

void varints_add_signed(struct varints *varints, int64_t number) {
    varints_add(varints, (uint64_t)number << 1 ^ (number < 0 ? UINT64_MAX : 0));
}

void varints_dispose(struct varints *varints) {
    free(varints->bytes);
    *varints = (struct varints){0};
}
