/* SPDX-License-Identifier: Apache-2.0
 *
 * Best-first search over configurations; see experiments.h. What is best is what a run would bring
 * per second of its cost. From time to time the best one so far is taken as if it had been made, so
 * that the search goes on to look for what complements it.
 */
#include "simulator/experiments/experiments_search.h"

#include "base/process.h"

#include <math.h>
#include <string.h>

#define SEEDS_MOST 6    /* profiled configurations that are looked at */
#define HALVINGS_MOST 7 /* of the target's sizes */
#define REPEATS_MOST 10
#define SAME_FEATURE 0.2    /* difference of logarithms */
#define TRIALS_PER_STAGE 16 /* then the best one so far counts as made */
#define SLOW_S 3            /* a simulation that takes longer is not made larger */
#define TRIAL_LEAST_S 2     /* a simulation has to start */
#define SEARCH_MOST_S 120   /* of all: far more than skeletons take that do not compute */
#define FLOOR_PART 0.02     /* of the budget: what a run costs at least, for mpirun and the user */

static bool is_over(const struct experiments_search *search) {
    return search->plan->trial_count >= search->options->trials_most || search->plan->is_ended ||
           process_interrupted();
}

/* ---- Trials ---- */

static bool was_tried(const struct experiments_search *search, const struct configuration *wanted) {
    for (size_t i = 0; i < search->tried.count; i++)
        if (search->tried.items[i].ranks == wanted->ranks &&
            words_equal(search->tried.items[i].words, wanted->words))
            return true;
    return false;
}

static struct experiment *find_candidate(const struct experiments_search *search,
                                         const struct configuration *wanted) {
    for (size_t i = 0; i < search->candidates.count; i++) {
        const struct configuration *one = &search->candidates.items[i]->trial.configuration;
        if (one->ranks == wanted->ranks && words_equal(one->words, wanted->words))
            return search->candidates.items[i];
    }
    return NULL;
}

static void note_refusal(struct experiments *plan, const struct trial *trial) {
    plan->refused_count++;
    if (plan->refused_why == NULL)
        plan->refused_why = trial->why;
}

/* Simulates the configuration, unless it was or the search is over. *out: the candidate, NULL where
 * there is none. */
static int try_configuration(struct experiment **out, struct experiments_search *search,
                             struct configuration configuration) {
    struct experiments *plan = search->plan;
    struct experiment *candidate = ARENA_NEW(&plan->arena, struct experiment);
    *out = find_candidate(search, &configuration);
    if (*out != NULL || configuration.ranks < 1 ||
        configuration.ranks > search->options->max_ranks || is_over(search) ||
        was_tried(search, &configuration))
        return 0;
    vec_push(&search->tried, configuration);
    plan->trial_count++;
    /* What takes longer to simulate than all runs may cost is none of them. */
    double limit_s = fmin(TRIAL_MOST_S, fmax(search->options->budget_s, TRIAL_LEAST_S));
    if (trial_run(&candidate->trial, &plan->arena, search->bundle, search->model_file,
                  &configuration, limit_s, false, search->error) != 0)
        return -1;
    plan->searched_s += candidate->trial.processor_s;
    plan->is_ended = plan->searched_s >= SEARCH_MOST_S;
    if (!candidate->trial.fine) {
        note_refusal(plan, &candidate->trial);
        return 0;
    }
    candidate->cost_s = candidate->trial.makespan_s * (double)configuration.ranks;
    candidate->gain =
        coverage_gain(&plan->before, candidate->trial.boxes, candidate->trial.box_count);
    vec_push(&search->candidates, candidate);
    *out = candidate;
    return 0;
}

/* ---- What the numbers do ---- */

/* Bits of the numbers whose name is known to be of that kind. */
static unsigned long long mask_of(const struct experiments *plan,
                                  const struct bsim_argument *numbers, size_t count,
                                  enum number_kind kind) {
    unsigned long long mask = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < plan->number_count; k++)
            if (plan->numbers[k].kind == kind &&
                strcmp(plan->numbers[k].name, numbers[i].name) == 0)
                mask |= 1ULL << i;
    return mask;
}

static const struct feature_box *find_box(const struct trial *trial, int region) {
    for (size_t i = 0; i < trial->box_count; i++)
        if (trial->boxes[i].region == region)
            return &trial->boxes[i];
    return NULL;
}

/* What is drawn at random differs a little from run to run, a size that doubles more than that. */
static bool is_same_box(const struct feature_box *one, const struct feature_box *other) {
    for (int j = 0; j < one->feature_count; j++)
        if (fabs(coverage_log(one->min[j]) - coverage_log(other->min[j])) > SAME_FEATURE ||
            fabs(coverage_log(one->max[j]) - coverage_log(other->max[j])) > SAME_FEATURE)
            return false;
    return true;
}

/* In regions that both execute: that more steps reach a region at last makes them no size. */
static bool has_same_features(const struct trial *one, const struct trial *other) {
    for (size_t i = 0; i < one->box_count; i++) {
        const struct feature_box *box = find_box(other, one->boxes[i].region);
        if (box != NULL && !is_same_box(&one->boxes[i], box))
            return false;
    }
    return true;
}

static int classify(struct varied_number *out, struct experiments_search *search,
                    const struct experiment *base, const struct bsim_argument *numbers,
                    size_t count, size_t index) {
    static const double factors[] = {2, 0.5};
    struct configuration configuration = base->trial.configuration;
    struct words words = configuration.words;
    *out = (struct varied_number){arena_strdup(&search->plan->arena, numbers[index].name),
                                  NUMBER_BOUND};
    for (size_t i = 0; i < sizeof factors / sizeof *factors; i++) {
        struct experiment *found = NULL;
        configuration.words =
            vary_scale(&search->plan->arena, words, numbers, count, 1ULL << index, factors[i]);
        if (words_equal(configuration.words, words))
            continue;
        if (try_configuration(&found, search, configuration) != 0)
            return -1;
        if (found == NULL)
            continue;
        out->kind = has_same_features(&base->trial, &found->trial) ? NUMBER_REPEAT : NUMBER_SIZE;
        return 0;
    }
    return 0;
}

/* Around the first configuration that gets through. */
static int probe_numbers(struct experiments_search *search, const struct experiment *base) {
    struct experiments *plan = search->plan;
    struct bsim_argument *numbers = NULL;
    size_t count = vary_find(&numbers, &plan->arena, base->trial.configuration.words);
    plan->numbers = ARENA_ARRAY(&plan->arena, struct varied_number, count);
    for (size_t i = 0; i < count; i++) {
        if (classify(&plan->numbers[i], search, base, numbers, count, i) != 0)
            return -1;
        plan->number_count++;
    }
    return 0;
}

/* ---- Where the search begins ---- */

/* Profiled configurations, evenly from the list; else the target on few ranks, smaller and smaller.
 * *out: the first one that gets through. */
static int try_profiled(struct experiment **out, struct experiments_search *search) {
    size_t count = search->options->profiled_count;
    size_t step = count > SEEDS_MOST ? (count + SEEDS_MOST - 1) / SEEDS_MOST : 1;
    *out = NULL;
    for (size_t i = 0; i < count; i += step) {
        struct experiment *found = NULL;
        if (try_configuration(&found, search, search->options->profiled[i]) != 0)
            return -1;
        if (*out == NULL)
            *out = found;
    }
    return 0;
}

/* The target on few ranks, as it is and with all numbers smaller. */
static int try_target(struct experiment **out, struct experiments_search *search) {
    struct words words = search->options->target.words;
    struct bsim_argument *numbers = NULL;
    size_t count = vary_find(&numbers, &search->plan->arena, words);
    for (double factor = 1; *out == NULL && factor > 0.01; factor /= 2)
        for (size_t ranks = search->options->max_ranks; ranks >= 1 && *out == NULL; ranks /= 2) {
            struct configuration configuration = {
                ranks, vary_scale(&search->plan->arena, words, numbers, count, ~0ULL, factor)};
            if (try_configuration(out, search, configuration) != 0)
                return -1;
        }
    return 0;
}

/* Numbers that only repeat stay what they are in the target, for the first executions in a run take
 * longer than others, but at most REPEATS_MOST times what was profiled. */
static struct words with_fewer_repeats(struct experiments_search *search, struct words words,
                                       const struct bsim_argument *numbers, size_t count,
                                       const struct experiment *base) {
    struct arena *arena = &search->plan->arena;
    struct bsim_argument *others = NULL;
    size_t other_count = vary_find(&others, arena, base->trial.configuration.words);
    unsigned long long repeats = mask_of(search->plan, numbers, count, NUMBER_REPEAT);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < other_count; k++) {
            double factor = REPEATS_MOST * others[k].number / numbers[i].number;
            if ((repeats >> i & 1) && factor < 1 && strcmp(numbers[i].name, others[k].name) == 0)
                words = vary_scale(arena, words, numbers, count, 1ULL << i, factor);
        }
    return words;
}

/* On most ranks and on one; *out_slow: one of the simulations was slow. */
static int try_on_ranks(bool *out_slow, struct experiments_search *search, struct words words) {
    size_t ranks[] = {search->options->max_ranks, 1};
    for (size_t i = 0; i < 2; i++) {
        struct experiment *found = NULL;
        if (try_configuration(&found, search, (struct configuration){ranks[i], words}) != 0)
            return -1;
        *out_slow |= found != NULL && found->trial.processor_s > SLOW_S;
    }
    return 0;
}

/* The smallest first, since a skeleton that still computes takes the longer the larger it is. */
static int try_smaller_targets(struct experiments_search *search, const struct experiment *base) {
    struct arena *arena = &search->plan->arena;
    struct bsim_argument *numbers = NULL;
    size_t count = vary_find(&numbers, arena, search->options->target.words);
    unsigned long long sizes = mask_of(search->plan, numbers, count, NUMBER_SIZE);
    struct words words =
        with_fewer_repeats(search, search->options->target.words, numbers, count, base);
    bool is_slow = false;
    count = vary_find(&numbers, arena, words);
    for (int halvings = HALVINGS_MOST; halvings >= 0 && sizes != 0 && !is_slow; halvings--)
        if (try_on_ranks(&is_slow, search,
                         vary_scale(arena, words, numbers, count, sizes, pow(0.5, halvings))) != 0)
            return -1;
    return 0;
}

/* ---- Best first ---- */

static double score(const struct experiments_search *search, const struct coverage *coverage,
                    const struct experiment *candidate) {
    double gain = coverage_gain(coverage, candidate->trial.boxes, candidate->trial.box_count);
    return gain / (candidate->cost_s + FLOOR_PART * search->options->budget_s);
}

/* NULL: all have been expanded, or (of those that can be made) there is none. */
static struct experiment *best_candidate(const struct experiments_search *search,
                                         const struct coverage *coverage, bool to_expand) {
    struct experiment *best = NULL;
    double best_score = -1;
    for (size_t i = 0; i < search->candidates.count; i++) {
        struct experiment *candidate = search->candidates.items[i];
        if (to_expand ? candidate->expanded : candidate->cost_s > search->options->budget_s)
            continue;
        double found = score(search, coverage, candidate);
        if (found > best_score) {
            best = candidate;
            best_score = found;
        }
    }
    return best;
}

/* The neighbours whose numbers in `which` are scaled, on so many ranks. */
static int try_neighbour(struct experiments_search *search, const struct experiment *from,
                         size_t ranks, const struct bsim_argument *numbers, size_t count,
                         unsigned long long which, double factor) {
    struct experiment *found = NULL;
    struct words words = vary_scale(&search->plan->arena, from->trial.configuration.words, numbers,
                                    count, which, factor);
    return try_configuration(&found, search, (struct configuration){ranks, words});
}

static size_t scale_ranks(size_t ranks, double factor) {
    return factor < 1 ? ranks / 2 : ranks * 2;
}

static int expand_by(struct experiments_search *search, const struct experiment *from,
                     const struct bsim_argument *numbers, size_t count, double factor) {
    unsigned long long sizes = mask_of(search->plan, numbers, count, NUMBER_SIZE);
    unsigned long long bound = mask_of(search->plan, numbers, count, NUMBER_BOUND);
    size_t ranks = from->trial.configuration.ranks, others = scale_ranks(ranks, factor);
    int result = try_neighbour(search, from, ranks, numbers, count, sizes, factor);
    if (result == 0)
        result = try_neighbour(search, from, others, numbers, count, 0, 1);
    for (size_t i = 0; i < count && result == 0; i++) {
        if (sizes >> i & 1)
            result = try_neighbour(search, from, ranks, numbers, count, 1ULL << i, factor);
        if (result == 0 && ((sizes | bound) >> i & 1))
            result = try_neighbour(search, from, others, numbers, count, 1ULL << i, factor);
    }
    return result;
}

static int expand(struct experiments_search *search, struct experiment *from) {
    struct bsim_argument *numbers = NULL;
    size_t count = vary_find(&numbers, &search->plan->arena, from->trial.configuration.words);
    from->expanded = true;
    if (expand_by(search, from, numbers, count, 0.5) != 0)
        return -1;
    if (from->trial.processor_s <= SLOW_S && expand_by(search, from, numbers, count, 2) != 0)
        return -1;
    unsigned long long repeats = mask_of(search->plan, numbers, count, NUMBER_REPEAT);
    if (repeats == 0 || from->cost_s <= search->options->budget_s)
        return 0;
    return try_neighbour(search, from, from->trial.configuration.ranks, numbers, count, repeats,
                         0.5);
}

static int search_on(struct experiments_search *search) {
    struct experiments *plan = search->plan;
    struct coverage imagined;
    size_t stage_end = plan->trial_count + TRIALS_PER_STAGE;
    coverage_copy(&imagined, &plan->arena, &plan->before);
    while (!is_over(search)) {
        struct experiment *next = best_candidate(search, &imagined, true);
        if (next == NULL)
            return 0;
        if (expand(search, next) != 0)
            return -1;
        if (plan->trial_count < stage_end)
            continue;
        stage_end = plan->trial_count + TRIALS_PER_STAGE;
        const struct experiment *best = best_candidate(search, &imagined, false);
        if (best != NULL)
            coverage_add_run(&imagined, best->trial.boxes, best->trial.box_count);
    }
    return 0;
}

int search_candidates(struct experiments_search *search) {
    struct experiment *base = NULL;
    if (try_profiled(&base, search) != 0 || (base == NULL && try_target(&base, search) != 0))
        return -1;
    if (base == NULL)
        return 0;
    if (probe_numbers(search, base) != 0 || try_smaller_targets(search, base) != 0 ||
        search_on(search) != 0)
        return -1;
    if (process_interrupted())
        return error_set(search->error, "interrupted");
    return 0;
}
