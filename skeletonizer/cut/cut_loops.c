/* SPDX-License-Identifier: Apache-2.0
 *
 * An exit belongs to its loop's vertex if what it looks at comes from something hot by a way of
 * data: a limit (`k < most`, `if (k == most) break;`) is computed. One model for all of them: the
 * number of tests that pass is one number with a mean, where each exit's share by itself tells
 * nothing of how they follow each other.
 *
 * It costs as much as the most frequent of its exits would: by how often the loop is entered it
 * would be cheaper than the number that is compared, such as a step of time, which sizes tell
 * better.
 */
#include "skeletonizer/cut/cut_loops.h"

#include "skeletonizer/cut/cut_price.h"
#include "skeletonizer/given/cut_exits.h"
#include "skeletonizer/given/cut_parts.h"

#include <stdlib.h>
#include <string.h>

static bool passes_data(const void *context, const struct demand_edge *edge) {
    return cut_is_data(context, edge);
}

/* By demand: something hot goes into it. */
static bool *find_computed(const struct cut_candidates *c) {
    const struct slice *s = c->slice;
    bool *computed = memset(xmalloc(s->demands.count + 1), 0, s->demands.count + 1);
    for (size_t i = 0; i < s->demands.count; i++) {
        const struct node *node = cut_node_of(s, i);
        computed[i] = node != NULL && hotness_is_hot(c->hotness, node);
    }
    cut_ways_follow(computed, c->ways, WAY_UP, passes_data, c);
    return computed;
}

static int loop_of(struct cut_loops *loops, const struct cut_candidates *c, const struct tree *tree,
                   const struct node *exit) {
    long long price = cut_price_of_loop(executions_of(&c->hotness->executions, exit));
    for (size_t i = 0; i < loops->items.count; i++) {
        struct cut_loop *loop = &loops->items.items[i];
        if (loop->tree != tree || loop->function != exit->function)
            continue;
        loop->price = price > loop->price ? price : loop->price;
        return (int)i;
    }
    vec_push(&loops->items, ((struct cut_loop){tree, exit->function, price}));
    return (int)loops->items.count - 1;
}

void cut_loops_find(struct cut_loops *out, const struct cut_candidates *c, const bool *allowed) {
    const struct slice *s = c->slice;
    bool *computed = find_computed(c);
    *out = (struct cut_loops){.of = xmalloc((s->demands.count + 1) * sizeof *out->of)};
    for (size_t i = 0; i < s->demands.count; i++) {
        const struct node *node = cut_node_of(s, i);
        bool goes_on, is_exit = node != NULL && allowed[i] && computed[i] &&
                                cut_part_decides(node, c->parts[node->id]);
        const struct tree *tree = is_exit ? cut_exit_of(node, &goes_on) : NULL;
        out->of[i] = tree != NULL ? loop_of(out, c, tree, node) : -1;
    }
    free(computed);
}

void cut_loops_dispose(struct cut_loops *loops) {
    vec_dispose(&loops->items);
    free(loops->of);
}
