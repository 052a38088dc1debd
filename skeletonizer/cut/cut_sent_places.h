/* SPDX-License-Identifier: Apache-2.0
 *
 * Where numbers lie that are told to others: one in memory, or all those of an array, which a loop
 * tells one by one.
 */
#ifndef SKELETONIZER_CUT_CUT_SENT_PLACES_H
#define SKELETONIZER_CUT_CUT_SENT_PLACES_H

#include "skeletonizer/slice/loop_shape.h"
#include "skeletonizer/slice/slice.h"

struct sent_places {
    struct location place;  /* of the number, or of the whole array */
    long long number_bytes; /* of one number */
    bool in_loop;           /* told by a loop around the call: all of the array */
    bool has_element;       /* of an array, one is told: the number of it */
    long long element;
};

/* A loop that counts from one constant to another. */
bool cut_sent_places_constant_loop(struct loop_shape *out, const struct tree *tree);

/* The loop of which the statement is executed in each iteration; NULL: there is none. */
const struct tree *cut_sent_places_loop(struct loop_shape *out, const struct tree *tree);

/* What is sent at `address`, of an argument of that node's call. False: it is not known where that
 * is, or not all of an array. */
bool cut_sent_places_find(struct sent_places *out, const struct slice *slice,
                          const struct node *sends, const struct ast *address);

/* What is read is a number that was sent, and not one next to it. */
bool cut_sent_places_has(const struct sent_places *sent, const struct slice *slice,
                         struct place place, const struct ast *number);

#endif
