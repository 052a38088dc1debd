/* SPDX-License-Identifier: Apache-2.0
 *
 * Opens a trace: finds its records, reads header and definitions, and sorts the blocks of events by
 * rank. See trace_reader.h.
 */
#include "analysis/trace/trace_reader.h"

#include "analysis/trace/trace_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Questions ---- */

const char *trace_damage(const struct trace *trace) {
    return trace->damage;
}

const char *trace_path(const struct trace *trace) {
    return trace->path;
}

const json_t *trace_header(const struct trace *trace) {
    return trace->header;
}

int32_t trace_ranks(const struct trace *trace) {
    return trace->ranks;
}

int32_t trace_lane_count(const struct trace *trace) {
    return (int32_t)trace->lanes.count;
}

const struct trace_lane *trace_lane(const struct trace *trace, int32_t number) {
    return &trace->lanes.items[number];
}

int64_t trace_end_ns(const struct trace *trace) {
    return trace->end_ns;
}

bool trace_has_waits(const struct trace *trace) {
    return json_is_true(json_object_get(trace->header, "waits"));
}

uint32_t trace_site_count(const struct trace *trace) {
    return trace->definitions.site_count;
}

const struct trace_site *trace_site(const struct trace *trace, uint32_t number) {
    return &trace->definitions.sites[number];
}

int32_t trace_communicator_count(const struct trace *trace) {
    return (int32_t)trace->definitions.communicator_count;
}

const struct trace_communicator *trace_communicator(const struct trace *trace, int32_t number) {
    return &trace->definitions.communicators[number];
}

bool trace_has_details(const struct trace *trace) {
    return json_is_true(json_object_get(trace->header, "details"));
}

uint32_t trace_frame_count(const struct trace *trace) {
    return trace->call_paths.frame_count;
}

const struct trace_frame *trace_frame(const struct trace *trace, uint32_t number) {
    return &trace->call_paths.frames[number - 1];
}

uint32_t trace_module_count(const struct trace *trace) {
    return trace->call_paths.module_count;
}

const struct trace_module *trace_module(const struct trace *trace, uint32_t number) {
    return &trace->call_paths.modules[number];
}

const struct trace_counts *trace_counts(const struct trace *trace) {
    return trace->has_counts ? &trace->counts : NULL;
}

uint64_t trace_stored_events(const struct trace *trace) {
    return trace->stored;
}

/* ---- Opening ---- */

static int open_file(struct trace *trace, struct error *error) {
    struct stat info;
    trace->file = open(trace->path, O_RDONLY | O_CLOEXEC);
    if (trace->file < 0 || fstat(trace->file, &info) != 0)
        return error_set(error, "%s: error: %s", trace->path, strerror(errno));
    if (!S_ISREG(info.st_mode))
        return error_set(error, "%s: error: a trace is a file", trace->path);
    trace->bytes = (uint64_t)info.st_size;
    return 0;
}

/* The ranks that the header tells, and those of blocks. */
static int32_t find_ranks(const struct trace *trace, const struct trace_block_list *blocks) {
    long long ranks = json_get_integer(trace->header, "ranks", 0);
    int32_t most = ranks > 0 && ranks <= TRACE_MOST_RANKS ? (int32_t)ranks : 0;
    for (size_t i = 0; i < blocks->of.count; i++)
        if (blocks->of.items[i].type != TRACE_RECORD_OPERATIONS && blocks->of.items[i].rank >= most)
            most = blocks->of.items[i].rank + 1;
    return most;
}

static int read_header(struct trace *trace, const struct trace_block_list *blocks,
                       struct error *error) {
    struct trace_record record;
    struct trace_bytes payload = {0};
    bool fine = blocks->of.count > 0 && blocks->of.items[0].type == TRACE_RECORD_HEADER &&
                trace_read_record(&record, &payload, trace, blocks->of.items[0].offset) == 0 &&
                record.type == TRACE_RECORD_HEADER;
    if (fine)
        trace->header = json_loadb((const char *)payload.data, payload.length, 0, NULL);
    free(payload.data);
    return json_is_object(trace->header)
               ? 0
               : error_set(error, "%s: error: the trace has no whole header; record it again",
                           trace->path);
}

static void damage_definitions(struct trace *trace, uint64_t offset) {
    char text[96];
    if (trace->damage != NULL)
        return;
    snprintf(text, sizeof text, ": warning: the definitions at byte %llu are damaged",
             (unsigned long long)offset);
    trace->damage = xmalloc(strlen(trace->path) + sizeof text);
    strcat(strcpy(trace->damage, trace->path), text);
}

/* Events behind damaged ones name sites that are not there, and are told to be damaged then. */
static void read_definitions(struct trace *trace, const struct trace_block_list *blocks) {
    struct trace_bytes payload = {0};
    for (size_t i = 0; i < blocks->of.count; i++) {
        const struct trace_block *block = &blocks->of.items[i];
        struct trace_record record;
        if (block->type == TRACE_RECORD_HEADER || block->type == TRACE_RECORD_EVENTS ||
            block->type == TRACE_RECORD_OPERATIONS)
            continue;
        if (trace_read_record(&record, &payload, trace, block->offset) != 0 ||
            record.type != block->type || trace_tables_add(trace, &record, &payload) != 0)
            damage_definitions(trace, block->offset);
    }
    free(payload.data);
}

/* By rank, in the order of the file: that of time. */
static void sort_blocks(struct trace *trace, const struct trace_block_list *blocks) {
    size_t ranks = (size_t)trace->ranks;
    size_t *first = memset(xmalloc((ranks + 2) * sizeof *first), 0, (ranks + 2) * sizeof *first);
    for (size_t i = 0; i < blocks->of.count; i++)
        if (blocks->of.items[i].type == TRACE_RECORD_EVENTS && blocks->of.items[i].rank >= 0)
            first[blocks->of.items[i].rank + 2]++;
    for (size_t i = 1; i < ranks + 2; i++)
        first[i] += first[i - 1];
    vec_reserve(&trace->blocks.of, first[ranks + 1]);
    trace->blocks.of.count = first[ranks + 1];
    for (size_t i = 0; i < blocks->of.count; i++)
        if (blocks->of.items[i].type == TRACE_RECORD_EVENTS && blocks->of.items[i].rank >= 0)
            trace->blocks.of.items[first[blocks->of.items[i].rank + 1]++] = blocks->of.items[i];
    trace->first_blocks = first;
}

static int compare_lanes(const void *a, const void *b) {
    const struct trace_block *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* Likewise; only lanes with operations are told of. */
static void sort_operations(struct trace *trace, const struct trace_block_list *blocks) {
    for (size_t i = 0; i < blocks->of.count; i++)
        if (blocks->of.items[i].type == TRACE_RECORD_OPERATIONS && blocks->of.items[i].rank >= 0)
            vec_push(&trace->operations.of, blocks->of.items[i]);
    if (trace->operations.of.count == 0)
        return;
    qsort(trace->operations.of.items, trace->operations.of.count, sizeof(struct trace_block),
          compare_lanes);
    for (size_t i = 0; i < trace->operations.of.count; i++) {
        int32_t code = trace->operations.of.items[i].rank;
        if (i > 0 && code == trace->operations.of.items[i - 1].rank)
            continue;
        vec_push(&trace->lanes,
                 (struct trace_lane){code / TRACE_LANES_OF_DEVICE, code % TRACE_LANES_OF_DEVICE});
        vec_push(&trace->first_operations, i);
    }
    vec_push(&trace->first_operations, trace->operations.of.count);
}

/* A recording is a directory with a trace. */
static char *find_file(const char *path) {
    struct stat info;
    bool is_directory = stat(path, &info) == 0 && S_ISDIR(info.st_mode);
    char *file = xmalloc(strlen(path) + sizeof "/run.trace");
    strcpy(file, path);
    return is_directory ? strcat(file, "/run.trace") : file;
}

bool trace_is_one(const char *path) {
    char magic[TRACE_MAGIC_BYTES], *name = find_file(path);
    FILE *file = fopen(name, "rb");
    free(name);
    bool result = file != NULL && fread(magic, 1, sizeof magic, file) == sizeof magic &&
                  memcmp(magic, TRACE_MAGIC, sizeof magic) == 0;
    if (file != NULL)
        fclose(file);
    return result;
}

int trace_open(struct trace **out, const char *path, struct error *error) {
    struct trace *trace = memset(xmalloc(sizeof *trace), 0, sizeof *trace);
    struct trace_block_list blocks = {0};
    trace->path = find_file(path);
    trace->file = -1;
    int result = open_file(trace, error);
    if (result == 0)
        result = trace_scan(&blocks, trace, error);
    if (result == 0)
        result = read_header(trace, &blocks, error);
    if (result == 0) {
        trace->ranks = find_ranks(trace, &blocks);
        read_definitions(trace, &blocks);
        sort_blocks(trace, &blocks);
        sort_operations(trace, &blocks);
        *out = trace;
    } else {
        trace_close(trace);
    }
    vec_dispose(&blocks.of);
    return result;
}

void trace_close(struct trace *trace) {
    if (trace->file >= 0)
        close(trace->file);
    trace_tables_dispose(trace);
    json_decref(trace->header);
    vec_dispose(&trace->blocks.of);
    free(trace->first_blocks);
    vec_dispose(&trace->operations.of);
    vec_dispose(&trace->lanes);
    vec_dispose(&trace->first_operations);
    free(trace->damage);
    free(trace->path);
    free(trace);
}
