/* SPDX-License-Identifier: Apache-2.0 */
#include "sample_trace.h"

#include "analysis/writer/trace_format.h"
#include "analysis/writer/trace_id.h"

#include <stdio.h>
#include <stdlib.h>

struct sample {
    struct trace_writer *writer;
    int32_t ranks, world;
    uint32_t region, receive, send, wait, reduce;
};

static uint32_t call(struct trace_writer *writer, const char *function, int32_t line) {
    struct trace_site site = {.kind = TRACE_CALL,
                              .line = line,
                              .region = TRACE_NONE,
                              .function = function,
                              .file = "ring.c"};
    return trace_writer_site(writer, &site);
}

static struct trace_event event(int32_t rank, int i, int k, uint32_t site) {
    int64_t begin_ns = (int64_t)i * SAMPLE_STEP_NS + k * 200 + rank;
    return trace_event_of(rank, site, begin_ns, begin_ns + 100 + k);
}

static void message(const struct sample *s, struct trace_event one, int direction, int32_t peer,
                    int i, int32_t tag) {
    one.direction = (uint8_t)direction;
    one.peer = peer;
    one.tag = tag;
    one.bytes = 8 * (i % 3 + 1);
    one.communicator = s->world;
    one.number = (uint64_t)i + 1;
    one.waited_ns = direction == TRACE_RECEIVES ? i % 50 : 0;
    trace_writer_add(s->writer, &one);
}

static void iterate(const struct sample *s, int32_t rank, int i) {
    struct trace_event region = event(rank, i, 0, s->region);
    struct trace_event wait = event(rank, i, 3, s->wait), reduce = event(rank, i, 4, s->reduce);
    region.kind = TRACE_REGION;
    trace_writer_add(s->writer, &region);
    if (rank > 0)
        message(s, event(rank, i, 1, s->receive), TRACE_RECEIVES, rank - 1, i, 7);
    if (rank < s->ranks - 1)
        message(s, event(rank, i, 2, s->send), TRACE_SENDS, rank + 1, i, 7);
    message(s, wait, TRACE_SENDS, (rank + 1) % s->ranks, i, 8);
    wait.kind = TRACE_PART;
    message(s, wait, TRACE_RECEIVES, (rank + s->ranks - 1) % s->ranks, i, 8);
    reduce.communicator = s->world;
    reduce.bytes = 8;
    reduce.number = (uint64_t)i + 1;
    reduce.collective = 1;
    trace_writer_add(s->writer, &reduce);
}

static int32_t add_world(struct trace_writer *writer, int32_t ranks) {
    int32_t *members = malloc((size_t)ranks * sizeof *members);
    for (int32_t i = 0; i < ranks; i++)
        members[i] = i;
    struct trace_communicator world = {
        .key = trace_communicator_key(trace_members_hash(members, ranks), 0),
        .name = "MPI_COMM_WORLD",
        .size = ranks,
        .members = members};
    int32_t number = trace_writer_communicator(writer, &world);
    free(members);
    return number;
}

void sample_trace_write(const char *path, int32_t ranks, int iterations,
                        const struct trace_settings *settings) {
    char header[128], why[256];
    snprintf(header, sizeof header,
             "{\"format\":\"mpiskel-trace\",\"version\":1,\"ranks\":%d,"
             "\"waits\":true}",
             ranks);
    struct trace_writer_options options = {.path = path,
                                           .ranks = ranks,
                                           .header = header,
                                           .settings = settings,
                                           .scope = TRACE_SCOPE_ALL};
    struct sample s = {.writer = trace_writer_open(&options, why, sizeof why), .ranks = ranks};
    struct trace_site region = {
        .kind = TRACE_REGION, .line = 12, .region = 3, .function = "smooth", .file = "ring.c"};
    if (s.writer == NULL)
        abort();
    s.world = add_world(s.writer, ranks);
    s.region = trace_writer_site(s.writer, &region);
    s.receive = call(s.writer, "MPI_Recv", 20);
    s.send = call(s.writer, "MPI_Send", 22);
    s.wait = call(s.writer, "MPI_Waitall", 30);
    s.reduce = call(s.writer, "MPI_Allreduce", 40);
    for (int i = 0; i < iterations; i++)
        for (int32_t rank = 0; rank < ranks; rank++)
            iterate(&s, rank, i);
    if (trace_writer_close(s.writer, NULL, true, why, sizeof why) != 0)
        abort();
}
