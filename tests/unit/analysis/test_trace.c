/* SPDX-License-Identifier: Apache-2.0
 *
 * What is written into a trace comes out of it: events and definitions, windows, chosen ranks,
 * samples; and files that are truncated at any place or damaged are read as far as they are whole.
 */
#include "analysis/trace/trace_reader.h"
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
    static const char *const windows[] = {"", "1", "2:1", "1:1", "a:b", "1:2x", "nan:", ":inf"};
    static const char *const ranks[] = {"", "-1", "3-1", "1,", "1 2", "99999999999", "0-9999999"};
    static const char *const every[] = {"", "0", "-2", "1.5", "x"};
    for (size_t i = 0; i < sizeof windows / sizeof *windows; i++)
        assert_int_equal(trace_settings_window(&settings, windows[i], why, sizeof why), -1);
    for (size_t i = 0; i < sizeof ranks / sizeof *ranks; i++)
        assert_int_equal(trace_settings_ranks(&settings, ranks[i], why, sizeof why), -1);
    for (size_t i = 0; i < sizeof every / sizeof *every; i++)
        assert_int_equal(trace_settings_every(&settings, every[i], why, sizeof why), -1);
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
