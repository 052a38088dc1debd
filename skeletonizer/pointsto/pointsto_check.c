/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether the sets solve the constraints: all are solved once more, as if none had been, which must
 * not change anything. So it is seen when one was passed over though what it reads had changed.
 */
#include "skeletonizer/pointsto/pointsto_check.h"

/* Of which another location has taken the place, since there were too many (pointsto_bound.h). */
static bool is_given_up(const struct points_to *p, const struct location *one) {
    return p->without_clones ||
           ((size_t)one->object < p->collapsed.count && p->collapsed.items[one->object]);
}

static int check_location(const struct points_to *p, int index, struct error *error) {
    const struct location *one = &p->locations.items[index];
    if (one->object < 0 || (size_t)one->object >= p->program->objects.count)
        return error_set(error, "location %d is in object %d of %zu", index, one->object,
                         p->program->objects.count);
    if (one->length_bytes < 0 || one->stride_bytes < 0)
        return error_set(error, "location %d has %lld bytes, repeated every %lld", index,
                         one->length_bytes, one->stride_bytes);
    if (points_to_known(p, *one) != index && !is_given_up(p, one))
        return error_set(error, "location %d is known by the index %d", index,
                         points_to_known(p, *one));
    return 0;
}

static int check_set(const struct points_to *p, int set, const char *of, int owner,
                     struct error *error) {
    const int_list *items = sets_items(&p->sets, set);
    for (size_t i = 0; i < items->count; i++)
        if (items->items[i] < 0 || (size_t)items->items[i] >= p->locations.count ||
            (i > 0 && items->items[i] <= items->items[i - 1]))
            return error_set(error, "%s %d: location %d of its set is out of order", of, owner,
                             items->items[i]);
    return 0;
}

static int check_call(const struct call *call, struct error *error) {
    bool is_live = call->node->function == NULL || call->node->function->is_live;
    for (size_t i = 0; is_live && i < call->targets.count; i++)
        if (!call->targets.items[i]->is_live)
            return error_set(error, "call %d may call %s, which is not live", call->id,
                             call->targets.items[i]->name);
    return 0;
}

int points_to_check(struct points_to *p, struct error *error) {
    for (size_t i = 0; i < p->locations.count; i++)
        if (check_location(p, (int)i, error) != 0)
            return -1;
    for (int i = 0; i < p->variable_count; i++)
        if (check_set(p, p->variables[i], "variable", i, error) != 0)
            return -1;
    for (size_t i = 0; i < p->cells.count; i++)
        if (check_set(p, p->cells.items[i], "location", (int)i, error) != 0)
            return -1;
    for (size_t i = 0; i < p->program->calls.count; i++)
        if (check_call(p->program->calls.items[i], error) != 0)
            return -1;
    p->solved.count = p->looked_at.count = p->copied_from.count = 0;
    return points_to_settle(p) ? error_set(error, "the constraints are not solved: solving them "
                                                  "once more changes what pointers point to")
                               : 0;
}
