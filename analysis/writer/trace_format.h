/* SPDX-License-Identifier: Apache-2.0
 *
 * The layout of a trace file (docs/reference/trace.md is the contract): a magic word, then records,
 * each a header and a payload of `packed` bytes. Numbers are little endian.
 */
#ifndef ANALYSIS_WRITER_TRACE_FORMAT_H
#define ANALYSIS_WRITER_TRACE_FORMAT_H

#include <stdint.h>

#define TRACE_MAGIC "mpitrc1\n" /* of the file: 8 bytes; the digit is the version */
#define TRACE_MAGIC_BYTES 8
#define TRACE_RECORD_MAGIC 0x43525442u /* "BTRC" */
#define TRACE_RECORD_BYTES 48
#define TRACE_PAYLOAD_MOST (64u << 20) /* of a payload, packed or not: what a reader believes */
#define TRACE_END_WORDS 8              /* of the counts, behind the offset of the last index */
#define TRACE_COLUMNS 6                /* of events without details */
#define TRACE_MORE_COLUMNS 2           /* of their details */
#define TRACE_END_BYTES (TRACE_RECORD_BYTES + 8 + 8 * TRACE_END_WORDS)
#define TRACE_SCOPE_ALL (-1) /* rank of definitions that hold for all ranks */

enum trace_record_type {
    TRACE_RECORD_HEADER = 1,        /* JSON */
    TRACE_RECORD_SITES = 2,         /* `count` definitions, from number `first` on */
    TRACE_RECORD_COMMUNICATORS = 3, /* likewise */
    TRACE_RECORD_EVENTS = 4,        /* of one rank, by time */
    TRACE_RECORD_INDEX = 5,         /* where the others are, but for indices and the end */
    TRACE_RECORD_END = 6,           /* counts */
    TRACE_RECORD_MODULES = 7,       /* `count` definitions, from number `t0` on */
    TRACE_RECORD_FRAMES = 8,        /* likewise; the first has number 1 */
    TRACE_RECORD_OPERATIONS = 9,    /* events of a lane: device * TRACE_LANES_OF_DEVICE + number */
    TRACE_RECORD_LAST = TRACE_RECORD_OPERATIONS,
};

static inline int trace_record_is_indexed(int type) {
    return type != TRACE_RECORD_INDEX && type != TRACE_RECORD_END;
}

enum trace_codec { TRACE_STORED = 0, TRACE_ZSTD = 1 };

struct trace_record {
    uint32_t magic;
    uint8_t type, codec;
    uint16_t more;   /* events: columns that they have beyond TRACE_COLUMNS */
    int32_t rank;    /* of events; of definitions: whose, or TRACE_SCOPE_ALL */
    uint32_t count;  /* events, definitions, entries */
    int64_t t0, t1;  /* events: first begin and last end; definitions: t0 is the first number */
    uint32_t raw;    /* bytes of the payload, unpacked */
    uint32_t packed; /* and in the file */
    uint64_t xxh64;  /* of this header with 0 here, then of the payload in the file */
};

_Static_assert(sizeof(struct trace_record) == TRACE_RECORD_BYTES, "the format says so");

#endif
