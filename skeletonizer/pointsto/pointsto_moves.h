/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies of bytes between places while pointers are followed: what is stored in some places may be
 * in others as well.
 */
#pragma once

#include "skeletonizer/pointsto/pointsto.h"

/* What is stored at c->other is at c->place as well, at the corresponding offset. Before `since`
 * that was done where the pointers of both had the targets in these sets. */
void moves_solve(struct points_to *points_to, const struct constraint *c, unsigned since,
                 int known_from, int known_to);

/* `counts`: of each object, how many new places it has got in some way; beyond `most` they are
 * anywhere in it. */
int moves_intern_bounded(struct points_to *points_to, struct location location, int_list *counts,
                         int most);

/* A program may take the address of each member of a record; what grows beyond that are offsets
 * that are added to themselves. */
int moves_most_members(const struct points_to *points_to, int object);

/* Blocks share what is stored in the one that they are clones of, so that who looks through a
 * pointer to many of them comes to its cells many times. After moves_look_anew() the first time
 * tells true. */
void moves_look_anew(struct points_to *points_to);
bool moves_is_first_look(struct points_to *points_to, int cell);
bool moves_has_looked(const struct points_to *points_to, int cell);

/* At all that is stored in the object, where a pointer may be anywhere in it. */
void moves_looked_at_all(struct points_to *points_to, int object);
bool moves_has_looked_at_all(const struct points_to *points_to, int object);
