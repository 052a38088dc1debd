/* SPDX-License-Identifier: Apache-2.0
 *
 * Hooks in loops that stay, with which `mpiskel run --set` changes how often they iterate and
 * `--iterations` leaves them early.
 *
 * In: a plan. Out: by node, of each loop's condition, what is done with the loop; and edits: a
 * statement in front of the loop that tells that it begins, and its condition handed to the runtime
 * with how many iterations are left: BSIM_ENTER(7) for (int i = 0; BSIM_GOES(7, bsim_trips(i, n,
 * 1), i < n); i++), or, where the condition is a given value, what that says. Only loops in which
 * something happens that the simulation sees (an MPI call, a stub) have them: the others are as
 * fast as they were. How many are left is what the first comparison of integers in the condition
 * tells; that this is true the runtime tests while the loop runs. Not handled: loops out of macros,
 * under a pragma, in functions that call themselves, without a condition.
 */
#pragma once

#include "skeletonizer/plan/plan.h"
#include "skeletonizer/text/edits.h"

/* Of a loop that stays in the text of its function. */
struct hook {
    int number;
    const char *obstacle;  /* why it has no hook; NULL: it has one */
    const char *left;      /* how many iterations are left, as C; NULL: not known */
    const char *no_longer; /* why it must not iterate oftener than it does; NULL: it may */
    bool single;           /* the condition is nothing but what tells how many are left */
    int given; /* the value that says how often it iterates, which is known once the condition was
                * evaluated; -1: there is none */
    const struct node *exit; /* a jump out of it that stays, or NULL */
    bool talks;              /* makes MPI calls, */
    bool outermost;          /* and in no other such loop */
};

/* After plan_compute: fills plan->hooks. */
void hooks_find(struct plan *plan);

/* The condition of a loop: its node. */
struct node *hooks_condition(const struct tree *loop);

/* In the skeleton's text; nothing for a loop without a hook. */
void hooks_insert(struct edits *out, const struct plan *plan, const struct tree *loop);

/* How many iterations are left when the condition is evaluated: C, or NULL (hooks_trips.c). */
const char *hooks_left(const struct slice *slice, const struct tree *loop);

/* Why the loop must not iterate oftener than its condition says; NULL: it may (hooks_extend.c). */
const char *hooks_no_longer(struct slice *slice, const struct tree *loop);
