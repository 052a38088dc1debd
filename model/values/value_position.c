/* SPDX-License-Identifier: Apache-2.0
 *
 * See value_position.h; position_problem.h has the densities.
 */
#include "model/values/value_position.h"

#include "model/solve/left_out.h"
#include "model/values/position_problem.h"
#include "model/values/value_agreement.h"
#include "model/values/value_candidate.h"
#include "model/values/value_solve.h"

#include <math.h>

/* Factors have to take away that much of the error, and so much of the values. */
#define BETTER_FACTOR 0.7
#define BETTER_SHARE 0.02
/* What has to be extrapolated to the end of the box has to be that much better than what has not.
 */
#define EXTRAPOLATED_FACTOR 1.5
#define OWN_FACTOR 1.3 /* a density for each formula may be as much worse */
/* Formulas times factors have to be that much better than formulas for ranks that are all alike. */
#define TAKEN_FACTOR 0.7

/* ---- Choice ---- */

/* True: of the groups, this one is the first of so many ranks. */
static bool is_new(const struct position_problem *problem, size_t g) {
    for (size_t i = 0; i < g; i++)
        if (problem->groups.items[i].length == problem->groups.items[g].length)
            return false;
    return true;
}

struct position_trial {
    struct position_problem *problem;
    const struct density_kind *kind; /* NULL: all ranks are alike */
};

/* Without the groups of as many ranks as group `without`. */
static bool fit_without(double *sum, void *candidate, int without) {
    const struct position_trial *trial = candidate;
    double density[DENSITY_KNOTS];
    int length = trial->problem->groups.items[without].length;
    if (!is_new(trial->problem, (size_t)without))
        return true;
    if (trial->kind != NULL && !position_fit(density, trial->problem, trial->kind, length))
        return false;
    *sum +=
        position_error(trial->problem, trial->kind, trial->kind != NULL ? density : NULL, length);
    return true;
}

/* Numbers of ranks left out in turn. Infinite if there is only one, or it says nothing. */
static double error_left_out(struct position_problem *problem, const struct density_kind *kind) {
    struct position_trial trial = {problem, kind};
    return left_out_error((int)problem->groups.count, fit_without, &trial);
}

/* The best of all. */
struct value_position_choice {
    struct density_kind kind;
    double error, without, total;
};

static double total_of(const struct position_problem *problem) {
    double total = 0;
    for (size_t i = 0; i < problem->observations.count; i++)
        total +=
            problem->observations.items[i].weight * fabs(problem->observations.items[i].number);
    return total;
}

/* Borders and centres of more ranks are nearer to the ends than those that were seen. */
static bool is_extrapolated(const struct density_kind *kind) {
    return !kind->is_periodic && kind->place != BSIM_PLACE_SPAN;
}

static void try_place(struct value_position_choice *out, struct position_problem *problem,
                      enum bsim_place place) {
    static const double roughness[] = {1e-4, 1e-6};
    for (int is_periodic = 0; is_periodic < 2; is_periodic++)
        for (size_t r = 0; r < sizeof roughness / sizeof roughness[0]; r++) {
            struct density_kind kind = {place, is_periodic != 0, roughness[r]};
            double error = error_left_out(problem, &kind);
            double judged = error * (is_extrapolated(&kind) ? EXTRAPOLATED_FACTOR : 1);
            if (judged < out->error) {
                out->error = judged;
                out->kind = kind;
            }
        }
}

/* With a single number of slabs, any density that was found for others would be chance. */
static bool has_two_numbers(const struct position_problem *problem) {
    int known = 0;
    for (size_t g = 0; g < problem->groups.count; g++) {
        int length = problem->groups.items[g].length;
        if (length > 1 && known > 1 && length != known)
            return true;
        known = length > 1 ? length : known;
    }
    return false;
}

/* Without an error if nothing is better than that all ranks are alike; false: ranks may have to
 * agree. */
static bool choose(struct value_position_choice *out, struct position_problem *problem) {
    *out = (struct value_position_choice){
        .error = INFINITY, .without = error_left_out(problem, NULL), .total = total_of(problem)};
    if (position_may_have_to_agree(problem))
        return false;
    if (has_two_numbers(problem) && out->without > BETTER_SHARE * out->total &&
        position_least_error(problem) <= BETTER_FACTOR * out->without)
        for (int place = 0; place < BSIM_PLACE_COUNT; place++)
            try_place(out, problem, (enum bsim_place)place);
    return true;
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

/* Errors are sums of differences. */
struct value_position_attempt {
    struct value_positions positions;
    double total;
    bool good;
};

static bool make_position(struct bsim_position *out, struct arena *arena,
                          struct position_problem *problem,
                          const struct value_position_choice *choice, double number) {
    double *density = ARENA_ARRAY(arena, double, DENSITY_KNOTS);
    const struct density_kind *kind = &choice->kind;
    *out = (struct bsim_position){number, kind->place, DENSITY_KNOTS, density};
    return position_fit(density, problem, kind, 0);
}

/* A number of the feature where all ranks are alike has no factor. */
static void add_part(struct value_position_attempt *out, const struct value_question *question,
                     double number) {
    struct position_problem problem;
    struct value_position_choice choice;
    struct value_positions *positions = &out->positions;
    position_problem_make(&problem, question->all, question->data->samples,
                          question->data->sample_count, positions->split, number);
    out->good = choose(&choice, &problem);
    if (out->good && choice.error < choice.without) {
        out->good = make_position(&positions->items[positions->count++], question->arena, &problem,
                                  &choice, number);
    }
    positions->error += fmin(choice.error, choice.without);
    positions->without += choice.without;
    out->total += choice.total;
    position_problem_dispose(&problem);
}

static struct value_position_attempt attempt(const struct value_question *question, int split) {
    struct value_position_attempt result = {.positions = {.split = split}, .good = true};
    struct value_positions *positions = &result.positions;
    double numbers[VALUE_POSITIONS_MAX] = {0};
    int number_count = split < 0 ? 1
                                 : numbers_of(numbers, question->data->samples,
                                              question->data->sample_count, split);
    for (int i = 0; i < number_count && result.good; i++)
        add_part(&result, question, numbers[i]);
    result.good = result.good && positions->count > 0 && result.total > 0 &&
                  positions->error <= BETTER_FACTOR * positions->without &&
                  positions->error + BETTER_SHARE * result.total <= positions->without;
    return result;
}

/* Of all splits, or `preferred`, that of the formulas, if that is about as good. */
static struct value_position_attempt best_attempt(const struct value_question *question,
                                                  int preferred) {
    struct value_position_attempt best = {.good = false}, own = {.good = false};
    for (int split = -1; split < question->region->feature_count; split++) {
        struct value_position_attempt other = attempt(question, split);
        if (split == preferred)
            own = other;
        if (other.good &&
            (!best.good || other.positions.error < BETTER_FACTOR * best.positions.error))
            best = other;
    }
    return own.good && own.positions.error <= OWN_FACTOR * best.positions.error ? own : best;
}

static const double *make_factors(const struct value_positions *positions,
                                  const struct value_question *question) {
    const struct value_data *data = question->data;
    double *factors = ARENA_ARRAY(question->arena, double, data->sample_count);
    for (size_t i = 0; i < data->sample_count; i++) {
        const struct sample *sample = &data->samples[i];
        factors[i] = 1;
        for (int k = 0; k < positions->count; k++)
            if (positions->split < 0 ||
                sample->features[positions->split] == positions->items[k].number)
                factors[i] = bsim_position_factor(&positions->items[k], sample->rank,
                                                  question->all->runs[sample->run].ranks);
    }
    return factors;
}

static bool find_positions(struct value_positions *out, const struct value_question *question,
                           int preferred) {
    const struct value_data *data = question->data;
    if (data->kind != VALUE_INTEGER || question->key->once.is_once)
        return false;
    struct value_position_attempt best = best_attempt(question, preferred);
    if (!best.good)
        return false;
    *out = best.positions;
    out->factors = make_factors(out, question);
    out->error /= best.total;
    out->without /= best.total;
    return true;
}

/* Numbers are divided by their ranks' factors, and formulas found again. */
static bool propose(struct value_model *model, struct value_question *question) {
    struct value_positions *positions = ARENA_NEW(question->arena, struct value_positions);
    struct value_data *data = ARENA_NEW(question->arena, struct value_data);
    struct value_formulas formula;
    if (!find_positions(positions, question, model->formula.split))
        return false;
    value_data_make(data, question->arena, question->all, question->key, question->region,
                    positions->factors);
    value_solve(&formula, data);
    if (data->points.count == 0 || formula.error + positions->error >
                                       TAKEN_FACTOR * (model->formula.error + positions->without)) {
        vec_dispose(&data->points);
        return false;
    }
    value_points old = question->data->points;
    vec_dispose(&old);
    question->data = data;
    model->formula = formula;
    model->places = positions;
    model->error = formula.error;
    return false;
}

static bool is_taken(const struct value_model *model) {
    return model->places != NULL;
}

static void write(struct str *out, const struct value_model *model,
                  const struct value_question *question) {
    const struct value_positions *positions = model->places;
    (void)question;
    str_printf(out, " %d %d\n", positions->split, positions->count);
    for (int i = 0; i < positions->count; i++) {
        const struct bsim_position *position = &positions->items[i];
        str_printf(out, "position %.17g %s %d", position->number, bsim_place_name(position->place),
                   position->knot_count);
        for (int k = 0; k < position->knot_count; k++)
            str_printf(out, " %.9g", position->density[k]);
        str_addc(out, '\n');
    }
}

/* ", times n1=0: 0.77 to 1.43 by the lower border of the rank's slab; ..." */
static void print(struct str *out, const struct value_model *model,
                  const struct value_question *question) {
    static const char *const parts[] = {"the lower border of ", "the centre of ",
                                        "the upper border of ", ""};
    const struct value_positions *positions = model->places;
    for (int i = 0; i < positions->count; i++) {
        const struct bsim_position *position = &positions->items[i];
        double least = INFINITY, most = 0;
        for (int k = 0; k < position->knot_count; k++) {
            least = fmin(least, position->density[k]);
            most = fmax(most, position->density[k]);
        }
        str_add(out, i > 0 ? "; " : ", times ");
        if (positions->split >= 0)
            str_printf(out, "%s=%g: ", question->region->features[positions->split].name,
                       position->number);
        str_printf(out, "%.3g to %.3g by ", least, most);
        str_printf(out, "%sthe rank's slab", parts[position->place]);
    }
}

const struct value_candidate value_place_candidate = {"place", propose, is_taken, write, print};
