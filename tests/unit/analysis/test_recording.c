/* SPDX-License-Identifier: Apache-2.0
 *
 * Recordings: details and call paths that are written come out, from a file that is cut anywhere as
 * far as it is whole; and what is no sound recording, or not of the same program, is refused with
 * its reason.
 */
#include "analysis/recording/run_recording.h"
#include "analysis/writer/trace_format.h"
#include "analysis/writer/trace_writer.h"
#include "base/file.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EVENTS 20000 /* more than two blocks */

static char one[64], other[64];

static int setup(void **state) {
    snprintf(one, sizeof one, "/tmp/test_recording.%ld", (long)getpid());
    snprintf(other, sizeof other, "/tmp/test_recording.%ld.other", (long)getpid());
    return 0;
}

static int teardown(void **state) {
    struct error ignored = {0};
    directory_remove(one, &ignored);
    directory_remove(other, &ignored);
    return 0;
}

/* ---- Writing ---- */

static struct trace_event event_at(uint64_t number, uint32_t site, uint32_t frame) {
    struct trace_event event =
        trace_event_of(0, site, (int64_t)number * 100, (int64_t)number * 100 + 50);
    bool is_part = number % 5 == 4;
    event.kind = is_part ? TRACE_PART : TRACE_CALL;
    event.call_path = frame;
    event.cpu_ns = is_part ? 0 : 7 + (int64_t)number % 11;
    event.request = number % 3 == 0 ? 0 : number;
    event.count = (int64_t)number % 100;
    event.extent = 104;
    event.other_bytes = -(int64_t)number;
    event.made = number % 1000 == 999 ? 0 : TRACE_NONE;
    event.colour = number % 2 == 0 ? -1 : 3;
    event.key = -(int32_t)number;
    event.asked = TRACE_ASKED_ANY_TAG;
    return event;
}

/* The innermost of two frames. */
static uint32_t write_path(struct trace_writer *writer, const char *build_id) {
    struct trace_module module = {.name = "program", .build_id = build_id};
    struct trace_frame outer = {
        .module = trace_writer_module(writer, &module), .offset = 0x100, .function = "main"};
    struct trace_frame inner = {.parent = trace_writer_frame(writer, &outer),
                                .module = outer.module,
                                .offset = 0x200,
                                .function = ""};
    assert_int_equal(trace_writer_frame(writer, &outer), inner.parent);
    return trace_writer_frame(writer, &inner);
}

static void write_trace(const char *directory, const char *header, const char *build_id) {
    char path[96], why[256];
    int32_t members[] = {0};
    struct trace_communicator world = {
        .key = 1, .name = "MPI_COMM_WORLD", .size = 1, .members = members};
    struct trace_site site = {
        .kind = TRACE_CALL, .region = TRACE_NONE, .function = "MPI_Send", .file = "main+0x1"};
    snprintf(path, sizeof path, "%s/run.trace", directory);
    struct trace_writer_options options = {.path = path,
                                           .ranks = 1,
                                           .header = header,
                                           .has_details = strstr(header, "details") != NULL,
                                           .scope = TRACE_SCOPE_ALL};
    struct trace_writer *writer = trace_writer_open(&options, why, sizeof why);
    assert_non_null(writer);
    trace_writer_communicator(writer, &world);
    uint32_t number = trace_writer_site(writer, &site), frame = write_path(writer, build_id);
    for (uint64_t i = 0; i < EVENTS; i++) {
        struct trace_event event = event_at(i, number, frame);
        trace_writer_add(writer, &event);
    }
    assert_int_equal(trace_writer_close(writer, NULL, true, why, sizeof why), 0);
}

#define HEADER                                                                                     \
    "{\"ranks\":1,\"application\":\"program\",\"details\":true,\"run\":\"a\",\"cpu\":\"A\","       \
    "\"mpi\":\"M\"}"
#define FACTS(code)                                                                                \
    "{\"format\":\"mpiskel-recording\",\"version\":1,\"run\":\"a\",\"exit_code\":" code            \
    ",\"settings\":[{\"name\":\"n\",\"value\":\"4e2\"},{\"name\":\"mode\",\"value\":\"4x\"}]}"

static void write_recording(const char *directory, const char *facts, const char *header,
                            const char *build_id) {
    struct error error = {0};
    char path[96];
    assert_int_equal(directory_remove(directory, &error), 0);
    assert_int_equal(directory_make(directory, &error), 0);
    snprintf(path, sizeof path, "%s/recording.json", directory);
    assert_int_equal(file_write(path, facts, strlen(facts), &error), 0);
    if (header != NULL)
        write_trace(directory, header, build_id);
}

/* ---- What is written comes out ---- */

static void check_event(const struct trace_event *got, uint64_t number) {
    struct trace_event wanted = event_at(number, got->site, got->call_path);
    assert_int_equal(got->cpu_ns, wanted.cpu_ns);
    assert_int_equal(got->request, wanted.request);
    assert_int_equal(got->count, wanted.count);
    assert_int_equal(got->extent, wanted.extent);
    assert_int_equal(got->other_bytes, wanted.other_bytes);
    assert_int_equal(got->made, wanted.made);
    assert_int_equal(got->colour, wanted.colour);
    assert_int_equal(got->key, wanted.key);
    assert_int_equal(got->asked, wanted.asked);
}

static void check_path(const struct trace *trace, uint32_t number) {
    const struct trace_frame *inner = trace_frame(trace, number);
    const struct trace_frame *outer = trace_frame(trace, inner->parent);
    assert_int_equal(inner->offset, 0x200);
    assert_string_equal(outer->function, "main");
    assert_int_equal(outer->parent, 0);
    assert_string_equal(trace_module(trace, outer->module)->name, "program");
    assert_string_equal(trace_module(trace, outer->module)->build_id, "abc");
}

/* How many events there are. */
static uint64_t check_events(const struct trace *trace) {
    struct trace_cursor *cursor;
    struct trace_event event;
    struct error error = {0};
    uint64_t count = 0;
    if (trace_ranks(trace) == 0)
        return 0;
    assert_int_equal(trace_cursor_open(&cursor, trace, 0, TRACE_FROM_START, TRACE_TO_END, &error),
                     0);
    while (trace_cursor_next(&event, cursor, &error) == 1) {
        check_event(&event, count++);
        check_path(trace, event.call_path);
    }
    trace_cursor_close(cursor);
    return count;
}

TEST(details_and_paths_come_out_as_they_were_written) {
    struct run_recording *run;
    struct error error = {0};
    write_recording(one, FACTS("0"), HEADER, "abc");
    if (run_recording_open(&run, one, &error) != 0)
        fail_msg("%s", error.text);
    assert_int_equal(check_events(run_recording_trace(run)), EVENTS);
    assert_int_equal(run_recording_setting_count(run), 2);
    assert_true(run_recording_setting(run, 0)->is_number);
    assert_true(run_recording_setting(run, 0)->number == 400);
    assert_false(run_recording_setting(run, 1)->is_number);
    run_recording_close(run);
}

/* ---- Cut and refused ---- */

static void expect_refused(const char *wanted) {
    struct run_recording *run;
    struct error error = {0};
    assert_int_equal(run_recording_open(&run, one, &error), -1);
    if (strstr(error.text, wanted) == NULL)
        fail_msg("'%s' is not in: %s", wanted, error.text);
}

TEST(a_recording_that_is_cut_anywhere_is_read_up_to_there) {
    char path[96], *bytes = NULL;
    size_t length;
    struct error error = {0};
    uint64_t before = 0;
    write_recording(one, FACTS("0"), HEADER, "abc");
    snprintf(path, sizeof path, "%s/run.trace", one);
    assert_int_equal(file_read(&bytes, &length, path, &error), 0);
    for (size_t keep = 0; keep < length; keep += 1 + keep / 6) {
        struct run_recording *run;
        struct error why = {0};
        assert_int_equal(file_write(path, bytes, keep, &error), 0);
        if (run_recording_open_damaged(&run, one, &why) != 0)
            continue; /* no whole header */
        assert_non_null(run_recording_damage(run));
        uint64_t count = check_events(run_recording_trace(run));
        assert_true(count >= before);
        before = count;
        run_recording_close(run);
        expect_refused("truncated");
    }
    assert_true(before > 0);
    free(bytes);
}

TEST(what_is_no_sound_recording_is_refused_with_its_reason) {
    static const struct {
        const char *facts, *header, *wanted;
    } rows[] = {
        {"{\"format\":\"mpiskel-prediction\"}", NULL, "recording.json:1:1: error: this is not of"},
        {"{\"format\":\"mpiskel-recording\",\"version\":9}", NULL, "of another version"},
        {"{", NULL, "recording.json:1:"},
        {FACTS("null"), HEADER, "itself was ended before the run"},
        {FACTS("139"), HEADER,
         "exit code 139: 1 of 1 ranks are without MPI_Finalize: rank 0 with 20000 events, the last "
         "one MPI_Send at main+0x1"},
        {FACTS("0"), NULL, "there is no trace in the recording"},
        {FACTS("0"), "{\"ranks\":1,\"run\":\"a\"}", "no call paths"},
        {FACTS("0"), "{\"ranks\":1,\"details\":true,\"run\":\"b\"}", "not of this recording"},
        {"{\"format\":\"mpiskel-recording\",\"version\":1,\"settings\":[\n7]}", HEADER,
         "recording.json:2:1: error: a setting has a name"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        write_recording(one, rows[i].facts, rows[i].header, "abc");
        expect_refused(rows[i].wanted);
    }
    assert_int_equal(directory_remove(one, &(struct error){0}), 0);
    expect_refused("there is no recording; `mpiskel record -o");
}

/* `machine`: what is told of two machines. */
static void expect_not_same(const char *header, const char *build_id, const char *wanted,
                            const char *machine) {
    struct run_recording *runs[2];
    struct error error = {0};
    struct arena arena = {0};
    write_recording(one, FACTS("0"), HEADER, "abc");
    write_recording(other, FACTS("0"), header, build_id);
    assert_int_equal(run_recording_open(&runs[0], one, &error), 0);
    assert_int_equal(run_recording_open(&runs[1], other, &error), 0);
    int result = run_recording_check_same((const struct run_recording *const *)runs, 2, &error);
    assert_int_equal(result, wanted != NULL ? -1 : 0);
    if (wanted != NULL && strstr(error.text, wanted) == NULL)
        fail_msg("'%s' is not in: %s", wanted, error.text);
    const char *told =
        run_recording_other_machine(&arena, (const struct run_recording *const *)runs, 2);
    assert_int_equal(told != NULL, machine != NULL);
    if (told != NULL && strstr(told, machine) == NULL)
        fail_msg("'%s' is not in: %s", machine, told);
    run_recording_close(runs[0]);
    run_recording_close(runs[1]);
    arena_dispose(&arena);
}

TEST(recordings_of_two_programs_builds_or_machines_are_not_the_same) {
#define OTHER_HEADER(application, cpu, mpi)                                                        \
    "{\"ranks\":1,\"details\":true,\"run\":\"a\",\"application\":\"" application                   \
    "\",\"cpu\":\"" cpu "\",\"mpi\":\"" mpi "\"}"
    expect_not_same(HEADER, "abc", NULL, NULL);
    expect_not_same(HEADER, "abd", "program is of another build (abd) than in", NULL);
    expect_not_same(OTHER_HEADER("xhpl", "A", "M"), "abc", "one of xhpl", NULL);
    expect_not_same(OTHER_HEADER("program", "B", "M"), "abc", NULL, "with A, and");
    expect_not_same(OTHER_HEADER("program", "A", "MPICH"), "abc", NULL, "other with MPICH");
}

FIXTURE(setup, teardown)
