/* SPDX-License-Identifier: Apache-2.0
 *
 * Structure that recordings hide: grids of ranks without a topology, loops in loops of one frame,
 * iterations with calls below one child only. Programs recorded by hand on few ranks have to be
 * made right on more.
 */
#include "tests/unit/synthesis/recording_by_hand.h"

/* ---- A grid of rows and columns, which no topology tells of ---- */

#define DIRECTIONS 4
#define BLOCK 4

/* No balanced grid of 3 and of 6 ranks. */
static int columns_of(int ranks) {
    return ranks % 2 == 0 ? 2 : ranks % 3 == 0 ? 3 : 1;
}

static void split_grid(struct recorded_runs *runs, struct recorded_run *run, bool by_rows) {
    size_t ranks = (size_t)run->ranks;
    struct recorded_making making = {.making = SYNTH_SPLIT,
                                     .colours = ARENA_ARRAY(&runs->arena, long long, ranks),
                                     .keys = ARENA_ARRAY(&runs->arena, long long, ranks),
                                     .bits = ARENA_ARRAY(&runs->arena, long long, ranks)};
    for (int rank = 0; rank < run->ranks; rank++) {
        int row = rank / columns_of(run->ranks), column = rank % columns_of(run->ranks);
        making.colours[rank] = by_rows ? row : column;
        making.keys[rank] = by_rows ? column : row;
    }
    recorded_group_add(runs, run, &making);
}

/* In each iteration four beams go along the rows, every second one backwards, block by block of n
 * cells; who is whose turn sends along its column. */
static void record_beams(const struct recording_rank *at) {
    int columns = columns_of(at->run->ranks), column = at->rank % columns;
    int blocks = ((int)at->run->parameters[0] + BLOCK - 1) / BLOCK;
    for (int group = 2; group < 4; group++) {
        struct recorded_call *made = add(at, 0x300, 0x10 + (unsigned)group, SYNTH_Comm_split);
        made->made = (int16_t)group;
    }
    for (int i = 0; i < (int)at->run->parameters[1] * DIRECTIONS * blocks; i++) {
        int forward = i / blocks % 2 == 0, from = forward ? column - 1 : column + 1;
        if (from >= 0 && from < columns) {
            struct recorded_call *call = add(at, 0x400, 0x1, SYNTH_Recv);
            call->peer = from;
            call->group = 2;
            call->bytes = 8;
        }
        struct recorded_call *sent = add(at, 0x400, 0x2, SYNTH_Send);
        int to = forward ? column + 1 : column - 1;
        sent->peer = to >= 0 && to < columns ? to : SYNTH_NOBODY;
        sent->group = 2;
        sent->bytes = 8;
        struct recorded_call *told = add(at, 0x400, 0x3, SYNTH_Bcast);
        told->group = 3;
        told->peer = (i + 1) % (at->run->ranks / columns);
        told->bytes = 8;
    }
}

static void record_grid(struct recorded_runs *runs, int ranks, double n, double steps) {
    const double parameters[] = {n, steps, columns_of(ranks), BLOCK};
    struct recorded_run *run = recorded_run_add(runs, "run", ranks, parameters);
    split_grid(runs, run, true);
    split_grid(runs, run, false);
    for (int rank = 0; rank < ranks; rank++)
        record_beams(&(struct recording_rank){runs, run, rank});
}

/* Learns from the runs, makes another one, and holds it against how it was recorded. */
static void make_and_check(struct run_check *out, const struct recorded_runs *runs,
                           const struct recorded_runs *other, const double *parameters) {
    struct learned_program learned;
    struct synth_run made;
    struct error error = {0};
    char text[4096];
    const struct recorded_run *run = other->items.items[0];
    assert_int_equal(learned_program_make(&learned, runs, &error), 0);
    assert_int_equal(
        bsim_synth_run_make(&made, &learned.model, run->ranks, parameters, text, sizeof text), 0);
    run_check_make(out, &made, other, run);
    bsim_synth_run_dispose(&made);
    learned_program_dispose(&learned);
}

static void begin_grid(struct recorded_runs *runs) {
    begin(runs);
    runs->parameter_names[runs->parameter_count++] = "columns";
    runs->parameter_names[runs->parameter_count++] = "block";
}

TEST(rows_and_columns_are_found_and_loops_in_one_frame_are_told_apart) {
    static const int ranks[] = {1, 2, 4, 6, 9};
    const double target_of_grid[] = {24, 3, 3, BLOCK};
    struct recorded_runs runs, other;
    struct run_check result;
    begin_grid(&runs);
    for (int i = 0; i < 5; i++) {
        record_grid(&runs, ranks[i], 8, 1);
        record_grid(&runs, ranks[i], 12, 2);
        record_grid(&runs, ranks[i], 16, 1);
    }
    assert_true(recorded_runs_assume_grid(&runs));
    begin_grid(&other);
    record_grid(&other, 15, 24, 3);
    make_and_check(&result, &runs, &other, target_of_grid);
    assert_true(result.is_matched);
    assert_int_equal(result.identical, 15);
    assert_int_equal(result.peers, result.made);
    recorded_runs_dispose(&runs);
    recorded_runs_dispose(&other);
}

/* ---- Iterations that have calls below one child only ---- */

/* In turn each rank is the root of a broadcast, from another call; there is something else as long
 * as the rank has a turn left. */
static void record_turns(struct recorded_runs *runs, int ranks, double n, double steps) {
    const double parameters[] = {n, steps};
    struct recorded_run *run = recorded_run_add(runs, "run", ranks, parameters);
    for (int rank = 0; rank < ranks; rank++)
        for (int i = 0; i < (int)steps; i++) {
            const struct recording_rank at = {runs, run, rank};
            int next = i + 1 + (rank - i - 1 + ranks * (int)steps) % ranks;
            add(&at, 0x500, i % ranks == rank ? 0x1 : 0x2, SYNTH_Bcast)->peer = i % ranks;
            if (next < (int)steps)
                add(&at, 0x600, 0x3, SYNTH_Barrier)->group = 1;
        }
}

TEST(visits_that_follow_each_other_are_not_one) {
    const double five[] = {1, 9};
    struct recorded_runs runs, other;
    struct run_check result;
    begin(&runs);
    for (int ranks = 1; ranks <= 3; ranks++) {
        record_turns(&runs, ranks, 1, 5);
        record_turns(&runs, ranks, 1, 8);
    }
    begin(&other);
    record_turns(&other, 5, 1, 9);
    make_and_check(&result, &runs, &other, five);
    assert_int_equal(result.identical, 5);
    assert_true(result.is_matched);
    recorded_runs_dispose(&runs);
    recorded_runs_dispose(&other);
}
