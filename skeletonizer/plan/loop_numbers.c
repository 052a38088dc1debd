/* SPDX-License-Identifier: Apache-2.0
 *
 * Loops are numbered in the order of their places: instances of a function share its numbers, and
 * so does code that is included twice.
 */
#include "skeletonizer/plan/loop_numbers.h"

#include <stdlib.h>

static int compare_places(const void *left, const void *right) {
    const struct range *a = left, *b = right;
    if (a->file != b->file)
        return a->file < b->file ? -1 : 1;
    return (a->begin > b->begin) - (a->begin < b->begin);
}

typedef VEC(struct range) range_list;

static void find_places(range_list *out, const struct program *program) {
    size_t left = 0;
    for (size_t i = 0; i < program->nodes.count; i++)
        if (program->nodes.items[i]->kind == NODE_LOOP)
            vec_push(out, program->nodes.items[i]->tree->ast->range);
    if (out->count > 1)
        qsort(out->items, out->count, sizeof *out->items, compare_places);
    for (size_t i = 0; i < out->count; i++)
        if (left == 0 || compare_places(&out->items[left - 1], &out->items[i]) != 0)
            out->items[left++] = out->items[i];
    out->count = left;
}

void loop_numbers_assign(struct slice *slice) {
    struct program *program = slice->program;
    int *numbers = ARENA_ARRAY(&program->arena, int, program->nodes.count + 1);
    range_list places = {0};
    find_places(&places, program);
    for (size_t i = 0; i < program->nodes.count; i++) {
        const struct node *node = program->nodes.items[i];
        const struct range *place =
            node->kind == NODE_LOOP ? bsearch(&node->tree->ast->range, places.items, places.count,
                                              sizeof *places.items, compare_places)
                                    : NULL;
        numbers[node->id] = place != NULL ? (int)(place - places.items) : -1;
    }
    slice->loop_numbers = numbers;
    vec_dispose(&places);
}
