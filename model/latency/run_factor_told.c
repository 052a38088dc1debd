/* SPDX-License-Identifier: Apache-2.0
 *
 * What comes of a factor by the run (run_factor.h): other numbers that could stand in the place of
 * one that was taken, since in all runs they tell the same; lines of model.bsim; a note for people.
 * With y what the number's power and the offset say, and x a power of another number, y = a + b x
 * is fitted to relative errors.
 */
#include "model/latency/run_factor.h"

#include "base/str.h"

#include <math.h>

#define ALIKE 0.01 /* factors that differ by less in all runs tell the same */

/* ---- Others that tell the same ---- */

/* What is fitted to 1 in each point: a * u + b * v, with u = 1 / y and v = x / y. */
struct alike_sums {
    double uu, uv, vv, u, v;
};

struct alike_line {
    double offset, slope;
};

static double of_run(const struct run_scale *scale, int run) {
    return exp(run_scale_log(scale, run));
}

static struct alike_sums sums_of(const struct points *points, const struct run_scale *scale,
                                 const struct run_scale *power) {
    struct alike_sums sums = {0};
    for (size_t i = 0; i < points->count; i++) {
        double u = 1 / of_run(scale, points->items[i].run);
        double v = u * of_run(power, points->items[i].run);
        sums.uu += u * u;
        sums.uv += u * v;
        sums.vv += v * v;
        sums.u += u;
        sums.v += v;
    }
    return sums;
}

/* Through the origin where an offset is not allowed, or would be negative. */
static struct alike_line line_of(const struct alike_sums *sums, bool may_have_offset) {
    double determinant = sums->uu * sums->vv - sums->uv * sums->uv;
    struct alike_line line = {0, sums->v / sums->vv};
    if (!may_have_offset || !(determinant > 1e-12 * sums->uu * sums->vv))
        return line;
    double offset = (sums->u * sums->vv - sums->v * sums->uv) / determinant;
    return offset > 0 ? (struct alike_line){offset, (sums->v - offset * sums->uv) / sums->vv}
                      : line;
}

/* By which part it is off where it is farthest. */
static double farthest(const struct points *points, const struct run_scale *scale,
                       const struct run_scale *power, const struct alike_line *line) {
    double most = 0;
    for (size_t i = 0; i < points->count; i++) {
        double y = of_run(scale, points->items[i].run), x = of_run(power, points->items[i].run);
        most = fmax(most, fabs((line->offset + line->slope * x) / y - 1));
    }
    return most;
}

static void put(struct run_scale *out, const struct run_scale *scale, int k,
                const struct run_scale *power, const struct alike_line *line) {
    *out = *scale;
    out->others = NULL;
    out->other_count = 0;
    out->numbers[k] = power->numbers[0];
    out->exponents[k] = power->exponents[0];
    out->offset = line->offset / line->slope;
    out->coefficient = scale->coefficient * line->slope;
}

static void take_range(struct run_scale *out, int k, const struct points *points) {
    out->least[k] = INFINITY;
    out->most[k] = 0;
    for (size_t i = 0; i < points->count; i++) {
        double number = out->context->numbers[points->items[i].run][out->numbers[k]];
        out->least[k] = fmin(out->least[k], number);
        out->most[k] = fmax(out->most[k], number);
    }
}

/* With another number in the place of number k, at the power at which it tells the same; false:
 * there is none. */
static bool find_other(struct run_scale *out, const struct points *points,
                       const struct run_scale *scale, int k, int number) {
    struct run_scale part = {.context = scale->context,
                             .count = 1,
                             .numbers = {scale->numbers[k]},
                             .exponents = {scale->exponents[k]},
                             .offset = scale->offset};
    double least = ALIKE;
    bool found = false;
    for (int i = 0; i < RUN_SCALE_EXPONENTS; i++) {
        struct run_scale power = {.context = scale->context,
                                  .count = 1,
                                  .numbers = {number},
                                  .exponents = {run_scale_exponents[i]}};
        struct alike_sums sums = sums_of(points, &part, &power);
        struct alike_line line = line_of(&sums, scale->count == 1 && power.exponents[0] > 0);
        double off = farthest(points, &part, &power, &line);
        if (!(line.slope > 0) || off > least)
            continue;
        least = off;
        found = true;
        put(out, scale, k, &power, &line);
    }
    return found && !run_scale_is_too_steep(out);
}

static bool is_positive(const struct points *points, const struct run_context *context,
                        int number) {
    for (size_t i = 0; i < points->count; i++)
        if (!(context->numbers[points->items[i].run][number] > 0))
            return false;
    return true;
}

static bool is_in(const struct run_scale *scale, int number) {
    for (int k = 0; k < scale->count; k++)
        if (scale->numbers[k] == number)
            return true;
    return false;
}

void run_scale_find_others(struct run_scale *out, struct arena *arena,
                           const struct points *points) {
    const struct run_context *context = out->context;
    out->others = ARENA_ARRAY(arena, struct run_scale, RUN_SCALE_OTHERS);
    out->other_count = 0;
    for (int k = 0; k < out->count; k++)
        for (int a = 0; a < context->plain_count && out->other_count < RUN_SCALE_OTHERS; a++) {
            struct run_scale *other = &out->others[out->other_count];
            if (is_in(out, a) || !is_positive(points, context, a) ||
                !find_other(other, points, out, k, a))
                continue;
            take_range(other, k, points);
            out->other_count++;
        }
}

/* ---- Texts ---- */

static void add_line(struct str *out, const struct run_scale *scale) {
    str_printf(out, "scale %.17g numbers %d", scale->coefficient, scale->count);
    for (int k = 0; k < scale->count; k++)
        str_printf(out, " %s %.17g %.17g %.17g", scale->context->names[scale->numbers[k]],
                   scale->exponents[k], scale->least[k], scale->most[k]);
    if (scale->offset > 0)
        str_printf(out, " offset %.17g", scale->offset);
    str_addc(out, '\n');
}

const char *run_scale_line(struct arena *arena, const struct run_scale *scale) {
    struct str line = {0};
    add_line(&line, scale);
    for (int i = 0; i < scale->other_count; i++)
        add_line(&line, &scale->others[i]);
    const char *copy = arena_strdup(arena, line.text);
    str_dispose(&line);
    return copy;
}

static void add_product(struct str *out, const struct run_scale *scale) {
    str_printf(out, "%.4g", scale->coefficient);
    if (scale->offset > 0)
        str_printf(out, "*(%.4g + ", scale->offset);
    for (int k = 0; k < scale->count; k++) {
        str_printf(out, "%s%s", k == 0 && scale->offset > 0 ? "" : "*",
                   scale->context->names[scale->numbers[k]]);
        if (scale->exponents[k] != 1)
            str_printf(out, "^%.3g", scale->exponents[k]);
    }
    if (scale->offset > 0)
        str_addc(out, ')');
}

static void add_others(struct str *out, const struct run_scale *scale) {
    for (int i = 0; i < scale->other_count; i++) {
        str_add(out, i == 0 ? "; the samples are told as well by " : " or ");
        add_product(out, &scale->others[i]);
    }
    if (scale->other_count > 0)
        str_add(out, ": profile a run in which these differ (mpiskel plan)");
}

const char *run_scale_note(struct arena *arena, const struct run_scale *scale) {
    struct str note = {0};
    str_add(&note, "times ");
    add_product(&note, scale);
    str_printf(&note,
               " of the run, since what decides is no feature: error %.0f%%, without it %.0f%%",
               100 * expm1(scale->error), 100 * expm1(scale->without));
    add_others(&note, scale);
    bool has_argument = false;
    for (int k = 0; k < scale->count; k++)
        has_argument = has_argument || scale->numbers[k] < scale->context->plain_count;
    if (has_argument && !scale->context->ranks_vary)
        str_add(&note, "; " RUN_CONTEXT_ONE_SIZE);
    const char *copy = arena_strdup(arena, note.text);
    str_dispose(&note);
    return copy;
}
