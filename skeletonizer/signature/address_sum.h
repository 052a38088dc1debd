/* SPDX-License-Identifier: Apache-2.0
 *
 * Addresses and integers as sums of what moves with loops and what stays. Internal to
 * skeletonizer/signature.
 */
#pragma once

#include "base/arena.h"

#include <stdbool.h>

#define SIGNATURE_STEPS_MAX 16

/* An address, or an integer, as a sum: a base, a multiple of each loop's iterations, an offset. */
struct address {
    const char *base; /* of an integer ""; what the pointer is, as the region would write it */
    double step[SIGNATURE_STEPS_MAX]; /* of the loops around, the outermost one first; NAN: it
                                         moves, by what is not a constant */
    double offset;
    const char *terms; /* what else is added and stays, as text */
    bool is_indexed;   /* something that was loaded, at a place that moves, is added */
    bool is_chased;    /* the base is what was loaded behind itself */
    bool is_unknown;
};

struct address address_unknown(void);
struct address address_constant(double value);

/* Something that stays as long as the loops around do. */
struct address address_term(const char *text);

bool address_moves(const struct address *address);

/* It is a constant. */
bool address_is_number(const struct address *address);

/* a + sign * b, a * factor (which stays), a * b; texts are in the arena. */
struct address address_add(struct arena *arena, struct address a, struct address b, double sign);
struct address address_scale(struct arena *arena, struct address a, struct address factor);
struct address address_multiply(struct arena *arena, struct address a, struct address b);
