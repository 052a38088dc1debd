/* SPDX-License-Identifier: Apache-2.0
 *
 * See value_position.h. Scales of groups (the ranks of a run with the same features) and the
 * density are found in turn. Observations at the same place are one row of the least-squares
 * problem.
 */
#include "model/value_position.h"

#include "base/vec.h"
#include "model/nnls.h"
#include "model/points.h"
#include "model/value_agreement.h"

#include <math.h>
#include <string.h>

#define SEGMENTS 16
#define KNOTS (SEGMENTS + 1)
#define ROUNDS 5
#define OBSERVATIONS_MAX 4096
#define RANKS_MAX 256 /* of a run that is looked at */
/* Factors have to take away that much of the error, and so much of the values. */
#define BETTER_FACTOR 0.7
#define BETTER_SHARE 0.02
/* What has to be extrapolated to the end of the box has to be that much better than what has not.
 */
#define EXTRAPOLATED_FACTOR 1.5

struct observation {
    int group, rank, ranks;
    double number, weight; /* the mean, and of how many executions */
    const struct sample *sample;
};

typedef VEC(struct observation) observation_list;

/* A group's ranks, observations [begin, end), and what its numbers are relative to. */
struct group {
    size_t begin, end;
    int ranks;
    double scale;
};

struct problem {
    observation_list observations; /* by group */
    VEC(struct group) groups;
};

struct candidate {
    enum bsim_place place;
    bool periodic;
    double roughness;
};

/* ---- Observations ---- */

static bool same_run(const struct samples *all, const struct sample *left,
                     const struct sample *right, int features) {
    return left->run == right->run && all->runs[left->run].ranks == all->runs[right->run].ranks &&
           features_compare(left->features, right->features, features) == 0;
}

static void add_observation(struct problem *out, const struct sample *sample, int ranks) {
    vec_push(&out->observations,
             (struct observation){(int)out->groups.count, sample->rank, ranks,
                                  sample->seconds / sample->timed, sample->timed, sample});
}

/* The ranks of sample `first`'s run with its features, if there are several. */
static void add_group(struct problem *out, const struct samples *all, const struct sample *samples,
                      size_t count, size_t first, bool *done) {
    const struct sample *one = &samples[first];
    int ranks = all->runs[one->run].ranks;
    size_t begin = out->observations.count;
    for (size_t i = first; i < count && !done[first]; i++) {
        if (features_compare(one->features, samples[i].features, one->feature_count) != 0)
            break;
        if (!same_run(all, one, &samples[i], one->feature_count))
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
    vec_push(&out->groups,
             (struct group){.begin = begin, .end = out->observations.count, .ranks = ranks});
}

/* Those whose feature `split` is `number`; -1: all. */
static void problem_make(struct problem *out, const struct samples *all,
                         const struct sample *samples, size_t count, int split, double number) {
    bool *done = memset(xmalloc(count + 1), 0, count + 1);
    *out = (struct problem){0};
    for (size_t i = 0; i < count; i++)
        if (split < 0 || samples[i].features[split] == number)
            add_group(out, all, samples, count, i, done);
    free(done);
}

static void problem_dispose(struct problem *problem) {
    vec_dispose(&problem->observations);
    vec_dispose(&problem->groups);
}

/* ---- Agreement ---- */

/* What the numbers of two ranks sum up to, modulo the ranks, that are each other's mirror image in
 * the middle of the box: of lower borders, of slabs, and of upper borders. */
enum { MIRRORS = 3 };

static int mirror_sum(int mirror, int ranks) {
    return (ranks - mirror) % ranks;
}

/* With two ranks all are mirror images. */
static void rule_out(bool *possible, const struct observation *left,
                     const struct observation *right) {
    if (left->ranks == 2 || all_zero(left->sample) || !same_numbers(left->sample, right->sample))
        return;
    for (int mirror = 0; mirror < MIRRORS; mirror++)
        if ((left->rank + right->rank) % left->ranks != mirror_sum(mirror, left->ranks))
            possible[mirror] = false;
}

static bool may_have_to_agree(const struct problem *problem) {
    bool possible[MIRRORS] = {true, true, true};
    for (size_t g = 0; g < problem->groups.count; g++)
        for (size_t i = problem->groups.items[g].begin; i < problem->groups.items[g].end; i++)
            for (size_t k = i + 1; k < problem->groups.items[g].end; k++)
                rule_out(possible, &problem->observations.items[i],
                         &problem->observations.items[k]);
    return !possible[0] && !possible[1] && !possible[2];
}

/* ---- A density ---- */

static double factor(const struct candidate *candidate, const double *density,
                     const struct observation *observation) {
    struct bsim_position position = {0, candidate->place, KNOTS, (double *)density};
    return bsim_position_factor(&position, observation->rank, observation->ranks);
}

/* So that the sum of the group comes out right. False: the density is nothing there. */
static bool scale_group(struct group *group, const struct problem *problem,
                        const struct candidate *candidate, const double *density) {
    double total = 0, expected = 0;
    for (size_t i = group->begin; i < group->end; i++) {
        const struct observation *one = &problem->observations.items[i];
        total += one->weight * one->number;
        expected += one->weight * (density != NULL ? factor(candidate, density, one) : 1);
    }
    group->scale = expected > 0 ? total / expected : 0;
    return expected > 0 || total == 0;
}

/* Rows of the penalty: second differences, times h^-1.5, so that their squares sum up to the
 * integral of the second derivative's square. */
static size_t add_roughness(double *a, const struct candidate *candidate) {
    double scale = sqrt(candidate->roughness * SEGMENTS * SEGMENTS * SEGMENTS);
    int first = candidate->periodic ? 0 : 1;
    size_t rows = 0;
    for (int k = first; k < SEGMENTS; k++, rows++) {
        double *row = a + rows * KNOTS;
        int before = k > 0 ? k - 1 : SEGMENTS - 1;
        row[before] += scale;
        row[k] -= 2 * scale;
        row[k + 1] += scale;
    }
    return rows;
}

/* Of a periodic density the last knot is the first one. */
static void wrap(double *a, size_t rows) {
    for (size_t r = 0; r < rows; r++) {
        a[r * KNOTS] += a[r * KNOTS + SEGMENTS];
        a[r * KNOTS + SEGMENTS] = 0;
    }
}

/* What is seen at one place: in all groups with as many ranks, of the rank. */
struct place {
    int rank, ranks;
    double sum, weight;
};

typedef VEC(struct place) place_list;

static void add_place(place_list *out, const struct observation *one, double scale) {
    size_t i = 0;
    while (i < out->count && (out->items[i].rank != one->rank || out->items[i].ranks != one->ranks))
        i++;
    if (i == out->count)
        vec_push(out, (struct place){.rank = one->rank, .ranks = one->ranks});
    double weight = one->weight * scale;
    out->items[i].sum += weight * one->number / scale;
    out->items[i].weight += weight;
}

static void find_places(place_list *out, const struct problem *problem, int without) {
    for (size_t g = 0; g < problem->groups.count; g++) {
        const struct group *group = &problem->groups.items[g];
        for (size_t i = group->begin; i < group->end; i++)
            if (group->ranks != without && group->scale > 0)
                add_place(out, &problem->observations.items[i], group->scale);
    }
}

/* What solves without the bounds and keeps them is a solution, and quick. */
static void solve_system(double *density, const struct least_squares *problem) {
    least_squares_solve(density, problem);
    for (size_t k = 0; k < problem->columns; k++)
        if (!(density[k] >= 0)) {
            nnls_solve(density, problem);
            return;
        }
}

static void solve_density(double *density, const place_list *places,
                          const struct candidate *candidate) {
    size_t row_limit = places->count + KNOTS;
    double *a = xmalloc(row_limit * KNOTS * sizeof *a), *b = xmalloc(row_limit * sizeof *b);
    double total = 0;
    memset(a, 0, row_limit * KNOTS * sizeof *a);
    memset(b, 0, row_limit * sizeof *b);
    size_t rows = add_roughness(a, candidate);
    for (size_t i = 0; i < places->count; i++)
        total += places->items[i].weight;
    for (size_t i = 0; i < places->count; i++, rows++) {
        const struct place *place = &places->items[i];
        double scale = sqrt(place->weight / total), *row = a + rows * KNOTS;
        bsim_position_weights(row, candidate->place, KNOTS, place->rank, place->ranks);
        for (int k = 0; k < KNOTS; k++)
            row[k] *= scale;
        b[rows] = scale * place->sum / place->weight;
    }
    if (candidate->periodic)
        wrap(a, rows);
    struct least_squares problem = {.a = a,
                                    .b = b,
                                    .rows = rows,
                                    .columns = candidate->periodic ? SEGMENTS : KNOTS,
                                    .stride = KNOTS};
    solve_system(density, &problem);
    if (candidate->periodic)
        density[SEGMENTS] = density[0];
    free(a);
    free(b);
}

/* Its mean over the box becomes 1. False: it is nothing anywhere. */
static bool normalise(double *density) {
    double sum = 0;
    for (int k = 0; k < SEGMENTS; k++)
        sum += (density[k] + density[k + 1]) / 2;
    for (int k = 0; k < KNOTS && sum > 0; k++)
        density[k] *= SEGMENTS / sum;
    return sum > 0;
}

/* Without the groups of so many ranks (0: with all). False: they say nothing. */
static bool fit_density(double *density, struct problem *problem, const struct candidate *candidate,
                        int without) {
    bool good = true;
    for (int round = 0; round < ROUNDS && good; round++) {
        place_list places = {0};
        for (size_t g = 0; g < problem->groups.count && good; g++)
            good = scale_group(&problem->groups.items[g], problem, candidate,
                               round > 0 ? density : NULL) ||
                   problem->groups.items[g].ranks == without;
        find_places(&places, problem, without);
        good = good && places.count > 0;
        if (good) {
            solve_density(density, &places, candidate);
            good = normalise(density);
        }
        vec_dispose(&places);
    }
    return good;
}

/* ---- Choice ---- */

/* Sum of differences in groups of so many ranks, their sums being known; density NULL: all ranks
 * are alike. */
static double error_of(struct problem *problem, const struct candidate *candidate,
                       const double *density, int ranks) {
    double error = 0;
    for (size_t g = 0; g < problem->groups.count; g++) {
        struct group *group = &problem->groups.items[g];
        if (group->ranks != ranks)
            continue;
        if (!scale_group(group, problem, candidate, density))
            return INFINITY;
        for (size_t i = group->begin; i < group->end; i++) {
            const struct observation *one = &problem->observations.items[i];
            double share = density != NULL ? factor(candidate, density, one) : 1;
            error += one->weight * fabs(group->scale * share - one->number);
        }
    }
    return error;
}

/* True: of the groups, this one is the first with its number of ranks. */
static bool is_new(const struct problem *problem, size_t g) {
    for (size_t i = 0; i < g; i++)
        if (problem->groups.items[i].ranks == problem->groups.items[g].ranks)
            return false;
    return true;
}

/* Numbers of ranks left out in turn; candidate NULL: all ranks are alike. Infinite if there is only
 * one, or it says nothing. */
static double left_out_error(struct problem *problem, const struct candidate *candidate) {
    double density[KNOTS], error = 0;
    for (size_t g = 0; g < problem->groups.count && error < INFINITY; g++) {
        int ranks = problem->groups.items[g].ranks;
        if (!is_new(problem, g))
            continue;
        if (candidate != NULL && !fit_density(density, problem, candidate, ranks))
            return INFINITY;
        error += error_of(problem, candidate, candidate != NULL ? density : NULL, ranks);
    }
    return error;
}

struct choice {
    struct candidate candidate;
    double error, without, total;
};

static double total_of(const struct problem *problem) {
    double total = 0;
    for (size_t i = 0; i < problem->observations.count; i++)
        total +=
            problem->observations.items[i].weight * fabs(problem->observations.items[i].number);
    return total;
}

/* Borders and centres of more ranks are nearer to the ends than those that were seen. */
static bool is_extrapolated(const struct candidate *candidate) {
    return !candidate->periodic && candidate->place != BSIM_PLACE_SPAN;
}

static void choose(struct choice *out, struct problem *problem) {
    static const double roughness[] = {1e-4, 1e-6};
    *out = (struct choice){
        .error = INFINITY, .without = left_out_error(problem, NULL), .total = total_of(problem)};
    for (int place = 0; place < BSIM_PLACE_COUNT; place++)
        for (int periodic = 0; periodic < 2; periodic++)
            for (size_t r = 0; r < sizeof roughness / sizeof roughness[0]; r++) {
                struct candidate candidate = {(enum bsim_place)place, periodic != 0, roughness[r]};
                double error = left_out_error(problem, &candidate) *
                               (is_extrapolated(&candidate) ? EXTRAPOLATED_FACTOR : 1);
                if (error < out->error) {
                    out->error = error;
                    out->candidate = candidate;
                }
            }
}

/* ---- Parts ---- */

static int numbers_of(double *out, const struct sample *samples, size_t count, int feature) {
    int found = 0;
    for (size_t i = 0; i < count; i++) {
        int same = 0;
        while (same < found && out[same] != samples[i].features[feature])
            same++;
        if (same < found)
            continue;
        if (found == VALUE_POSITIONS_MAX)
            return 0;
        out[found++] = samples[i].features[feature];
    }
    return found > 1 ? found : 0;
}

struct attempt {
    struct value_positions positions;
    double error, without, total;
    bool good;
};

static void add_part(struct attempt *out, struct arena *arena, const struct samples *all,
                     const struct sample *samples, size_t count, double number) {
    struct problem problem;
    struct choice choice;
    struct bsim_position *position = &out->positions.items[out->positions.count++];
    problem_make(&problem, all, samples, count, out->positions.split, number);
    out->good = out->good && !may_have_to_agree(&problem);
    if (out->good) {
        choose(&choice, &problem);
        double *density = ARENA_ARRAY(arena, double, KNOTS);
        out->good = choice.error < INFINITY && fit_density(density, &problem, &choice.candidate, 0);
        *position = (struct bsim_position){number, choice.candidate.place, KNOTS, density};
        out->error += choice.error;
        out->without += choice.without;
        out->total += choice.total;
    }
    problem_dispose(&problem);
}

static struct attempt attempt(struct arena *arena, const struct samples *all,
                              const struct sample *samples, size_t count, int split) {
    struct attempt result = {.positions = {.split = split}, .good = true};
    double numbers[VALUE_POSITIONS_MAX] = {0};
    int number_count = split < 0 ? 1 : numbers_of(numbers, samples, count, split);
    for (int i = 0; i < number_count && result.good; i++)
        add_part(&result, arena, all, samples, count, numbers[i]);
    result.good = result.good && number_count > 0 && result.total > 0 &&
                  result.error <= BETTER_FACTOR * result.without &&
                  result.error + BETTER_SHARE * result.total <= result.without;
    return result;
}

static const double *make_factors(struct arena *arena, const struct value_positions *positions,
                                  const struct samples *all, const struct sample *samples,
                                  size_t count) {
    double *factors = ARENA_ARRAY(arena, double, count);
    for (size_t i = 0; i < count; i++) {
        factors[i] = 1;
        for (int k = 0; k < positions->count; k++)
            if (positions->split < 0 ||
                samples[i].features[positions->split] == positions->items[k].number)
                factors[i] = bsim_position_factor(&positions->items[k], samples[i].rank,
                                                  all->runs[samples[i].run].ranks);
    }
    return factors;
}

bool value_positions_find(struct value_positions *out, struct arena *arena,
                          const struct samples *all, const struct sample *samples, size_t count,
                          const struct region *region) {
    struct attempt best = {.good = false};
    if (region->value != VALUE_INTEGER)
        return false;
    for (int split = -1; split < region->feature_count; split++) {
        struct attempt other = attempt(arena, all, samples, count, split);
        if (other.good && (!best.good || other.error < BETTER_FACTOR * best.error))
            best = other;
    }
    if (!best.good || value_comes_back(all, samples, count))
        return false;
    *out = best.positions;
    out->factors = make_factors(arena, out, all, samples, count);
    out->error = best.error / best.total;
    out->without = best.without / best.total;
    return true;
}

/* ---- Text ---- */

void value_positions_add_count(struct str *out, const struct value_positions *positions) {
    str_printf(out, " positions %d %d", positions->split, positions->count);
}

void value_positions_add_lines(struct str *out, const struct value_positions *positions) {
    for (int i = 0; i < positions->count; i++) {
        const struct bsim_position *position = &positions->items[i];
        str_printf(out, "position %.17g %s %d", position->number, bsim_place_name(position->place),
                   position->knot_count);
        for (int k = 0; k < position->knot_count; k++)
            str_printf(out, " %.9g", position->density[k]);
        str_addc(out, '\n');
    }
}

static const char *place_text(enum bsim_place place) {
    static const char *const texts[] = {"the lower border of the rank's slab",
                                        "the centre of the rank's slab",
                                        "the upper border of the rank's slab", "the rank's slab"};
    return texts[place];
}

void value_positions_print(struct str *out, const struct value_positions *positions,
                           const struct region *region) {
    for (int i = 0; i < positions->count; i++) {
        const struct bsim_position *position = &positions->items[i];
        double least = INFINITY, most = 0;
        for (int k = 0; k < position->knot_count; k++) {
            least = fmin(least, position->density[k]);
            most = fmax(most, position->density[k]);
        }
        str_add(out, i > 0 ? "; " : "");
        if (positions->split >= 0)
            str_printf(out, "%s=%g: ", region->features[positions->split].name, position->number);
        str_printf(out, "%.3g to %.3g by %s", least, most, place_text(position->place));
    }
}
