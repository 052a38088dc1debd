/* SPDX-License-Identifier: Apache-2.0
 *
 * The parts of regions.json as JSON values, which the caller owns. docs/reference/regions.md says
 * what they hold.
 */
#ifndef SKELETONIZER_DESCRIBE_DESCRIBE_H
#define SKELETONIZER_DESCRIBE_DESCRIBE_H

#include "base/json.h"
#include "skeletonizer/generate.h"

/* Bytes of a source text; JSON wants UTF-8. */
json_t *describe_text(const char *bytes);

/* The text of a range on one line, at most about 100 bytes of it. */
char *describe_shortened(struct generation *g, struct range range);

/* A statement as its reader knows it: of a loop or a branch, the header. */
char *describe_node(struct generation *g, const struct node *node);

/* The statement of a value, or what of it takes the value: an assignment, an operand of its
 * condition. */
char *describe_value(struct generation *g, const struct node *node, const struct ast *part);

/* Where a value comes from, as a hint says it; NULL, no hint does: "". */
const char *describe_draw(struct generation *g, const struct hinted_draw *draw);

/* What makes the called function a criterion: the first MPI call in it, else a call that ends the
 * program, else one of unknown effect; NULL: the call has no source, or nothing in it does. */
const struct call *describe_criterion(const struct slice *slice, const struct call *call);

/* One demand of a slice, which need not be that of the skeleton. */
json_t *describe_demand(struct generation *g, const struct slice *slice, int index);
json_t *describe_demands(struct generation *g);

/* Computations that stay, and the estimate of all work and of the work that stays. */
json_t *describe_kept(struct generation *g);
json_t *describe_estimate(const struct generation *g);

/* Which values would let hot computation go. */
json_t *describe_cuts(struct generation *g);

/* Where an assumption made the skeleton smaller. */
json_t *describe_assumed(struct generation *g);

/* Kept calls of functions without source and without a row in externs.def. */
json_t *describe_unknown(struct generation *g);

#endif
