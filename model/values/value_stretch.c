/* SPDX-License-Identifier: Apache-2.0
 *
 * Time steps of sizes that no profiling run had: on a mesh with twice as many cells in each
 * direction steps are half as long, by the Courant-Friedrichs-Lewy condition (Courant, Friedrichs
 * and Lewy, Mathematische Annalen 100, 1928), and the same time takes twice as many. In:
 * floating-point numbers of runs, one after the other; out: how long steps are as a product of
 * powers of the run's sizes, if the runs' curves over physical time are one and the same but for
 * that, and sizes that were left out were told well by it.
 *
 * If one run's j-th iteration comes to where another's comes with its c*j-th,
 * for all j, steps are c times as long. The logarithms of c, against those of the run that comes
 * farthest, are fitted with those of the sizes; the exponent is rounded to what meshes in one to
 * three dimensions have if that is about as good. Runs with the same features are compared, and,
 * if that tells nothing of other sizes since these are among the features (a mesh that a file
 * describes), all. Two curves are compared at places of the second that both come to: ratios of
 * iterations there are about the same, or the curves are others.
 */
#include "model/samples/points.h"
#include "model/solve/left_out.h"
#include "model/values/value_candidate.h"

#include <math.h>
#include <stdlib.h>

#define SAME 0.02         /* ratios that differ less are none */
#define BETTER_FACTOR 0.5 /* of the error that equally long steps have */
#define ERROR_MAX 0.1
#define PAIR_FACTOR 0.5 /* of the error of a law of one size */
#define AS_GOOD_FACTOR 1.25
#define AS_GOOD_SLACK 0.01
#define CANDIDATES_MAX 64
#define EQUAL 1e-9
#define USELESS 0.001 /* error of a formula where steps need no law, */
#define CHANGES 0.02  /* but not if they differ by so much from each other, */
#define CERTAIN 0.01  /* and their law has no larger error */

/* ---- Curves ---- */

#define VALUE_CURVES_MAX 256

struct value_curve {
    const struct value_seen *of;
    double *at; /* after so many iterations: length + 1 numbers */
    int length;
    int row; /* of the fit; -1: nothing in common with its reference */
};

struct value_curves {
    struct value_curve items[VALUE_CURVES_MAX];
    int count;
    bool is_clock;
    int alike; /* so many of the features are the same where curves are compared */
};

#define LENGTH_MAX 65536 /* numbers of a curve */
#define LENGTH_MIN 8     /* few steps tell little of how long they are: the last is cut short */
#define PLACES 64        /* on a curve, where it is compared */
#define PLACES_MIN 3
#define SHAPE_ERROR 0.1 /* of the ratio of steps along two curves */

static bool is_rising(const struct value_curve *curve) {
    for (int j = 0; j < curve->length; j++)
        if (!(curve->at[j + 1] > curve->at[j] && curve->at[j + 1] < INFINITY))
            return false;
    return true;
}

static bool make_curve(struct value_curve *out, struct arena *arena, const struct value_seen *seen,
                       bool is_clock) {
    double length = value_seen_executions(seen), sum = 0;
    if (!(length >= LENGTH_MIN && length <= LENGTH_MAX))
        return false;
    *out = (struct value_curve){.of = seen,
                                .at = ARENA_ARRAY(arena, double, (size_t)length + 1),
                                .length = (int)length,
                                .row = -1};
    int j = 1;
    for (size_t i = 0; i < seen->repeat_count; i++)
        for (double times = seen->repeats[i].times; times >= 1 && j <= out->length; times--) {
            sum += seen->repeats[i].number;
            out->at[j++] = is_clock ? seen->repeats[i].number : sum;
        }
    out->at[0] = is_clock ? 2 * out->at[1] - out->at[2] : 0;
    return is_rising(out);
}

/* False: some of them are no curves. Those of clocks, or of steps; `alike` is 0. */
static bool value_curves_make(struct value_curves *out, struct arena *arena,
                              const value_seen_list *all, bool is_clock) {
    *out = (struct value_curves){.is_clock = is_clock};
    for (size_t i = 0; i < all->count; i++)
        if (out->count == VALUE_CURVES_MAX ||
            !make_curve(&out->items[out->count++], arena, &all->items[i], is_clock))
            return false;
    return out->count > 0;
}

/* The last number counts as little as it can: the step that leads to it may be cut short. */
static int end_of(const struct value_curve *curve) {
    return curve->length - 1;
}

/* After how many iterations the curve is there, which is within it. */
static double iterations_to(const struct value_curve *curve, double where) {
    int low = 0, high = end_of(curve);
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (curve->at[middle] <= where)
            low = middle;
        else
            high = middle;
    }
    return low + (where - curve->at[low]) / (curve->at[high] - curve->at[low]);
}

static int compare_numbers(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* By which factor steps are longer than those of the reference; NAN: the curves are others, or have
 * too little in common. */
static double value_curve_ratio(const struct value_curve *curve,
                                const struct value_curve *reference) {
    double ratios[PLACES], off = 0;
    int count = 0, end = end_of(curve);
    for (int k = 1; k <= PLACES; k++) {
        int j = (int)((double)end * k / PLACES);
        double where = j > 0 ? curve->at[j] : -INFINITY;
        if (where > reference->at[0] && where <= reference->at[end_of(reference)] &&
            j != (int)((double)end * (k - 1) / PLACES))
            ratios[count++] = iterations_to(reference, where) / j;
    }
    if (count < PLACES_MIN)
        return NAN;
    qsort(ratios, (size_t)count, sizeof *ratios, compare_numbers);
    double middle = ratios[count / 2];
    for (int k = 0; k < count; k++)
        off += fabs(ratios[k] / middle - 1);
    return off <= SHAPE_ERROR * count ? middle : NAN;
}

/* Of those that are alike the one that comes farthest. */
static const struct value_curve *value_curves_reference(const struct value_curves *curves,
                                                        const struct value_curve *curve) {
    const struct value_curve *best = curve;
    for (int i = 0; i < curves->count; i++) {
        const struct value_curve *other = &curves->items[i];
        if (features_compare(other->of->vector, curve->of->vector, curves->alike) == 0 &&
            other->at[end_of(other)] > best->at[end_of(best)])
            best = other;
    }
    return best;
}

struct value_stretch {
    struct bsim_stretch law;
    bool is_found;
    double error; /* of the length of steps, for sizes left out */
};

/* ---- The law ---- */

/* A size of the run, or its product with the number of ranks. */
struct value_stretch_candidate {
    int place;
    bool is_total;
};

/* Of curves against that which comes farthest of those with the same features. */
struct rows {
    double y[VALUE_CURVES_MAX];                 /* logarithms of the ratios */
    double z[CANDIDATES_MAX][VALUE_CURVES_MAX]; /* and of those of the sizes */
    struct value_stretch_candidate candidates[CANDIDATES_MAX];
    int candidate_count, count;
    int compared; /* so many with another */
};

static double size_of(const struct value_stretch_candidate *candidate, const double *vector,
                      int ranks) {
    return vector[candidate->place] * (candidate->is_total ? vector[ranks] : 1);
}

static void add_candidate(struct rows *rows, struct value_stretch_candidate candidate,
                          const struct value_curves *curves, const struct value_data *data) {
    double *z = rows->z[rows->candidate_count];
    bool varies = false;
    for (int i = 0; i < curves->count; i++) {
        const struct value_curve *curve = &curves->items[i];
        if (curve->row < 0)
            continue;
        const struct value_curve *reference = value_curves_reference(curves, curve);
        double own = size_of(&candidate, curve->of->vector, data->feature_count);
        double other = size_of(&candidate, reference->of->vector, data->feature_count);
        if (!(own > 0 && other > 0 && own < INFINITY && other < INFINITY))
            return;
        z[curve->row] = log(own / other);
        varies = varies || fabs(z[curve->row]) > EQUAL;
    }
    rows->candidates[rows->candidate_count] = candidate;
    rows->candidate_count += varies;
}

/* Features that are the same tell nothing; arguments are of the run, the rest is a rank's. */
static void add_candidates(struct rows *out, const struct value_curves *curves,
                           const struct value_data *data) {
    int arguments = data->feature_count + data->ranks_vary;
    int sizes = data->feature_count + data->plain_count;
    int end = data->feature_count + data->context_count;
    for (int place = curves->alike; place < end; place++) {
        bool is_of_rank = place < data->feature_count || place >= sizes;
        if (place >= data->feature_count && place < arguments)
            continue;
        for (int total = is_of_rank && data->ranks_vary; total >= 0; total--)
            if (out->candidate_count < CANDIDATES_MAX)
                add_candidate(out, (struct value_stretch_candidate){place, total}, curves, data);
    }
}

/* False: hardly a curve is like the others. */
static bool make_rows(struct rows *out, struct value_curves *curves,
                      const struct value_data *data) {
    *out = (struct rows){0};
    for (int i = 0; i < curves->count; i++) {
        struct value_curve *curve = &curves->items[i];
        const struct value_curve *reference = value_curves_reference(curves, curve);
        double ratio = value_curve_ratio(curve, reference);
        curve->row = -1;
        if (!(ratio > 0))
            continue;
        out->y[out->count] = log(ratio);
        curve->row = out->count++;
        out->compared += reference != curve;
    }
    add_candidates(out, curves, data);
    return 2 * out->count > curves->count;
}

struct law {
    int candidates[BSIM_STRETCH_SIZES_MAX], count;
    double exponents[BSIM_STRETCH_SIZES_MAX];
    double error; /* where sizes are left out */
};

static double predict_step(const struct law *law, const struct rows *rows, int row) {
    double sum = 0;
    for (int k = 0; k < law->count; k++)
        sum += law->exponents[k] * rows->z[law->candidates[k]][row];
    return sum;
}

static bool same_sizes(const struct law *law, const struct rows *rows, int left, int right) {
    for (int k = 0; k < law->count; k++)
        if (fabs(rows->z[law->candidates[k]][left] - rows->z[law->candidates[k]][right]) > EQUAL)
            return false;
    return true;
}

/* Without the rows of the sizes of row `without`; -1: all. By least squares. */
static bool fit_law(struct law *law, const struct rows *rows, int without) {
    double zz[2][2] = {{0}}, zy[2] = {0};
    for (int row = 0; row < rows->count; row++)
        for (int k = 0; k < law->count && (without < 0 || !same_sizes(law, rows, row, without));
             k++) {
            double z = rows->z[law->candidates[k]][row];
            zy[k] += z * rows->y[row];
            for (int l = 0; l < law->count; l++)
                zz[k][l] += z * rows->z[law->candidates[l]][row];
        }
    if (law->count == 1) {
        law->exponents[0] = zy[0] / zz[0][0];
        return zz[0][0] > EQUAL;
    }
    double determinant = zz[0][0] * zz[1][1] - zz[0][1] * zz[1][0];
    law->exponents[0] = (zy[0] * zz[1][1] - zy[1] * zz[0][1]) / determinant;
    law->exponents[1] = (zy[1] * zz[0][0] - zy[0] * zz[1][0]) / determinant;
    return determinant > EQUAL * (zz[0][0] * zz[1][1] + 1);
}

static double own_error(const struct law *law, const struct rows *rows) {
    double error = 0;
    for (int row = 0; row < rows->count; row++)
        error += fabs(rows->y[row] - predict_step(law, rows, row));
    return error / rows->count;
}

struct law_trial {
    struct law *law;
    const struct rows *rows;
};

static bool fit_without(double *sum, void *candidate, int without) {
    const struct law_trial *trial = candidate;
    if (!fit_law(trial->law, trial->rows, without))
        return false;
    *sum += fabs(trial->rows->y[without] - predict_step(trial->law, trial->rows, without));
    return true;
}

/* Sizes are left out in turn; there have to be two more of them than the law has. */
static void judge_law(struct law *law, const struct rows *rows) {
    struct law_trial trial = {law, rows};
    int different = 0;
    for (int row = 0; row < rows->count; row++) {
        int first = 0;
        while (!same_sizes(law, rows, first, row))
            first++;
        different += first == row;
    }
    double error = left_out_error(rows->count, fit_without, &trial);
    bool is_told = different >= law->count + 2 && fit_law(law, rows, -1);
    law->error = is_told ? error / rows->count : INFINITY;
}

static void find_law(struct law *best, const struct rows *rows) {
    struct law pair, single = {.error = INFINITY};
    for (int k = 0; k < rows->candidate_count; k++) {
        struct law law = {.count = 1, .candidates = {k}};
        judge_law(&law, rows);
        if (law.error < single.error)
            single = law;
    }
    *best = single;
    for (int k = 0; k < rows->candidate_count && single.error > AS_GOOD_SLACK; k++)
        for (int l = 0; l < k; l++) {
            pair = (struct law){.count = 2, .candidates = {l, k}};
            judge_law(&pair, rows);
            if (pair.error < PAIR_FACTOR * single.error && pair.error < best->error)
                *best = pair;
        }
}

static void round_exponents(struct law *law, const struct rows *rows) {
    static const double usual[] = {1. / 3, 1. / 2, 2. / 3, 1, 4. / 3, 3. / 2, 2};
    struct law rounded = *law;
    for (int k = 0; k < law->count; k++) {
        double best = INFINITY, exponent = law->exponents[k];
        for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) {
            double off = fabs(fabs(exponent) - usual[i]);
            if (off >= best)
                continue;
            best = off;
            rounded.exponents[k] = copysign(usual[i], exponent);
        }
    }
    if (own_error(&rounded, rows) <= AS_GOOD_FACTOR * own_error(law, rows) + AS_GOOD_SLACK)
        *law = rounded;
}

static void take_law(struct value_stretch *out, const struct law *law, const struct rows *rows,
                     const struct value_data *data) {
    out->law.count = law->count;
    out->law.ranks = data->feature_count;
    for (int k = 0; k < law->count; k++) {
        const struct value_stretch_candidate *candidate = &rows->candidates[law->candidates[k]];
        out->law.sizes[k].place = candidate->place;
        out->law.sizes[k].is_total = candidate->is_total;
        out->law.sizes[k].exponent = law->exponents[k];
    }
}

static void try_curves(struct value_stretch *out, struct value_curves *curves, struct rows *rows,
                       const struct value_data *data) {
    struct law law, none = {.count = 0};
    *out = (struct value_stretch){.law.is_clock = curves->is_clock, .error = INFINITY};
    if (!make_rows(rows, curves, data) || rows->compared == 0)
        return;
    double without = own_error(&none, rows);
    if (without <= SAME) {
        out->error = without;
        out->is_found = rows->count == curves->count && rows->count > 1;
        return;
    }
    find_law(&law, rows);
    if (!(law.error <= BETTER_FACTOR * without && law.error <= ERROR_MAX))
        return;
    round_exponents(&law, rows);
    take_law(out, &law, rows, data);
    out->error = law.error;
    out->is_found = true;
}

/* One that tells how long steps are with other sizes is better than one that knows only of those
 * that were seen. */
static bool is_better(const struct value_stretch *stretch, const struct value_stretch *than) {
    bool tells = stretch->law.count > 0, other_tells = than->law.count > 0;
    if (!stretch->is_found || !than->is_found)
        return stretch->is_found;
    return tells != other_tells ? tells : stretch->error < than->error;
}

static void find_stretch(struct value_stretch *out, const struct value_curves *all,
                         const struct value_data *data, struct arena *arena) {
    struct value_curves *curves = ARENA_NEW(arena, struct value_curves);
    struct rows *rows = ARENA_NEW(arena, struct rows);
    struct value_stretch other;
    *curves = *all;
    curves->alike = data->feature_count;
    try_curves(out, curves, rows, data);
    curves->alike = 0;
    if (out->law.count == 0 && data->feature_count > 0) {
        try_curves(&other, curves, rows, data);
        *out = is_better(&other, out) ? other : *out;
    }
}

static bool numbers_change(const struct value_data *data) {
    for (size_t i = 0; i < data->sample_count; i++) {
        const struct sample *sample = &data->samples[i];
        for (size_t k = 1; k < sample->repeat_count; k++) {
            double first = sample->sequence[0].number;
            if (fabs(sample->sequence[k].number - first) > CHANGES * fabs(first))
                return true;
        }
    }
    return false;
}

/* Steps that are always as long need no more than a mean that holds for all sizes. The mean of
 * steps that change goes by when the run ends, and so does that of what steps add up to. */
static double error_most(const struct value_model *model, const struct value_question *question) {
    bool is_told = model->formula.error <= USELESS && !question->region->adds_up;
    return !is_told ? INFINITY : numbers_change(question->data) ? CERTAIN : -1;
}

/* What steps are known to add up to goes on behind its end as it did there, or no run would come to
 * a later end time. `curves`: those of clocks. */
static bool take_clock(struct value_model *model, const struct value_question *question,
                       const struct value_curves *curves) {
    if (!question->region->adds_up || curves->count == 0)
        return false;
    model->steps.is_taken = true;
    model->steps.law = (struct bsim_stretch){.is_clock = true};
    return true;
}

static bool find_steps(struct value_model *model, struct value_question *question) {
    const struct value_data *data = question->data;
    struct value_curves *curves = ARENA_NEW(question->arena, struct value_curves);
    struct value_stretch best = {.error = INFINITY}, other;
    value_seen_list all = {0};
    double most = error_most(model, question);
    if (data->kind != VALUE_FLOATING || data->is_vector || most < 0)
        return false;
    value_data_seen(&all, question->arena, data);
    for (int is_clock = question->region->adds_up; is_clock < 2; is_clock++) {
        if (!value_curves_make(curves, question->arena, &all, is_clock)) {
            curves->count = 0;
            continue;
        }
        find_stretch(&other, curves, data, question->arena);
        model->steps.is_unknown = is_clock && !other.is_found && all.count > 1;
        best = is_better(&other, &best) ? other : best;
    }
    vec_dispose(&all);
    if (!best.is_found || best.error > most)
        return take_clock(model, question, curves);
    model->steps = (struct value_steps){.is_taken = true, .law = best.law};
    if (best.law.count > 0 || data->feature_count == 0)
        model->error = best.error;
    return true;
}

/* No formula replaces it. */
static bool propose(struct value_model *model, struct value_question *question) {
    return find_steps(model, question);
}

static bool is_taken(const struct value_model *model) {
    return model->steps.is_taken;
}

static void write(struct str *out, const struct value_model *model,
                  const struct value_question *question) {
    const struct bsim_stretch *law = &model->steps.law;
    (void)question;
    str_printf(out, " %s %d %d", law->is_clock ? "clock" : "steps", law->ranks, law->count);
    for (int k = 0; k < law->count; k++)
        str_printf(out, " %d %s %.17g", law->sizes[k].place,
                   law->sizes[k].is_total ? "total" : "own", law->sizes[k].exponent);
    str_addc(out, '\n');
}

static void print(struct str *out, const struct value_model *model,
                  const struct value_question *question) {
    const struct bsim_stretch *law = &model->steps.law;
    str_add(out, "; with other sizes steps of time as in the nearest run");
    for (int k = 0; k < law->count; k++)
        str_printf(out, "%s(%s%s)^%.3g", k == 0 ? ", times " : "*",
                   value_data_name(question->data, question->region, law->sizes[k].place),
                   law->sizes[k].is_total ? " of all ranks" : "", law->sizes[k].exponent);
}

const struct value_candidate value_stretch_candidate = {"stretch", propose, is_taken, write, print};
