/* SPDX-License-Identifier: Apache-2.0
 *
 * Integers of one to ten bytes: seven bits a byte, the lowest first, the eighth says that more
 * follow (LEB128); signed ones are folded first (zigzag: 0, -1, 1, -2, ...), as in Protocol
 * Buffers.
 */
#ifndef ANALYSIS_WRITER_VARINT_H
#define ANALYSIS_WRITER_VARINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define VARINT_MOST_BYTES 10

static inline uint64_t zigzag(int64_t value) {
    return ((uint64_t)value << 1) ^ (uint64_t)(value >> 63);
}

static inline int64_t unzigzag(uint64_t value) {
    return (int64_t)(value >> 1) ^ -(int64_t)(value & 1);
}

/* At most VARINT_MOST_BYTES at `at`; gives what is behind them. */
static inline uint8_t *varint_put(uint8_t *at, uint64_t value) {
    for (; value >= 128; value >>= 7)
        *at++ = (uint8_t)(value | 128);
    *at++ = (uint8_t)value;
    return at;
}

/* A part of a block that is read; `bad` once something was read behind its end. */
struct varint_input {
    const uint8_t *at, *end;
    bool bad;
};

static inline uint64_t varint_get(struct varint_input *in) {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 70 && in->at < in->end; shift += 7) {
        uint64_t byte = *in->at++;
        value |= shift < 64 ? (byte & 127) << shift : 0;
        if (byte < 128)
            return value;
    }
    in->bad = true;
    return 0;
}

static inline int64_t varint_get_signed(struct varint_input *in) {
    return unzigzag(varint_get(in));
}

#endif
