/* SPDX-License-Identifier: Apache-2.0
 *
 * A program whose calls are known for any number of ranks, recorded by construction on 1, 2 and 4
 * ranks: its model has to make them on 7. The same model as text, damaged, and too far away; calls
 * that do not fit together.
 *
 * The program: ranks in a line, n cells each. In each of `steps` steps both neighbours' cells are
 * received, then both sent, for each of three fields; then all is waited for, and in every step but
 * the first there is a sum.
 */
#include "synthesis/compare/ambiguity.h"
#include "synthesis/compare/sequence_distance.h"
#include "synthesis/compare/small_runs.h"
#include "tests/unit/synthesis/recording_by_hand.h"

#define FIELDS 3

static void add_message(const struct recording_rank *at, unsigned offset, int call, int distance,
                        int tag) {
    int peer = at->rank + distance;
    struct recorded_call *one = add(at, 0x100, offset, call);
    one->peer = peer < at->run->ranks ? peer : SYNTH_NOBODY;
    one->bytes = 8 * (long long)at->run->parameters[0];
    one->tag = tag;
}

static void record_rank(const struct recording_rank *at) {
    add(at, 0x100, 0x7, SYNTH_Waitall)->completes_all = true; /* of none */
    for (int step = 0; step < (int)at->run->parameters[1]; step++) {
        for (int field = 0; field < FIELDS; field++) {
            add_message(at, 0x1, SYNTH_Irecv, -1, 5);
            add_message(at, 0x2, SYNTH_Irecv, 1, 6);
        }
        for (int field = 0; field < FIELDS; field++) {
            add_message(at, 0x3, SYNTH_Isend, -1, 6);
            add_message(at, 0x4, SYNTH_Isend, 1, 5);
        }
        add(at, 0x100, 0x5, SYNTH_Waitall)->completes_all = true;
        if (step > 0)
            add(at, 0x100, 0x6, SYNTH_Allreduce)->bytes = 8;
    }
}

static void record(struct recorded_runs *runs, int ranks, double n, double steps) {
    const double parameters[] = {n, steps};
    struct recorded_run *run = recorded_run_add(runs, "run", ranks, parameters);
    for (int rank = 0; rank < ranks; rank++)
        record_rank(&(struct recording_rank){runs, run, rank});
}

struct known_program {
    struct recorded_runs runs, other;
    struct learned_program learned;
};

static int set_up(void **state) {
    struct known_program *known = calloc(1, sizeof *known);
    struct error error = {0};
    begin(&known->runs);
    for (int ranks = 1; ranks <= 4; ranks *= 2) {
        record(&known->runs, ranks, 10, 4);
        record(&known->runs, ranks, 16, 7);
    }
    begin(&known->other);
    record(&known->other, 7, 24, 9);
    *state = known;
    return learned_program_make(&known->learned, &known->runs, &error);
}

static int tear_down(void **state) {
    struct known_program *known = *state;
    learned_program_dispose(&known->learned);
    recorded_runs_dispose(&known->runs);
    recorded_runs_dispose(&known->other);
    free(known);
    return 0;
}

static const double target[] = {24, 9};

static void make(struct synth_run *out, const struct synth_model *model) {
    char text[4096];
    assert_int_equal(bsim_synth_run_make(out, model, 7, target, text, sizeof text), 0);
}

static void check(struct run_check *out, struct known_program *known,
                  const struct synth_model *model) {
    struct synth_run run;
    make(&run, model);
    run_check_make(out, &run, &known->other, known->other.items.items[0]);
    bsim_synth_run_dispose(&run);
}

static void assert_right(const struct run_check *result) {
    assert_true(result->is_matched);
    assert_int_equal(result->identical, 7);
    assert_int_equal(result->distance, 0);
    assert_int_equal(result->made, 7 * (1 + 9 * (4 * FIELDS + 1) + 8));
    assert_int_equal(result->peers, result->made);
    assert_int_equal(result->sizes, result->made);
    assert_int_equal(result->tags, result->made);
    assert_true(result->bytes == result->made_bytes);
}

TEST(makes_the_calls_of_more_ranks) {
    struct known_program *known = *state;
    struct run_check result;
    check(&result, known, &known->learned.model);
    assert_right(&result);
}

TEST(every_value_is_told_exactly) {
    const struct known_program *known = *state;
    assert_int_equal(known->learned.misplaced, 0);
    for (int kind = 0; kind < LEARNED_KINDS; kind++)
        assert_int_equal(known->learned.counts[kind].inexact, 0);
}

/* Of the first field and of the second one. */
TEST(what_is_computed_in_a_loop_is_another_region) {
    const struct known_program *known = *state;
    struct synth_run run;
    make(&run, &known->learned.model);
    const struct synth_action *calls = run.ranks[3].items;
    assert_ptr_equal(calls[1].node, calls[3].node);
    assert_int_not_equal(calls[1].region, calls[3].region);
    assert_int_equal(calls[3].region, calls[5].region);
    bsim_synth_run_dispose(&run);
}

static size_t inner_loops(const struct program_tree *tree) {
    size_t count = 0;
    for (size_t i = 0; i < tree->nodes.count; i++)
        count += tree->nodes.items[i].is_inner_loop;
    return count;
}

TEST(loops_over_fields_are_loops_in_the_loop_over_steps) {
    const struct known_program *known = *state;
    assert_int_equal(inner_loops(&known->learned.tree), 2);
}

static char *as_text(size_t *length, const struct synth_model *model) {
    char *text = NULL;
    FILE *out = open_memstream(&text, length);
    bsim_synth_model_write(out, model);
    fclose(out);
    return text;
}

TEST(a_model_is_the_same_as_text) {
    struct known_program *known = *state;
    struct synth_model *model;
    struct run_check result;
    char problem[1024];
    size_t length, again_length;
    char *text = as_text(&length, &known->learned.model);
    assert_int_equal(bsim_synth_model_read(&model, text, length, "text", problem, sizeof problem),
                     0);
    char *again = as_text(&again_length, model);
    assert_string_equal(again, text);
    check(&result, known, model);
    assert_right(&result);
    bsim_synth_model_free(model);
    free(again);
    free(text);
}

TEST(a_truncated_model_is_refused) {
    struct known_program *known = *state;
    struct synth_model *model;
    char problem[1024];
    size_t length;
    char *text = as_text(&length, &known->learned.model);
    size_t whole = length - strlen("end\n"); /* all but the last word is refused, too */
    for (size_t shorter = whole % 7; shorter <= whole; shorter += 7) {
        assert_int_equal(
            bsim_synth_model_read(&model, text, shorter, "text", problem, sizeof problem), -1);
        assert_non_null(strstr(problem, "synthesize again"));
    }
    free(text);
}

/* Of numbers others, of words others: no crash, whatever comes. */
TEST(a_damaged_model_does_no_harm) {
    struct known_program *known = *state;
    char problem[4096];
    size_t length;
    char *text = as_text(&length, &known->learned.model);
    for (size_t at = 0; at < length; at += 5) {
        struct synth_model *model;
        char before = text[at];
        text[at] = before == '0' ? '9' : '0';
        if (bsim_synth_model_read(&model, text, length, "text", problem, sizeof problem) == 0) {
            struct synth_run run;
            if (bsim_synth_run_make(&run, model, 3, target, problem, sizeof problem) == 0)
                bsim_synth_run_match(&run, problem, sizeof problem);
            bsim_synth_run_dispose(&run);
            bsim_synth_model_free(model);
        }
        text[at] = before;
    }
    free(text);
}

static struct synth_action *first_of(struct synth_run *run, int rank, int call) {
    size_t i = 0;
    while (run->ranks[rank].items[i].node->call != call)
        i++;
    return &run->ranks[rank].items[i];
}

static void assert_unmatched(struct known_program *known, int call, int peer, int completes,
                             const char *what) {
    struct synth_run run;
    char problem[4096] = "";
    make(&run, &known->learned.model);
    struct synth_action *action = first_of(&run, 3, call);
    action->peer = peer;
    action->completes = completes;
    assert_int_equal(bsim_synth_run_match(&run, problem, sizeof problem), -1);
    assert_non_null(strstr(problem, what));
    assert_non_null(strstr(problem, "app+0x10 > app+0x"));
    bsim_synth_run_dispose(&run);
}

/* So many channels that their table grows while it is used. */
TEST(calls_of_many_ranks_are_matched) {
    struct known_program *known = *state;
    struct synth_run run;
    char problem[4096] = "";
    assert_int_equal(
        bsim_synth_run_make(&run, &known->learned.model, 200, target, problem, sizeof problem), 0);
    assert_int_equal(bsim_synth_run_match(&run, problem, sizeof problem), 0);
    bsim_synth_run_dispose(&run);
}

TEST(calls_that_do_not_fit_together_are_refused) {
    assert_unmatched(*state, SYNTH_Irecv, 6, 0, "of rank 3 (communicator 0, peer 6, tag 5");
    assert_unmatched(*state, SYNTH_Irecv, 6, 0, "is never sent anything");
    assert_unmatched(*state, SYNTH_Isend, SYNTH_NOBODY, 0, "is never sent anything");
}

TEST(a_message_too_many_is_refused) {
    struct known_program *known = *state;
    struct synth_run run;
    char problem[4096] = "";
    make(&run, &known->learned.model);
    first_of(&run, 0, SYNTH_Isend)->peer = 5;
    assert_int_equal(bsim_synth_run_match(&run, problem, sizeof problem), -1);
    assert_non_null(strstr(problem, "is never received"));
    bsim_synth_run_dispose(&run);
}

TEST(what_is_too_far_away_is_refused) {
    const struct known_program *known = *state;
    const double far[] = {161, 9};
    char problem[1024] = "";
    const struct synth_model *model = &known->learned.model;
    assert_int_equal(bsim_synth_range_check(model, 40, target, problem, sizeof problem), 0);
    assert_int_equal(bsim_synth_range_check(model, 41, target, problem, sizeof problem), -1);
    assert_non_null(strstr(problem, "ranks = 41"));
    assert_int_equal(bsim_synth_range_check(model, 7, far, problem, sizeof problem), -1);
    assert_non_null(strstr(problem, "n = 161"));
}

/* n is ten times the ranks in all runs: which of both a size goes by cannot be known. */
static void learn_confounded(struct recorded_runs *runs, struct learned_program *learned,
                             bool is_decided) {
    struct error error = {0};
    begin(runs);
    for (int ranks = 1; ranks <= 4; ranks *= 2)
        record(runs, ranks, 10 * ranks, 4 + ranks);
    if (is_decided)
        record(runs, 3, 70, 5);
    assert_int_equal(learned_program_make(learned, runs, &error), 0);
}

static size_t ambiguous_sizes(int *decided_by, bool is_decided) {
    struct recorded_runs runs;
    struct learned_program learned;
    ambiguity_list found = {0};
    struct error error = {0};
    size_t sizes = 0;
    learn_confounded(&runs, &learned, is_decided);
    assert_int_equal(ambiguities_find(&found, &learned.model, 7, target, &error), 0);
    ambiguities_decide(&found, &learned.model, &runs, 7);
    for (size_t i = 0; i < found.count; i++) {
        sizes += strcmp(found.items[i].what, "size") == 0;
        *decided_by = found.items[i].decided_by;
    }
    vec_dispose(&found);
    learned_program_dispose(&learned);
    recorded_runs_dispose(&runs);
    return sizes;
}

TEST(what_runs_do_not_tell_apart_is_ambiguous) {
    int decided_by = 0;
    assert_int_equal(ambiguous_sizes(&decided_by, false), 2);
    assert_int_equal(decided_by, 1);
    assert_int_equal(ambiguous_sizes(&decided_by, true), 0);
}

/* Rows and columns of 2 and 4 ranks were recorded, but for 1 by 4 and 2 by 2. */
TEST(runs_that_decide_keep_to_the_grid_and_were_not_recorded) {
    static const double grids[][3] = {{5, 1, 2}, {5, 2, 1}, {5, 4, 1}};
    static const double expected[][3] = {{10, 2, 1}, {10, 1, 2}, {5, 2, 2}};
    struct recorded_runs runs;
    struct small_run run = {0};
    recorded_runs_init(&runs);
    runs.parameter_count = 3;
    for (int i = 0; i < 3; i++)
        recorded_run_add(&runs, "run", (int)(grids[i][1] * grids[i][2]), grids[i]);
    for (int i = 0, seen = 0; i < 3; seen++) {
        assert_true(small_run_next(&run, &runs, 4));
        assert_true(run.parameters[1] * run.parameters[2] == run.ranks);
        for (int k = 0; k < 3; k++)
            assert_memory_not_equal(run.parameters, grids[k], sizeof grids[k]);
        assert_true(seen < 30);
        i += memcmp(run.parameters, expected[i], sizeof expected[i]) == 0;
    }
    while (small_run_next(&run, &runs, 4))
        assert_true(run.ranks <= 4);
    recorded_runs_dispose(&runs);
}

/* A program that was recorded on 1 and 8 ranks may take cubes only. */
TEST(after_cubes_of_ranks_the_next_cube_decides) {
    static const double size = 8;
    struct recorded_runs runs;
    struct small_run run = {0};
    int most = 0;
    recorded_runs_init(&runs);
    runs.parameter_count = 1;
    recorded_run_add(&runs, "run", 1, &size);
    recorded_run_add(&runs, "run", 8, &size);
    while (small_run_next(&run, &runs, 36)) {
        assert_true(run.ranks == 1 || run.ranks == 8 || run.ranks == 27);
        most = run.ranks;
    }
    assert_int_equal(most, 27);
    recorded_runs_dispose(&runs);
}

TEST(distances_are_those_of_the_paper) {
    const uint32_t one[] = {'a', 'b', 'c', 'a', 'b', 'b', 'a'};
    const uint32_t other[] = {'c', 'b', 'a', 'b', 'a', 'c'};
    assert_int_equal(sequence_distance(one, 7, other, 6, 100), 5);
    assert_int_equal(sequence_distance(one, 7, one, 7, 100), 0);
    assert_int_equal(sequence_distance(one, 7, other, 0, 100), 7);
    assert_int_equal(sequence_distance(one, 7, other, 6, 3), 3);
}

TEST(dimensions_are_balanced_as_by_mpi) {
    int out[3];
    bsim_synth_balanced(out, 3, 12, false);
    assert_true(out[0] == 3 && out[1] == 2 && out[2] == 2);
    bsim_synth_balanced(out, 3, 12, true);
    assert_true(out[0] == 2 && out[1] == 2 && out[2] == 3);
    bsim_synth_balanced(out, 2, 7, false);
    assert_true(out[0] == 7 && out[1] == 1);
}

FIXTURE(set_up, tear_down)
