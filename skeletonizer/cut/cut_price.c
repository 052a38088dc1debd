/* SPDX-License-Identifier: Apache-2.0
 *
 * A value costs its kind's share of 20 and its executions, so that few values are modelled, and
 * rarely. The table has all multipliers; what must not be given at all is in cut_vetoes.c.
 */
#include "skeletonizer/cut/cut_price.h"

#include "skeletonizer/given/given_flags.h"
#include "skeletonizer/given/given_parts.h"
#include "skeletonizer/slice/call_argument.h"

#define VALUE_COST 20        /* as 20 executions: a model of its own, profiled and fitted */
#define MOST_EXECUTIONS 1e12 /* estimates may be huge */
#define ONE 16               /* in the table */
#define AGREED 4             /* so many times less: one number instead of one per rank */

enum value_class_of_price { WHOLE, FLOATING, DECISION, LOOP, END, RESIDUAL };

static const long long shares[] = {
    [WHOLE] = ONE,            /* a wrong number makes a message longer or shorter */
    [FLOATING] = ONE * 5 / 4, /* what a count follows from by steps has no good mean */
    [DECISION] = ONE * 3,  /* deciding wrongly may deadlock; a flag and what is sent decide, too */
    [LOOP] = ONE * 5,      /* likewise, for all iterations at once */
    [END] = ONE * 20,      /* a decision that ends a loop by a flag: rather what it goes by */
    [RESIDUAL] = ONE * 64, /* its mean never ends the loop that waits for it */
};

static bool is_argument(const struct node *node, const struct ast *part,
                        bool (*is_kind)(const struct call *, int)) {
    int index;
    const struct call *call = call_argument_find(node, part, &index);
    return call != NULL && is_kind(call, index);
}

static enum value_class_of_price class_of(const struct cut_candidates *c, const struct node *node,
                                          bool compared) {
    const struct ast *part = c->parts[node->id];
    if (is_argument(node, part, call_argument_is_vector))
        return WHOLE;
    if (is_argument(node, part, call_argument_is_sent))
        return DECISION;
    if (given_part_decides(node, part))
        return node->kind == NODE_LOOP ? LOOP : compared ? END : DECISION;
    if (given_part_is_flag(c->slice, node, part))
        return compared ? LOOP : DECISION;
    if (compared)
        return RESIDUAL;
    return given_part_type(node, part)->kind == TYPE_FLOATING ? FLOATING : WHOLE;
}

static long long price_of(double often) {
    return VALUE_COST + (long long)(often < MOST_EXECUTIONS ? often : MOST_EXECUTIONS);
}

long long cut_price_of(const struct cut_candidates *c, const struct node *node, bool compared,
                       bool is_near) {
    const struct ast *part = c->parts[node->id];
    enum value_class_of_price class = class_of(c, node, compared);
    bool is_flag = !given_part_decides(node, part) && (class == LOOP || class == DECISION);
    bool is_told = is_argument(node, part, call_argument_is_told);
    bool is_agreed = (is_told || !is_near || is_flag) && given_part_is_agreed(c->slice, node, part);
    return shares[class] / (is_agreed ? AGREED : 1) *
           price_of(executions_of(&c->hotness->executions, node));
}

long long cut_price_of_loop(double tests) {
    return shares[LOOP] * price_of(tests);
}
