/* SPDX-License-Identifier: Apache-2.0
 *
 * First objects are "collapsed", as D. Pearce, P. Kelly, C. Hankin ("Efficient field-sensitive
 * pointer analysis of C", 2007) do with those in cycles; here it is those whose cells hold the
 * largest sets. If that is not enough, the blocks that single calls of an allocation wrapper have
 * are again the one that the wrapper allocates. Locations that become one do so in all sets.
 */
#include "skeletonizer/pointsto/pointsto_bound.h"

#include <stdlib.h>
#include <string.h>

#define SIZE_MOST 1000000 /* locations in all sets; usual programs have less than 10 % of it */
#define SHARE_LEAST 10000 /* an object with less than this part of all stays as it is */

struct location pointsto_bound_location(const struct points_to *p, struct location location) {
    if (p->without_clones)
        location.object = points_to_block(p, location.object);
    if ((size_t)location.object < p->collapsed.count && p->collapsed.items[location.object])
        location.stride_bytes = 1;
    return location;
}

size_t pointsto_bound_count(const struct points_to *p) {
    size_t count = 0;
    for (size_t i = 0; i < p->collapsed.count; i++)
        count += p->collapsed.items[i];
    return count;
}

static size_t size_of_cells(const struct points_to *p, size_t object) {
    size_t size = 0;
    for (size_t i = 0; i < p->cells_of.items[object].count; i++)
        size += points_to_cell(p, p->cells_of.items[object].items[i])->count;
    return size;
}

static size_t size_of_all(const struct points_to *p) {
    size_t size = 0;
    for (size_t i = 0; i < p->cells.count; i++)
        size += points_to_cell(p, (int)i)->count;
    for (int i = 0; i < p->variable_count; i++)
        size += sets_items(&p->sets, p->variables[i])->count;
    return size;
}

static int compare(const void *one, const void *other) {
    int a = *(const int *)one, b = *(const int *)other;
    return (a > b) - (a < b);
}

/* In: which name each location has now. */
struct renaming {
    const int *names;
    int *sets; /* what each set has become; -1: not known yet */
};

static int renamed(struct points_to *p, struct renaming *r, int set) {
    if (set == 0 || r->sets[set] >= 0)
        return set == 0 ? 0 : r->sets[set];
    const int_list *old = sets_items(&p->sets, set);
    int_list list = {0};
    size_t count = 0;
    for (size_t i = 0; i < old->count; i++)
        vec_push(&list, r->names[old->items[i]]);
    qsort(list.items, list.count, sizeof *list.items, compare);
    for (size_t i = 0; i < list.count; i++)
        if (count == 0 || list.items[i] != list.items[count - 1])
            list.items[count++] = list.items[i];
    list.count = count;
    r->sets[set] = sets_with(&p->sets, 0, &list);
    vec_dispose(&list);
    return r->sets[set];
}

/* What was stored in locations that are others now is stored there. */
static void move_cells(struct points_to *p, const int *names, size_t count) {
    for (size_t i = 0; i < count && i < p->cells.count; i++) {
        int old = p->cells.items[i];
        if (names[i] == (int)i || old == 0)
            continue;
        p->cells.items[i] = 0;
        points_to_store(p, names[i], old);
    }
    for (size_t object = 0; object < p->cells_of.count; object++) {
        int_list *cells = &p->cells_of.items[object];
        size_t left = 0;
        for (size_t i = 0; i < cells->count; i++)
            if ((size_t)cells->items[i] >= count || names[cells->items[i]] == cells->items[i])
                cells->items[left++] = cells->items[i];
        cells->count = left;
    }
}

/* Each location gets the name that it has now; all constraints are to be solved again. */
static void rename_all(struct points_to *p) {
    size_t count = p->locations.count, set_count = p->sets.sets.count;
    int *names = xmalloc(count * sizeof *names);
    struct renaming r = {.sets = xmalloc((set_count + 1) * sizeof *r.sets)};
    p->step++;
    for (size_t i = 0; i < count; i++)
        names[i] = points_to_intern(p, p->locations.items[i]);
    r.names = names;
    memset(r.sets, 0xff, (set_count + 1) * sizeof *r.sets);
    for (int i = 0; i < p->variable_count; i++)
        p->variables[i] = renamed(p, &r, p->variables[i]);
    for (size_t i = 0; i < p->cells.count; i++)
        p->cells.items[i] = renamed(p, &r, p->cells.items[i]);
    move_cells(p, names, count);
    free(r.sets);
    free(names);
    p->solved.count = 0;
    p->changed = true;
}

static bool flatten_largest(struct points_to *p, size_t least) {
    bool found = false;
    for (size_t i = 0; i < p->cells_of.count; i++) {
        if (p->cells_of.items[i].count < 2 || size_of_cells(p, i) < least)
            continue;
        while (p->collapsed.count <= i)
            vec_push(&p->collapsed, false);
        p->collapsed.items[i] = found = true;
    }
    return found;
}

void pointsto_bound_check(struct points_to *p) {
    size_t most = p->size_most > 0 ? p->size_most : SIZE_MOST;
    if (p->size <= most)
        return;
    if (flatten_largest(p, p->size / SHARE_LEAST))
        rename_all(p);
    if (!p->without_clones && size_of_all(p) > most / 2) {
        p->without_clones = true;
        rename_all(p);
    }
    p->size = size_of_all(p);
    p->size_most = p->size > most / 2 ? 2 * p->size : most;
}
