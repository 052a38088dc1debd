/* SPDX-License-Identifier: Apache-2.0
 *
 * See value_stretch.h. If one run's j-th iteration comes to where another's comes with its c*j-th,
 * for all j, steps are c times as long. The logarithms of c, against those of the run that comes
 * farthest, are fitted with those of the sizes; the exponent is rounded to what meshes in one to
 * three dimensions have if that is about as good. Runs with the same features are compared, and,
 * if that tells nothing of other sizes since these are among the features (a mesh that a file
 * describes), all.
 */
#include "model/values/value_stretch.h"

#include "model/samples/points.h"
#include "model/values/value_curves.h"

#include <math.h>

#include <stdlib.h>
#include <string.h>

#define SAME 0.02         /* ratios that differ less are none */
#define BETTER_FACTOR 0.5 /* of the error that equally long steps have */
#define ERROR_MAX 0.1
#define PAIR_FACTOR 0.5 /* of the error of a law of one size */
#define AS_GOOD_FACTOR 1.25
#define AS_GOOD_SLACK 0.01
#define CANDIDATES_MAX 64
#define EQUAL 1e-9

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

/* Sizes are left out in turn; there have to be two more of them than the law has. */
static void judge_law(struct law *law, const struct rows *rows) {
    int different = 0;
    double error = 0;
    law->error = INFINITY;
    for (int row = 0; row < rows->count; row++) {
        int first = 0;
        while (!same_sizes(law, rows, first, row))
            first++;
        different += first == row;
        if (!fit_law(law, rows, row))
            return;
        error += fabs(rows->y[row] - predict_step(law, rows, row));
    }
    if (different >= law->count + 2 && fit_law(law, rows, -1))
        law->error = error / rows->count;
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
    *out = (struct value_stretch){
        .law.is_clock = curves->is_clock, .alike = curves->alike, .error = INFINITY};
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

void value_stretch_find(struct value_stretch *out, const struct value_data *data,
                        struct arena *arena, bool adds_up) {
    value_seen_list all = {0};
    *out = (struct value_stretch){.error = INFINITY};
    if (data->kind != VALUE_FLOATING || data->factors != NULL)
        return;
    value_data_seen(&all, arena, data, data->feature_count + data->context_count);
    struct value_curves *curves = ARENA_ARRAY(arena, struct value_curves, 1);
    struct rows *rows = ARENA_ARRAY(arena, struct rows, 1);
    for (int is_clock = adds_up; is_clock < 2; is_clock++) {
        struct value_stretch other;
        if (!value_curves_make(curves, arena, &all, is_clock))
            continue;
        curves->alike = data->feature_count;
        try_curves(&other, curves, rows, data);
        curves->alike = 0;
        struct value_stretch own = other;
        if (other.law.count == 0 && data->feature_count > 0)
            try_curves(&other, curves, rows, data);
        if (!is_better(&other, &own))
            other = own;
        if (is_better(&other, out))
            *out = other;
    }
    out->is_untold =
        !out->is_found && all.count > 1 && value_curves_make(curves, arena, &all, true);
    vec_dispose(&all);
}

void value_stretch_print(struct str *out, const struct value_stretch *stretch,
                         const struct value_data *data, const struct region *region) {
    str_add(out, "; with other sizes steps of time as in the nearest run");
    for (int k = 0; k < stretch->law.count; k++)
        str_printf(out, "%s(%s%s)^%.3g", k == 0 ? ", times " : "*",
                   value_data_name(data, region, stretch->law.sizes[k].place),
                   stretch->law.sizes[k].is_total ? " of all ranks" : "",
                   stretch->law.sizes[k].exponent);
}

void value_stretch_add(struct str *out, const struct value_stretch *stretch) {
    const struct bsim_stretch *law = &stretch->law;
    str_printf(out, " stretch %s ranks %d sizes %d", law->is_clock ? "clock" : "steps", law->ranks,
               law->count);
    for (int k = 0; k < law->count; k++)
        str_printf(out, " %d %s %.17g", law->sizes[k].place,
                   law->sizes[k].is_total ? "total" : "own", law->sizes[k].exponent);
}

/* ---- Going on ---- */

/* Steps of a curve over those of another. */
static double ratio_of(const struct bsim_stretch *law, const struct value_curve *curve,
                       const struct value_curve *other) {
    return bsim_stretch_length(law, curve->of->vector) /
           bsim_stretch_length(law, other->of->vector);
}

/* Of those with the same features that come at least a step farther, the one with the most
 * similar steps. */
static const struct value_curve *find_farther(const struct value_curves *curves,
                                              const struct value_curve *curve, double than,
                                              const struct bsim_stretch *law) {
    const struct value_curve *best = NULL;
    double nearest = INFINITY;
    for (int i = 0; i < curves->count; i++) {
        const struct value_curve *other = &curves->items[i];
        double ratio = ratio_of(law, curve, other), off = fabs(log(ratio));
        if (features_compare(other->of->vector, curve->of->vector, curves->alike) != 0 ||
            !(other->at[0] <= than &&
              value_curve_iterations(other, than) + ratio < value_curve_end(other)))
            continue;
        if (off < nearest) {
            best = other;
            nearest = off;
        }
    }
    return best;
}

struct longer {
    struct repeat *repeats;
    size_t count;
    double end;  /* where the last number leads to, */
    double from; /* and where its step began, which may have been cut short */
};

/* As far as the other one goes. */
static void append(struct longer *out, const struct value_curve *farther, double ratio,
                   bool is_clock) {
    int end = value_curve_end(farther);
    double begin = value_curve_iterations(farther, out->from);
    for (int j = 2; out->count < BSIM_VALUE_REPEATS_MAX; j++) {
        double x = begin + j * ratio;
        if (!(x <= end))
            break;
        int k = x < end ? (int)x : end - 1;
        double now = farther->at[k] + (x - k) * (farther->at[k + 1] - farther->at[k]);
        if (now <= out->end)
            continue;
        out->repeats[out->count++] = (struct repeat){is_clock ? now : now - out->end, 1};
        out->from = out->end;
        out->end = now;
    }
}

/* True if there was anything to append. */
static bool go_on(struct longer *out, struct value_seen *seen, struct arena *arena,
                  const struct value_curves *curves, const struct value_curve *curve,
                  const struct bsim_stretch *law) {
    size_t before = seen->repeat_count;
    if (before >= BSIM_VALUE_REPEATS_MAX)
        return false;
    *out = (struct longer){.repeats = ARENA_ARRAY(arena, struct repeat, BSIM_VALUE_REPEATS_MAX),
                           .count = before,
                           .from = curve->at[value_curve_end(curve)],
                           .end = curve->at[curve->length]};
    memcpy(out->repeats, seen->repeats, before * sizeof *out->repeats);
    for (int i = 0; i < curves->count; i++) {
        size_t count = out->count;
        const struct value_curve *farther = find_farther(curves, curve, out->end, law);
        if (farther != NULL)
            append(out, farther, ratio_of(law, curve, farther), law->is_clock);
        if (out->count == count)
            break;
    }
    return out->count > before;
}

void value_stretch_go_on(value_seen_list *all, struct arena *arena,
                         const struct value_stretch *stretch) {
    struct value_curves *curves = ARENA_ARRAY(arena, struct value_curves, 1);
    value_seen_list before = {0};
    struct longer longer;
    for (size_t i = 0; i < all->count; i++)
        vec_push(&before, all->items[i]);
    bool fine = value_curves_make(curves, arena, &before, stretch->law.is_clock);
    curves->alike = stretch->alike;
    for (int i = 0; i < curves->count && fine; i++) {
        if (!go_on(&longer, &all->items[i], arena, curves, &curves->items[i], &stretch->law))
            continue;
        all->items[i].repeats = longer.repeats;
        all->items[i].repeat_count = longer.count;
    }
    vec_dispose(&before);
}
