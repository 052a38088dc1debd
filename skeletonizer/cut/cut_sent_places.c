/* SPDX-License-Identifier: Apache-2.0
 *
 * Arrays are those of records, and variables, with elements that are numbers. A loop tells all of
 * one if it goes from its first to its last element, sends in each iteration, and is not left; or a
 * call tells a certain element.
 *
 *     for (d = 0; d < 6; d++) MPI_Sendrecv(&s->leaving[d], 1, MPI_INT, ...);
 *
 * Not handled: arrays on the heap, and loops whose bounds are not constant: they may tell a part.
 */
#include "skeletonizer/cut/cut_sent_places.h"

#include "frontend/program/tree.h"
#include "skeletonizer/given/cut_stretch.h"
#include "skeletonizer/slice/call_argument.h"
#include "skeletonizer/slice/events.h"
#include "skeletonizer/slice/loop_shape.h"

#include <string.h>

/* And no other one: `k++, k++`. */
static bool is_one_step(const struct ast *step) {
    return step->kind != AST_BINARY || strcmp(step->op, ",") != 0;
}

bool cut_sent_places_constant_loop(struct loop_shape *out, const struct tree *tree) {
    const struct ast *condition = tree->condition != NULL ? tree->condition->ast : NULL;
    return loop_shape_read(out, tree) && !out->geometric && is_one_step(tree->ast->kids[2]) &&
           condition->kind == AST_BINARY && strcmp(condition->op, "&&") != 0 &&
           out->first->has_value && out->end->has_value &&
           (out->step == NULL || out->step->has_value);
}

const struct tree *cut_sent_places_loop(struct loop_shape *out, const struct tree *tree) {
    const struct tree *block = cut_block_of(tree), *around = block != NULL ? block : tree;
    around = around->parent;
    bool found = around != NULL && around->ast->kind == AST_FOR &&
                 (block != NULL || around->kids.items[0] == tree) &&
                 cut_sent_places_constant_loop(out, around);
    return found ? around : NULL;
}

/* ---- Arrays ---- */

/* The array that a number is an element of; NULL: it is none, or behind a pointer. */
static const struct type *array_of(const struct ast *number) {
    const struct ast *base = number->kind == AST_SUBSCRIPT ? number->kids[0] : NULL;
    bool is_array = base != NULL && base->type->kind == TYPE_ARRAY &&
                    (base->kind == AST_MEMBER || base->kind == AST_REFERENCE);
    return is_array ? base->type : NULL;
}

/* The one location that the place is; false: there are several. */
static bool find_location(struct location *out, const struct slice *s, struct place place) {
    int_list locations = {0};
    points_to_locations(s->points_to, place, &locations);
    bool is_one = locations.count == 1;
    if (is_one)
        *out = s->points_to->locations.items[locations.items[0]];
    vec_dispose(&locations);
    return is_one;
}

/* The location of the number itself, or of the array that it is in. */
static bool find_place(struct location *out, const struct slice *s, struct place place,
                       const struct ast *number) {
    const struct type *array = array_of(number);
    if (!find_location(out, s, place))
        return false;
    if (array == NULL)
        return out->stride_bytes == 0 && out->length_bytes == number->type->size_bytes;
    const struct object *object = s->program->objects.items[out->object];
    if (out->stride_bytes == number->type->size_bytes && out->offset_bytes == 0 &&
        object->type == array) {
        out->stride_bytes = 0;
        out->length_bytes = array->size_bytes;
    }
    return out->stride_bytes == 0 && out->length_bytes > 0 &&
           out->length_bytes == array->size_bytes;
}

static bool has_jump(const struct tree *tree) {
    enum ast_kind kind = tree->ast->kind;
    if (kind == AST_RETURN || kind == AST_GOTO || kind == AST_BREAK || kind == AST_CONTINUE ||
        kind == AST_LABEL || kind == AST_CASE)
        return true;
    for (size_t i = 0; i < tree->kids.count; i++)
        if (has_jump(tree->kids.items[i]))
            return true;
    return false;
}

static bool counts_by_itself(const struct slice *s, const struct tree *body,
                             const struct declaration *variable) {
    node_list nodes = {0};
    bool changes = false;
    tree_nodes(body, &nodes);
    for (size_t i = 0; i < nodes.count; i++)
        for (size_t k = 0; k < nodes.items[i]->defines.count; k++) {
            int object = nodes.items[i]->defines.items[k].object;
            changes = changes ||
                      (object >= 0 && s->program->objects.items[object]->declaration == variable);
        }
    vec_dispose(&nodes);
    return !changes;
}

/* The loop around the call tells each element of the array. */
static bool tells_all(const struct slice *s, const struct node *sends, const struct ast *number) {
    struct loop_shape loop;
    const struct tree *around = cut_sent_places_loop(&loop, sends->tree);
    const struct ast *index = ast_without_casts(number->kids[1]);
    if (around == NULL || loop.down || (loop.step != NULL && loop.step->value != 1) ||
        index->kind != AST_REFERENCE || index->declaration != loop.variable)
        return false;
    const struct object *object = program_object(s->program, sends->function, loop.variable);
    long long count = array_of(number)->size_bytes / number->type->size_bytes;
    return object != NULL && flow_tracks(object) && loop.first->value == 0 &&
           loop.end->value + loop.inclusive == count && !has_jump(around->kids.items[0]) &&
           counts_by_itself(s, around->kids.items[0], loop.variable);
}

bool cut_sent_places_find(struct sent_places *out, const struct slice *s, const struct node *sends,
                          const struct ast *address) {
    int index;
    const struct call *call = call_argument_find(sends, address, &index);
    const struct ast *number = cut_number_behind(address);
    *out = (struct sent_places){.number_bytes = number != NULL ? number->type->size_bytes : 0};
    if (number == NULL || sends->tree == NULL || number->type->kind != TYPE_INTEGER ||
        !find_place(&out->place, s, events_pointee(&call->arguments.items[index], CLASS_ANY),
                    number))
        return false;
    if (array_of(number) == NULL)
        return true;
    out->has_element = number->kids[1]->has_value;
    out->element = out->has_element ? number->kids[1]->value : 0;
    out->in_loop = !out->has_element && tells_all(s, sends, number);
    return out->has_element || out->in_loop;
}

bool cut_sent_places_has(const struct sent_places *sent, const struct slice *s, struct place place,
                         const struct ast *number) {
    struct location found;
    bool is_array = array_of(number) != NULL;
    if (number->type->size_bytes != sent->number_bytes ||
        is_array != (sent->in_loop || sent->has_element) || !find_place(&found, s, place, number))
        return false;
    bool same_element = !sent->has_element ||
                        (number->kids[1]->has_value && number->kids[1]->value == sent->element);
    return same_element && found.object == sent->place.object &&
           found.offset_bytes == sent->place.offset_bytes &&
           found.length_bytes == sent->place.length_bytes;
}
