/* SPDX-License-Identifier: Apache-2.0
 *
 * A number that tells others how much will come is given where it is sent, and stored there:
 *     for (i = 0; i < 8; i++) { MPI_Isend((*(&n[i]) = BSIM_VALUE_I(3, i), &n[i]), 1, ...); ... }
 *     for (i = 0; i < 8; i++) if (n[i] > 0) MPI_Isend(buffer[i], n[i], ...);
 * What the second loop reads is then what was told, and has to be, or a rank waits for a message
 * that nobody sends. So it is left as it is written, if in the original, too, nothing comes
 * between: in one block stands the call, or a loop that makes it in each iteration, and behind it
 * the statement that reads, or the same loop around that; nothing from the first to the second one
 * may write the number, or a variable that tells where it is.
 *
 * Not handled: loops with bounds that are not constant, lvalues found through pointers in memory,
 * readers in other functions.
 */
#include "skeletonizer/cut/cut_already_sent.h"

#include "frontend/program/tree.h"
#include "skeletonizer/given/given_parts.h"
#include "skeletonizer/slice/call_argument.h"
#include "skeletonizer/slice/events.h"
#include "skeletonizer/slice/loop_shape.h"

#include <string.h>

/* From the statement that sends (or the loop around it) to the one that reads, in one block. */
struct stretch {
    const struct slice *slice;
    node_list nodes;
    const struct tree *from, *to;
    const struct declaration *counters[2]; /* of both loops; NULL: there are none */
    bool entered;                          /* it may be, by a label */
};

/* The same variables, members and elements, but for what the loops count by. */
static bool is_same_lvalue(const struct stretch *stretch, const struct ast *one,
                           const struct ast *other) {
    if (one == NULL || other == NULL)
        return one == other;
    if (one->kind != other->kind || one->kid_count != other->kid_count)
        return false;
    if (one->kind == AST_REFERENCE && one->declaration != other->declaration &&
        (stretch->counters[0] == NULL || one->declaration != stretch->counters[0] ||
         other->declaration != stretch->counters[1]))
        return false;
    for (int i = 0; i < one->kid_count; i++)
        if (!is_same_lvalue(stretch, one->kids[i], other->kids[i]))
            return false;
    return true;
}

static bool is_spelled_alike(const struct slice *s, const struct ast *one,
                             const struct ast *other) {
    return !one->from_macro && !other->from_macro &&
           strcmp(program_text(s->program, one->range), program_text(s->program, other->range)) ==
               0;
}

/* ---- Where they stand ---- */

/* The block that the statement stands in directly, or NULL. */
static const struct tree *block_of(const struct tree *tree) {
    const struct tree *parent = tree->parent;
    return parent != NULL && parent->ast->kind == AST_COMPOUND ? parent : NULL;
}

static int place_in(const struct tree *block, const struct tree *tree) {
    for (size_t i = 0; i < block->kids.count; i++)
        if (block->kids.items[i] == tree)
            return (int)i;
    return -1;
}

/* The child of the block that the statement is in, or NULL. */
static const struct tree *child_around(const struct tree *block, const struct tree *tree) {
    while (tree != NULL && tree->parent != block)
        tree = tree->parent;
    return tree;
}

/* It counts from one constant to another, by one step: not `k++, k++`. */
static bool is_constant_loop(struct loop_shape *out, const struct tree *tree) {
    const struct ast *condition = tree->condition != NULL ? tree->condition->ast : NULL;
    if (!loop_shape_read(out, tree) || out->geometric || condition->kind != AST_BINARY)
        return false;
    const struct ast *step = tree->ast->kids[2];
    return (step->kind != AST_BINARY || strcmp(step->op, ",") != 0) &&
           strcmp(condition->op, "&&") != 0 && out->first->has_value && out->end->has_value &&
           (out->step == NULL || out->step->has_value);
}

static bool are_same_loops(const struct loop_shape *one, const struct loop_shape *other) {
    long long step = one->step != NULL ? one->step->value : 1;
    return strcmp(one->variable->name, other->variable->name) == 0 &&
           one->first->value == other->first->value && one->end->value == other->end->value &&
           one->down == other->down && one->inclusive == other->inclusive &&
           step == (other->step != NULL ? other->step->value : 1);
}

/* The loop that makes the call in each iteration; NULL: there is none. */
static const struct tree *loop_around(struct loop_shape *out, const struct tree *tree) {
    const struct tree *block = block_of(tree), *around = (block != NULL ? block : tree)->parent;
    bool found = around != NULL && around->ast->kind == AST_FOR &&
                 (block != NULL || around->kids.items[0] == tree) && is_constant_loop(out, around);
    return found ? around : NULL;
}

static bool find_between(struct stretch *out, const struct tree *from, const struct tree *reader) {
    const struct tree *block = block_of(from);
    out->nodes.count = 0;
    out->from = from;
    out->to = block != NULL ? child_around(block, reader) : NULL;
    if (out->to == NULL)
        return false;
    int first = place_in(block, from), last = place_in(block, out->to);
    for (int i = first; i <= last; i++) {
        tree_nodes(block->kids.items[i], &out->nodes);
        out->entered = out->entered || tree_has_label(block->kids.items[i]);
    }
    return first < last && !out->entered;
}

/* The reader is behind the sender, once or in the same loop. */
static bool stands_behind(struct stretch *out, const struct node *sends, const struct node *reads) {
    struct loop_shape one, other;
    if (sends->tree == NULL || reads->tree == NULL)
        return false;
    if (find_between(out, sends->tree, reads->tree))
        return true;
    const struct tree *from = loop_around(&one, sends->tree);
    if (from == NULL || !find_between(out, from, reads->tree) ||
        !is_constant_loop(&other, out->to) || !are_same_loops(&one, &other))
        return false;
    out->counters[0] = one.variable;
    out->counters[1] = other.variable;
    return true;
}

/* ---- What happens between ---- */

static bool may_run(const struct stretch *stretch, const struct function *function) {
    for (size_t i = 0; i < stretch->nodes.count; i++) {
        const struct node *node = stretch->nodes.items[i];
        for (size_t k = 0; k < node->calls.count; k++)
            for (size_t t = 0; t < node->calls.items[k]->targets.count; t++)
                if (slice_may_run(stretch->slice, node->calls.items[k]->targets.items[t], function))
                    return true;
    }
    return false;
}

static bool is_written(const struct stretch *stretch, int object) {
    const struct slice *s = stretch->slice;
    const struct event_list *list = events_of_object(s, object);
    for (size_t i = 0; list != NULL && i < list->items.count; i++) {
        const struct event *event = list->items.items[i].event;
        const struct node *node = event->node != NULL   ? event->node
                                  : event->call != NULL ? event->call->node
                                                        : NULL;
        const struct function *function = node != NULL ? node->function : event->function;
        if ((node != NULL && vec_has(&stretch->nodes, node)) ||
            (function != NULL && may_run(stretch, function)))
            return true;
    }
    return false;
}

static bool lvalue_is_written(const struct stretch *stretch, struct lvalue lvalue) {
    int_list locations = {0};
    bool written = false;
    points_to_locations(stretch->slice->points_to, lvalue, &locations);
    for (size_t i = 0; i < locations.count; i++) {
        int object = stretch->slice->points_to->locations.items[locations.items[i]].object;
        written = written || is_written(stretch, object);
    }
    written = written || locations.count == 0;
    vec_dispose(&locations);
    return written;
}

/* What the two loops count by, and what counts between them by the same variable. */
static bool is_own_counting(const struct stretch *stretch, const struct tree *tree) {
    const struct tree *loops[] = {stretch->from, stretch->to};
    for (int i = 0; i < 2; i++)
        if (tree_is_within(tree, loops[i]))
            return tree_is_within(tree, loops[i]->init) || tree_is_within(tree, loops[i]->step);
    return true;
}

static bool variable_changes(const struct stretch *stretch, const struct declaration *variable) {
    bool counter = variable == stretch->counters[0] || variable == stretch->counters[1];
    for (size_t i = 0; i < stretch->nodes.count; i++) {
        const struct node *node = stretch->nodes.items[i];
        for (size_t k = 0; k < node->defines.count; k++) {
            int object = node->defines.items[k].object;
            if (object >= 0 &&
                stretch->slice->program->objects.items[object]->declaration == variable &&
                !(counter && is_own_counting(stretch, node->tree)))
                return true;
        }
    }
    return false;
}

/* A way out of the first loop, or out of the block, would leave numbers that were not sent. */
static bool leaves(const struct stretch *stretch) {
    for (size_t i = 0; i < stretch->nodes.count; i++) {
        enum node_kind kind = stretch->nodes.items[i]->kind;
        if (kind == NODE_JUMP || kind == NODE_RETURN)
            return true;
    }
    return false;
}

/* ---- The values ---- */

/* All that the part reads is the number and, of variables, where it is. */
static bool reads_only(const struct stretch *stretch, const struct ast *part,
                       const lvalue_list *uses, const struct ast *number) {
    bool found = false;
    for (size_t i = 0; i < uses->count; i++) {
        const struct lvalue *use = &uses->items[i];
        bool inside = use->ast != NULL && use->ast->range.file == part->range.file &&
                      use->ast->range.begin >= part->range.begin &&
                      use->ast->range.end <= part->range.end;
        if (!inside)
            continue;
        bool variable =
            use->object >= 0 && flow_tracks(stretch->slice->program->objects.items[use->object]);
        if (variable
                ? variable_changes(stretch,
                                   stretch->slice->program->objects.items[use->object]->declaration)
                : !is_spelled_alike(stretch->slice, number, use->ast) ||
                      !is_same_lvalue(stretch, number, use->ast) ||
                      lvalue_is_written(stretch, *use))
            return false;
        found = found || !variable;
    }
    return found;
}

static bool goes_through(const struct ast *ast, const struct declaration *counter) {
    if (ast == NULL)
        return false;
    if (ast->kind == AST_SUBSCRIPT) {
        const struct ast *index = ast_without_casts(ast->kids[1]);
        return index->kind == AST_REFERENCE && index->declaration == counter;
    }
    return ast->kid_count > 0 && goes_through(ast->kids[0], counter);
}

/* Where the number lies is told by variables that nothing changes through a pointer. */
static bool is_sent_by_variables(const struct slice *s, const struct node *sends,
                                 const struct ast *address) {
    int index;
    const struct call *call = call_argument_find(sends, address, &index);
    const lvalue_list *uses = &call->arguments.items[index].uses;
    for (size_t i = 0; i < uses->count; i++) {
        int object = uses->items[i].object;
        if (object < 0 || !flow_tracks(s->program->objects.items[object]))
            return false;
    }
    return true;
}

static bool calls_anything(const struct node *node, const struct ast *part) {
    for (size_t i = 0; i < node->calls.count; i++)
        if (node->calls.items[i]->ast->range.begin >= part->range.begin &&
            node->calls.items[i]->ast->range.end <= part->range.end)
            return true;
    return false;
}

static bool is_already_sent(const struct slice *s, const struct node *sends,
                            const struct ast *address, const struct node *reads,
                            const struct ast *part) {
    const struct ast *number = given_part_addressed(address);
    int index;
    const struct call *call = call_argument_find(reads, part, &index);
    const lvalue_list *uses = call != NULL ? &call->arguments.items[index].uses : &reads->uses;
    struct stretch stretch = {.slice = s};
    bool echo =
        number != NULL && is_sent_by_variables(s, sends, address) &&
        stands_behind(&stretch, sends, reads) && !leaves(&stretch) &&
        (stretch.counters[0] == NULL || (goes_through(number, stretch.counters[0]) &&
                                         !variable_changes(&stretch, stretch.counters[0]))) &&
        !calls_anything(reads, part) && reads_only(&stretch, part, uses, number);
    vec_dispose(&stretch.nodes);
    return echo;
}

static bool is_sent(const struct node *node, const struct ast *part) {
    int index;
    const struct call *call = call_argument_find(node, part, &index);
    return call != NULL && call_argument_is_sent(call, index);
}

/* Which of the values that are sent it is, if any. */
static bool is_echo(const struct slice *s, const struct ast *const *cut, const struct node *reads) {
    const struct ast *part = cut[reads->id];
    const struct function *function = reads->function;
    for (size_t i = 0; function != NULL && i < function->nodes.count; i++) {
        const struct node *sends = function->nodes.items[i];
        if (cut[sends->id] != NULL && is_sent(sends, cut[sends->id]) &&
            slice_keeps_value(s, sends) && is_already_sent(s, sends, cut[sends->id], reads, part))
            return true;
    }
    return false;
}

const bool *cut_already_sent_find(const struct slice *s, const struct ast *const *cut,
                                  const struct cut_wishes *wishes) {
    const struct program *program = s->program;
    bool *echoes = ARENA_ARRAY(&s->program->arena, bool, program->nodes.count + 1), found = false;
    for (size_t i = 0; i < program->nodes.count; i++) {
        const struct node *reads = program->nodes.items[i];
        if (cut[i] != NULL && wishes->draws[i] == NULL && !is_sent(reads, cut[i]))
            found |= echoes[i] = is_echo(s, cut, reads);
    }
    return found ? echoes : NULL;
}
