/* SPDX-License-Identifier: Apache-2.0
 *
 * See eval_position.h. Means over a slab are exact: differences of the integrals of the hat
 * functions that make up the density.
 */
#include "model/eval/eval_position.h"

#include "model/eval/eval_read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *bsim_place_name(enum bsim_place place) {
    static const char *const names[] = {"lower", "centre", "upper", "span"};
    return names[place];
}

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
    bsim_position_weights(weights, position->place, position->knot_count, rank, ranks);
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
    return bsim_reader_line_end(reader);
}
