/* SPDX-License-Identifier: Apache-2.0
 *
 * See eval_position.h. Means over a slab are exact: differences of the integrals of the hat
 * functions that make up the density.
 */
#include "model/eval/eval_position.h"

#include "model/eval/eval_read.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *bsim_place_name(enum bsim_place place) {
    static const char *const names[] = {"lower", "centre", "upper", "span"};
    return names[place];
}

/* ---- Grids ---- */

static int largest_divisor(int number, int most) {
    int divisor = most < 1 ? 1 : most;
    while (number % divisor != 0)
        divisor--;
    return divisor;
}

/* In falling order. The third is no larger than the first, being at most the cube root. */
static void find_sides(int *out, int ranks, int dimensions) {
    int last = dimensions > 2 ? (int)(cbrt(ranks) + 1e-6) : 1, least = INT_MAX;
    for (int third = 1; third <= last; third++) {
        if (ranks % third != 0)
            continue;
        int rest = ranks / third;
        int second = dimensions > 1 ? largest_divisor(rest, (int)(sqrt(rest) + 1e-6)) : 1;
        if (rest / second + second + third >= least)
            continue;
        least = rest / second + second + third;
        out[0] = rest / second;
        out[1] = second > third ? second : third;
        out[2] = second > third ? third : second;
    }
}

void bsim_axis_find(int *out_at, int *out_length, const struct bsim_axis *axis, int rank,
                    int ranks) {
    int sides[BSIM_DIMENSIONS_MAX], behind = 1;
    find_sides(sides, ranks, axis->dimensions);
    for (int i = axis->dimensions - 1; i > axis->axis; i--)
        behind *= sides[axis->rising ? axis->dimensions - 1 - i : i];
    *out_length = sides[axis->rising ? axis->dimensions - 1 - axis->axis : axis->axis];
    *out_at = rank / behind % *out_length;
}

/* ---- Densities ---- */

static void add_point(double *out, int knot_count, double at) {
    double scaled = at * (knot_count - 1);
    int segment = (int)fmin(floor(scaled), knot_count - 2);
    out[segment] += 1 - (scaled - segment);
    out[segment + 1] += scaled - segment;
}

/* Adds `scale` times the integral from 0 to `end`, in distances between knots. */
static void add_integral(double *out, int knot_count, double end, double scale) {
    for (int segment = 0; segment < knot_count - 1 && segment < end; segment++) {
        double part = fmin(end - segment, 1);
        out[segment] += scale * (part - part * part / 2);
        out[segment + 1] += scale * part * part / 2;
    }
}

void bsim_position_weights(double *out, enum bsim_place place, int knot_count, int rank,
                           int ranks) {
    double lower = (double)rank / ranks, upper = (rank + 1.0) / ranks;
    memset(out, 0, (size_t)knot_count * sizeof *out);
    if (place == BSIM_PLACE_SPAN) {
        double segments = knot_count - 1, scale = ranks / segments;
        add_integral(out, knot_count, upper * segments, scale);
        add_integral(out, knot_count, lower * segments, -scale);
        return;
    }
    add_point(out, knot_count,
              place == BSIM_PLACE_LOWER   ? lower
              : place == BSIM_PLACE_UPPER ? upper
                                          : (lower + upper) / 2);
}

double bsim_position_factor(const struct bsim_position *position, int rank, int ranks) {
    double weights[BSIM_POSITION_KNOTS_MAX], sum = 0;
    int at, length;
    bsim_axis_find(&at, &length, &position->axis, rank, ranks);
    bsim_position_weights(weights, position->place, position->knot_count, at, length);
    for (int k = 0; k < position->knot_count; k++)
        sum += weights[k] * position->density[k];
    return fmax(sum, 0);
}

static int read_place(enum bsim_place *out, struct bsim_reader *reader) {
    char *word = NULL;
    if (bsim_reader_text(&word, reader, "the place in a slab") != 0)
        return -1;
    for (int place = 0; place < BSIM_PLACE_COUNT; place++) {
        *out = (enum bsim_place)place;
        if (strcmp(word, bsim_place_name(*out)) == 0)
            return 0;
    }
    return bsim_reader_fail(reader, "'%.40s' is no place in a slab", word);
}

/* ---- Reading ---- */

/* "axis 1 of 2 rising": behind the density, where ranks are no line. */
static int read_axis(struct bsim_axis *out, struct bsim_reader *reader) {
    char *word = NULL;
    *out = (struct bsim_axis){.dimensions = 1};
    if (!bsim_reader_more(reader))
        return 0;
    if (bsim_reader_keyword(reader, "axis") != 0 ||
        bsim_reader_count(&out->axis, reader, "the axis", BSIM_DIMENSIONS_MAX - 1) != 0 ||
        bsim_reader_keyword(reader, "of") != 0 ||
        bsim_reader_count(&out->dimensions, reader, "the number of axes", BSIM_DIMENSIONS_MAX) !=
            0 ||
        bsim_reader_text(&word, reader, "'rising' or 'falling'") != 0)
        return -1;
    out->rising = strcmp(word, "rising") == 0;
    if (out->axis >= out->dimensions || (!out->rising && strcmp(word, "falling") != 0))
        return bsim_reader_fail(reader, "this is no axis of a grid");
    return 0;
}

int bsim_position_read(struct bsim_position *out, struct bsim_reader *reader) {
    if (bsim_reader_need_line(reader) != 0 || bsim_reader_keyword(reader, "position") != 0 ||
        bsim_reader_number(&out->number, reader, "a feature", -BSIM_LARGEST_NUMBER,
                           BSIM_LARGEST_NUMBER) != 0 ||
        read_place(&out->place, reader) != 0 ||
        bsim_reader_count(&out->knot_count, reader, "the number of knots",
                          BSIM_POSITION_KNOTS_MAX) != 0)
        return -1;
    if (out->knot_count < 2)
        return bsim_reader_fail(reader, "a density needs two knots");
    out->density = calloc((size_t)out->knot_count, sizeof *out->density);
    if (out->density == NULL)
        return bsim_reader_fail(reader, "out of memory");
    for (int k = 0; k < out->knot_count; k++)
        if (bsim_reader_number(&out->density[k], reader, "a density", 0, BSIM_LARGEST_NUMBER) != 0)
            return -1;
    return read_axis(&out->axis, reader) != 0 ? -1 : bsim_reader_line_end(reader);
}
