/* SPDX-License-Identifier: Apache-2.0
 *
 * See real_side.h. What differs is looked at in three steps: whether time decided something before
 * (who sent where anyone may, which request was complete first), whether there are the same calls
 * in another order, and whether the real run, made once more, differs from itself. Only what none
 * of them explains is a fault of the simulation.
 *
 * Not handled: calls of several threads at a time (MPI_THREAD_MULTIPLE), whose order is by time.
 */
#include "cli/verify/real_side.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/status_line.h"
#include "base/str.h"
#include "cli/record/record_library.h"
#include "simulator/compare/decided_by_time.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Ranks that share a processor take turns: with twice as many a run takes twice as long, and with
 * many more, mpirun's polling lets it take minutes. */
#define RANKS_PER_PROCESSOR 2
#define LOG_SHOWN_BYTES 600

struct real_run_state {
    const struct real_request *request;
    struct arena *arena;
    struct mpi_program program;
    const char *library;
    struct real_command command;
    struct process_result result;
    const char *directory; /* of its records */
};

/* ---- Whether ---- */

static size_t processors(void) {
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? (size_t)CPU_COUNT(&set) : 1;
}

static int most_ranks(size_t *out, struct error *error) {
    const char *text = getenv("MPISKEL_REAL_RANKS");
    char *end = NULL;
    *out = RANKS_PER_PROCESSOR * processors();
    if (text == NULL || text[0] == '\0')
        return 0;
    long long ranks = strtoll(text, &end, 10);
    if (*end != '\0' || ranks < 0)
        return error_set(error, "MPISKEL_REAL_RANKS is '%s'; it takes a number of ranks", text);
    *out = (size_t)ranks;
    return 0;
}

static const char *program_of(const struct real_request *request, struct arena *arena) {
    if (request->options->program != NULL)
        return path_absolute(arena, path_current(arena), request->options->program);
    return path_join(arena, request->bundle->directory, "profile");
}

static bool is_refused_as_root(enum mpi_library mpi) {
    return mpi == MPI_LIBRARY_OPEN_MPI && geteuid() == 0 &&
           (getenv("OMPI_ALLOW_RUN_AS_ROOT") == NULL ||
            getenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM") == NULL);
}

static struct real_command command_of(const struct real_request *request) {
    return (struct real_command){.launcher = request->options->launcher,
                                 .launcher_count = request->options->launcher_count,
                                 .ranks = request->ranks,
                                 .arguments = request->arguments,
                                 .argument_count = request->argument_count};
}

/* What stands against a real run; NULL: nothing. `*can_be_helped`: by the user, who is told. */
static const char *obstacle(const struct real_request *request, struct arena *arena,
                            bool *can_be_helped) {
    const char *path = program_of(request, arena);
    struct real_command command = command_of(request);
    bool is_own = command.launcher_count > 0;
    if (!file_exists(path))
        return arena_printf(arena, "there is no %s", path);
    struct mpi_program program = mpi_program_started(&command, request->bundle, path, arena);
    if (command.launcher_count == 0)
        return NULL;
    if (program_find(arena, command.launcher[0]) == NULL)
        return arena_printf(arena, "there is no %s", command.launcher[0]);
    *can_be_helped = !is_own && is_refused_as_root(program.mpi);
    if (*can_be_helped)
        return "mpirun does not start as root; OMPI_ALLOW_RUN_AS_ROOT=1 and "
               "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 let it";
    return NULL;
}

int real_side_choose(bool *out, const struct real_request *request, struct arena *arena,
                     struct error *error) {
    const struct real_options *options = request->options;
    size_t most;
    if (most_ranks(&most, error) != 0)
        return -1;
    *out = options->wanted || (!options->unwanted && request->ranks <= most);
    bool can_be_helped = false;
    const char *why = *out ? obstacle(request, arena, &can_be_helped) : NULL;
    if (why == NULL)
        return 0;
    *out = false;
    if (!options->wanted && can_be_helped)
        note("no real run: %s", why);
    return options->wanted ? error_set(error, "--real: %s", why) : 0;
}

/* ---- The run ---- */

static double started_s;

static void show(void *limit_s) {
    (void)limit_s;
    status_line_show("the original under mpirun: %.0f s", clock_monotonic_s() - started_s);
}

static int prepare(struct real_run_state *state, struct error *error) {
    const struct real_request *request = state->request;
    state->command = command_of(request);
    state->program = mpi_program_started(&state->command, request->bundle,
                                         program_of(request, state->arena), state->arena);
    state->library = record_library(state->arena, &state->program, NULL, request->directory, error);
    return state->library != NULL ? 0 : -1;
}

static int run(struct real_run_state *state, const char *name, struct error *error) {
    struct arena *arena = state->arena;
    const struct real_request *request = state->request;
    const char *others = getenv("LD_PRELOAD");
    state->directory = path_join(arena, request->directory, name);
    if (directory_make(state->directory, error) != 0)
        return -1;
    const char *environment[] = {
        arena_printf(arena, "LD_PRELOAD=%s%s%s", state->library, others != NULL ? ":" : "",
                     others != NULL ? others : ""),
        arena_printf(arena, "BSIM_RECORD_CALLS=%s", state->directory),
        arena_printf(arena, "BSIM_RECORD_RANKS=%zu", request->ranks),
        arena_printf(arena, "BSIM_RECORD_ROOT=%s", request->bundle->regions.root), NULL};
    struct real_limits limits = {.program = program_of(request, arena),
                                 .log = path_join(arena, state->directory, "log"),
                                 .environment = environment,
                                 .limit_s = request->options->limit_s,
                                 .tick = request->options->no_progress ? NULL : show};
    started_s = clock_monotonic_s();
    int result = real_limited(&state->result, &state->command, &limits, arena, error);
    status_line_hide();
    return result == 0 && process_interrupted() ? error_set(error, "interrupted") : result;
}

/* ---- How it ended ---- */

static const char *record_path(const struct real_run_state *state, size_t rank) {
    return arena_printf(state->arena, "%s/rank-%zu.calls", state->directory, rank);
}

static bool has_records(const struct real_run_state *state) {
    for (size_t rank = 0; rank < state->request->ranks; rank++)
        if (file_exists(record_path(state, rank)))
            return true;
    return false;
}

/* The last lines of what it printed, indented. */
static const char *log_end(const struct real_run_state *state) {
    char *text = NULL;
    size_t length = 0;
    struct error ignored = {0};
    if (file_read(&text, &length, path_join(state->arena, state->directory, "log"), &ignored) != 0)
        return "";
    const char *last = length > LOG_SHOWN_BYTES ? text + length - LOG_SHOWN_BYTES : text;
    const char *line = last > text ? strchr(last, '\n') : NULL;
    const char *copy = arena_printf(state->arena, "\n%s", line != NULL ? line + 1 : last);
    free(text);
    return copy;
}

static bool aborts(struct real_run_state *state) {
    bool found = false;
    for (size_t rank = 0; rank < state->request->ranks; rank++) {
        struct call_record record;
        call_record_open(&record, record_path(state, rank));
        while (call_record_next(&record) == CALL_RECORD_CALL)
            found |= text_has_prefix(record.text, "MPI_Abort ");
        call_record_close(&record);
    }
    return found;
}

/* Of a run that did not get through. */
static const char *ending_of(struct real_run_state *state) {
    int code = state->result.exit_code;
    if (state->result.timed_out)
        return arena_printf(state->arena, "it was not done within %g s (--real-limit)",
                            state->request->options->limit_s);
    if (aborts(state))
        return "a rank called MPI_Abort";
    if (code > 128)
        return arena_printf(state->arena, "signal %d (%s) ended it", code - 128,
                            strsignal(code - 128));
    return arena_printf(state->arena, "it ended with exit code %d before MPI_Finalize", code);
}

/* ---- The verdict ---- */

static void compare_with(struct comparison *out, const struct real_run_state *state,
                         const char *other, const struct comparison_rules *rules) {
    const char *const records[SIDE_COUNT] = {other, state->directory};
    comparison_make(out, records, state->request->ranks, rules);
}

static bool agrees_with(const struct real_run_state *state, const char *other,
                        const struct comparison_rules *rules) {
    struct comparison comparison;
    compare_with(&comparison, state, other, rules);
    bool agrees = comparison.ranks_different == 0;
    comparison_dispose(&comparison);
    return agrees;
}

/* True: made once more, it is another run. */
static bool differs_from_itself(const struct real_run_state *state) {
    struct real_run_state again = *state;
    struct error ignored = {0};
    return run(&again, "real-again", &ignored) == 0 &&
           !agrees_with(
               &again, state->directory,
               &(struct comparison_rules){.real = true, .ends_early = again.result.timed_out});
}

/* Something before may have come out otherwise by time. */
static bool may_be_by_time(const struct comparison *comparison,
                           const struct real_request *request) {
    return comparison->by_time || comparison->may_differ_by_time ||
           comparison->empty_polls[0] + comparison->empty_polls[1] > 0 ||
           request->bundle->regions.reads_clocks;
}

/* A call that asks for that is where they part: mpirun starts all here, and the simulation has its
 * own hosts. */
static bool has_other_hosts(const struct comparison *comparison) {
    const struct side_call *sides = comparison->first.sides;
    return sides[0].state == CALL_RECORD_CALL && sides[1].state == CALL_RECORD_CALL &&
           asks_for_hosts(sides[0].text, sides[1].text);
}

static void explain(struct real_verdict *out, struct real_run_state *state) {
    const char *const *records = state->request->records;
    const struct comparison_rules multisets = {.multiset = true, .real = true};
    out->kind = REAL_DIFFERENT;
    if (has_other_hosts(&out->comparison))
        out->kind = REAL_ELSEWHERE;
    else if (may_be_by_time(&out->comparison, state->request))
        out->kind = out->why == NULL && agrees_with(state, records[SIDE_ORIGINAL], &multisets)
                        ? REAL_REORDERED
                        : REAL_BY_TIME;
    else if (out->why == NULL && differs_from_itself(state)) {
        out->kind = REAL_BY_TIME;
        out->differs_again = true;
    }
}

/* Both called MPI_Abort, or both got through. */
static bool ended_as_original(const struct real_request *request, struct real_run_state *state,
                              const struct real_verdict *verdict) {
    return request->original_aborts ? verdict->why != NULL && aborts(state) : verdict->why == NULL;
}

static void judge(struct real_verdict *out, struct real_run_state *state) {
    const struct real_request *request = state->request;
    struct comparison_rules rules = {.real = true, .ends_early = false};
    const char *original = request->records[SIDE_ORIGINAL];
    compare_with(&out->comparison, state, original, &rules);
    if (!out->comparison.complete[1])
        out->why = ending_of(state);
    bool is_late = state->result.timed_out, is_alike = ended_as_original(request, state, out);
    if (out->why != NULL) { /* what is there is compared */
        rules.ends_early = true;
        comparison_dispose(&out->comparison);
        compare_with(&out->comparison, state, original, &rules);
    }
    if (out->comparison.ranks_different == 0)
        out->kind = is_alike ? REAL_IDENTICAL : is_late ? REAL_UNFINISHED : REAL_DIFFERENT;
    else
        explain(out, state);
    out->is_like_skeleton =
        !request->sides_agree && agrees_with(state, request->records[SIDE_SKELETON], &rules);
}

/* Of a run that was not asked for, it is enough to say so. */
static int not_run(struct real_verdict *out, const struct real_request *request, const char *why,
                   struct error *error) {
    out->kind = REAL_NOT_RUN;
    out->why = why;
    return request->options->wanted ? error_set(error, "the real run: %s", why) : 0;
}

int real_side_compare(struct real_verdict *out, const struct real_request *request,
                      struct arena *arena, struct error *error) {
    struct real_run_state state = {.request = request, .arena = arena};
    struct error why = {0};
    *out = (struct real_verdict){.limit_s = request->options->limit_s};
    if (prepare(&state, &why) != 0 || run(&state, "real", &why) != 0)
        return process_interrupted() ? error_set(error, "interrupted")
                                     : not_run(out, request, arena_strdup(arena, why.text), error);
    out->command = state.command.launcher_count > 0 ? real_launcher_text(&state.command, arena)
                                                    : program_of(request, arena);
    if (!has_records(&state))
        return not_run(out, request,
                       arena_printf(arena, "%s recorded nothing (exit code %d)%s", out->command,
                                    state.result.exit_code, log_end(&state)),
                       error);
    judge(out, &state);
    return process_interrupted() ? error_set(error, "interrupted") : 0;
}
