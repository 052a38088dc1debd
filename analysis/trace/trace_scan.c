/* SPDX-License-Identifier: Apache-2.0
 *
 * What records a trace has. A file that is whole ends with its counts, and with the offset of the
 * last record of the index, from which the others are found backwards. Without an index, or without
 * an end, the reader goes from header to header; without an end it also looks at each checksum, and
 * what is behind the first wrong one does not exist.
 */
#include "analysis/trace/trace_parts.h"
#include "analysis/writer/trace_unpack.h"
#include "analysis/writer/varint.h"
#include "base/str.h"

#include <string.h>
#include <unistd.h>

static bool read_at(const struct trace *trace, uint64_t offset, void *out, size_t bytes) {
    for (size_t done = 0; done < bytes;) {
        ssize_t got = pread(trace->file, (char *)out + done, bytes - done, (off_t)(offset + done));
        if (got <= 0)
            return false;
        done += (size_t)got;
    }
    return true;
}

/* Its header alone. */
static int trace_read_header(struct trace_record *record, const struct trace *trace,
                             uint64_t offset) {
    bool fits = offset <= trace->bytes && trace->bytes - offset >= sizeof *record;
    if (!fits || !read_at(trace, offset, record, sizeof *record) || !trace_record_is_sane(record))
        return -1;
    return trace->bytes - offset - sizeof *record >= record->packed ? 0 : -1;
}

int trace_read_record(struct trace_record *record, struct trace_bytes *out,
                      const struct trace *trace, uint64_t offset) {
    if (trace_read_header(record, trace, offset) != 0)
        return -1;
    uint8_t *payload = xmalloc((size_t)record->packed + 1);
    bool fine = read_at(trace, offset + sizeof *record, payload, record->packed) &&
                trace_record_is_whole(record, payload) && trace_unpack(out, record, payload);
    free(payload);
    return fine ? 0 : -1;
}

/* ---- With an end ---- */

/* False: there is none. */
static bool read_end(uint64_t *last_index, struct trace *trace) {
    struct trace_record record;
    struct trace_bytes payload = {0};
    bool fine = trace->bytes >= TRACE_MAGIC_BYTES + TRACE_END_BYTES &&
                trace_read_record(&record, &payload, trace, trace->bytes - TRACE_END_BYTES) == 0 &&
                record.type == TRACE_RECORD_END &&
                payload.length == sizeof *last_index + sizeof trace->counts;
    if (fine) {
        memcpy(last_index, payload.data, sizeof *last_index);
        memcpy(&trace->counts, payload.data + sizeof *last_index, sizeof trace->counts);
        trace->has_counts = true;
        trace->end_ns = record.t1;
    }
    free(payload.data);
    return fine;
}

static int get_entry(struct trace_block *out, struct varint_input *in, uint64_t before) {
    uint64_t type = varint_get(in);
    out->type = (uint8_t)type;
    out->offset = before + varint_get(in);
    uint64_t rank = varint_get(in), count = varint_get(in);
    out->rank = rank <= TRACE_MOST_RANKS ? (int32_t)rank - 1 : -1;
    out->count = (uint32_t)count;
    out->t0 = varint_get_signed(in);
    out->t1 = (int64_t)((uint64_t)out->t0 + (uint64_t)varint_get_signed(in));
    return in->bad || type > TRACE_RECORD_LAST || rank > TRACE_MOST_RANKS || count > UINT32_MAX ? -1
                                                                                                : 0;
}

/* The entries of one record of the index; `before`: of the one before it, 0: it is the first. */
static int read_index(struct trace_block_list *out, uint64_t *before, const struct trace *trace,
                      uint64_t offset) {
    struct trace_record record;
    struct trace_bytes payload = {0};
    int result = trace_read_record(&record, &payload, trace, offset);
    struct varint_input in = {0};
    uint64_t last = 0;
    if (result == 0 && record.type != TRACE_RECORD_INDEX)
        result = -1;
    if (result == 0) {
        in = (struct varint_input){.at = payload.data, .end = payload.data + payload.length};
        *before = varint_get(&in);
    }
    for (uint32_t i = 0; result == 0 && i < record.count; i++) {
        struct trace_block block;
        result = get_entry(&block, &in, last);
        last = block.offset;
        if (result == 0)
            vec_push(&out->of, block);
    }
    free(payload.data);
    return result == 0 && *before < offset ? 0 : -1; /* or it would go in circles */
}

static int read_indices(struct trace_block_list *out, const struct trace *trace, uint64_t last) {
    struct trace_block_list backwards = {0}; /* each record's entries in order, the last first */
    VEC(size_t) ends = {0};
    int result = 0;
    while (last != 0 && result == 0) {
        result = read_index(&backwards, &last, trace, last);
        vec_push(&ends, backwards.of.count);
    }
    for (size_t i = ends.count; i-- > 0 && result == 0;)
        for (size_t k = i > 0 ? ends.items[i - 1] : 0; k < ends.items[i]; k++)
            vec_push(&out->of, backwards.of.items[k]);
    vec_dispose(&ends);
    vec_dispose(&backwards.of);
    return result;
}

/* ---- From header to header ---- */

static void tell_damage(struct trace *trace, uint64_t offset, bool has_end) {
    struct str text = {0};
    str_printf(&text,
               has_end ? "%s: warning: the trace is damaged at byte %llu, behind t=%.9f s and %llu "
                         "events"
                       : "%s: warning: the trace is truncated at byte %llu, behind t=%.9f s and "
                         "%llu events",
               trace->path, (unsigned long long)offset, (double)trace->end_ns * 1e-9,
               (unsigned long long)trace->stored);
    free(trace->damage);
    trace->damage = xstrdup(str_text(&text));
    str_dispose(&text);
}

static bool is_whole(const struct trace *trace, uint64_t offset) {
    struct trace_record record;
    struct trace_bytes payload = {0};
    int result = trace_read_record(&record, &payload, trace, offset);
    free(payload.data);
    return result == 0;
}

static void add_block(struct trace_block_list *out, struct trace *trace,
                      const struct trace_record *record, uint64_t offset) {
    vec_push(&out->of, (struct trace_block){.offset = offset,
                                            .rank = record->rank,
                                            .count = record->count,
                                            .t0 = record->t0,
                                            .t1 = record->t1,
                                            .type = record->type});
    bool is_operations = record->type == TRACE_RECORD_OPERATIONS;
    if (record->type != TRACE_RECORD_EVENTS && !is_operations)
        return;
    trace->stored += is_operations ? 0 : record->count;
    if (record->t1 > trace->end_ns)
        trace->end_ns = record->t1;
}

static void go_through(struct trace_block_list *out, struct trace *trace, bool has_end) {
    uint64_t offset = TRACE_MAGIC_BYTES, end = trace->bytes - (has_end ? TRACE_END_BYTES : 0);
    struct trace_record record;
    trace->stored = 0;
    while (offset < end) {
        if (trace_read_header(&record, trace, offset) != 0 ||
            (!has_end && !is_whole(trace, offset)))
            break;
        if (trace_record_is_indexed(record.type))
            add_block(out, trace, &record, offset);
        offset += sizeof record + record.packed;
    }
    if (offset != end || !has_end)
        tell_damage(trace, offset, has_end);
}

int trace_scan(struct trace_block_list *out, struct trace *trace, struct error *error) {
    char magic[TRACE_MAGIC_BYTES];
    uint64_t last_index = 0;
    if (trace->bytes < sizeof magic || !read_at(trace, 0, magic, sizeof magic) ||
        memcmp(magic, TRACE_MAGIC, sizeof magic) != 0)
        return error_set(error,
                         "%s: error: this is no trace; `mpiskel run --trace=FILE` writes one, and "
                         "`mpiskel trace import` makes one of another format",
                         trace->path);
    bool has_end = read_end(&last_index, trace);
    if (has_end && last_index != 0 && read_indices(out, trace, last_index) == 0) {
        for (size_t i = 0; i < out->of.count; i++)
            trace->stored +=
                out->of.items[i].type == TRACE_RECORD_EVENTS ? out->of.items[i].count : 0;
        return 0;
    }
    out->of.count = 0;
    go_through(out, trace, has_end);
    return 0;
}
