/* SPDX-License-Identifier: Apache-2.0
 *
 * Views of runs whose answers are known by construction, to the last nanosecond.
 */
#include "built_run.h"

#include "analysis/views/critical_path.h"
#include "analysis/views/device_use.h"
#include "analysis/views/pair_matrix.h"
#include "analysis/views/rank_sums.h"
#include "analysis/views/replay.h"
#include "analysis/views/time_bins.h"
#include "analysis/views/wait_states.h"
#include "tests/unit/unit.h"

#include <math.h>
#include <stdlib.h>

/* ---- Wait states ---- */

/* Fails unless there is one kind of waiting, by so many calls, that long. */
static void expect_wait(struct run_view *run, enum wait_kind kind, uint64_t count,
                        int64_t waited_ns) {
    struct wait_states states;
    built_run_finish(run);
    wait_states_make(&states, run);
    for (int i = 0; i < WAIT_KIND_COUNT; i++) {
        assert_int_equal(states.kinds[i].count, i == (int)kind ? count : 0);
        assert_int_equal(states.kinds[i].waited_ns, i == (int)kind ? waited_ns : 0);
    }
    wait_states_dispose(&states);
    run_view_dispose(run);
}

TEST(test_late_sender) {
    struct run_view run;
    built_run_init(&run, 2);
    built_send(&run, 0, SITE_SEND, 700, 710, 1, 1, 8);
    built_receive(&run, 1, SITE_RECV, 100, 750, 1, 0);
    expect_wait(&run, WAIT_LATE_SENDER, 1, 600);
}

TEST(test_late_receiver) {
    struct run_view run;
    built_run_init(&run, 2);
    built_send(&run, 0, SITE_SEND, 100, 950, 1, 1, 8);
    built_receive(&run, 1, SITE_RECV, 903, 960, 1, 0);
    expect_wait(&run, WAIT_LATE_RECEIVER, 1, 803);
}

TEST(test_a_send_that_had_gone_waited_for_nobody) {
    struct run_view run;
    built_run_init(&run, 2);
    built_send(&run, 0, SITE_SEND, 100, 110, 1, 1, 8);
    built_receive(&run, 1, SITE_RECV, 903, 960, 1, 0);
    expect_wait(&run, WAIT_NONE, 0, 0);
}

TEST(test_waitall_waits_for_the_last_of_its_messages) {
    struct run_view run;
    built_run_init(&run, 3);
    built_send(&run, 0, SITE_ISEND, 400, 401, 1, 2, 8);
    built_send(&run, 1, SITE_ISEND, 650, 651, 2, 2, 8);
    built_receive(&run, 2, SITE_WAITALL, 300, 700, 1, 0);
    built_part(&run, true, 2, 1);
    expect_wait(&run, WAIT_LATE_SENDER, 1, 350);
}

/* What has no end of a message waits as the trace says: a probe for who sends, a completion for who
 * receives, a poll for nobody. */
TEST(test_waiting_without_a_message_is_as_told) {
    static const struct {
        enum built_site site;
        enum wait_kind kind;
    } rows[] = {{SITE_PROBE, WAIT_LATE_SENDER},
                {SITE_WAITALL, WAIT_LATE_RECEIVER},
                {SITE_IPROBE, WAIT_NONE},
                {SITE_RECV, WAIT_NONE}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct run_view run;
        bool waits = rows[i].kind != WAIT_NONE;
        built_run_init(&run, 1);
        built_call(&run, 0, rows[i].site, 10, 100);
        run.events.items[0].waited_ns = 60;
        expect_wait(&run, rows[i].kind, waits, waits ? 60 : 0);
    }
}

TEST(test_late_broadcast) {
    struct run_view run;
    built_run_init(&run, 3);
    built_collective(&run, 0, SITE_BCAST, 10, 120, 1, 1);
    built_collective(&run, 1, SITE_BCAST, 100, 130, 1, 1);
    built_collective(&run, 2, SITE_BCAST, 110, 130, 1, 1);
    expect_wait(&run, WAIT_LATE_BROADCAST, 1, 90);
}

TEST(test_early_reduce_ends_with_the_first_of_the_others) {
    struct run_view run;
    built_run_init(&run, 3);
    built_collective(&run, 0, SITE_REDUCE, 40, 300, 1, 0);
    built_collective(&run, 1, SITE_REDUCE, 117, 120, 1, 0);
    built_collective(&run, 2, SITE_REDUCE, 250, 260, 1, 0);
    expect_wait(&run, WAIT_EARLY_REDUCE, 1, 77);
}

TEST(test_wait_at_nxn) {
    struct run_view run;
    built_run_init(&run, 3);
    built_collective(&run, 0, SITE_ALLREDUCE, 40, 300, 1, -1);
    built_collective(&run, 1, SITE_ALLREDUCE, 117, 300, 1, -1);
    built_collective(&run, 2, SITE_ALLREDUCE, 250, 301, 1, -1);
    expect_wait(&run, WAIT_NXN, 2, 210 + 133);
}

TEST(test_wait_at_barrier) {
    struct run_view run;
    built_run_init(&run, 2);
    built_collective(&run, 0, SITE_BARRIER, 1000000007, 3000000011, 9, -1);
    built_collective(&run, 1, SITE_BARRIER, 3000000001, 3000000011, 9, -1);
    expect_wait(&run, WAIT_BARRIER, 1, 1999999994);
}

TEST(test_early_scan_waits_for_lower_ranks_only) {
    struct run_view run;
    built_run_init(&run, 3);
    built_collective(&run, 0, SITE_SCAN, 50, 60, 1, -1);
    built_collective(&run, 1, SITE_SCAN, 20, 70, 1, -1);
    built_collective(&run, 2, SITE_SCAN, 90, 99, 1, -1);
    expect_wait(&run, WAIT_EARLY_SCAN, 1, 30);
}

TEST(test_waiting_ends_with_the_call) {
    struct run_view run;
    built_run_init(&run, 2);
    built_send(&run, 0, SITE_SEND, 900, 910, 1, 1, 8);
    built_receive(&run, 1, SITE_RECV, 100, 150, 1, 0); /* clocks that disagree */
    expect_wait(&run, WAIT_LATE_SENDER, 1, 50);
}

TEST(test_ends_without_a_counterpart_wait_for_nobody) {
    struct run_view run;
    built_run_init(&run, 2);
    built_receive(&run, 1, SITE_RECV, 100, 150, 7, 0);
    built_collective(&run, 0, SITE_BCAST, 10, 120, 1, 1);
    built_receive(&run, 0, SITE_RECV, 200, 250, 8, 1);
    built_receive(&run, 0, SITE_RECV, 260, 270, 8, 1);
    expect_wait(&run, WAIT_NONE, 0, 0);
}

TEST(test_waits_are_told_by_site_rank_and_cause) {
    struct run_view run;
    struct wait_states states;
    built_run_init(&run, 3);
    built_collective(&run, 0, SITE_BARRIER, 0, 100, 1, -1);
    built_collective(&run, 1, SITE_BARRIER, 60, 100, 1, -1);
    built_collective(&run, 2, SITE_BARRIER, 90, 100, 1, -1);
    built_run_finish(&run);
    wait_states_make(&states, &run);
    assert_int_equal(states.ranks[0].waited_ns, 90);
    assert_int_equal(states.ranks[1].waited_ns, 30);
    assert_int_equal(states.ranks[2].waited_ns, 0);
    assert_int_equal(states.sites[SITE_BARRIER * WAIT_KIND_COUNT + WAIT_BARRIER].waited_ns, 120);
    assert_int_equal(states.caused_ns[2], 120);
    assert_int_equal(states.caused_ns[0] + states.caused_ns[1], 0);
    wait_states_dispose(&states);
    run_view_dispose(&run);
}

/* ---- A pipeline: rank 1 waits for rank 0, then both meet ----
 * rank 0: work 0-500, send 500-520, work 520-600, barrier 600-1015
 * rank 1: work 0-100, recv 100-540, solve 540-1000, barrier 1000-1015 */

static void build_pipeline(struct run_view *run) {
    built_run_init(run, 2);
    built_region(run, 0, SITE_WORK, 0, 500);
    built_send(run, 0, SITE_SEND, 500, 520, 1, 1, 1000);
    built_region(run, 0, SITE_WORK, 520, 600);
    built_collective(run, 0, SITE_BARRIER, 600, 1015, 1, -1);
    built_region(run, 1, SITE_WORK, 0, 100);
    built_receive(run, 1, SITE_RECV, 100, 540, 1, 0);
    built_region(run, 1, SITE_SOLVE, 540, 1000);
    built_collective(run, 1, SITE_BARRIER, 1000, 1015, 1, -1);
    built_run_finish(run);
}

static void expect_step(const struct critical_path *path, size_t number, int rank, uint32_t site,
                        int64_t begin_ns, int64_t end_ns) {
    assert_true(number < path->steps.count);
    const struct path_step *step = &path->steps.items[number];
    assert_int_equal(step->rank, rank);
    assert_int_equal(step->site, site);
    assert_int_equal(step->begin_ns, begin_ns);
    assert_int_equal(step->end_ns, end_ns);
}

TEST(test_critical_path_goes_where_others_wait) {
    struct run_view run;
    struct critical_path path;
    build_pipeline(&run);
    critical_path_make(&path, &run);
    assert_int_equal(path.steps.count, 4);
    expect_step(&path, 0, 0, SITE_WORK, 0, 500);
    expect_step(&path, 1, 1, SITE_RECV, 500, 540);
    expect_step(&path, 2, 1, SITE_SOLVE, 540, 1000);
    expect_step(&path, 3, 0, SITE_BARRIER, 1000, 1015); /* both end it at once */
    assert_int_equal(path.sites_ns[SITE_WORK], 500);
    assert_int_equal(path.ranks_ns[0] + path.ranks_ns[1], 1015);
    critical_path_dispose(&path);
    run_view_dispose(&run);
}

TEST(test_critical_path_tells_what_no_event_covers) {
    struct run_view run;
    struct critical_path path;
    built_run_init(&run, 1);
    built_region(&run, 0, SITE_WORK, 10, 20);
    built_region(&run, 0, SITE_WORK, 25, 40);
    built_run_finish(&run);
    critical_path_make(&path, &run);
    assert_int_equal(path.outside_ns, 5);
    assert_int_equal(path.sites_ns[SITE_WORK], 25);
    critical_path_dispose(&path);
    run_view_dispose(&run);
}

TEST(test_critical_path_ends_in_a_circle) {
    struct run_view run;
    struct critical_path path;
    int64_t end_ns;
    built_run_init(&run, 2);
    built_receive(&run, 0, SITE_RECV, 0, 100, 1, 1);
    built_send(&run, 0, SITE_SEND, 100, 100, 2, 1, 8);
    built_receive(&run, 1, SITE_RECV, 0, 100, 2, 0);
    built_send(&run, 1, SITE_SEND, 100, 100, 1, 0, 8);
    built_run_finish(&run);
    critical_path_make(&path, &run);
    assert_int_equal(path.ranks_ns[0] + path.ranks_ns[1], 100);
    critical_path_dispose(&path);
    assert_false(replay_end_ns(&end_ns, &run, SITE_WORK, 1));
    run_view_dispose(&run);
}

/* ---- Replay ---- */

static int64_t replayed(const struct run_view *run, enum built_site site, double factor) {
    int64_t end_ns = 0;
    assert_true(replay_end_ns(&end_ns, run, site, factor));
    return end_ns;
}

TEST(test_replay_without_a_change_is_the_run) {
    struct run_view run;
    build_pipeline(&run);
    assert_int_equal(replayed(&run, SITE_WORK, 1), 1015);
    run_view_dispose(&run);
}

/* Work is 500 of the path: 50 less of it, and rank 0's end is on no path. */
TEST(test_replay_gains_what_is_on_the_path) {
    struct run_view run;
    build_pipeline(&run);
    assert_int_equal(replayed(&run, SITE_WORK, 0.9), 965);
    assert_int_equal(replayed(&run, SITE_SOLVE, 0.9), 969);
    run_view_dispose(&run);
}

/* Without any solve rank 0's second piece of work is what rank 1 waits for. */
TEST(test_replay_gains_no_more_than_the_next_path_allows) {
    struct run_view run;
    build_pipeline(&run);
    assert_int_equal(replayed(&run, SITE_SOLVE, 0), 615);
    run_view_dispose(&run);
}

TEST(test_replay_waits_for_all_members_and_for_the_root) {
    struct run_view run;
    built_run_init(&run, 3);
    built_region(&run, 0, SITE_WORK, 0, 10);
    built_region(&run, 1, SITE_SOLVE, 0, 100);
    built_region(&run, 2, SITE_WORK, 0, 90);
    for (int rank = 0; rank < 3; rank++) {
        int64_t begin_ns = rank == 0 ? 10 : rank == 1 ? 100 : 90;
        built_collective(&run, rank, SITE_BCAST, begin_ns, rank == 1 ? 101 : 105, 1, 1);
        built_collective(&run, rank, SITE_ALLREDUCE, rank == 1 ? 101 : 105, 120, 2, -1);
    }
    built_run_finish(&run);
    assert_int_equal(replayed(&run, SITE_WORK, 0), 120);
    assert_int_equal(replayed(&run, SITE_SOLVE, 0.5), 110); /* then rank 2 comes last */
    run_view_dispose(&run);
}

TEST(test_replay_of_a_blocked_send_waits_for_the_receiver) {
    struct run_view run;
    built_run_init(&run, 2);
    built_send(&run, 0, SITE_SEND, 0, 1040, 1, 1, 8);
    built_region(&run, 1, SITE_WORK, 0, 1000);
    built_receive(&run, 1, SITE_RECV, 1000, 1040, 1, 0);
    built_run_finish(&run);
    assert_int_equal(replayed(&run, SITE_WORK, 0.9), 940);
    run_view_dispose(&run);
}

/* ---- POP ---- */

TEST(test_pop_metrics) {
    struct run_view run;
    struct rank_sums sums;
    build_pipeline(&run);
    rank_sums_make(&sums, &run);
    assert_int_equal(sums.ranks[0].computation_ns, 580);
    assert_int_equal(sums.ranks[1].computation_ns, 560);
    assert_int_equal(sums.ranks[0].mpi_ns, 435);
    assert_int_equal(sums.calls[SITE_WORK], 3);
    struct pop_metrics metrics = pop_metrics_of_sums(&sums, run_view_duration_ns(&run), 960e-9);
    assert_true(metrics.load_balance == 570 * 1e-9 / (580 * 1e-9));
    assert_true(metrics.communication == 580 * 1e-9 / (1015 * 1e-9));
    assert_true(metrics.serialisation == 580 * 1e-9 / 960e-9);
    assert_true(metrics.transfer == 960e-9 / (1015 * 1e-9));
    assert_true(metrics.parallel == 570 * 1e-9 / (1015 * 1e-9));
    assert_true(isnan(pop_metrics_of(1, 1, 1, NAN).transfer));
    rank_sums_dispose(&sums);
    run_view_dispose(&run);
}

TEST(test_the_reason_of_a_slow_rank_is_its_region_most_above_the_mean) {
    struct run_view run;
    struct rank_sums sums;
    built_run_init(&run, 2);
    built_region(&run, 0, SITE_WORK, 0, 100);
    built_region(&run, 0, SITE_SOLVE, 100, 180);
    built_region(&run, 1, SITE_WORK, 0, 90);
    built_region(&run, 1, SITE_SOLVE, 90, 110);
    built_run_finish(&run);
    rank_sums_make(&sums, &run);
    assert_int_equal(sums.ranks[0].reason, SITE_SOLVE);
    assert_int_equal(sums.ranks[0].excess_ns, 30);
    assert_int_equal(sums.ranks[1].reason, VIEW_NONE);
    rank_sums_dispose(&sums);
    run_view_dispose(&run);
}

/* ---- Pictures ---- */

TEST(test_a_cell_has_what_takes_most_of_it) {
    struct run_view run;
    unsigned char groups[SITE_COUNT];
    built_run_init(&run, 2);
    built_region(&run, 0, SITE_WORK, 0, 260);
    built_region(&run, 0, SITE_SOLVE, 260, 1000);
    built_region(&run, 1, SITE_WORK, 600, 601);
    built_run_finish(&run);
    for (int i = 0; i < SITE_COUNT; i++)
        groups[i] = (unsigned char)i;
    unsigned char *cells = time_bins_make(&run, groups, 5, 0, 1000);
    static const unsigned char expected[] = {1, 2, 2, 2, 2, 0, 0, 0, 0, 0};
    assert_memory_equal(cells, expected, sizeof expected);
    free(cells);
    run_view_dispose(&run);
}

TEST(test_sums_of_bins_have_all_of_each_activity) {
    struct run_view run;
    struct time_sums sums;
    unsigned char groups[SITE_COUNT];
    built_run_init(&run, 2);
    built_region(&run, 0, SITE_WORK, 0, 260);
    built_region(&run, 0, SITE_SOLVE, 260, 1000);
    built_region(&run, 1, SITE_WORK, 150, 250);
    built_send(&run, 1, SITE_SEND, 410, 430, 1, 0, 100);
    built_part(&run, false, 2, 0); /* as long, of the same call */
    built_run_finish(&run);
    for (int i = 0; i < SITE_COUNT; i++)
        groups[i] = (unsigned char)i;
    time_sums_make(&sums, &run, groups, 5, 0, 1000);
    static const double work[] = {250, 110, 0, 0, 0}, solve[] = {0, 140, 200, 200, 200};
    static const double sends[] = {0, 0, 20, 0, 0}, bytes[] = {0, 0, 200, 0, 0};
    assert_memory_equal(sums.ns + SITE_WORK * 5, work, sizeof work);
    assert_memory_equal(sums.ns + SITE_SOLVE * 5, solve, sizeof solve);
    assert_memory_equal(sums.ns + SITE_SEND * 5, sends, sizeof sends);
    assert_memory_equal(sums.bytes, bytes, sizeof bytes);
    assert_true(sums.messages[2] == 2 && sums.messages[1] == 0);
    time_sums_dispose(&sums);
    run_view_dispose(&run);
}

TEST(test_pairs_have_sums_and_blocks) {
    struct run_view run;
    struct pair_matrix matrix;
    built_run_init(&run, 5);
    built_send(&run, 4, SITE_SEND, 0, 1, 1, 0, 100);
    built_send(&run, 4, SITE_SEND, 1, 2, 2, 3, 7);
    built_send(&run, 4, SITE_SEND, 2, 3, 3, 0, 50);
    built_send(&run, 1, SITE_SENDRECV, 0, 1, 4, 2, 11);
    built_part(&run, true, 9, 2);
    built_run_finish(&run);
    pair_matrix_make(&matrix, &run, 3);
    assert_int_equal(matrix.pairs.count, 3);
    assert_int_equal(matrix.pairs.items[0].bytes, 150);
    assert_int_equal(matrix.pairs.items[0].messages, 2);
    assert_int_equal(matrix.messages, 4);
    assert_int_equal(matrix.size, 3);
    assert_true(matrix.bytes[2 * 3 + 0] == 150);
    assert_true(matrix.bytes[2 * 3 + 1] == 7);
    assert_true(matrix.bytes[0 * 3 + 1] == 11);
    pair_matrix_dispose(&matrix);
    run_view_dispose(&run);
}

TEST(test_events_that_cannot_be_are_refused) {
    struct run_view run;
    for (int wrong = 0; wrong < 3; wrong++) {
        struct error error = {0};
        built_run_init(&run, 2);
        built_region(&run, wrong == 0 ? 2 : 0, wrong == 1 ? SITE_COUNT : SITE_WORK, 5,
                     wrong == 2 ? 4 : 6);
        assert_int_equal(run_view_finish(&run, &error), -1);
        assert_true(error.set);
        run_view_dispose(&run);
    }
}

/* ---- Devices ---- */

static void add_operation(struct run_view *run, uint32_t site, int rank, int64_t begin_ns,
                          int64_t end_ns) {
    struct trace_event event = trace_event_of(0, site, begin_ns, end_ns);
    event.kind = TRACE_OPERATION;
    event.peer = rank;
    run_view_add_operation(run, &event);
}

/* One device with two lanes; the second lane overlaps the first one from 150 to 200. */
TEST(test_devices_and_what_ranks_do_meanwhile) {
    struct run_view run;
    struct device_use use;
    built_run_init(&run, 2);
    struct trace_site site = {.kind = TRACE_OPERATION, .function = "kernel k", .file = ""};
    uint32_t kernel = run_view_add_site(&run, &site);
    built_region(&run, 0, SITE_WORK, 0, 120);
    built_call(&run, 0, SITE_BARRIER, 120, 260);
    built_region(&run, 1, SITE_WORK, 0, 400);
    run_view_add_lane(&run, "device 0, engine 0", (struct trace_lane){0, 0});
    add_operation(&run, kernel, 0, 100, 200);
    add_operation(&run, kernel, 1, 200, 210);
    run_view_add_lane(&run, "device 0, engine 1", (struct trace_lane){0, 1});
    add_operation(&run, kernel, 0, 150, 250);
    built_run_finish(&run);
    device_use_make(&use, &run);
    assert_int_equal(use.lanes[0].operations, 2);
    assert_int_equal(use.lanes[0].busy_ns, 110);
    assert_int_equal(use.lanes[1].busy_ns, 100);
    assert_int_equal(use.device_count, 1);
    assert_int_equal(use.devices[0].busy_ns, 150);
    assert_int_equal(use.devices[0].several_ns, 60);
    assert_int_equal(use.ranks[0].under_way_ns, 150);
    assert_int_equal(use.ranks[0].computation_ns, 20);
    assert_int_equal(use.ranks[0].mpi_ns, 130);
    assert_int_equal(use.ranks[0].calls_ns, 0);
    assert_int_equal(use.ranks[1].under_way_ns, 10);
    assert_int_equal(use.ranks[1].computation_ns, 10);
    device_use_dispose(&use);
    run_view_dispose(&run);
}
