/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/convert/import_target.h"

#include "analysis/writer/trace_format.h"
#include "analysis/writer/trace_id.h"
#include "base/arena.h"

#include <stdio.h>
#include <stdlib.h>

int32_t import_target_communicator(struct import_target *target, const char *name,
                                   const int32_t *members, int32_t size, uint32_t before) {
    struct trace_communicator one = {
        .key = trace_communicator_key(trace_members_hash(members, size), before),
        .name = name,
        .size = size,
        .members = members};
    return trace_writer_communicator(target->writer, &one);
}

static void add_world(struct import_target *target) {
    int32_t *members = xmalloc(((size_t)target->ranks + 1) * sizeof *members);
    for (int32_t i = 0; i < target->ranks; i++)
        members[i] = i;
    target->world = import_target_communicator(target, "MPI_COMM_WORLD", members, target->ranks, 0);
    free(members);
}

int import_target_open(struct import_target *target, int32_t ranks, const char *from,
                       struct error *error) {
    char header[256], why[512];
    snprintf(header, sizeof header,
             "{\"format\":\"mpiskel-trace\",\"version\":1,\"ranks\":%d,\"source\":\"imported\","
             "\"waits\":false,\"from\":\"%s\"}",
             ranks, from);
    struct trace_writer_options options = {
        .path = target->path, .ranks = ranks, .header = header, .scope = TRACE_SCOPE_ALL};
    target->writer = trace_writer_open(&options, why, sizeof why);
    if (target->writer == NULL)
        return error_set(error, "%s", why);
    target->channels = trace_channels_new(false);
    target->ranks = ranks;
    add_world(target);
    return target->channels != NULL ? 0 : error_set(error, "out of memory");
}

uint32_t import_target_site(struct import_target *target, int kind, const char *function,
                            const char *file, int32_t line) {
    struct trace_site site = {.kind = (uint8_t)kind,
                              .line = line,
                              .region = kind == TRACE_REGION ? 0 : TRACE_NONE,
                              .function = function,
                              .file = file};
    return trace_writer_site(target->writer, &site);
}

void import_target_message(struct import_target *target, struct trace_event *event, int direction,
                           int32_t peer, int32_t tag, int64_t bytes, int32_t communicator) {
    bool sends = direction == TRACE_SENDS;
    event->communicator = communicator >= 0 ? communicator : target->world;
    event->direction = (uint8_t)direction;
    event->peer = peer;
    event->tag = tag;
    event->bytes = bytes;
    struct trace_channel_key key = {event->communicator, sends ? event->rank : peer,
                                    sends ? peer : event->rank, tag};
    event->number = sends
                        ? trace_channels_send(target->channels, &key, event->begin_ns, bytes).number
                        : trace_channels_post(target->channels, &key, event->begin_ns).number;
}

int import_target_add(struct import_target *target, const struct trace_event *event,
                      struct error *error) {
    trace_writer_add(target->writer, event);
    const char *why = trace_writer_error(target->writer);
    return why == NULL
               ? 0
               : error_set(error, "%s: error: the trace cannot be written: %s", target->path, why);
}

int import_target_add_ends(struct import_target *target, const struct trace_event *event,
                           const struct trace_event *ends, size_t count, struct error *error) {
    if (count == 0)
        return import_target_add(target, event, error);
    for (size_t i = 0; i < count; i++) {
        struct trace_event end = ends[i];
        end.site = event->site;
        end.begin_ns = event->begin_ns;
        end.end_ns = event->end_ns;
        end.kind = i == 0 ? event->kind : TRACE_PART;
        if (import_target_add(target, &end, error) != 0)
            return -1;
    }
    return 0;
}

int import_target_close(uint64_t *events, struct import_target *target, bool is_fine,
                        struct error *error) {
    char why[512];
    int result = 0;
    *events = 0;
    if (target->writer != NULL) {
        *events = trace_writer_counts(target->writer)->events;
        result = trace_writer_close(target->writer, NULL, true, why, sizeof why);
    }
    if (target->channels != NULL)
        trace_channels_free(target->channels);
    return result == 0 || !is_fine ? result : error_set(error, "%s", why);
}
