/* SPDX-License-Identifier: Apache-2.0
 *
 * Iteration extrapolation: a loop is left after some of its iterations, and each rank sleeps for as
 * long as its further ones would take (model/eval/steady.h), so that all that comes behind it
 * happens at the right time.
 *
 * In: BSIM_ITERATIONS, "named|auto ITERATIONS TOTAL" (TOTAL 0: what the loop's bounds or its given
 * value tell) or "long ITERATIONS TOTAL SHORTEST": loops that take less of this machine's time are
 * simulated in full; then lines of "NUMBER LABEL", separated by tabs: the loops that may be left.
 * Of several (not named), the one is taken whose time, as its first iterations tell it, is at least
 * that of all that came before it. Out: simulated time, statistics extended likewise, and what was
 * done in the summary of the run. Ranks have to leave after the same iteration, or messages would
 * find no receiver. So it is decided for all by the rank that gets there first, of which the
 * iterations have to be steady; if they are not, all go on, and it is decided again after twice as
 * many. Each rank extrapolates its own time: where ranks wait for each other they are as fast,
 * where not each has its own speed.
 */
#include "runtime/skeleton/loop_hooks.h"

#include "model/eval/steady.h"
#include "runtime/common/machine_clock.h"

#include <math.h>
#include <simgrid/engine.h>
#include <stdlib.h>
#include <string.h>

#define STEADY_PART 0.1 /* of the time that is added: how far it may be off */
#define NEARLY 0.75     /* of the iterations */
#define SEARCHED                                                                                   \
    64                /* times ITERATIONS without getting steady: with SHORTEST, that is given up, \
                       * or the marks of each iteration and rank would fill the memory */
#define TOGETHER 0.03 /* of an iteration's time: ranks that wait for each other differ by less */

static const char *const damaged =
    "mpiskel: error: BSIM_ITERATIONS is damaged; it is set by `mpiskel run "
    "--iterations`";

/* ---- Reading ---- */

static void read_candidate(struct bsim__iterations *out, const char *line, const char *end) {
    const char *tab = memchr(line, '\t', (size_t)(end - line));
    if (tab == NULL)
        bsim__stop("%s", damaged);
    size_t count = (size_t)out->candidate_count++;
    out->candidates = bsim__grow(out->candidates, count * sizeof *out->candidates,
                                 (count + 1) * sizeof *out->candidates);
    char *label = bsim__grow(NULL, 0, (size_t)(end - tab));
    memcpy(label, tab + 1, (size_t)(end - tab - 1));
    out->candidates[count] = (struct bsim__candidate){.loop = atoi(line), .label = label};
}

void bsim__iterations_read(struct bsim__iterations *out, const char *text) {
    char how[8];
    int length = 0;
    out->chosen = -1;
    if (text == NULL || text[0] == '\0')
        return;
    bool is_read = sscanf(text, "%7s %lf %lf%n", how, &out->first, &out->given_total, &length) == 3;
    if (is_read && strcmp(how, "long") == 0) {
        int more = 0;
        is_read = sscanf(text + length, "%lf%n", &out->shortest_s, &more) == 1;
        length += more;
    }
    if (!is_read || text[length] != '\n' || !(out->first >= 1))
        bsim__stop("%s", damaged);
    out->named = strcmp(how, "named") == 0;
    const char *end = text + length;
    for (const char *line = end + 1; *line != '\0'; line = end + 1) {
        end = strchr(line, '\n');
        if (end == NULL)
            bsim__stop("%s", damaged);
        read_candidate(out, line, end);
    }
}

/* ---- Marks ---- */

/* As if all executions had been late ones: that the first are slower is known, and no trend. */
static void mark(const struct bsim__rank *rank, struct bsim__loop *state) {
    if (state->mark_count == state->mark_capacity) {
        size_t capacity = 2 * state->mark_capacity + 32;
        state->marks = bsim__grow(state->marks, state->mark_capacity * sizeof *state->marks,
                                  capacity * sizeof *state->marks);
        state->mark_capacity = capacity;
    }
    double early_s = bsim__early_stubs_s();
    state->early_s = state->mark_count > 0 ? state->early_s + early_s : 0;
    state->marks[state->mark_count++] =
        (struct bsim__mark){bsim__reached_s(rank) - state->early_s,
                            rank->compute_s + bsim__own.pending_s - state->early_s,
                            (double)rank->calls, state->early_s};
}

static bool find_steady(struct bsim_steady *out, const struct bsim__loop *state, double more) {
    int count = (int)state->mark_count - 1;
    double *times_s = bsim__grow(NULL, 0, state->mark_count * sizeof *times_s);
    for (size_t i = 0; i < state->mark_count; i++)
        times_s[i] = state->marks[i].time_s;
    bool found = bsim_steady_find(out, times_s, count, more) == 0;
    free(times_s);
    return found;
}

/* ---- Deciding ---- */

struct bsim__candidate *bsim__iterations_candidate(int loop) {
    const struct bsim__iterations *all = &bsim__changes()->iterations;
    for (int i = 0; i < all->candidate_count; i++)
        if (all->candidates[i].loop == loop && (all->chosen < 0 || all->chosen == i))
            return &all->candidates[i];
    return NULL;
}

static struct bsim__decision *decision_of(struct bsim__candidate *candidate, uint64_t entry) {
    size_t index = (size_t)entry - 1;
    if (index >= candidate->decision_count) {
        size_t count = index + index / 2 + 4;
        candidate->decisions = bsim__grow(candidate->decisions,
                                          candidate->decision_count * sizeof *candidate->decisions,
                                          count * sizeof *candidate->decisions);
        candidate->decision_count = count;
    }
    struct bsim__decision *decision = &candidate->decisions[index];
    if (decision->next == 0)
        decision->next = bsim__changes()->iterations.first;
    return decision;
}

static double total_of(const struct bsim__loop *state) {
    const struct bsim__iterations *all = &bsim__changes()->iterations;
    return all->given_total > 0 ? all->given_total
           : state->wanted >= 0 ? state->wanted
                                : state->total;
}

static bool is_worth_it(const struct bsim__iterations *all, const struct bsim__loop *state,
                        double mean_s, double total) {
    return all->named || all->chosen >= 0 ||
           (total >= 2 * state->done && mean_s * total >= state->marks[0].time_s);
}

/* Simulating all of it takes less than what is worth an extrapolation. */
static bool is_short(const struct bsim__iterations *all, const struct bsim__loop *state,
                     double total) {
    double spent_s = bsim__machine_clock_s(CLOCK_MONOTONIC) - state->begun_s;
    return total > 0 && state->done > 0 && spent_s / state->done * total < all->shortest_s;
}

static bool is_steady(const struct bsim_steady *steady) {
    return steady->off_s <= STEADY_PART * steady->more_s;
}

/* A rank that is in the loop has nearly as many iterations behind it, and they are steady. */
static bool is_steady_on(const struct bsim__rank *rank, int loop, double done, double more) {
    struct bsim_steady steady;
    const struct bsim__loop *state =
        rank != NULL && loop < rank->loop_count ? &rank->loops[loop] : NULL;
    if (state == NULL || !state->entered || state->mark_count == 0)
        return true;
    return (double)state->mark_count >= NEARLY * done && find_steady(&steady, state, more) &&
           is_steady(&steady);
}

static bool are_all_steady(int loop, double done, double more) {
    const struct bsim__shared *shared = bsim__shared();
    for (size_t i = 0; i < shared->actor_capacity; i++)
        if (!is_steady_on(shared->by_actor[i], loop, done, more))
            return false;
    return true;
}

/* Means of one iteration behind the start-up: as it was, and what it was slower than late ones. */
static double each_s(double *out_early_s, const struct bsim__loop *state, int start) {
    const struct bsim__mark *from = &state->marks[start];
    const struct bsim__mark *to = &state->marks[state->mark_count - 1];
    double count = (double)(to - from);
    *out_early_s = (to->early_s - from->early_s) / count;
    return (to->time_s - from->time_s) / count + *out_early_s;
}

/* Ranks that wait for others are slowed by those more than by themselves. */
static void find_slowed(struct bsim__decision *out, int loop, int start) {
    const struct bsim__shared *shared = bsim__shared();
    for (size_t i = 0; i < shared->actor_capacity; i++) {
        const struct bsim__rank *rank = shared->by_actor[i];
        double early_s;
        if (rank == NULL || loop >= rank->loop_count || !rank->loops[loop].entered ||
            rank->loops[loop].mark_count < (size_t)start + 2)
            continue;
        double one_s = each_s(&early_s, &rank->loops[loop], start);
        if (early_s <= out->early_s)
            continue;
        out->each_s = one_s;
        out->early_s = early_s;
        out->late = 1 - early_s / one_s;
    }
}

static void decide(struct bsim__candidate *candidate, struct bsim__decision *decision,
                   const struct bsim__loop *state) {
    struct bsim__iterations *all = &bsim__changes()->iterations;
    struct bsim_steady steady;
    double total = total_of(state), more = total - state->done;
    all->unknown_total |= total < 0;
    decision->next *= 2;
    if (all->shortest_s > 0 &&
        (is_short(all, state, total) || decision->next > SEARCHED * all->first)) {
        decision->next = INFINITY;
        return;
    }
    if (!(more > 0) || !find_steady(&steady, state, more) ||
        !is_worth_it(all, state, steady.mean_s, total) ||
        !are_all_steady(candidate->loop, state->done, more))
        return;
    decision->leave = state->done;
    decision->total = total;
    find_slowed(decision, candidate->loop, steady.start);
    all->chosen = (int)(candidate - all->candidates);
}

/* ---- Leaving ---- */

/* What the iterations since the statistics were noted have added, for `more` of them. */
static void extend_statistics(struct bsim__rank *rank, struct bsim__loop *state,
                              const struct bsim_steady *steady, double more) {
    const struct bsim__mark *from = &state->marks[steady->start];
    const struct bsim__mark *to = &state->marks[state->mark_count - 1];
    double each = more / (double)(to - from), since = state->done - state->noted_at;
    double compute_s = fmin((to->compute_s - from->compute_s) * each, steady->more_s);
    rank->compute_s += compute_s;
    rank->mpi_s += steady->more_s - compute_s;
    rank->calls += (uint64_t)((to->calls - from->calls) * each + 0.5);
    if (!(since > 0))
        return;
    bsim__extend_totals(&rank->totals, &state->noted, more / since);
    bsim__extend_stubs(more / since);
}

static void note_result(struct bsim__rank *rank, const struct bsim__loop *state,
                        const struct bsim_steady *steady, double more) {
    struct bsim__iterations *all = &bsim__changes()->iterations;
    double total = state->done + more;
    all->total_least = all->times == 0 ? total : fmin(all->total_least, total);
    all->total_most = all->times == 0 ? total : fmax(all->total_most, total);
    all->times++;
    all->simulated = fmax(all->simulated, state->done);
    all->unsteady += !is_steady(steady);
    rank->more_s += steady->more_s;
    rank->off_s += steady->off_s;
    all->off_s = fmax(all->off_s, rank->off_s);
    if (rank->more_s < all->more_s)
        return;
    all->more_s = rank->more_s;
    all->start = steady->start;
    all->period = steady->period;
}

/* What is known of executions that are slower at first: iterations become as short as those of the
 * rank that this slows most, if they are as long now; and the next ones not at once. */
static void follow_models(struct bsim_steady *steady, const struct bsim__loop *state,
                          const struct bsim__decision *decision, double more) {
    double since = state->done - state->noted_at, early_s;
    double one_s = each_s(&early_s, state, steady->start);
    double later_s = since > 0 ? bsim__later_stubs_s(since, more) : 0;
    if (fabs(one_s - decision->each_s) <= TOGETHER * one_s && early_s > 0 && one_s > early_s) {
        steady->more_s *= one_s * decision->late / (one_s - early_s);
        later_s *= decision->early_s / early_s;
    }
    steady->more_s = fmax(0, steady->more_s + later_s * more);
}

static void leave(struct bsim__rank *rank, struct bsim__loop *state,
                  const struct bsim__decision *decision) {
    struct bsim_steady steady;
    double total = total_of(state) >= 0 ? total_of(state) : decision->total;
    double more = total - state->done;
    if (!(more > 0) || !find_steady(&steady, state, more))
        return;
    follow_models(&steady, state, decision, more);
    bsim__charge_rank(rank);
    bsim__sleep(rank, steady.more_s);
    extend_statistics(rank, state, &steady, more);
    note_result(rank, state, &steady, more);
}

/* Statistics are noted half way, behind most of the start-up. */
static void note_statistics(struct bsim__rank *rank, struct bsim__loop *state, double next) {
    if (state->done != floor(next / 2))
        return;
    state->noted_at = state->done;
    bsim__copy_totals(&state->noted, &rank->totals);
    bsim__note_stubs();
}

bool bsim__iterations_leave(struct bsim__rank *rank, struct bsim__loop *state, int loop) {
    struct bsim__candidate *candidate = bsim__iterations_candidate(loop);
    if (candidate == NULL || rank->number < 0)
        return false;
    struct bsim__decision *decision = decision_of(candidate, state->entries);
    if (decision->leave == 0 && isinf(decision->next))
        return false;
    if (state->mark_count == 0)
        state->begun_s = bsim__machine_clock_s(CLOCK_MONOTONIC);
    mark(rank, state);
    double done = (double)state->mark_count - 1; /* a do loop's first one has no beginning */
    if (decision->leave == 0)
        note_statistics(rank, state, decision->next);
    if (decision->leave == 0 && done == decision->next)
        decide(candidate, decision, state);
    if (decision->leave == 0 || state->done != decision->leave)
        return false;
    leave(rank, state, decision);
    return true;
}

void bsim__iterations_write(FILE *out, const struct bsim__iterations *all) {
    if (all->first == 0)
        return;
    fputs(",\n\"iterations\":{\"label\":", out);
    bsim__write_string(out, all->chosen >= 0 ? all->candidates[all->chosen].label : "");
    fprintf(out,
            ",\"times\":%llu,\"unsteady\":%llu,\"simulated\":%.17g,\"total\":[%.17g,%.17g],"
            "\"more_s\":%.17g,\"off_s\":%.17g,\"start\":%d,\"period\":%d,\"unknown_total\":%s}",
            (unsigned long long)all->times, (unsigned long long)all->unsteady, all->simulated,
            all->total_least, all->total_most, all->more_s, all->off_s, all->start, all->period,
            all->unknown_total ? "true" : "false");
}
