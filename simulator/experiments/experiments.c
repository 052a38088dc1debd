/* SPDX-License-Identifier: Apache-2.0
 *
 * The target, what it lacks, and the choice of runs; see experiments.h. The search is in
 * experiments_search.c.
 */
#include "simulator/experiments/experiments.h"

#include "base/file.h"
#include "model/eval/eval_run_factor.h"
#include "simulator/experiments/experiments_search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Fixed numbers ---- */

/*
 * Which numbers among the arguments are one and the same in all runs, those that were made and
 * those that are planned: what depends on them no profile can tell.
 */

/* How a number was met in the runs so far. */
struct met_number {
    const char *name;
    size_t runs; /* in which it was */
    double number;
    bool varies;
};

static void look_at(struct met_number *met, struct words words) {
    struct bsim_argument found[BSIM_ARGUMENTS_MAX];
    int count = bsim_arguments_find(found, BSIM_ARGUMENTS_MAX, words.items, (int)words.count);
    for (int i = 0; i < count; i++) {
        if (strcmp(found[i].name, met->name) != 0)
            continue;
        met->varies |= met->runs > 0 && found[i].number != met->number;
        met->number = found[i].number;
        met->runs++;
    }
}

/* Sets plan->fixed and plan->fixed_count, in the order of the target's arguments. A number that no
 * run was given is none of them. */
static void fixed_numbers_find(struct experiments *plan,
                               const struct experiments_options *options) {
    struct bsim_argument target[BSIM_ARGUMENTS_MAX];
    struct words words = options->target.words;
    int count = bsim_arguments_find(target, BSIM_ARGUMENTS_MAX, words.items, (int)words.count);
    plan->fixed = ARENA_ARRAY(&plan->arena, struct fixed_number, (size_t)count + 1);
    for (int i = 0; i < count; i++) {
        struct met_number met = {.name = target[i].name};
        for (size_t k = 0; k < options->profiled_count; k++)
            look_at(&met, options->profiled[k].words);
        for (size_t k = 0; k < plan->run_count; k++)
            look_at(&met, plan->runs[k].candidate->trial.configuration.words);
        if (met.runs > 0 && !met.varies)
            plan->fixed[plan->fixed_count++] = (struct fixed_number){
                arena_strdup(&plan->arena, met.name), met.number, target[i].number};
    }
}

/* ---- Experiments ---- */

#define GAIN_LEAST 0.005     /* below that a run is not worth making, and below */
#define GAIN_LEAST_PART 0.03 /* of what is lacking then */

/* ---- The target ---- */

static int compare_shares(const void *left, const void *right) {
    const struct coverage_target *l = left, *r = right;
    if (l->share != r->share)
        return l->share > r->share ? -1 : 1;
    return (l->box.region > r->box.region) - (l->box.region < r->box.region);
}

/* Without a model both corners count alike. */
static double latency_s(const struct bundle *bundle, int region, const double *features) {
    const struct bsim_region_model *model =
        bundle->model != NULL ? bsim_model_region(bundle->model, region) : NULL;
    const struct bsim_scale *scale = model != NULL ? bsim_region_scale(model) : NULL;
    double range = 1;
    if (model == NULL)
        return 1;
    return bsim_region_latency_s(model, features) *
           (scale == NULL
                ? 1
                : bsim_scale_factor(&range, scale, features + bsim_region_feature_count(model)));
}

static void take_asked(struct experiments *plan, const struct bundle *bundle) {
    const struct trial *target = &plan->target;
    plan->asked_count = target->box_count;
    plan->asked = ARENA_ARRAY(&plan->arena, struct coverage_target, target->box_count);
    for (size_t i = 0; i < target->box_count; i++) {
        const struct feature_box *box = &target->boxes[i];
        plan->asked[i] = (struct coverage_target){
            .box = *box,
            .share = target->seconds_sum > 0 ? target->seconds[i] / target->seconds_sum
                                             : 1.0 / (double)target->box_count,
            .min_latency_s = latency_s(bundle, box->region, box->min),
            .max_latency_s = latency_s(bundle, box->region, box->max)};
    }
    if (plan->asked_count > 0)
        qsort(plan->asked, plan->asked_count, sizeof *plan->asked, compare_shares);
}

#define TARGET_MOST_S 600 /* a million ranks take some 400 */

static int simulate_target(struct experiments *plan, const struct bundle *bundle,
                           const char *model_file, const struct experiments_options *options,
                           struct error *error) {
    if (trial_run(&plan->target, &plan->arena, bundle, model_file, &options->target, TARGET_MOST_S,
                  options->show_progress, error) != 0)
        return -1;
    if (!plan->target.fine && plan->target.processor_s >= TARGET_MOST_S)
        return error_set(error,
                         "the target takes more than %d s of processor time to simulate: give a "
                         "smaller --target",
                         TARGET_MOST_S);
    if (!plan->target.fine)
        return error_set(error, "the target cannot be simulated: %s", plan->target.why);
    if (plan->target.box_count == 0)
        return error_set(error, "the target executes no region: there is nothing to profile");
    return 0;
}

/* Each feature vector once. */
static void add_samples(struct experiments *plan, const struct samples *samples) {
    for (size_t i = 0; i < plan->asked_count; i++) {
        struct arena scratch;
        size_t count = 0;
        arena_init(&scratch);
        int region = plan->asked[i].box.region;
        const struct sample **vectors = vectors_find(&count, &scratch, samples, region);
        for (size_t k = 0; k < count; k++)
            coverage_add(&plan->before, region, vectors[k]->features);
        arena_dispose(&scratch);
    }
}

/* ---- The choice ---- */

struct experiments_choice {
    struct planned_run *runs;
    size_t count;
    double cost_s;
    struct coverage coverage;
};

static const struct experiment *find_best(const struct experiments_search *search,
                                          const struct experiments_choice *choice,
                                          bool per_second) {
    const struct experiment *best = NULL;
    double best_worth = 0;
    double least = fmax(GAIN_LEAST, GAIN_LEAST_PART * coverage_lack(&choice->coverage));
    for (size_t i = 0; i < search->candidates.count; i++) {
        const struct experiment *candidate = search->candidates.items[i];
        if (choice->cost_s + candidate->cost_s > search->options->budget_s)
            continue;
        double gain =
            coverage_gain(&choice->coverage, candidate->trial.boxes, candidate->trial.box_count);
        double worth =
            per_second ? gain / (candidate->cost_s + 0.02 * search->options->budget_s) : gain;
        if (gain >= least && worth > best_worth) {
            best = candidate;
            best_worth = worth;
        }
    }
    return best;
}

static struct experiments_choice choose(const struct experiments_search *search, bool per_second) {
    struct experiments *plan = search->plan;
    struct experiments_choice choice = {
        .runs = ARENA_ARRAY(&plan->arena, struct planned_run, search->options->runs_most)};
    coverage_copy(&choice.coverage, &plan->arena, &plan->before);
    while (choice.count < search->options->runs_most) {
        const struct experiment *best = find_best(search, &choice, per_second);
        if (best == NULL)
            break;
        coverage_add_run(&choice.coverage, best->trial.boxes, best->trial.box_count);
        choice.cost_s += best->cost_s;
        choice.runs[choice.count++] = (struct planned_run){best, coverage_lack(&choice.coverage)};
    }
    return choice;
}

/* plan->runs, plan->after and what belongs to them, from the candidates. */
static void choose_runs(struct experiments_search *search) {
    struct experiments *plan = search->plan;
    struct experiments_choice by_ratio = choose(search, true), by_gain = choose(search, false);
    bool gain_is_better =
        coverage_lack(&by_gain.coverage) < coverage_lack(&by_ratio.coverage) * (1 - 1e-9);
    const struct experiments_choice *best = gain_is_better ? &by_gain : &by_ratio;
    plan->runs = best->runs;
    plan->run_count = best->count;
    plan->cost_s = best->cost_s;
    plan->after = best->coverage;
    plan->lack_after = coverage_lack(&best->coverage);
}

/* ---- All of it ---- */

static int make(struct experiments *plan, const struct bundle *bundle,
                const struct samples *measured, const struct experiments_options *options,
                const char *model_file, struct error *error) {
    struct samples samples = planned_samples(&plan->arena, measured, bundle->model);
    struct experiments_search search = {.plan = plan,
                                        .options = options,
                                        .bundle = bundle,
                                        .model_file = model_file,
                                        .error = error};
    if (trial_write_model(model_file, &plan->guessed_regions, bundle, error) != 0 ||
        simulate_target(plan, bundle, model_file, options, error) != 0)
        return -1;
    take_asked(plan, bundle);
    coverage_init(&plan->before, &plan->arena, plan->asked, plan->asked_count);
    add_samples(plan, &samples);
    plan->reached = reached_find(&plan->arena, plan->asked, plan->asked_count, &samples,
                                 &bundle->regions, bundle->model);
    plan->lack_before = coverage_lack(&plan->before);
    int result = search_candidates(&search);
    if (result == 0) {
        choose_runs(&search);
        fixed_numbers_find(plan, options);
    }
    vec_dispose(&search.candidates);
    vec_dispose(&search.tried);
    return result;
}

int experiments_make(struct experiments *out, const struct bundle *bundle,
                     const struct samples *samples, const struct experiments_options *options,
                     struct error *error) {
    *out = (struct experiments){0};
    arena_init(&out->arena);
    const char *directory = directory_temporary(&out->arena, "mpiskel-plan", error);
    int result = directory != NULL ? 0 : -1;
    if (result == 0)
        result = make(out, bundle, samples, options,
                      path_join(&out->arena, directory, "model.bsim"), error);
    if (directory != NULL && directory_remove(directory, error) != 0)
        result = -1;
    if (result != 0)
        experiments_dispose(out);
    return result;
}

void experiments_dispose(struct experiments *plan) {
    arena_dispose(&plan->arena);
    *plan = (struct experiments){0};
}
