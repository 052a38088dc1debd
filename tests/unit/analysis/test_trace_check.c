/* SPDX-License-Identifier: Apache-2.0
 *
 * Traces of one message that break what trace_check.h promises, one by one, and the whole one.
 */
#include "analysis/trace/trace_check.h"
#include "analysis/writer/trace_format.h"
#include "analysis/writer/trace_writer.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char header[] =
    "{\"format\":\"mpiskel-trace\",\"version\":1,\"ranks\":2,\"waits\":true}";

/* Rank 0 sends 8 bytes from 100 to 200 ns, rank 1 receives them from 50 to 300. */
struct ends {
    struct trace_event send, receive;
};

static struct trace_event end_of_message(int32_t rank, uint32_t site, int64_t begin_ns,
                                         int64_t end_ns) {
    struct trace_event event = trace_event_of(rank, site, begin_ns, end_ns);
    event.direction = rank == 0 ? TRACE_SENDS : TRACE_RECEIVES;
    event.peer = 1 - rank;
    event.tag = 7;
    event.bytes = 8;
    event.communicator = 0;
    event.number = 1;
    return event;
}

static void write_trace(const char *path, const struct ends *ends) {
    char why[256];
    struct trace_writer_options options = {
        .path = path, .ranks = 2, .header = header, .scope = TRACE_SCOPE_ALL};
    struct trace_writer *writer = trace_writer_open(&options, why, sizeof why);
    int32_t members[] = {0, 1};
    struct trace_communicator world = {
        .key = 5, .name = "MPI_COMM_WORLD", .size = 2, .members = members};
    struct trace_site call = {
        .kind = TRACE_CALL, .line = 3, .region = TRACE_NONE, .function = "MPI_Send", .file = "a.c"};
    assert_non_null(writer);
    assert_int_equal(trace_writer_communicator(writer, &world), 0);
    assert_int_equal(trace_writer_site(writer, &call), 0);
    trace_writer_add(writer, &ends->send);
    trace_writer_add(writer, &ends->receive);
    assert_int_equal(trace_writer_close(writer, NULL, true, why, sizeof why), 0);
}

static int checked(const struct ends *ends, struct error *error) {
    char path[64];
    struct trace *trace;
    snprintf(path, sizeof path, "/tmp/test_trace_check.%ld", (long)getpid());
    write_trace(path, ends);
    int result = trace_open(&trace, path, error);
    if (result == 0) {
        result = trace_check(trace, error);
        trace_close(trace);
    }
    unlink(path);
    return result;
}

static struct ends whole(void) {
    return (struct ends){end_of_message(0, 0, 100, 200), end_of_message(1, 0, 50, 300)};
}

static void expect(const struct ends *ends, const char *text) {
    struct error error = {0};
    assert_int_equal(checked(ends, &error), -1);
    if (strstr(error.text, text) == NULL)
        fail_msg("'%s' instead of '%s'", error.text, text);
}

TEST(a_whole_one_holds) {
    struct ends ends = whole();
    struct error error = {0};
    if (checked(&ends, &error) != 0)
        fail_msg("%s", error.text);
}

TEST(no_message_is_received_before_it_is_sent) {
    struct ends ends = whole();
    ends.receive.end_ns = 99;
    expect(&ends, "rank 0 from 100 to 200 ns: its message is received before it is sent");
}

TEST(no_more_arrives_than_was_sent) {
    struct ends ends = whole();
    ends.receive.bytes = 9;
    expect(&ends, "more of its message is received than sent");
}

TEST(waiting_is_part_of_the_call) {
    struct ends ends = whole();
    ends.receive.waited_ns = 251;
    expect(&ends, "rank 1 from 50 to 300 ns: it waits longer than it takes");
}
