/* SPDX-License-Identifier: Apache-2.0
 *
 * By the counts of the scout run, or by how loops lie in each other.
 */
#include "skeletonizer/features/feature_walk.h"

#include <math.h>

const struct node *features_condition_of(const struct tree *loop) {
    const struct node *condition = loop->condition;
    for (size_t i = 0; i < loop->nodes.count && condition == NULL; i++)
        if (loop->nodes.items[i]->kind == NODE_LOOP)
            condition = loop->nodes.items[i];
    return condition;
}

double features_counted(const struct walk *w, const struct tree *loop) {
    const struct node *condition = features_condition_of(loop);
    if (w->counts == NULL)
        return pow(10, w->loops_around + w->inside_unknown);
    return condition != NULL ? fmax((double)counts_of(w->counts, condition), 0) : 0;
}

void features_note_executions(struct walk *w, const struct tree *loop, bool known) {
    double *busiest = known && w->inside_unknown == 0 ? &w->busiest_known : &w->busiest_unknown;
    *busiest = fmax(*busiest, features_counted(w, loop));
    if (known && w->outer_unknown >= 0 && !w->chooses) {
        double *inside = &w->unknown.items[w->outer_unknown].inside;
        *inside = fmax(*inside, features_counted(w, loop));
    }
}
