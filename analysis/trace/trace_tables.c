/* SPDX-License-Identifier: Apache-2.0
 *
 * Sites and communicators of a trace: those of all processes that wrote it, each once. What each of
 * them called the first, second... one is kept beside (struct trace_scope).
 */
#include "analysis/trace/trace_parts.h"
#include "analysis/writer/varint.h"

#include <stdlib.h>
#include <string.h>

#define MOST_DIMENSIONS 1024

/* ---- Scopes ---- */

static const struct trace_scope *own_scope(const struct trace *trace, int32_t rank) {
    const struct trace_scope *scope =
        trace->scopes != NULL && rank >= 0 && rank < trace->ranks ? &trace->scopes[rank] : NULL;
    return scope != NULL && scope->site_count > 0 ? scope : NULL;
}

const struct trace_scope *trace_scope_of(const struct trace *trace, int32_t rank) {
    const struct trace_scope *own = own_scope(trace, rank);
    return own != NULL ? own : &trace->all;
}

static void dispose_scope(struct trace_scope *scope) {
    free(scope->sites);
    free(scope->communicators);
    free(scope->modules);
    free(scope->frames);
}

static struct trace_scope *scope_for(struct trace *trace, int32_t rank) {
    if (rank == TRACE_SCOPE_ALL)
        return &trace->all;
    if (trace->scopes == NULL) {
        size_t bytes = (size_t)trace->ranks * sizeof *trace->scopes;
        trace->scopes = memset(xmalloc(bytes), 0, bytes);
    }
    return rank < trace->ranks ? &trace->scopes[rank] : NULL;
}

void trace_tables_dispose(struct trace *trace) {
    for (int32_t i = 0; trace->scopes != NULL && i < trace->ranks; i++)
        dispose_scope(&trace->scopes[i]);
    free(trace->scopes);
    dispose_scope(&trace->all);
    trace_definitions_dispose(&trace->definitions);
    trace_call_paths_dispose(&trace->call_paths);
}

/* ---- Values ---- */

char *trace_get_text(struct varint_input *in) {
    uint64_t length = varint_get(in);
    if (in->bad || length > (uint64_t)(in->end - in->at) ||
        memchr(in->at, '\0', (size_t)length) != NULL)
        return NULL;
    char *text = xmalloc((size_t)length + 1);
    memcpy(text, in->at, (size_t)length);
    text[length] = '\0';
    in->at += length;
    return text;
}

static bool get_int32(int32_t *out, struct varint_input *in) {
    int64_t value = varint_get_signed(in);
    *out = (int32_t)value;
    return !in->bad && value >= INT32_MIN && value <= INT32_MAX;
}

/* ---- Sites ---- */

static int get_site(uint32_t *out, struct trace *trace, struct varint_input *in) {
    struct trace_site site = {.kind = (uint8_t)varint_get(in)};
    bool fine = get_int32(&site.line, in) && get_int32(&site.region, in);
    char *function = fine ? trace_get_text(in) : NULL;
    char *file = function != NULL ? trace_get_text(in) : NULL;
    site.function = function;
    site.file = file;
    if (file != NULL)
        trace_name_site(&site, trace->header);
    *out = file != NULL && (site.kind <= TRACE_REGION || site.kind == TRACE_OPERATION)
               ? trace_definitions_site(&trace->definitions, &site)
               : UINT32_MAX;
    free(function);
    free(file);
    return *out != UINT32_MAX ? 0 : -1;
}

static int add_sites(struct trace *trace, struct trace_scope *scope, uint32_t count,
                     struct varint_input *in) {
    scope->sites = xrealloc(scope->sites, ((size_t)scope->site_count + count) * sizeof(uint32_t));
    for (uint32_t i = 0; i < count; i++, scope->site_count++)
        if (get_site(&scope->sites[scope->site_count], trace, in) != 0)
            return -1;
    return 0;
}

/* ---- Communicators ---- */

/* The members as runs; false: they are not as many as they have to be. */
static bool get_members(int32_t *members, int32_t size, const struct trace *trace,
                        struct varint_input *in) {
    for (int32_t have = 0; have < size;) {
        int64_t first = varint_get_signed(in), step = varint_get_signed(in);
        uint64_t length = varint_get(in);
        if (in->bad || length == 0 || length > (uint64_t)(size - have) || first < 0 ||
            first >= TRACE_MOST_RANKS || step < -TRACE_MOST_RANKS || step > TRACE_MOST_RANKS)
            return false;
        for (uint64_t i = 0; i < length; i++) {
            int64_t member = first + (int64_t)i * step;
            if (member < 0 || member >= trace->ranks)
                return false;
            members[have++] = (int32_t)member;
        }
    }
    return true;
}

static bool get_dimensions(struct trace_communicator *out, int32_t **dimensions,
                           struct varint_input *in) {
    uint64_t count = varint_get(in);
    if (in->bad || count > MOST_DIMENSIONS)
        return false;
    *dimensions = xmalloc((size_t)(count + 1) * sizeof **dimensions);
    for (uint64_t i = 0; i < count; i++)
        if (!get_int32(&(*dimensions)[i], in))
            return false;
    out->dimensions = *dimensions;
    out->dimension_count = (int32_t)count;
    return true;
}

static int get_communicator(int32_t *out, struct trace *trace, struct varint_input *in) {
    struct trace_communicator one = {.key = varint_get(in)};
    int32_t *members = NULL, *dimensions = NULL;
    char *name = trace_get_text(in);
    uint64_t size = name != NULL ? varint_get(in) : 0;
    bool fine = name != NULL && !in->bad && size <= (uint64_t)trace->ranks &&
                get_dimensions(&one, &dimensions, in);
    if (fine) {
        members = xmalloc((size_t)(size + 1) * sizeof *members);
        fine = get_members(members, (int32_t)size, trace, in);
    }
    one.name = name;
    one.size = (int32_t)size;
    one.members = members;
    *out = fine ? trace_definitions_communicator(&trace->definitions, &one) : -1;
    free(name);
    free(members);
    free(dimensions);
    return *out >= 0 ? 0 : -1;
}

static int add_communicators(struct trace *trace, struct trace_scope *scope, uint32_t count,
                             struct varint_input *in) {
    scope->communicators = xrealloc(scope->communicators,
                                    ((size_t)scope->communicator_count + count) * sizeof(int32_t));
    for (uint32_t i = 0; i < count; i++, scope->communicator_count++)
        if (get_communicator(&scope->communicators[scope->communicator_count], trace, in) != 0)
            return -1;
    return 0;
}

int trace_tables_add(struct trace *trace, const struct trace_record *record,
                     const struct trace_bytes *payload) {
    struct varint_input in = {.at = payload->data, .end = payload->data + payload->length};
    struct trace_scope *scope = scope_for(trace, record->rank);
    if (scope == NULL || record->count > payload->length || record->count == 0)
        return -1;
    if (record->type == TRACE_RECORD_MODULES || record->type == TRACE_RECORD_FRAMES)
        return trace_paths_add(trace, scope, record, &in);
    if (record->type == TRACE_RECORD_SITES)
        return record->t0 == scope->site_count ? add_sites(trace, scope, record->count, &in) : -1;
    return record->t0 == scope->communicator_count
               ? add_communicators(trace, scope, record->count, &in)
               : -1;
}
