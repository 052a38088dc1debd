/* SPDX-License-Identifier: Apache-2.0
 *
 * What is written into a trace comes out of it: events and definitions, windows, chosen ranks,
 * samples; blocks have the size that they should; and files that are truncated at any place or
 * damaged are read as far as they are whole.
 */
#include "analysis/trace/trace_reader.h"
#include "analysis/trace/trace_stretch.h"
#include "analysis/writer/trace_format.h"
#include "base/file.h"
#include "sample_trace.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define RANKS 4
#define ITERATIONS 3000 /* blocks of 8,192 events are full then */
#define PLACES 200

static char path[64], cut_path[64];

static int setup(void **state) {
    snprintf(path, sizeof path, "/tmp/test_trace.%ld", (long)getpid());
    snprintf(cut_path, sizeof cut_path, "/tmp/test_trace.%ld.cut", (long)getpid());
    return 0;
}

static int teardown(void **state) {
    unlink(path);
    unlink(cut_path);
    return 0;
}

static struct trace *open_trace(const char *name) {
    struct trace *trace;
    struct error error = {0};
    if (trace_open(&trace, name, &error) != 0)
        fail_msg("%s", error.text);
    return trace;
}

/* Events and parts of all ranks in the window; checks their order. */
static uint64_t merged(struct trace *trace, int64_t begin_ns, int64_t end_ns) {
    struct trace_merge *merge;
    struct trace_event event, last = {.begin_ns = INT64_MIN};
    struct error error = {0};
    uint64_t count = 0;
    int result;
    assert_int_equal(trace_merge_open(&merge, trace, begin_ns, end_ns, &error), 0);
    for (; (result = trace_merge_next(&event, merge, &error)) == 1; count++) {
        assert_true(event.begin_ns >= last.begin_ns);
        if (event.kind == TRACE_PART)
            assert_true(event.rank == last.rank && event.site == last.site &&
                        event.end_ns == last.end_ns);
        last = event;
    }
    if (result < 0)
        fail_msg("%s", error.text);
    trace_merge_close(merge);
    return count;
}

TEST(the_same_events_come_out) {
    sample_trace_write(path, RANKS, ITERATIONS, NULL);
    struct trace *trace = open_trace(path);
    struct trace_event event;
    struct error error = {0};
    assert_null(trace_damage(trace));
    assert_int_equal(trace_ranks(trace), RANKS);
    assert_int_equal(trace_site_count(trace), 5);
    assert_int_equal(trace_communicator_count(trace), 1);
    assert_int_equal(trace_communicator(trace, 0)->size, RANKS);
    assert_int_equal(trace_communicator(trace, 0)->members[2], 2);
    struct trace_cursor *cursor;
    assert_int_equal(trace_cursor_open(&cursor, trace, 1, TRACE_FROM_START, TRACE_TO_END, &error),
                     0);
    for (int i = 0; i < ITERATIONS; i++)
        for (int k = 0; k < 6; k++) { /* region, receive, send, wait, its part, collective */
            assert_int_equal(trace_cursor_next(&event, cursor, &error), 1);
            int place = k < 4 ? k : k - 1;
            assert_int_equal(event.begin_ns, i * SAMPLE_STEP_NS + place * 200 + 1);
            assert_int_equal(event.end_ns - event.begin_ns, 100 + place);
            assert_int_equal(event.kind, k == 0 ? TRACE_REGION : k == 4 ? TRACE_PART : TRACE_CALL);
            assert_int_equal(event.bytes, k == 0 ? 0 : k == 5 ? 8 : 8 * (i % 3 + 1));
            assert_int_equal(event.number, k == 0 ? 0 : i + 1);
            assert_int_equal(event.waited_ns, k == 1 || k == 4 ? i % 50 : 0);
            assert_int_equal(event.peer, k == 1 || k == 4 ? 0 : k == 2 || k == 3 ? 2 : TRACE_NONE);
            assert_int_equal(event.message != 0, k >= 1 && k <= 4);
            assert_int_equal(event.collective != 0, k == 5);
        }
    assert_int_equal(trace_cursor_next(&event, cursor, &error), 0);
    trace_cursor_close(cursor);
    trace_close(trace);
}

/* Each message's two ends have its id, and no others do. */
TEST(both_ends_of_a_message_have_its_id) {
    sample_trace_write(path, RANKS, 10, NULL);
    struct trace *trace = open_trace(path);
    struct trace_merge *merge;
    struct trace_event event;
    struct error error = {0};
    uint64_t sum = 0, sends = 0, receives = 0;
    assert_int_equal(trace_merge_open(&merge, trace, TRACE_FROM_START, TRACE_TO_END, &error), 0);
    while (trace_merge_next(&event, merge, &error) == 1)
        if (event.message != 0) {
            sends += event.direction == TRACE_SENDS;
            receives += event.direction == TRACE_RECEIVES;
            sum += event.direction == TRACE_SENDS ? event.message : -event.message;
        }
    trace_merge_close(merge);
    assert_int_equal(sends, 10 * (RANKS - 1) + 10 * RANKS);
    assert_int_equal(receives, sends);
    assert_int_equal(sum, 0);
    assert_int_equal(trace_counts(trace)->sends, sends);
    assert_int_equal(trace_counts(trace)->received_bytes, trace_counts(trace)->sent_bytes);
    trace_close(trace);
}

TEST(ranks_are_merged_by_time) {
    sample_trace_write(path, RANKS, ITERATIONS, NULL);
    struct trace *trace = open_trace(path);
    const struct trace_counts *counts = trace_counts(trace);
    uint64_t all = (uint64_t)ITERATIONS * (5 * RANKS - 2 + RANKS);
    assert_int_equal(merged(trace, TRACE_FROM_START, TRACE_TO_END), all);
    assert_int_equal(counts->events + counts->parts, all);
    assert_int_equal(trace_stored_events(trace), all);
    /* Iterations 10 to 19; all that they have begins and ends in them. */
    assert_int_equal(merged(trace, 10 * SAMPLE_STEP_NS, 20 * SAMPLE_STEP_NS),
                     10 * (5 * RANKS - 2 + RANKS));
    trace_close(trace);
}

TEST(only_what_settings_ask_for_is_written) {
    struct trace_settings settings;
    char why[128];
    trace_settings_init(&settings);
    assert_int_equal(trace_settings_ranks(&settings, "1,3-9", why, sizeof why), 0);
    assert_int_equal(trace_settings_window(&settings, "10e-6:20e-6", why, sizeof why), 0);
    sample_trace_write(path, RANKS, 100, &settings);
    struct trace *trace = open_trace(path);
    assert_int_equal(merged(trace, TRACE_FROM_START, TRACE_TO_END), 10 * (6 + 5));
    trace_close(trace);
}

/* Messages and collectives as a whole: those whose number is 1, 11, 21... */
TEST(a_sample_keeps_both_ends) {
    struct trace_settings settings;
    char why[128];
    trace_settings_init(&settings);
    assert_int_equal(trace_settings_every(&settings, "10", why, sizeof why), 0);
    sample_trace_write(path, RANKS, 100, &settings);
    struct trace *trace = open_trace(path);
    assert_int_equal(trace_counts(trace)->sends, 10 * (RANKS - 1) + 10 * RANKS);
    assert_int_equal(trace_counts(trace)->receives, trace_counts(trace)->sends);
    assert_int_equal(trace_counts(trace)->regions, 10 * RANKS);
    trace_close(trace);
}

TEST(wrong_settings_are_refused) {
    struct trace_settings settings;
    char why[128];
    trace_settings_init(&settings);
    static const char *const windows[] = {"",     "1",    "2:1",  "1:1",   "a:b",
                                          "1:2x", "nan:", ":inf", "1e10:", ":9.1e9"};
    static const char *const ranks[] = {"", "-1", "3-1", "1,", "1 2", "99999999999", "0-9999999"};
    static const char *const every[] = {"", "0", "-2", "1.5", "x"};
    for (size_t i = 0; i < sizeof windows / sizeof *windows; i++)
        assert_int_equal(trace_settings_window(&settings, windows[i], why, sizeof why), -1);
    for (size_t i = 0; i < sizeof ranks / sizeof *ranks; i++)
        assert_int_equal(trace_settings_ranks(&settings, ranks[i], why, sizeof why), -1);
    for (size_t i = 0; i < sizeof every / sizeof *every; i++)
        assert_int_equal(trace_settings_every(&settings, every[i], why, sizeof why), -1);
    assert_int_equal(trace_settings_window(&settings, "-9e9:9e9", why, sizeof why), 0);
    assert_true(settings.begin_ns == -settings.end_ns && settings.end_ns == 9000000000000000000);
}

/* ---- Blocks ---- */

/* Records of a type and a rank, without what reads a trace. *out_events: the most that one but the
 * last has. */
static int count_records(uint32_t *out_events, enum trace_record_type type, int32_t rank) {
    struct trace_record record;
    struct error error = {0};
    char *text;
    size_t length;
    int count = 0;
    uint32_t last = 0;
    *out_events = 0;
    assert_fine(file_read(&text, &length, path, &error), &error);
    for (size_t at = TRACE_MAGIC_BYTES; at < length; at += sizeof record + record.packed) {
        memcpy(&record, text + at, sizeof record);
        assert_int_equal(record.magic, TRACE_RECORD_MAGIC);
        if (record.type != type || record.rank != rank)
            continue;
        *out_events = last > *out_events ? last : *out_events;
        last = record.count;
        count++;
    }
    free(text);
    return count;
}

/* As `ranks` ranks, of which one has events. */
static struct trace_writer *open_writer(int32_t ranks) {
    static const char header[] = "{\"format\":\"mpiskel-trace\",\"version\":1,\"ranks\":1}";
    struct trace_writer_options options = {
        .path = path, .ranks = ranks, .header = header, .scope = TRACE_SCOPE_ALL};
    struct trace_site site = {
        .kind = TRACE_REGION, .region = TRACE_NONE, .function = "f", .file = "a.c"};
    char why[256];
    struct trace_writer *writer = trace_writer_open(&options, why, sizeof why);
    assert_non_null(writer);
    assert_int_equal(trace_writer_site(writer, &site), 0);
    return writer;
}

static void add_event(struct trace_writer *writer, int i) {
    struct trace_event event = trace_event_of(0, 0, (int64_t)i * 10, (int64_t)i * 10 + 5);
    event.kind = TRACE_REGION;
    trace_writer_add(writer, &event);
}

static void close_writer(struct trace_writer *writer) {
    char why[256];
    assert_int_equal(trace_writer_close(writer, NULL, true, why, sizeof why), 0);
}

/* Buffers of many ranks together have the size of those of a few. */
TEST(blocks_have_8192_events_and_1024_where_ranks_are_many) {
    static const struct {
        int32_t ranks;
        uint32_t events;
    } rows[] = {{1, 8192}, {2, 8192}, {2047, 8192}, {2048, 1024}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct trace_writer *writer = open_writer(rows[i].ranks);
        uint32_t events;
        for (int k = 0; k < 20000; k++)
            add_event(writer, k);
        close_writer(writer);
        int blocks = count_records(&events, TRACE_RECORD_EVENTS, 0);
        assert_int_equal(events, rows[i].events);
        assert_int_equal(blocks, (20000 + rows[i].events - 1) / rows[i].events);
    }
}

/* What waits is lost if the process dies. */
TEST(no_more_than_16384_events_wait_to_be_sorted_by_rank) {
    struct trace_writer *writer = open_writer(2);
    uint32_t events;
    for (int i = 0; i < 16384; i++)
        add_event(writer, i);
    assert_int_equal(count_records(&events, TRACE_RECORD_EVENTS, 0), 0);
    add_event(writer, 16384);
    assert_int_equal(count_records(&events, TRACE_RECORD_EVENTS, 0), 1);
    close_writer(writer);
}

TEST(an_index_of_more_than_4096_blocks_is_read_whole) {
    struct trace_writer *writer = open_writer(1);
    uint32_t entries;
    for (int i = 0; i < 5000; i++) {
        add_event(writer, i);
        trace_writer_flush(writer);
    }
    close_writer(writer);
    assert_int_equal(count_records(&entries, TRACE_RECORD_INDEX, TRACE_SCOPE_ALL), 2);
    assert_int_equal(entries, 4096);
    struct trace *trace = open_trace(path);
    assert_null(trace_damage(trace));
    assert_int_equal(merged(trace, TRACE_FROM_START, TRACE_TO_END), 5000);
    trace_close(trace);
}

/* ---- Stretches ---- */

static void expect_stretch(const struct trace *trace, const struct trace_stretch_places *places,
                           int ranks, int executions, double seconds) {
    struct trace_stretch stretch;
    struct error error = {0};
    assert_fine(trace_stretch_make(&stretch, trace, places, &error), &error);
    assert_int_equal(stretch.ranks, ranks);
    assert_int_equal(stretch.executions, ranks * executions);
    assert_within(stretch.least_s, seconds, 1e-9);
    assert_within(stretch.mean_s, seconds, 1e-9);
    assert_within(stretch.most_s, seconds, 1e-9);
}

/* The sites of a sample: region, MPI_Recv, MPI_Send, MPI_Waitall, MPI_Allreduce. */
TEST(a_stretch_begins_behind_its_first_place_and_ends_before_its_second) {
    static const struct trace_stretch_places from_wait_to_send[5] = {
        [2] = {.ends = true}, [3] = {.begins = true}};
    static const struct trace_stretch_places region[5] = {[0] = {true, true}};
    sample_trace_write(path, RANKS, 10, NULL);
    struct trace *trace = open_trace(path);
    /* The first send has no wait before it, the last rank sends nothing. */
    expect_stretch(trace, from_wait_to_send, RANKS - 1, 9, 9 * 697e-9);
    expect_stretch(trace, region, RANKS, 10, 10 * 100e-9);
    trace_close(trace);
}

/* ---- Damaged files ---- */

/* Events that can be read. The file may be refused, but only if it has no whole header. */
static uint64_t readable(bool *told, const char *name) {
    struct trace *trace;
    struct trace_merge *merge;
    struct trace_event event;
    struct error error = {0};
    uint64_t count = 0;
    *told = true;
    if (trace_open(&trace, name, &error) != 0)
        return 0;
    *told = trace_damage(trace) != NULL;
    if (trace_merge_open(&merge, trace, TRACE_FROM_START, TRACE_TO_END, &error) == 0) {
        int result;
        while ((result = trace_merge_next(&event, merge, &error)) == 1)
            count++;
        *told = *told || result < 0;
        trace_merge_close(merge);
    } else {
        *told = true;
    }
    trace_close(trace);
    return count;
}

TEST(truncated_files_are_read_up_to_there) {
    struct error error = {0};
    char *text;
    size_t length;
    uint64_t last = 0;
    sample_trace_write(path, RANKS, ITERATIONS, NULL);
    assert_int_equal(file_read(&text, &length, path, &error), 0);
    for (size_t i = 0; i <= PLACES; i++) {
        bool told;
        size_t end = length * i / PLACES;
        assert_int_equal(file_write(cut_path, text, end, &error), 0);
        uint64_t count = readable(&told, cut_path);
        assert_true(count >= last); /* the longer, the more */
        assert_int_equal(told, end < length);
        last = count;
    }
    assert_int_equal(last, (uint64_t)ITERATIONS * (5 * RANKS - 2 + RANKS));
    free(text);
}

/* Each byte in turn is another one: nothing else may come out than before, or it is said. */
TEST(damaged_bytes_are_found) {
    struct error error = {0};
    char *text;
    size_t length;
    bool told;
    sample_trace_write(path, 2, 4, NULL);
    uint64_t all = readable(&told, path);
    assert_false(told);
    assert_int_equal(file_read(&text, &length, path, &error), 0);
    for (size_t i = 0; i < length; i++) {
        text[i] ^= 0x41;
        assert_int_equal(file_write(cut_path, text, length, &error), 0);
        uint64_t count = readable(&told, cut_path);
        text[i] ^= 0x41;
        assert_true(told || count == all);
    }
    free(text);
}

FIXTURE(setup, teardown)
