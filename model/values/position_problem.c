/* SPDX-License-Identifier: Apache-2.0
 *
 * See position_problem.h.
 */
#include "model/values/position_problem.h"

#include "model/samples/points.h"
#include "model/values/value_agreement.h"

#include <math.h>
#include <string.h>

#define OBSERVATIONS_MAX 4096
#define RANKS_MAX 256 /* of a run that is looked at */
#define ROUNDS_MOST 5 /* of scaling and solving until both fit each other */
#define LEAST_ROUNDS 3
#define CONVERGED 1e-3
#define SMALL_DENSITY 1e-3 /* of the mean: it may change as it likes */
#define SAME_SIZE 0.02     /* sizes that differ by less are the same */

/* ---- Observations ---- */

static bool is_near(double left, double right) {
    return fabs(left - right) <= SAME_SIZE * fmax(fabs(left), fabs(right));
}

/* Tiles of a box that is not divided evenly are larger by a row. */
static bool same_run(const struct sample *left, const struct sample *right) {
    bool same = left->run == right->run;
    for (int i = 0; i < left->feature_count && same; i++)
        same = is_near(left->features[i], right->features[i]);
    return same;
}

static size_t find_place(struct position_problem *problem, int at, int length) {
    size_t i = 0;
    while (i < problem->places.count &&
           (problem->places.items[i].at != at || problem->places.items[i].length != length))
        i++;
    if (i == problem->places.count)
        vec_push(&problem->places, (struct position_place){.at = at, .length = length});
    return i;
}

static void add_observation(struct position_problem *out, const struct sample *sample, int ranks) {
    vec_push(&out->observations,
             (struct position_observation){.place = find_place(out, sample->rank, ranks),
                                           .number = sample->seconds / sample->timed,
                                           .weight = sample->timed,
                                           .sample = sample});
}

/* The ranks of sample `first`'s run with its features, if there are several. */
static void add_group(struct position_problem *out, const struct samples *all,
                      const struct sample *samples, size_t count, size_t first, bool *done) {
    const struct sample *one = &samples[first];
    int ranks = all->runs[one->run].ranks;
    size_t begin = out->observations.count;
    for (size_t i = first; i < count && i < first + OBSERVATIONS_MAX && !done[first]; i++) {
        if (one->feature_count > 0 && !is_near(one->features[0], samples[i].features[0]))
            break;
        if (done[i] || !same_run(one, &samples[i]))
            continue;
        done[i] = i > first;
        if (samples[i].timed > 0 && samples[i].rank >= 0 && samples[i].rank < ranks)
            add_observation(out, &samples[i], ranks);
    }
    if (out->observations.count < begin + 2 || ranks > RANKS_MAX ||
        out->observations.count > OBSERVATIONS_MAX) {
        out->observations.count = begin;
        return;
    }
    vec_push(&out->groups, (struct position_group){
                               .begin = begin, .end = out->observations.count, .length = ranks});
}

void position_problem_make(struct position_problem *out, const struct samples *all,
                           const struct sample *samples, size_t count, int split, double number) {
    bool *done = memset(xmalloc(count + 1), 0, count + 1);
    *out = (struct position_problem){0};
    for (size_t i = 0; i < count && out->observations.count < OBSERVATIONS_MAX; i++)
        if (split < 0 || samples[i].features[split] == number)
            add_group(out, all, samples, count, i, done);
    free(done);
}

void position_problem_dispose(struct position_problem *problem) {
    vec_dispose(&problem->observations);
    vec_dispose(&problem->groups);
    vec_dispose(&problem->places);
}

/* ---- Agreement ---- */

/* What two ranks sum up to, modulo their number, that are each other's mirror
 * image in the middle of the box: of lower borders, of slabs, and of upper borders. */
enum { MIRRORS = 3 };

static int mirror_sum(int mirror, int length) {
    return (length - mirror) % length;
}

/* With two places all are mirror images. */
static void rule_out(bool *possible, const struct position_problem *problem,
                     const struct position_observation *left,
                     const struct position_observation *right) {
    int length = problem->places.items[left->place].length;
    int sum = problem->places.items[left->place].at + problem->places.items[right->place].at;
    if (length == 2 || left->place == right->place || all_zero(left->sample) ||
        !same_numbers(left->sample, right->sample))
        return;
    for (int mirror = 0; mirror < MIRRORS; mirror++)
        if (sum % length != mirror_sum(mirror, length))
            possible[mirror] = false;
}

bool position_may_have_to_agree(const struct position_problem *problem) {
    bool possible[MIRRORS] = {true, true, true};
    for (size_t g = 0; g < problem->groups.count; g++)
        for (size_t i = problem->groups.items[g].begin; i < problem->groups.items[g].end; i++)
            for (size_t k = i + 1; k < problem->groups.items[g].end; k++)
                rule_out(possible, problem, &problem->observations.items[i],
                         &problem->observations.items[k]);
    return !possible[0] && !possible[1] && !possible[2];
}

/* ---- A density ---- */

/* density NULL: the same everywhere. */
static void find_factors(struct position_problem *problem, const struct density_kind *kind,
                         const double *density) {
    for (size_t i = 0; i < problem->places.count; i++) {
        struct position_place *place = &problem->places.items[i];
        place->factor =
            density != NULL ? density_factor(density, kind, place->at, place->length) : 1;
    }
}

static double factor_of(const struct position_problem *problem, size_t observation) {
    return problem->places.items[problem->observations.items[observation].place].factor;
}

/* By the factors, so that the sum of the group comes out right. False: they are nothing there. */
static bool scale_group(struct position_group *group, const struct position_problem *problem) {
    double total = 0, expected = 0;
    for (size_t i = group->begin; i < group->end; i++) {
        const struct position_observation *one = &problem->observations.items[i];
        total += one->weight * one->number;
        expected += one->weight * factor_of(problem, i);
    }
    group->scale = expected > 0 ? total / expected : 0;
    return expected > 0 || total == 0;
}

/* What is seen at the places. */
static void add_seen(density_place_list *out, const struct position_problem *problem, int without) {
    for (size_t i = 0; i < problem->places.count; i++)
        vec_push(out, (struct density_place){.at = problem->places.items[i].at,
                                             .length = problem->places.items[i].length});
    for (size_t g = 0; g < problem->groups.count; g++) {
        const struct position_group *group = &problem->groups.items[g];
        for (size_t i = group->begin;
             i < group->end && group->length != without && group->scale > 0; i++) {
            const struct position_observation *one = &problem->observations.items[i];
            out->items[one->place].sum += one->weight * one->number;
            out->items[one->place].weight += one->weight * group->scale;
        }
    }
}

static void find_seen(density_place_list *out, const struct position_problem *problem,
                      int without) {
    size_t kept = 0;
    add_seen(out, problem, without);
    for (size_t i = 0; i < out->count; i++)
        if (out->items[i].weight > 0)
            out->items[kept++] = out->items[i];
    out->count = kept;
}

/* Since *before, which becomes what it is now. */
static double change(double *before, const double *density) {
    double largest = 0;
    for (int i = 0; i < DENSITY_KNOTS; i++) {
        largest = fmax(largest, fabs(density[i] - before[i]) / fmax(density[i], SMALL_DENSITY));
        before[i] = density[i];
    }
    return largest;
}

bool position_fit(double *density, struct position_problem *problem,
                  const struct density_kind *kind, int without) {
    double before[DENSITY_KNOTS];
    bool good = true, has_converged = false;
    for (int k = 0; k < DENSITY_KNOTS; k++)
        density[k] = before[k] = 1;
    for (int round = 0; round < ROUNDS_MOST && good && !has_converged; round++) {
        density_place_list places = {0};
        find_factors(problem, kind, density);
        for (size_t g = 0; g < problem->groups.count && good; g++)
            good = scale_group(&problem->groups.items[g], problem) ||
                   problem->groups.items[g].length == without;
        find_seen(&places, problem, without);
        good = good && places.count > 0 && density_solve(density, &places, kind);
        has_converged = good && change(before, density) < CONVERGED;
        vec_dispose(&places);
    }
    return good;
}

/* By the factors; length 0: of all groups. */
static double error_by_factors(struct position_problem *problem, int length) {
    double error = 0;
    for (size_t g = 0; g < problem->groups.count; g++) {
        struct position_group *group = &problem->groups.items[g];
        if (length != 0 && group->length != length)
            continue;
        if (!scale_group(group, problem))
            return INFINITY;
        for (size_t i = group->begin; i < group->end; i++) {
            const struct position_observation *one = &problem->observations.items[i];
            error += one->weight * fabs(group->scale * factor_of(problem, i) - one->number);
        }
    }
    return error;
}

double position_error(struct position_problem *problem, const struct density_kind *kind,
                      const double *density, int length) {
    find_factors(problem, kind, density);
    return error_by_factors(problem, length);
}

double position_least_error(struct position_problem *problem) {
    find_factors(problem, NULL, NULL);
    for (int round = 0; round < LEAST_ROUNDS; round++) {
        density_place_list places = {0};
        for (size_t g = 0; g < problem->groups.count; g++)
            scale_group(&problem->groups.items[g], problem);
        add_seen(&places, problem, 0);
        for (size_t i = 0; i < places.count; i++)
            if (places.items[i].weight > 0)
                problem->places.items[i].factor = places.items[i].sum / places.items[i].weight;
        vec_dispose(&places);
    }
    return error_by_factors(problem, 0);
}
