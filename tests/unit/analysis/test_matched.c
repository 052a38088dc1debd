/* SPDX-License-Identifier: Apache-2.0
 *
 * The analyses of examples/events on traces whose answers are known by construction, to the last
 * digit; and the order in which a trace gives its events.
 */
#include "analysis/events/result.h"
#include "analysis/events/view/data_view.h"
#include "analysis/matched/trace_source.h"
#include "analysis/writer/trace_format.h"
#include "analysis/writer/trace_id.h"
#include "analysis/writer/trace_writer.h"
#include "base/file.h"
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct known_trace {
    char path[64];
    struct trace_writer *writer;
    int32_t world;
    uint32_t region[3], send, receive, reduce, broadcast;
};

static uint32_t call(struct trace_writer *writer, const char *function, int32_t line) {
    struct trace_site site = {TRACE_CALL, line, TRACE_NONE, function, "known.c"};
    return trace_writer_site(writer, &site);
}

static void begin(struct known_trace *out, int32_t ranks) {
    static const int32_t members[] = {0, 1, 2, 3};
    char why[256];
    struct trace_writer_options options = {
        .path = out->path, .ranks = ranks, .scope = TRACE_SCOPE_ALL};
    struct str header = {0};
    str_printf(&header,
               "{\"format\": \"mpiskel-trace\", \"version\": 1, \"ranks\": %d, \"source\": "
               "\"simulated\", \"waits\": true, \"ideal_ns\": 1500}",
               (int)ranks);
    options.header = header.text;
    strcpy(out->path, "/tmp/known-XXXXXX");
    close(mkstemp(out->path));
    out->writer = trace_writer_open(&options, why, sizeof why);
    assert_non_null(out->writer);
    str_dispose(&header);
    struct trace_communicator world = {
        .key = trace_communicator_key(trace_members_hash(members, ranks), 0),
        .name = "MPI_COMM_WORLD",
        .size = ranks,
        .members = members};
    out->world = trace_writer_communicator(out->writer, &world);
    for (int32_t i = 0; i < 3; i++) {
        struct trace_site site = {TRACE_REGION, 10 * (i + 1), i, "work", "known.c"};
        out->region[i] = trace_writer_site(out->writer, &site);
    }
    out->send = call(out->writer, "MPI_Send", 100);
    out->receive = call(out->writer, "MPI_Recv", 110);
    out->reduce = call(out->writer, "MPI_Allreduce", 120);
    out->broadcast = call(out->writer, "MPI_Bcast", 130);
}

static void end(struct known_trace *trace) {
    char why[256];
    assert_int_equal(trace_writer_close(trace->writer, NULL, true, why, sizeof why), 0);
}

static void compute(struct known_trace *trace, int32_t rank, int region, int64_t from, int64_t to) {
    struct trace_event one = trace_event_of(rank, trace->region[region], from, to);
    one.kind = TRACE_REGION;
    trace_writer_add(trace->writer, &one);
}

static void message(struct known_trace *trace, int32_t rank, int32_t peer, bool sends, int64_t from,
                    int64_t to) {
    struct trace_event one = trace_event_of(rank, sends ? trace->send : trace->receive, from, to);
    one.peer = peer;
    one.tag = 5;
    one.bytes = 1000;
    one.communicator = trace->world;
    one.number = 1;
    one.direction = sends ? TRACE_SENDS : TRACE_RECEIVES;
    trace_writer_add(trace->writer, &one);
}

static void collective(struct known_trace *trace, int32_t rank, int32_t root, uint64_t number,
                       int64_t from, int64_t to) {
    struct trace_event one =
        trace_event_of(rank, root < 0 ? trace->reduce : trace->broadcast, from, to);
    one.communicator = trace->world;
    one.bytes = 8;
    one.root = root;
    one.number = number;
    one.collective = 1;
    one.waited_ns = 1;
    trace_writer_add(trace->writer, &one);
}

/* Rank 1 waits for the message of rank 0, all wait for rank 1 in the reduction, and rank 1 ends
 * last. In the broadcast ranks 1 and 2 wait for rank 0. */
static void write_known(struct known_trace *out) {
    begin(out, 3);
    compute(out, 0, 0, 0, 1000);
    message(out, 0, 1, true, 1000, 1010);
    collective(out, 0, TRACE_NONE, 1, 1010, 1600);
    compute(out, 0, 2, 1600, 1700);
    collective(out, 0, 0, 2, 1700, 1705);
    compute(out, 1, 0, 0, 300);
    message(out, 1, 0, false, 300, 1100);
    compute(out, 1, 1, 1100, 1500);
    collective(out, 1, TRACE_NONE, 1, 1500, 1600);
    compute(out, 1, 2, 1600, 1650);
    collective(out, 1, 0, 2, 1650, 1710);
    compute(out, 1, 2, 1710, 1900);
    compute(out, 2, 0, 0, 200);
    collective(out, 2, TRACE_NONE, 1, 200, 1600);
    collective(out, 2, 0, 2, 1600, 1710);
    end(out);
}

struct known_run {
    struct arena arena;
    struct event_source *source;
    struct script script;
    struct events_program program;
    char *text;
    size_t count;
};

static void run_text(struct known_run *out, const char *path, const char *text) {
    struct error error = {0};
    *out = (struct known_run){0};
    assert_int_equal(trace_source_open(&out->source, path, &error), 0);
    out->text = xstrdup(text);
    script_init(&out->script, "known", out->text, strlen(text));
    int result = expressions_load(&out->program, &out->arena, &out->script, out->source, NULL, 0);
    if (result == 0)
        result = expressions_run(&out->count, &out->program, out->source, &error);
    assert_string_equal(str_text(&out->script.messages), "");
    assert_int_equal(result, 0);
}

static void run_example(struct known_run *out, const char *path, const char *name) {
    struct error error = {0};
    struct arena arena = {0};
    char *text, *file = path_join(&arena, EXAMPLES "/events", name);
    size_t length;
    assert_int_equal(file_read(&text, &length, file, &error), 0);
    run_text(out, path, text);
    free(text);
    arena_dispose(&arena);
}

static void finish(struct known_run *run) {
    expressions_dispose(&run->program);
    script_dispose(&run->script);
    event_source_close(run->source);
    arena_dispose(&run->arena);
    free(run->text);
}

static long long whole(const struct known_run *run, const char *name) {
    return events_program_variable(&run->program, name)->value.i;
}

static double number(const struct known_run *run, const char *name) {
    return events_program_variable(&run->program, name)->value.f;
}

static long long element(const struct known_run *run, const char *name, long index) {
    return events_program_variable(&run->program, name)->array->values[index].i;
}

TEST(late_senders_are_exact) {
    struct known_run run;
    run_example(&run, *state, "late-sender.ev");
    assert_int_equal(element(&run, "late", 0), 0);
    assert_int_equal(element(&run, "late", 1), 700);
    assert_int_equal(element(&run, "pair", 0 * 3 + 1), 700);
    assert_int_equal(element(&run, "pair", 1 * 3 + 0), 0);
    assert_int_equal(element(&run, "place", 0), 700);
    finish(&run);
}

TEST(efficiencies_are_exact) {
    struct known_run run;
    run_example(&run, *state, "pop.ev");
    assert_true(number(&run, "load_balance") == (1100 + 940 + 200) / 3.0 / 1100);
    assert_true(number(&run, "communication_efficiency") == 1100.0 / 1900);
    assert_true(number(&run, "parallel_efficiency") == (1100 + 940 + 200) / 3.0 / 1900);
    assert_true(number(&run, "serialisation") == 1100.0 / 1500);
    assert_true(number(&run, "transfer") == 1500.0 / 1900);
    finish(&run);
}

TEST(the_critical_path_is_exact) {
    struct known_run run;
    run_example(&run, *state, "critical-path.ev");
    assert_int_equal(whole(&run, "longest"), 1);
    assert_int_equal(element(&run, "on_path", 0), 1000);      /* rank 0 until its message */
    assert_int_equal(element(&run, "on_path", 1), 400);       /* rank 1 until the reduction */
    assert_int_equal(element(&run, "on_path", 2), 100 + 190); /* rank 0, then rank 1 */
    assert_int_equal(whole(&run, "computation"), 1690);
    assert_true(number(&run, "share") == 1690.0 / 1900);
    finish(&run);
}

TEST(waits_at_collectives_are_exact) {
    struct known_run run;
    run_example(&run, *state, "collectives.ev");
    assert_int_equal(element(&run, "wait", 0), 490);
    assert_int_equal(element(&run, "wait", 1), 50);
    assert_int_equal(element(&run, "wait", 2), 1300 + 100);
    finish(&run);
}

TEST(shares_are_exact) {
    struct known_run run;
    run_example(&run, *state, "share.ev");
    long long sum = 0;
    for (long i = 0; i < 100; i++)
        sum += element(&run, "in_mpi", i);
    assert_int_equal(sum, 10 + 590 + 5 + 800 + 100 + 60 + 1400 + 110);
    finish(&run);
    run_example(&run, *state, "imbalance.ev");
    assert_true(number(&run, "imbalance") == 1100 / ((1100 + 940 + 200) / 3.0));
    assert_int_equal(whole(&run, "slowest"), 0);
    finish(&run);
}

TEST(all_examples_run_without_a_message) {
    static const char *const names[] = {"bandwidth.ev", "collectives.ev", "critical-path.ev",
                                        "imbalance.ev", "iterations.ev",  "late-sender.ev",
                                        "matrix.ev",    "outliers.ev",    "pop.ev",
                                        "share.ev",     "sizes.ev",       "under-way.ev"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct known_run run;
        run_example(&run, *state, names[i]);
        finish(&run);
    }
}

/* On a network that takes no time a chain of messages arrives at once: from rank 2 over 1 to 0. */
TEST(a_message_is_sent_before_it_is_received) {
    struct known_trace trace;
    struct known_run run;
    begin(&trace, 3);
    message(&trace, 0, 1, false, 0, 10);
    message(&trace, 1, 2, false, 4, 10);
    message(&trace, 1, 0, true, 10, 10);
    message(&trace, 2, 1, true, 10, 10);
    end(&trace);
    run_text(&run, trace.path,
             "int hops[3] int sent[] int lost\n"
             "sent[SEND.msg] = hops[SEND.rank] + 1 if (SEND);\n"
             "hops[RECV.rank] = sent[RECV.msg] if (RECV);\n"
             "lost = sum(RECV.send_t0 - RECV.t0);\n");
    assert_int_equal(element(&run, "hops", 0), 2);
    assert_int_equal(element(&run, "hops", 1), 1);
    assert_int_equal(whole(&run, "lost"), 16);
    finish(&run);
    unlink(trace.path);
}

TEST(numbers_of_messages_are_used_again) {
    struct known_trace trace;
    struct known_run run;
    begin(&trace, 3);
    message(&trace, 0, 1, true, 0, 10);
    message(&trace, 0, 2, true, 50, 60);
    message(&trace, 1, 0, false, 0, 20);
    message(&trace, 2, 0, false, 0, 70);
    for (int32_t rank = 0; rank < 3; rank++)
        for (int32_t i = 0; i < 2; i++)
            collective(&trace, rank, TRACE_NONE, (uint64_t)i + 1, 100 + 20 * i, 110 + 20 * i);
    end(&trace);
    run_text(&run, trace.path,
             "int message int collective int received\n"
             "message = max(SEND.msg);\n"
             "collective = max(ENTER.coll);\n"
             "received = count(RECV if RECV.msg == 0);\n");
    assert_int_equal(whole(&run, "message"), 0);
    assert_int_equal(whole(&run, "collective"), 0);
    assert_int_equal(whole(&run, "received"), 2);
    finish(&run);
    unlink(trace.path);
}

TEST(other_programs_get_all_values) {
    struct known_run run;
    result_list results;
    struct str out = {0};
    run_text(&run, *state,
             "output int late[2] output float nothing output string who output int m[string]\n"
             "late[0] = max(RECV.send_t0 - RECV.t0);\n"
             "who = RECV.function + \", \" + RECV.place;\n"
             "m[RECV.place] = RECV.bytes;\n");
    assert_int_equal(results_collect(&results, &run.program), 0);
    csv_view(&out, &results);
    assert_string_equal(out.text, "output,row,column,value,unit\n"
                                  "late,0,,700,ns\n"
                                  "late,1,,0,ns\n"
                                  "nothing,,,,\n"
                                  "who,,,\"MPI_Recv, known.c:110\",\n"
                                  "m,known.c:110,,1000,B\n");
    out.length = 0;
    json_view(&out, &results);
    assert_non_null(strstr(out.text, "\"values\": [\n        700,\n        0\n      ]"));
    assert_non_null(strstr(out.text, "\"value\": null"));
    out.length = 0;
    svg_view(&out, &results);
    assert_non_null(strstr(out.text, "</svg>"));
    str_dispose(&out);
    vec_dispose(&results);
    finish(&run);
}

static struct known_trace known;

static int setup(void **state) {
    write_known(&known);
    *state = known.path;
    return 0;
}

static int teardown(void **state) {
    return unlink(known.path);
}

FIXTURE(setup, teardown)
