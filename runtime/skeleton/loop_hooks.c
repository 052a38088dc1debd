/* SPDX-License-Identifier: Apache-2.0
 *
 * Loops whose number of iterations is changed, and features that are.
 *
 * In: BSIM_SET, one change a line, its fields separated by tabs: "loop NUMBER LABEL REASON
 * EXPRESSION" (REASON: why it must not become longer, or empty) and "feature REGION INDEX LABEL
 * EXPRESSION". Loops that stay ask before each iteration; what stands for removed ones asks for
 * their trips. Out: the answers, and in the summary of the run what came of each change. A loop's
 * own trips are what its condition tells when it is entered; with each iteration it is tested that
 * as many are left as there should be, so that loops of which the bound or the variable changes on
 * the way end the simulation instead of being changed wrongly. State is kept per rank and loop: one
 * that is entered again before it has ended (recursion) is none that the generator offers.
 * Linked into skeletons only. In a plain run nothing in here is called but for the progress.
 */
#include "runtime/skeleton/loop_hooks.h"

#define BSIM_SKELETON
#define BSIM_NO_MACROS
#include "bsim_calls.h"
#include "runtime/include/bsim.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { AS_CONDITION = -1, LEAVE = 0, GO_ON = 1 };

/* Of bsim__hooks: loops are changed or left early, all of them or outermost ones. */
#define CHANGES_LOOPS (2 | 8)

#define ROUNDING 1e-9 /* 0.29 * 100 is 29 iterations */

BSIM__COMMON int bsim__hooks;

static bool is_set(const char *name) {
    const char *value = getenv(name);
    return value != NULL && value[0] != '\0';
}

static void write_changes(FILE *out);

/* Before anything of the program runs, in each of its copies. */
__attribute__((constructor)) static void choose_hooks(void) {
    const char *set = getenv("BSIM_SET");
    const char *iterations = getenv("BSIM_ITERATIONS");
    bsim__hooks = is_set("BSIM_PROGRESS") ? 1 : 0;
    if (is_set("BSIM_ITERATIONS"))
        bsim__hooks |= strncmp(iterations, "long ", strlen("long ")) == 0 ? 9 : 3;
    if (is_set("BSIM_SET"))
        bsim__hooks |= strstr(set, "feature\t") != NULL ? 7 : 3;
    if (bsim__hooks & CHANGES_LOOPS)
        bsim__write_changes = write_changes;
}

/* ---- Reading ---- */

/* The field that begins at *at, ended by a zero; *at moves behind it. */
static char *field(char **at, char separator) {
    char *begin = *at, *end = strchr(begin, separator);
    if (end == NULL)
        bsim__stop("mpiskel: error: BSIM_SET is damaged; it is set by `mpiskel run --set`");
    *end = '\0';
    *at = end + 1;
    return begin;
}

static void read_change(struct bsim__changes *all, char **at) {
    static const char *const of_loop[] = {"trips", "ranks", NULL};
    static const char *const of_feature[] = {"value", "ranks", NULL};
    char error[200];
    struct bsim__change *change = &all->of[all->count++];
    bool is_loop = strcmp(field(at, '\t'), "loop") == 0;
    int number = atoi(field(at, '\t'));
    *change = (struct bsim__change){.region = -1, .feature = -1};
    if (!is_loop) {
        change->region = number;
        change->feature = atoi(field(at, '\t'));
    }
    change->label = field(at, '\t');
    if (is_loop) {
        change->no_longer = field(at, '\t');
        change->no_longer = change->no_longer[0] != '\0' ? change->no_longer : NULL;
    }
    const char *text = field(at, '\n');
    if (bsim_arithmetic_read(&change->to, text, is_loop ? of_loop : of_feature, error,
                             sizeof error) != 0)
        bsim__stop("mpiskel: error: --set %s=%s: %s", change->label, text, error);
    if (is_loop && number >= 0 && number < all->loop_count)
        all->by_loop[number] = change;
}

/* Loops beyond the largest number among the changes are not changed. */
static void read_changes(struct bsim__changes *all, const char *text) {
    int lines = 0;
    for (const char *at = text; *at != '\0'; at++)
        lines += *at == '\n';
    for (const char *at = text; at != NULL; at = strchr(at, '\n')) {
        at += *at == '\n';
        int number = strncmp(at, "loop\t", 5) == 0 ? atoi(at + 5) : -1;
        all->loop_count = number >= all->loop_count ? number + 1 : all->loop_count;
    }
    all->of = bsim__grow(NULL, 0, (size_t)(lines + 1) * sizeof *all->of);
    all->by_loop = bsim__grow(NULL, 0, (size_t)(all->loop_count + 1) * sizeof(void *));
    char *copy = bsim__grow(NULL, 0, strlen(text) + 1), *at = copy;
    strcpy(copy, text);
    for (int i = 0; i < lines; i++)
        read_change(all, &at);
}

struct bsim__changes *bsim__changes(void) {
    struct bsim__shared *shared = bsim__shared();
    if (shared->changes != NULL)
        return shared->changes;
    shared->changes = bsim__grow(NULL, 0, sizeof *shared->changes);
    if (is_set("BSIM_SET"))
        read_changes(shared->changes, getenv("BSIM_SET"));
    bsim__iterations_read(&shared->changes->iterations, getenv("BSIM_ITERATIONS"));
    return shared->changes;
}

/* ---- Changing ---- */

static void note(struct bsim__change *change, double from, double to) {
    bool first = change->times++ == 0;
    change->least = first ? from : fmin(change->least, from);
    change->most = first ? from : fmax(change->most, from);
    change->to_least = first ? to : fmin(change->to_least, to);
    change->to_most = first ? to : fmax(change->to_most, to);
}

static double changed(struct bsim__change *change, double from) {
    int ranks = bsim__current_rank()->world_size;
    const double values[] = {from, ranks};
    if (ranks < 0 && bsim_arithmetic_uses(&change->to, 1))
        bsim__stop("mpiskel: error: --set %s: the number of ranks is not known here, before "
                   "MPI_Init; write it as a number",
                   change->label);
    double to = bsim_arithmetic_value(&change->to, values);
    if (!isfinite(to))
        bsim__stop("mpiskel: error: --set %s: the expression has no finite value where the "
                   "original is %g",
                   change->label, from);
    return to;
}

static double changed_trips(struct bsim__change *change, double trips) {
    double to = changed(change, trips);
    to = fmax(0, floor(to + ROUNDING * fmax(1, fabs(to))));
    note(change, trips, to);
    return to;
}

static struct bsim__change *change_of(int loop) {
    const struct bsim__changes *all = bsim__changes();
    return loop < all->loop_count ? all->by_loop[loop] : NULL;
}

double bsim__loop_trips(int loop, double trip_count) {
    struct bsim__change *change = change_of(loop);
    return change != NULL ? changed_trips(change, trip_count) : trip_count;
}

const double *bsim__changed_features(double out[BSIM__MOST_FEATURES],
                                     const struct bsim_stub *stub) {
    struct bsim__changes *all = bsim__changes();
    int count = stub->value_count - 1;
    if (count > BSIM__MOST_FEATURES)
        return BSIM__VALUES(stub) + 1;
    memcpy(out, BSIM__VALUES(stub) + 1, (size_t)count * sizeof *out);
    for (int i = 0; i < all->count; i++) {
        struct bsim__change *change = &all->of[i];
        if (change->region != (int)BSIM__VALUES(stub)[0] || change->feature >= count)
            continue;
        double from = out[change->feature];
        out[change->feature] = fmax(0, changed(change, from));
        note(change, from, out[change->feature]);
    }
    return out;
}

/* ---- Loops that stay ---- */

static struct bsim__loop *loop_of(struct bsim__rank *rank, int loop) {
    if (loop >= rank->loop_count) {
        int count = loop + loop / 2 + 8;
        rank->loops = bsim__grow(rank->loops, (size_t)rank->loop_count * sizeof *rank->loops,
                                 (size_t)count * sizeof *rank->loops);
        rank->loop_count = count;
    }
    return &rank->loops[loop];
}

/* A run that changes no loop shows the progress of rank 0, and so others remember nothing: of a
 * million ranks the states of loops would be a fifth of the memory. */
static bool is_followed(const struct bsim__rank *rank) {
    return (bsim__hooks & CHANGES_LOOPS) != 0 || rank->number == 0;
}

int bsim__loop_enter(int loop, int done) {
    struct bsim__rank *rank = bsim__current_rank();
    if (!is_followed(rank))
        return 0;
    struct bsim__loop *state = loop_of(rank, loop);
    state->entered = state->fresh = true;
    state->done = done;
    return 0;
}

static void begin(struct bsim__loop *state, struct bsim__change *change, double left) {
    state->fresh = false;
    state->entries++;
    state->total = left >= 0 ? left + state->done : -1;
    state->is_told_late = left < 0 && change == NULL;
    state->wanted = -1;
    state->mark_count = 0;
    if (change == NULL)
        return;
    if (state->total < 0 && bsim_arithmetic_uses(&change->to, 0))
        bsim__stop("mpiskel: error: --set %s: how often this loop iterates is not known when it is "
                   "entered, so `trips` has no value; give a number",
                   change->label);
    state->wanted = changed_trips(change, state->total);
    if (state->total >= 0 && state->wanted > state->total && change->no_longer != NULL)
        bsim__stop("mpiskel: error: --set %s: %g iterations would become %g, and this loop cannot "
                   "be made longer: %s",
                   change->label, state->total, state->wanted, change->no_longer);
}

/* As many iterations are left as there should be. */
static void check(struct bsim__loop *state, const struct bsim__change *change, double left) {
    if (state->total < 0 || left == fmax(0, state->total - state->done))
        return;
    if (change != NULL)
        bsim__stop("mpiskel: error: --set %s: this loop's trip count changes while it runs: %g at "
                   "first, %g are left after %g; it cannot be set",
                   change->label, state->total, left, state->done);
    state->total = -1;
}

static void show(const struct bsim__rank *rank, const struct bsim__loop *state) {
    struct progress_page *progress = bsim__shared()->progress;
    double total = state->wanted >= 0 ? state->wanted : state->total;
    if (rank->number != 0)
        return;
    progress->iteration = state->done;
    progress->iterations = total > 0 ? total : 0;
}

int bsim__loop_ask(int loop, double left, int outermost) {
    struct bsim__rank *rank = bsim__current_rank();
    if (!is_followed(rank))
        return AS_CONDITION;
    struct bsim__loop *state = loop_of(rank, loop);
    struct bsim__change *change = bsim__hooks & 2 ? change_of(loop) : NULL;
    int counted_by = rank->counted_by;
    if (change != NULL && rank->is_counted)
        left = rank->bound; /* what is changed is what the source says */
    rank->counted_by = 0;
    rank->is_counted = false;
    if (!state->entered)
        return AS_CONDITION;
    rank->loop_begins = state->fresh && state->left_early;
    if (state->fresh)
        begin(state, change, left);
    else
        state->done++;
    if (state->is_told_late && left >= 0)
        state->total = left + state->done;
    check(state, change, left);
    if (change != NULL)
        change->made = fmax(change->made, state->done);
    if (outermost)
        show(rank, state);
    bool leaves = (bsim__hooks & CHANGES_LOOPS) && bsim__iterations_leave(rank, state, loop);
    if (leaves || (state->wanted >= 0 && state->done >= state->wanted)) {
        state->entered = false;
        state->left_early = true;
        if (counted_by > 0 && bsim__leave_trips != NULL)
            bsim__leave_trips(rank, counted_by - 1);
        return LEAVE;
    }
    return state->wanted >= 0 && state->total >= 0 && state->done >= state->total ? GO_ON
                                                                                  : AS_CONDITION;
}

/* ---- The summary ---- */

static void write_change(FILE *out, const struct bsim__change *change) {
    fputs("\n{\"label\":", out);
    bsim__write_string(out, change->label);
    fprintf(out,
            ",\"feature\":%s,\"times\":%llu,\"from\":[%.17g,%.17g],\"to\":[%.17g,%.17g],\"made\":%."
            "17g}",
            change->region >= 0 ? "true" : "false", (unsigned long long)change->times,
            change->least, change->most, change->to_least, change->to_most, change->made);
}

static void write_changes(FILE *out) {
    const struct bsim__changes *all = bsim__changes();
    fputs(",\n\"changes\":[", out);
    for (int i = 0; i < all->count; i++) {
        fputs(i > 0 ? "," : "", out);
        write_change(out, &all->of[i]);
    }
    fputs("]", out);
    bsim__iterations_write(out, &all->iterations);
}
