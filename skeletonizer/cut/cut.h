/* SPDX-License-Identifier: Apache-2.0
 *
 * Which values, if they were known, would let the hot computation go that stays only to produce
 * them: a minimum vertex cut between the criteria and the hot statements (docs/explanation/cuts.md,
 * section 7).
 */
#pragma once

#include "skeletonizer/hot/hotness.h"
#include "skeletonizer/slice/slice.h"

struct cut {
    VEC(struct node *) values; /* statements that give them; instances of one are listed once */
    const struct ast **chosen; /* by node: the part that is given; NULL: not looked for */
    bool is_stopped;           /* more might be found with more time or memory */
    double executions;         /* of all statements that the slice keeps */
    double executions_left;    /* of those that it would still keep */
};

/* Where a hint says that a value comes from: drawn between two expressions, the same one wherever
 * the keys are the same. Texts for the skeleton. */
struct hinted_draw {
    const struct ast *part;
    const char *low, *high, *keys; /* keys: expressions with commas between them */
    struct lvalue *uses;           /* what they read */
    size_t use_count;
    const char *why;
};

/* What hints say, by node. */
struct cut_wishes {
    bool *pinned;                     /* not to be cut */
    bool *preferred;                  /* to be cut rather than another, also if it is hot */
    const struct hinted_draw **draws; /* to be cut in any case; NULL: nothing said */
    bool has_draws;
    double until_s;     /* of processor time: what is found by then is taken */
    const bool *untold; /* numbers that no model told: computed, with all that they need; or NULL */
};

/* By node, on the heap: the part that could be given; NULL: there is none. */
const struct ast **cut_find_parts(const struct slice *slice, const struct cut_wishes *wishes);

/* Nothing but what hints give is found if nothing that stays is hot. */
void cut_find(struct cut *out, struct slice *slice, const struct hotness *hotness,
              const struct cut_wishes *wishes);
void cut_dispose(struct cut *cut);
