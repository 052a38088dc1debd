/* SPDX-License-Identifier: Apache-2.0
 *
 * First objects are "collapsed", as D. Pearce, P. Kelly, C. Hankin ("Efficient field-sensitive
 * pointer analysis of C", 2007) do with those in cycles; here it is those whose cells hold the
 * largest sets. If that is not enough, the blocks that single calls of an allocation wrapper have
 * are again the one that the wrapper allocates. Locations that become one do so in all sets.
 */
#include "skeletonizer/pointsto_flat.h"

#include <stdlib.h>

#define SIZE_MOST 8000000 /* locations in all sets; usual programs have less than 1 % of it */
#define SHARE_LEAST 10000 /* an object with less than this part of all stays as it is */

struct location flat_location(const struct points_to *p, struct location location) {
    if (p->without_clones)
        location.object = points_to_block(p, location.object);
    if ((size_t)location.object < p->flat.count && p->flat.items[location.object])
        location.stride_bytes = 1;
    return location;
}

size_t flat_count(const struct points_to *p) {
    size_t count = 0;
    for (size_t i = 0; i < p->flat.count; i++)
        count += p->flat.items[i];
    return count;
}

static size_t size_of_cells(const struct points_to *p, size_t object) {
    size_t size = 0;
    for (size_t i = 0; i < p->cells_of.items[object].count; i++)
        size += p->cells.items[p->cells_of.items[object].items[i]].count;
    return size;
}

static size_t size_of_all(const struct points_to *p) {
    size_t size = 0;
    for (size_t i = 0; i < p->cells.count; i++)
        size += p->cells.items[i].count;
    for (int i = 0; i < p->variable_count; i++)
        size += p->variables[i].count;
    return size;
}

static int compare(const void *one, const void *other) {
    int a = *(const int *)one, b = *(const int *)other;
    return (a > b) - (a < b);
}

static void rename_in(int_list *list, const int *names) {
    bool changed = false;
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++) {
        changed = changed || names[list->items[i]] != list->items[i];
        list->items[i] = names[list->items[i]];
    }
    if (!changed)
        return;
    qsort(list->items, list->count, sizeof *list->items, compare);
    for (size_t i = 0; i < list->count; i++)
        if (count == 0 || list->items[i] != list->items[count - 1])
            list->items[count++] = list->items[i];
    list->count = count;
}

/* What was stored in locations that are others now is stored there. */
static void move_cells(struct points_to *p, const int *names, size_t count) {
    for (size_t i = 0; i < count && i < p->cells.count; i++) {
        int_list old = p->cells.items[i];
        if (names[i] == (int)i || old.count == 0)
            continue;
        p->cells.items[i] = (int_list){0};
        points_to_store(p, names[i], &old, 0);
        vec_dispose(&old);
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
    size_t count = p->locations.count;
    int *names = xmalloc(count * sizeof *names);
    p->step++;
    for (size_t i = 0; i < count; i++)
        names[i] = points_to_intern(p, p->locations.items[i]);
    for (size_t i = count; i < p->locations.count; i++) {
        names = xrealloc(names, (i + 1) * sizeof *names);
        names[i] = (int)i;
    }
    for (int i = 0; i < p->variable_count; i++)
        rename_in(&p->variables[i], names);
    for (size_t i = 0; i < p->cells.count; i++) {
        rename_in(&p->cells.items[i], names);
        p->cell_hashes.items[i] = p->cell_sources.items[i] = 0;
    }
    move_cells(p, names, count);
    free(names);
    p->solved.count = 0;
    p->changed = true;
}

static bool flatten_largest(struct points_to *p, size_t least) {
    bool found = false;
    for (size_t i = 0; i < p->cells_of.count; i++) {
        if (p->cells_of.items[i].count < 2 || size_of_cells(p, i) < least)
            continue;
        while (p->flat.count <= i)
            vec_push(&p->flat, false);
        p->flat.items[i] = found = true;
    }
    return found;
}

void flat_check(struct points_to *p) {
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
