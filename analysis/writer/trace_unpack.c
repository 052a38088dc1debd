/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/writer/trace_unpack.h"

#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>
#include <zstd.h>

bool trace_record_is_sane(const struct trace_record *record) {
    return record->magic == TRACE_RECORD_MAGIC && record->type >= TRACE_RECORD_HEADER &&
           record->type <= TRACE_RECORD_LAST && record->codec <= TRACE_ZSTD &&
           record->rank >= TRACE_SCOPE_ALL && record->rank < TRACE_MOST_RANKS &&
           record->raw <= TRACE_PAYLOAD_MOST && record->packed <= TRACE_PAYLOAD_MOST &&
           record->count <= record->raw &&
           (record->more == 0 ||
            (record->type == TRACE_RECORD_EVENTS && record->more == TRACE_MORE_COLUMNS)) &&
           (record->type != TRACE_RECORD_EVENTS || record->t0 <= record->t1);
}

#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION /* mutated blocks are to be decoded */
bool trace_record_is_whole(const struct trace_record *record, const uint8_t *payload) {
    (void)record, (void)payload;
    return true;
}
#else
bool trace_record_is_whole(const struct trace_record *record, const uint8_t *payload) {
    struct trace_record bare = *record;
    XXH64_state_t state;
    bare.xxh64 = 0;
    XXH64_reset(&state, 0);
    XXH64_update(&state, &bare, sizeof bare);
    XXH64_update(&state, payload, record->packed);
    return XXH64_digest(&state) == record->xxh64;
}
#endif

bool trace_unpack(struct trace_bytes *out, const struct trace_record *record,
                  const uint8_t *payload) {
    out->length = 0;
    if (!trace_bytes_reserve(out, (size_t)record->raw + 1))
        return false;
    out->length = record->raw;
    if (record->codec == TRACE_STORED) {
        if (record->packed == record->raw && record->raw > 0)
            memcpy(out->data, payload, record->raw);
        return record->packed == record->raw;
    }
    return ZSTD_decompress(out->data, record->raw, payload, record->packed) == record->raw;
}
