/* SPDX-License-Identifier: Apache-2.0
 *
 * What a value is multiplied with by the place of the rank among all ranks, as if these were slabs
 * of a box one after the other: a piecewise linear density over the box, taken at the slab's lower
 * border (rank / ranks), its centre, its upper border, or as the mean over the slab. Part of
 * model.bsim; linked into other people's programs like eval.h.
 */
#ifndef MODEL_EVAL_EVAL_POSITION_H
#define MODEL_EVAL_EVAL_POSITION_H

#define BSIM_POSITION_KNOTS_MAX 1025

struct bsim_reader;

enum bsim_place {
    BSIM_PLACE_LOWER,
    BSIM_PLACE_CENTRE,
    BSIM_PLACE_UPPER,
    BSIM_PLACE_SPAN, /* the mean over the slab */
    BSIM_PLACE_COUNT
};

struct bsim_position {
    double number; /* of the feature that splits; of no meaning if none does */
    enum bsim_place place;
    int knot_count;  /* at equal distances from the box's begin to its end; at least two */
    double *density; /* at the knots, >= 0 */
};

/* "lower", "centre", "upper", "span". */
const char *bsim_place_name(enum bsim_place place);

/* How much each knot counts for slab `rank` of `ranks`; they sum up to 1. */
void bsim_position_weights(double *out, enum bsim_place place, int knot_count, int rank, int ranks);

double bsim_position_factor(const struct bsim_position *position, int rank, int ranks);

/* A line of model.bsim; the density is the caller's (free), also after an error. */
int bsim_position_read(struct bsim_position *out, struct bsim_reader *reader);

#endif
