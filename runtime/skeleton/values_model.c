/* SPDX-License-Identifier: Apache-2.0
 *
 * Values that the skeleton takes as given. Unless they are replayed (values_read.c) they come from
 * models that profiling runs have taught (model/eval/eval_value.h): the first of its answers that
 * has something to say is gone through in its order, and then its mean is taken. What all ranks
 * have alike is asked for once for all of them (values_once.h). Nothing depends
 * on the rank: so ranks that ask as often with the same key get the same answers, and what has to
 * agree between them agrees.
 *
 * Time that a rank is in loops whose number of iterations no profiling run had is kept for the
 * interval of the prediction; that of loops that are left by a jump is not.
 *
 * Rounding carries its error on to the next time, so that sums are right: a branch that is taken in
 * a third of all cases is taken each third time, and a count of 2.5 is 2 and 3 in turn. Of a loop
 * it is decided when it is entered how often it will iterate. Linked into skeletons only.
 */
#include "model/eval/eval.h"
#include "model/eval/eval_stretch.h"
#include "model/eval/eval_value.h"
#include "runtime/common/hashes.h"
#include "runtime/skeleton/loop_hooks.h"
#include "runtime/skeleton/number_table.h"
#include "runtime/skeleton/values_once.h"
#include "runtime/smpi/runtime.h"

#define BSIM_SKELETON
#define BSIM_NO_MACROS
#include "bsim_calls.h"
#include "runtime/include/bsim.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDING 1e-9
#define LARGEST_INTEGER 9e18
#define ENDLESS 1e14 /* iterations; model/values/value_points.h says 1e15 */

/* What a rank remembers of a value with certain features. */
struct asked_value {
    struct bsim__numbered numbered; /* by the region and the features */
    struct asked_value *as; /* what counts: itself, or the one without what is not in the key */
    double *vector;         /* these and the context, as the model takes them */
    const struct bsim_value_model *model;
    const struct bsim_value_seen *seen; /* NULL: the formula says it all */
    int repeat;                         /* of the pattern; */
    double used;                        /* how often its number was given */
    bool is_stretched;
    struct bsim_stretched stretched;
    double mean, carry;
    double doubt;      /* bsim_value_doubt(), of loops */
    bool is_recalled;  /* a profiling run had the vector */
    bool is_predicted; /* to within a tenth, or these are a profiling run's */
};

/* A loop that has been entered. */
struct entered {
    int region;
    bool active;
    double left, doubt;
    double begin_s, doubtful_s; /* all that the rank was in it while the number was in doubt */
};

struct bsim__given {
    struct bsim__number_table asked;
    struct entered *loops; /* whose number of iterations was asked for, a few */
    int loop_count;
};

/* ---- Finding what is remembered ---- */

static const struct bsim_value_model *find_model(const struct bsim_stub *stub) {
    int region = (int)BSIM__VALUES(stub)[0];
    const struct bsim_value_model *model = bsim_model_value(bsim__model(stub), region);
    if (model == NULL)
        bsim__stop(BSIM__STUB_PLACE
                   ": error: value %d has no model: make a profiling run that reaches it, "
                   "then run `mpiskel fit`",
                   stub->file, stub->line, region);
    if (bsim_value_feature_count(model) != stub->value_count - 1)
        bsim__stop(
            BSIM__STUB_PLACE ": error: value %d has %d features, its model has %d: run `mpiskel "
                             "generate` and `mpiskel fit` again",
            stub->file, stub->line, region, stub->value_count - 1, bsim_value_feature_count(model));
    return model;
}

static int region_of(const struct asked_value *given) {
    return (int)given->numbered.key[0];
}

/* Items by region, of which there are *count, with room for this one. */
static void *with_region(void *items, int *count, int region, size_t item_bytes) {
    if (region < *count)
        return items;
    int old = *count;
    *count = region + region / 2 + 16;
    return bsim__grow(items, (size_t)old * item_bytes, (size_t)*count * item_bytes);
}

static void note_unvaried(const struct asked_value *given) {
    struct bsim__shared *shared = bsim__shared();
    double seen;
    int place = bsim_value_unvaried(&seen, given->model, given->vector);
    if (place < 0)
        return;
    shared->unvaried = with_region(shared->unvaried, &shared->unvaried_count, region_of(given),
                                   sizeof *shared->unvaried);
    struct bsim__unvaried *unvaried = &shared->unvaried[region_of(given)];
    if (!unvaried->is_known)
        *unvaried = (struct bsim__unvaried){true, place, seen, given->vector[place]};
}

static void take_answer(struct asked_value *given) {
    const struct bsim_value_seen *nearest = bsim_value_nearest(given->model, given->vector);
    given->seen = bsim_value_recall(given->model, given->vector);
    given->is_recalled = given->seen != NULL;
    if (!given->is_recalled)
        note_unvaried(given);
    given->seen = given->is_recalled ? given->seen : nearest;
    given->is_stretched = nearest != NULL && given->seen != NULL && given->seen->repeat_count > 0;
    if (given->is_stretched)
        bsim_value_stretch(&given->stretched, given->model, given->vector, given->seen);
    if (given->seen != NULL)
        given->mean = given->seen->mean;
    else
        given->mean = bsim_value_formula(given->model, given->vector);
}

static void make(struct asked_value *given, const struct bsim_stub *stub, const double *values) {
    size_t features = (size_t)stub->value_count - 1;
    given->model = find_model(stub);
    int context = bsim_value_context_count(given->model);
    double *vector = bsim__grow(NULL, 0, (features + (size_t)context + 1) * sizeof *vector);
    memcpy(vector, values + 1, features * sizeof *vector);
    for (int i = 0; i < context; i++)
        vector[features + (size_t)i] =
            bsim__number_of_run(stub, "value", bsim_value_context_name(given->model, i));
    bsim_value_clear(given->model, vector);
    given->vector = vector;
    if (bsim_value_kind(given->model) == BSIM_VALUE_KIND_TRIPS)
        given->doubt = bsim_value_doubt(given->model, vector);
    given->is_predicted = bsim_value_untold(given->model) == 0;
    take_answer(given);
    if (!isfinite(given->mean))
        bsim__stop(BSIM__STUB_PLACE
                   ": error: the formula of value %d gives no number here; make profiling "
                   "runs that are more like this one, then run `mpiskel fit`",
                   stub->file, stub->line, region_of(given));
}

static struct bsim__given *given_of(struct bsim__rank *rank) {
    if (rank->given == NULL)
        rank->given = bsim__grow(NULL, 0, sizeof *rank->given);
    return rank->given;
}

/* By the rank that asks, or by all of them. */
static struct bsim__given *remembered(const struct bsim_value_model *model) {
    const int *places;
    int count;
    if (!bsim_value_is_once(&places, &count, model))
        return given_of(bsim__current_rank());
    struct bsim__given **all = bsim__given_once();
    if (*all == NULL)
        *all = bsim__grow(NULL, 0, sizeof **all);
    return *all;
}

static struct asked_value *find(struct bsim_stub *stub, const double *values);

/* Ranks that differ in what is not in the key go through the same numbers. */
static struct asked_value *with_key_only(struct bsim_stub *stub, struct asked_value *given) {
    size_t count = (size_t)stub->value_count - 1, same = 0;
    while (same < count && given->numbered.key[same + 1] == given->vector[same])
        same++;
    if (same == count)
        return given;
    double *values = bsim__grow(NULL, 0, (count + 1) * sizeof *values);
    values[0] = region_of(given);
    memcpy(values + 1, given->vector, count * sizeof *values);
    struct asked_value *found = find(stub, values);
    free(values);
    return found;
}

static struct asked_value *find(struct bsim_stub *stub, const double *values) {
    BSIM__VALUES(stub)[0] = values[0];
    struct asked_value *given =
        bsim__number_table_find(&remembered(find_model(stub))->asked, values, stub->value_count,
                                sizeof(struct asked_value));
    if (given->as != NULL)
        return given->as;
    make(given, stub, values);
    return given->as = with_key_only(stub, given);
}

/* ---- The next number ---- */

static void add_guess(int region) {
    struct bsim__shared *shared = bsim__shared();
    shared->guesses =
        with_region(shared->guesses, &shared->guess_count, region, sizeof *shared->guesses);
    shared->guesses[region]++;
}

static bool is_of_a_run(const struct asked_value *given) {
    return given->is_recalled && !bsim_value_differs(given->model) &&
           (given->is_stretched || given->repeat < given->seen->repeat_count);
}

static double next_number(struct asked_value *given) {
    const struct bsim_value_seen *seen = given->seen;
    if (!given->is_predicted && !is_of_a_run(given))
        add_guess(region_of(given));
    double number = given->mean;
    if (given->is_stretched) {
        number = bsim_stretched_next(&given->stretched);
    } else if (seen != NULL && given->repeat < seen->repeat_count) {
        const struct bsim_value_repeat *repeat = &seen->repeats[given->repeat];
        number = repeat->number;
        if (++given->used >= repeat->times) {
            given->repeat++;
            given->used = 0;
        }
    }
    return fmax(number, bsim_value_least(given->model));
}

static double round_off(struct asked_value *given, double number) {
    double wanted = number + given->carry;
    double whole = fmax(round(wanted), ceil(bsim_value_least(given->model)));
    given->carry = wanted - whole;
    return whole;
}

/* What comes seldom comes when its share adds up to one, so that a loop that it ends is as long as
 * such loops are on average. */
static bool add_up(struct asked_value *given, double share) {
    given->carry += share;
    if (given->carry < 1 - ROUNDING)
        return false;
    given->carry -= 1;
    return true;
}

static int decide(struct asked_value *given, double share) {
    return share > 0.5 ? !add_up(given, 1 - share) : add_up(given, share);
}

/* ---- Answers ---- */

static double answer_integer(struct asked_value *given) {
    double number = next_number(given);
    if (bsim_value_is_binary(given->model) && number <= 1)
        return decide(given, number);
    return fmin(fmax(round_off(given, number), -LARGEST_INTEGER), LARGEST_INTEGER);
}

static double answer_branch(struct asked_value *given) {
    return decide(given, fmin(next_number(given), 1));
}

static double answer_trips(struct asked_value *given) {
    return round_off(given, next_number(given));
}

typedef double answer_function(struct asked_value *given);

/* The answer to the rank's next question, which may be known from another rank. */
static double next_of_all(struct bsim_stub *stub, struct asked_value *given, const int *places,
                          int count, answer_function *answer) {
    int rank = bsim__current_rank()->number;
    if (rank < 0)
        bsim__stop(BSIM__STUB_PLACE
                   ": error: value %d is the same for all ranks, and is needed before MPI_Init, "
                   "where it is not known which rank asks; keep its line, which `mpiskel explain` "
                   "names, by a hint (docs/reference/hints.md), or generate without the assumption "
                   "cuts",
                   stub->file, stub->line, (int)BSIM__VALUES(stub)[0]);
    int ranks = (int)bsim__run_number(stub, "value", "ranks");
    double *key = bsim__grow(NULL, 0, ((size_t)count + 1) * sizeof *key), number = 0;
    key[0] = region_of(given);
    for (int i = 0; i < count; i++)
        key[i + 1] = given->vector[places[i]];
    struct bsim__question *question = bsim__question_find(key, count + 1);
    free(key);
    if (!bsim__question_next(&number, question, rank, ranks)) {
        bsim__question_add(question, answer(given));
        bsim__question_next(&number, question, rank, ranks);
    }
    return number;
}

static double next_answer(struct bsim_stub *stub, struct asked_value *given,
                          answer_function *answer) {
    const int *places;
    int count;
    return bsim_value_is_once(&places, &count, given->model)
               ? next_of_all(stub, given, places, count, answer)
               : answer(given);
}

long long bsim__value_integer(struct bsim_stub *stub, const double *values) {
    const char *replayed = bsim__value_replayed(stub, (int)values[0]);
    return replayed != NULL ? strtoll(replayed, NULL, 10)
                            : (long long)next_answer(stub, find(stub, values), answer_integer);
}

double bsim__value_floating(struct bsim_stub *stub, const double *values) {
    const char *replayed = bsim__value_replayed(stub, (int)values[0]);
    return replayed != NULL ? strtod(replayed, NULL)
                            : next_answer(stub, find(stub, values), next_number);
}

int bsim__value_branch(struct bsim_stub *stub, const double *values) {
    const char *replayed = bsim__value_replayed(stub, (int)values[0]);
    return replayed != NULL ? strtoll(replayed, NULL, 10) != 0
                            : next_answer(stub, find(stub, values), answer_branch) != 0;
}

/* NULL: it has not been asked for. */
static struct entered *find_loop(const struct bsim__given *all, int region) {
    for (int i = 0; all != NULL && i < all->loop_count; i++)
        if (all->loops[i].region == region)
            return &all->loops[i];
    return NULL;
}

static struct entered *loop_of(struct bsim__given *all, int region) {
    struct entered *found = find_loop(all, region);
    if (found != NULL)
        return found;
    size_t bytes = (size_t)all->loop_count * sizeof *all->loops;
    all->loops = bsim__grow(all->loops, bytes, bytes + sizeof *all->loops);
    all->loops[all->loop_count].region = region;
    return &all->loops[all->loop_count++];
}

/* Of a rank that has left it. */
static void add_doubt(struct entered *loop, int region) {
    struct bsim__shared *shared = bsim__shared();
    shared->doubts =
        with_region(shared->doubts, &shared->doubt_count, region, sizeof *shared->doubts);
    struct bsim__doubt *doubt = &shared->doubts[region];
    loop->doubtful_s += bsim__reached_s(bsim__current_rank()) - loop->begin_s;
    doubt->seconds = fmax(doubt->seconds, loop->doubtful_s);
    doubt->factor = fmax(doubt->factor, loop->doubt);
}

/* Always 0. A loop that never ended itself, as far as was seen, did not begin anew either: its
 * iterations were counted as one loop's. */
int bsim__begin_trips(int region) {
    struct entered *loop = find_loop(bsim__current_rank()->given, region);
    if (loop != NULL && loop->left < ENDLESS)
        loop->active = false;
    return 0;
}

double bsim__trips_left(int region, double limit) {
    struct bsim__rank *rank = bsim__current_rank();
    const struct entered *loop = find_loop(rank->given, region);
    rank->is_counted = true;
    rank->bound = limit;
    if (loop == NULL || !loop->active || loop->left >= ENDLESS)
        return -1;
    rank->counted_by = region + 1;
    return limit >= 0 ? fmin(loop->left, limit) : loop->left;
}

void bsim__leave_trips(struct bsim__rank *rank, int region) {
    struct entered *loop = find_loop(rank->given, region);
    if (loop == NULL)
        return;
    loop->active = false;
    if (loop->doubt > 0)
        add_doubt(loop, region);
}

int bsim__value_trips(struct bsim_stub *stub, const double *values) {
    const char *replayed = bsim__value_replayed(stub, (int)values[0]);
    if (replayed != NULL)
        return strtoll(replayed, NULL, 10) != 0;
    struct bsim__rank *rank = bsim__current_rank();
    struct entered *loop = loop_of(given_of(rank), (int)values[0]);
    if (!loop->active || rank->loop_begins) {
        struct asked_value *given = find(stub, values);
        loop->left = next_answer(stub, given, answer_trips);
        loop->doubt = given->doubt;
        if (loop->doubt > 0)
            loop->begin_s = bsim__reached_s(rank);
    }
    rank->loop_begins = false;
    loop->active = loop->left-- > 0;
    if (!loop->active && loop->doubt > 0)
        add_doubt(loop, (int)values[0]);
    return loop->active;
}
