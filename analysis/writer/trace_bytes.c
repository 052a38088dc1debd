/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/writer/trace_bytes.h"

#include "analysis/writer/varint.h"

#include <stdlib.h>
#include <string.h>

bool trace_bytes_reserve(struct trace_bytes *bytes, size_t room) {
    if (bytes->capacity - bytes->length >= room)
        return true;
    size_t capacity = bytes->capacity * 2 + room + 64;
    uint8_t *data = realloc(bytes->data, capacity);
    if (data == NULL)
        return false;
    bytes->data = data;
    bytes->capacity = capacity;
    return true;
}

bool trace_bytes_put(struct trace_bytes *bytes, uint64_t value) {
    if (!trace_bytes_reserve(bytes, VARINT_MOST_BYTES))
        return false;
    bytes->length = (size_t)(varint_put(bytes->data + bytes->length, value) - bytes->data);
    return true;
}

bool trace_bytes_put_text(struct trace_bytes *bytes, const char *text) {
    size_t length = strlen(text);
    if (!trace_bytes_put(bytes, length) || !trace_bytes_reserve(bytes, length))
        return false;
    memcpy(bytes->data + bytes->length, text, length);
    bytes->length += length;
    return true;
}
