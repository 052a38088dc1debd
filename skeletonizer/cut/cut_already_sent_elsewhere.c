/* SPDX-License-Identifier: Apache-2.0
 *
 * The number lies in one place of one block of memory, of which there is one on each rank, or is an
 * element of an array there, of which a loop tells all (cut_sent_places.h). All that writes it
 * stands, in one block of statements, in front of the call that sends it, or is called from there
 * alone, so that the call follows whenever something was written, and nothing there looks at it
 * from elsewhere in between; or it is what the place began with: a declaration, or what main does
 * before anything that sends is called.
 *
 *     d->nsend = 0;                                       for (step = 0; ...; step++) {
 *     for (...) d->list[d->nsend++] = i;                      if (step % 5 == 0) borders(d);
 *     MPI_Sendrecv(&d->nsend, 1, MPI_INT, ...);               MPI_Send(buffer, d->nsend, ...); }
 */
#include "skeletonizer/cut/cut_already_sent_elsewhere.h"

#include "skeletonizer/cut/cut_sent_places.h"
#include "skeletonizer/given/cut_stretch.h"
#include "skeletonizer/slice/call_argument.h"
#include "skeletonizer/slice/events.h"
#include "skeletonizer/slice/loop_shape.h"

#include <limits.h>
#include <string.h>

#define DEPTH_MOST 4 /* of calls from in front of the one that sends */

struct far {
    const struct slice *slice;
    const struct node *sends;
    struct sent_places sent;
    node_list *initial;
};

static bool is_main(const struct function *function) {
    return function != NULL && strcmp(function->name, "main") == 0;
}

static bool has_goto(const struct tree *tree) {
    if (tree->ast->kind == AST_GOTO)
        return true;
    for (size_t i = 0; i < tree->kids.count; i++)
        if (has_goto(tree->kids.items[i]))
            return true;
    return false;
}

/* Of which each rank has one. */
static bool is_single(const struct slice *s, const struct object *object) {
    const struct function *main_function = program_function(s->program, "main");
    if (object->kind == OBJECT_VARIABLE && object->function == NULL)
        return true;
    if (main_function == NULL || has_goto(main_function->tree)) /* loops that are none */
        return false;
    if (object->kind == OBJECT_HEAP)
        return object->call != NULL && object->call->node != NULL &&
               is_main(object->call->node->function) && !tree_is_in_loop(object->call->node->tree);
    bool is_mains = is_main(object->function) && object->parameter < 0 &&
                    (object->declared_in == NULL || !tree_is_in_loop(object->declared_in));
    return object->kind == OBJECT_VARIABLE && is_mains;
}

/* The part is the number in memory itself, and not more: `d->nsend`. */
static bool reads_there(const struct far *far, const struct node *reads, const struct ast *part) {
    int index;
    const struct call *call = call_argument_find(reads, part, &index);
    const place_list *uses = call != NULL ? &call->arguments.items[index].uses : &reads->uses;
    const struct ast *number = ast_without_casts(part);
    for (size_t i = 0; i < uses->count; i++)
        if (uses->items[i].ast == number)
            return cut_sent_places_has(&far->sent, far->slice, uses->items[i], number);
    return false;
}

/* In the same function or in another instance of it. */
static const struct node *twin_in(const struct function *function, const struct node *sends) {
    if (function == NULL || program_origin(function) != program_origin(sends->function))
        return NULL;
    for (size_t i = 0; i < sends->function->nodes.count; i++)
        if (sends->function->nodes.items[i] == sends)
            return function->nodes.items[i];
    return NULL;
}

static bool leaves(const struct tree *tree, const struct tree *within) {
    if (tree->ast->kind == AST_RETURN || tree->ast->kind == AST_GOTO)
        return true;
    if (tree->ast->kind == AST_BREAK || tree->ast->kind == AST_CONTINUE) {
        const struct tree *loop = tree->parent;
        while (loop != within->parent && !tree_is_loop(loop) && loop->ast->kind != AST_SWITCH)
            loop = loop->parent;
        return loop == within->parent;
    }
    for (size_t i = 0; i < tree->kids.count; i++)
        if (leaves(tree->kids.items[i], within))
            return true;
    return false;
}

/* The statement of this function that tells the number, or the loop that tells all of them; NULL:
 * it does not. */
static const struct tree *teller_in(const struct far *far, const struct function *function) {
    struct loop_shape loop;
    const struct node *sends = twin_in(function, far->sends);
    if (sends == NULL || far->slice->cut[sends->id] == NULL ||
        !slice_keeps_value(far->slice, sends))
        return NULL;
    return far->sent.in_loop ? cut_sent_places_loop(&loop, sends->tree) : sends->tree;
}

/* The node stands in front of the call that sends, which is reached from there in any case. */
static bool is_in_front(const struct far *far, const struct node *node) {
    const struct tree *teller = teller_in(far, node->function);
    const struct tree *block = teller != NULL ? cut_block_of(teller) : NULL;
    const struct tree *child = block != NULL ? cut_child_around(block, node->tree) : NULL;
    if (child == NULL)
        return false;
    int first = cut_place_in(block, child), last = cut_place_in(block, teller);
    bool straight = first < last;
    for (int i = first; i <= last && straight; i++)
        straight = !cut_has_label(block->kids.items[i]) &&
                   (i == last || !leaves(block->kids.items[i], block->kids.items[i]));
    return straight;
}

static bool is_executed_in_front(const struct far *far, const struct node *node, int depth) {
    if (is_in_front(far, node))
        return true;
    if (node->function == NULL || depth == DEPTH_MOST || is_main(node->function) ||
        program_origin(node->function) == program_origin(far->sends->function))
        return false;
    const call_list *callers = &far->slice->callers[node->function->id];
    for (size_t i = 0; i < callers->count; i++)
        if (!is_executed_in_front(far, callers->items[i]->node, depth + 1))
            return false;
    return callers->count > 0;
}

/* Which child of main's body it is, or the earliest (`least`) or latest one that leads to it; -1:
 * that is not known. */
static int place_in_main(const struct far *far, const struct node *node, bool least, int depth) {
    if (node->function == NULL || depth > DEPTH_MOST)
        return -1;
    if (is_main(node->function)) {
        const struct tree *body = node->function->tree;
        const struct tree *child = cut_child_around(body, node->tree);
        return child != NULL ? cut_place_in(body, child) : -1;
    }
    const call_list *callers = &far->slice->callers[node->function->id];
    int found = least ? INT_MAX : -1;
    for (size_t i = 0; i < callers->count; i++) {
        int place = place_in_main(far, callers->items[i]->node, least, depth + 1);
        if (place < 0)
            return -1;
        found = (least ? place < found : place > found) ? place : found;
    }
    return callers->count > 0 ? found : -1;
}

/* What the place began with: it is assigned before anything that sends is called. */
static bool is_beginning(const struct far *far, const struct node *node,
                         const struct object *object) {
    if (node->function == NULL)
        return true; /* at file scope */
    if (node->declares == object)
        return !tree_is_in_loop(node->tree);
    if (is_main(node->function) && tree_is_in_loop(node->tree))
        return false;
    int assigned = place_in_main(far, node, false, 0);
    int sent = place_in_main(far, far->sends, true, 0);
    return assigned >= 0 && sent >= 0 && assigned < sent;
}

static bool all_writers_fit(struct far *far) {
    const struct slice *s = far->slice;
    int id = far->sent.place.object;
    const struct event_list *list = (size_t)id < s->events.count ? s->events.items[id] : NULL;
    for (size_t i = 0; list != NULL && i < list->items.count; i++) {
        const struct event *event = &list->items.items[i];
        struct node *node = event->node != NULL   ? event->node
                            : event->call != NULL ? event->call->node
                                                  : NULL;
        if (!location_overlap(s->points_to->locations.items[event->location], far->sent.place))
            continue;
        if (node == NULL || node == far->sends)
            return false;
        if (is_executed_in_front(far, node, 0))
            continue;
        if (!is_beginning(far, node, s->program->objects.items[id]))
            return false;
        vec_push(far->initial, node);
    }
    return true;
}

/* Between what writes the number and the call that sends it, or the end of the loop that sends all
 * of them, in one instance of the function. */
static bool is_between_in(const struct far *far, const struct node *reads,
                          const struct function *function) {
    const struct tree *teller = far->sent.in_loop ? teller_in(far, function) : NULL;
    for (size_t i = 0; i < function->nodes.count; i++) {
        const struct node *node = function->nodes.items[i];
        if (!is_in_front(far, node) && (teller == NULL || !tree_is_within(node->tree, teller)))
            continue;
        if (node == reads)
            return true;
        for (size_t k = 0; k < node->calls.count; k++)
            for (size_t t = 0; t < node->calls.items[k]->targets.count; t++)
                if (slice_may_run(far->slice, node->calls.items[k]->targets.items[t],
                                  reads->function))
                    return true;
    }
    return false;
}

static bool is_between(const struct far *far, const struct node *reads) {
    const struct program *program = far->slice->program;
    for (size_t i = 0; i < program->functions.count; i++)
        if (program_origin(program->functions.items[i]) == program_origin(far->sends->function) &&
            is_between_in(far, reads, program->functions.items[i]))
            return true;
    return false;
}

bool cut_is_already_sent_elsewhere(const struct slice *s, const struct node *sends,
                                   const struct ast *address, const struct node *reads,
                                   const struct ast *part, node_list *initial) {
    struct far far = {.slice = s, .sends = sends, .initial = initial};
    size_t before = initial->count;
    if (!cut_sent_places_find(&far.sent, s, sends, address) ||
        !is_single(s, s->program->objects.items[far.sent.place.object]))
        return false;
    if (!reads_there(&far, reads, part) || is_between(&far, reads) || !all_writers_fit(&far)) {
        initial->count = before;
        return false;
    }
    return true;
}
