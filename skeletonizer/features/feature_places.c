/* SPDX-License-Identifier: Apache-2.0
 *
 * Features of a value that is an element of a small array, or an argument of a call: which element
 * is given, and of an argument whether it is sent to anybody. On few ranks of a periodic grid a
 * neighbour may be the rank itself, and where a grid ends there is none: what is counted there says
 * nothing of what others get.
 *
 * And of a value that is added to a sum in a loop how often that loop iterates: what it all sums up
 * to, shared out evenly, is told exactly by that, and by any other size only nearly.
 *
 * Not handled: what wrappers send; elements that `+=` adds to.
 */
#include "skeletonizer/features/feature_walk.h"
#include "skeletonizer/features/features.h"
#include "skeletonizer/features/trip_counts.h"
#include "skeletonizer/given/given_parts.h"
#include "skeletonizer/slice/call_argument.h"
#include "skeletonizer/slice/loop_shape.h"
#include "skeletonizer/text/spelling.h"

#include <stdlib.h>
#include <string.h>

#define MAX_ELEMENTS 16 /* that have a formula each: VALUE_FORMULAS_MAX */
#define MAX_PLACES 64   /* of an array, each of which may have a formula of its own */

/* The loop around that counts the variable; false: there is none. */
static bool find_loop(struct loop_shape *out, const struct code_region *region,
                      const struct object *object) {
    for (const struct tree *tree = region->trees.items[0]; tree != NULL; tree = tree->parent)
        if (loop_shape_read(out, tree) && out->variable == object->declaration)
            return true;
    return false;
}

/* Of places in an array: the loop goes through a few of them, as many in each run. */
static bool goes_through_a_few(const struct loop_shape *loop) {
    return loop->first->has_value && loop->end->has_value &&
           llabs(loop->end->value - loop->first->value) <= MAX_PLACES;
}

/* Its end is a parameter, and all calls pass the same few: each run has the same elements. (Lengths
 * that vary, or many elements, have no formula for each, and one over the index keeps neither their
 * sum nor their shape.) */
static bool is_passed_a_few(const struct slice *s, const struct loop_shape *loop,
                            const struct function *function) {
    const struct ast *end = ast_without_casts(loop->end);
    const call_list *callers = &s->callers[function->id];
    for (size_t i = 0; i < function->parameters.count && end->kind == AST_REFERENCE; i++) {
        if (function->parameters.items[i]->declaration != end->declaration)
            continue;
        bool few = callers->count > 0 && loop->first->has_value;
        for (size_t k = 0; k < callers->count && few; k++) {
            const struct call *call = callers->items[k];
            const struct ast *passed =
                i < call->arguments.count ? call->arguments.items[i].ast : NULL;
            few = passed != NULL && passed->has_value &&
                  passed->value == callers->items[0]->arguments.items[i].ast->value &&
                  llabs(passed->value - loop->first->value) <= MAX_ELEMENTS;
        }
        return few;
    }
    return loop->first->has_value && loop->end->has_value &&
           llabs(loop->end->value - loop->first->value) <= MAX_ELEMENTS;
}

static bool is_subscript(const struct ast *ast, const struct object *object) {
    if (ast == NULL)
        return false;
    if (ast->kind == AST_SUBSCRIPT && features_is_reference(ast->kids[1], object))
        return true;
    for (int i = 0; i < ast->kid_count; i++)
        if (is_subscript(ast->kids[i], object))
            return true;
    return false;
}

/* Evaluating it once more changes nothing. */
static bool is_pure(const struct argument *argument) {
    return argument->calls.count == 0 && !argument->has_effects;
}

/* As it is written; NULL: there is none that could be evaluated here as well. */
static const char *spell_argument(const struct walk *w, const struct call *call,
                                  enum mpi_role role) {
    for (int i = 0; i < call->mpi->parameter_count && i < (int)call->arguments.count; i++)
        if (call->mpi->parameters[i].role == role)
            return slice_keeps_argument(w->slice, call, i) && spelling_of_argument(call, i) &&
                           is_pure(&call->arguments.items[i])
                       ? program_text(w->slice->program, call->arguments.items[i].ast->range)
                       : NULL;
    return NULL;
}

static void add_category(struct walk *w, const char *expression, const char *meaning) {
    feature_list *list = &w->region->features;
    size_t before = list->count;
    features_add(w, expression, meaning);
    if (list->count > before)
        list->items[before].is_category = true;
}

/* `place`: the variable that tells which element it is; NULL: there is one only. */
static void add_place(struct walk *w, const struct object *place) {
    struct arena *arena = &w->slice->program->arena;
    int index;
    const struct call *call = call_argument_find(w->region->value, w->region->part, &index);
    bool sends = call->mpi != NULL && call->mpi->class == MPI_CLASS_P2P;
    const char *peer = sends ? spell_argument(w, call, MPI_ROLE_PEER) : NULL;
    const char *comm = sends ? spell_argument(w, call, MPI_ROLE_COMMUNICATOR) : NULL;
    bool known = peer != NULL && comm != NULL;
    const char *name = place != NULL ? place->name : "0";
    const char *meaning = place != NULL ? arena_printf(arena, "the value of %s", name) : "0";
    if (known)
        add_category(w, arena_printf(arena, "BSIM_PLACE(%s, %s, %s)", name, peer, comm),
                     arena_printf(arena, "%s; -1: sent to the rank itself, or to none", meaning));
    else if (place != NULL)
        add_category(w, name, meaning);
}

/* Of a vector: which of the numbers that tell it. */
static bool add_number_of_vector(struct walk *w) {
    int index;
    const struct call *call = call_argument_find(w->region->value, w->region->part, &index);
    if (!call_argument_is_vector(call, index))
        return false;
    add_category(
        w, FEATURE_NUMBER_OF_VECTOR,
        "0: the sum; 1, 2, 3: shares of the rank itself, of far ones, of the next; 4: on one rank");
    return true;
}

void features_add_places(struct walk *w, const struct frame *frame) {
    const struct function *function = w->region->function;
    if (add_number_of_vector(w))
        return;
    size_t before = w->region->features.count;
    struct loop_shape loop;
    for (size_t i = 0; i < function->locals.count; i++) {
        const struct object *object = function->locals.items[i];
        if (flow_tracks(object) && object->declaration != NULL &&
            is_subscript(w->region->part, object) && find_loop(&loop, w->region, object) &&
            goes_through_a_few(&loop) && expression_obtains(frame, object))
            add_place(w, object);
    }
    if (w->region->features.count == before)
        add_place(w, NULL);
}

void features_add_elements(struct walk *w, const struct frame *frame) {
    const struct function *function = w->region->function;
    const struct ast *holder = given_part_holder(w->region->value, w->region->part);
    struct loop_shape loop;
    if (holder->kind != AST_BINARY || strcmp(holder->op, "=") != 0)
        return;
    for (size_t i = 0; i < function->locals.count; i++) {
        const struct object *object = function->locals.items[i];
        if (flow_tracks(object) && object->declaration != NULL &&
            is_subscript(holder->kids[0], object) && find_loop(&loop, w->region, object) &&
            is_passed_a_few(w->slice, &loop, function) && expression_obtains(frame, object))
            features_add(w, object->name,
                         arena_printf(&w->slice->program->arena, "the value of %s", object->name));
    }
}

void features_add_summed(struct walk *w, const struct frame *frame) {
    const struct ast *holder = w->region->value->ast;
    const struct tree *tree = w->region->trees.items[0];
    size_t mark = slice_mark(w->slice);
    struct loop_shape loop;
    struct str trips = {0};
    if (holder == NULL || holder->kind != AST_COMPOUND_ASSIGN || strcmp(holder->op, "+=") != 0 ||
        holder->kids[1] != w->region->part)
        return;
    while (tree != NULL && !tree_is_loop(tree))
        tree = tree->parent;
    if (tree != NULL && loop_shape_read(&loop, tree) && trip_counts_print(&trips, frame, &loop))
        features_add(w, str_text(&trips),
                     arena_printf(&w->slice->program->arena,
                                  "iterations of the loop over %s at line %d, which sums it up",
                                  loop.variable->name, tree->ast->line));
    else
        slice_take_back(w->slice, mark);
    str_dispose(&trips);
}
