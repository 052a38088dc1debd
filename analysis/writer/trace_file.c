/* SPDX-License-Identifier: Apache-2.0
 *
 * See trace_file.h. Records of the index are chained backwards, each with a bounded number of
 * entries, so that what is kept for it does not grow. A file that several processes write has none:
 * readers go from header to header then.
 */
#include "analysis/writer/trace_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#define XXH_INLINE_ALL
#include <xxhash.h>
#include <zstd.h>

#define LEVEL (-1)         /* of zstd: higher ones gain 5 % and take twice the time */
#define INDEX_ENTRIES 4096 /* blocks, some 40 kB */

struct trace_file {
    int descriptor;
    bool appends, failed;
    char why[512];
    ZSTD_CCtx *zstd;
    struct trace_bytes packed; /* header and payload */
    uint64_t offset;           /* of the next record */
    struct trace_bytes index;  /* entries not yet written */
    uint32_t index_count;
    int64_t index_t0, index_t1;
    uint64_t last_index, last_offset; /* of records; last_offset: of the entry before */
};

__attribute__((format(printf, 2, 3))) static void fail(struct trace_file *file, const char *format,
                                                       ...) {
    va_list args;
    if (file->failed)
        return;
    file->failed = true;
    va_start(args, format);
    vsnprintf(file->why, sizeof file->why, format, args);
    va_end(args);
}

const char *trace_file_error(const struct trace_file *file) {
    return file->failed ? file->why : NULL;
}

/* ---- Bytes ---- */

static void write_all(struct trace_file *file, const uint8_t *data, size_t length) {
    while (length > 0 && !file->failed) {
        ssize_t wrote = write(file->descriptor, data, length);
        if (wrote < 0 && errno != EINTR)
            fail(file, "%s", strerror(errno));
        data += wrote > 0 ? wrote : 0;
        length -= wrote > 0 ? (size_t)wrote : 0;
    }
}

/* Of the whole file, where others may write as well. */
static void lock(struct trace_file *file, short type) {
    struct flock of = {.l_type = type, .l_whence = SEEK_SET};
    while (fcntl(file->descriptor, F_SETLKW, &of) != 0)
        if (errno != EINTR)
            return; /* a file system without locks: appending is all there is */
}

static void append(struct trace_file *file, const uint8_t *data, size_t length) {
    if (!file->appends) {
        write_all(file, data, length);
        return;
    }
    lock(file, F_WRLCK);
    write_all(file, data, length);
    lock(file, F_UNLCK);
}

/* ---- Records ---- */

static void seal(uint8_t *record, size_t length) {
    uint64_t sum = XXH64(record, length, 0);
    memcpy(record + offsetof(struct trace_record, xxh64), &sum, sizeof sum);
}

/* What does not become smaller is stored, and the end, so that readers find it. */
static size_t pack(struct trace_file *file, struct trace_record *record,
                   const struct trace_bytes *payload) {
    uint8_t *to = file->packed.data + sizeof *record;
    size_t room = file->packed.capacity - sizeof *record, length = payload->length;
    size_t packed = ZSTD_compressCCtx(file->zstd, to, room, payload->data, length, LEVEL);
    if (!ZSTD_isError(packed) && packed < length && record->type != TRACE_RECORD_END) {
        record->codec = TRACE_ZSTD;
        return packed;
    }
    record->codec = TRACE_STORED;
    if (length > 0)
        memcpy(to, payload->data, length);
    return length;
}

static void put_record(struct trace_file *file, struct trace_record *record,
                       struct trace_bytes *payload) {
    file->packed.length = 0;
    if (!trace_bytes_reserve(&file->packed, sizeof *record + ZSTD_compressBound(payload->length))) {
        fail(file, "out of memory");
        return;
    }
    record->magic = TRACE_RECORD_MAGIC;
    record->raw = (uint32_t)payload->length;
    record->packed = (uint32_t)pack(file, record, payload);
    record->xxh64 = 0;
    memcpy(file->packed.data, record, sizeof *record);
    seal(file->packed.data, sizeof *record + record->packed);
    append(file, file->packed.data, sizeof *record + record->packed);
    file->offset += sizeof *record + record->packed;
    payload->length = 0;
}

/* ---- Index ---- */

static void write_index(struct trace_file *file) {
    struct trace_bytes payload = {0};
    if (file->index_count == 0)
        return;
    if (!trace_bytes_reserve(&payload, VARINT_MOST_BYTES + file->index.length)) {
        fail(file, "out of memory");
        return;
    }
    payload.length = (size_t)(varint_put(payload.data, file->last_index) - payload.data);
    memcpy(payload.data + payload.length, file->index.data, file->index.length);
    payload.length += file->index.length;
    struct trace_record record = {.type = TRACE_RECORD_INDEX,
                                  .rank = TRACE_SCOPE_ALL,
                                  .count = file->index_count,
                                  .t0 = file->index_t0,
                                  .t1 = file->index_t1};
    uint64_t begin = file->offset;
    put_record(file, &record, &payload);
    file->last_index = begin;
    file->index.length = file->index_count = 0;
    file->last_offset = 0;
    free(payload.data);
}

/* Type, offset, rank + 1, count, t0, t1; the offset as the distance from the entry before, t1 from
 * t0. */
static void note_index(struct trace_file *file, const struct trace_record *record,
                       uint64_t offset) {
    if (!trace_bytes_reserve(&file->index, 6 * VARINT_MOST_BYTES)) {
        fail(file, "out of memory");
        return;
    }
    uint8_t *at = file->index.data + file->index.length;
    at = varint_put(at, record->type);
    at = varint_put(at, offset - file->last_offset);
    at = varint_put(at, (uint64_t)record->rank + 1);
    at = varint_put(at, record->count);
    at = varint_put(at, zigzag(record->t0));
    at = varint_put(at, zigzag(record->t1 - record->t0));
    file->index.length = (size_t)(at - file->index.data);
    bool first = file->index_count++ == 0;
    file->index_t0 = first || record->t0 < file->index_t0 ? record->t0 : file->index_t0;
    file->index_t1 = first || record->t1 > file->index_t1 ? record->t1 : file->index_t1;
    file->last_offset = offset;
    if (file->index_count == INDEX_ENTRIES)
        write_index(file);
}

void trace_file_put(struct trace_file *file, struct trace_record record,
                    struct trace_bytes *payload) {
    uint64_t begin = file->offset;
    put_record(file, &record, payload);
    if (record.type != TRACE_RECORD_END && !file->appends)
        note_index(file, &record, begin);
}

void trace_file_end(struct trace_file *file, const struct trace_counts *counts, int64_t end_ns) {
    struct trace_bytes payload = {0};
    write_index(file);
    if (!trace_bytes_reserve(&payload, sizeof *counts + sizeof file->last_index)) {
        fail(file, "out of memory");
        return;
    }
    memcpy(payload.data, &file->last_index, sizeof file->last_index);
    memcpy(payload.data + sizeof file->last_index, counts, sizeof *counts);
    payload.length = sizeof file->last_index + sizeof *counts;
    struct trace_record record = {
        .type = TRACE_RECORD_END, .rank = TRACE_SCOPE_ALL, .count = TRACE_END_WORDS, .t1 = end_ns};
    trace_file_put(file, record, &payload);
    free(payload.data);
}

/* ---- Files ---- */

static bool start(struct trace_file *file, const char *path) {
    int flags = file->appends ? O_RDWR | O_APPEND : O_RDWR | O_CREAT | O_TRUNC | O_APPEND;
    file->descriptor = open(path, flags | O_CLOEXEC, 0666);
    if (file->descriptor < 0) {
        fail(file, "%s", strerror(errno));
        return false;
    }
    if (!file->appends)
        write_all(file, (const uint8_t *)TRACE_MAGIC, TRACE_MAGIC_BYTES);
    file->offset = TRACE_MAGIC_BYTES;
    return !file->failed;
}

struct trace_file *trace_file_open(const char *path, bool appends, char *why, size_t size) {
    struct trace_file *file = calloc(1, sizeof *file);
    ZSTD_CCtx *zstd = ZSTD_createCCtx();
    if (file == NULL || zstd == NULL) {
        snprintf(why, size, "%s: error: out of memory", path);
        ZSTD_freeCCtx(zstd);
        free(file);
        return NULL;
    }
    file->zstd = zstd;
    file->appends = appends;
    if (start(file, path))
        return file;
    snprintf(why, size, "%s: error: the trace cannot be written: %s", path, file->why);
    trace_file_close(file);
    return NULL;
}

void trace_file_close(struct trace_file *file) {
    if (file->descriptor >= 0)
        close(file->descriptor);
    ZSTD_freeCCtx(file->zstd);
    free(file->packed.data);
    free(file->index.data);
    free(file);
}
