/* SPDX-License-Identifier: Apache-2.0
 *
 * Each rule looks for trees that are partly kept and demands the rest; repeated until nothing is
 * added.
 */
#include "skeletonizer/plan/text_demands.h"

#include "frontend/program/names.h"
#include "frontend/program/tree.h"
#include "skeletonizer/plan/openmp.h"
#include "skeletonizer/plan/shared_text.h"
#include "skeletonizer/slice/call_argument.h"
#include "skeletonizer/slice/exits.h"
#include "skeletonizer/slice/kept.h"
#include "skeletonizer/text/macro_calls.h"
#include "skeletonizer/text/spelling.h"

#include <string.h>

static int tree_reason(const struct slice *s, const struct tree *tree) {
    node_list nodes = {0};
    int reason = -1;
    tree_nodes(tree, &nodes);
    for (size_t i = 0; i < nodes.count; i++)
        reason = kept_earlier(reason, kept_node_demand(s, nodes.items[i]));
    vec_dispose(&nodes);
    return reason;
}

static void demand_tree(struct slice *s, const struct tree *tree, const char *why, int reason) {
    node_list nodes = {0};
    tree_nodes(tree, &nodes);
    for (size_t i = 0; i < nodes.count; i++)
        if (nodes.items[i]->kind != NODE_JOIN && !slice_keeps_node(s, nodes.items[i]))
            slice_demand_for(s, DEMAND_NODE, nodes.items[i]->id, 0, why, reason);
    vec_dispose(&nodes);
}

void text_demands_whole(struct slice *s, struct tree *const *trees, size_t count, const char *why) {
    for (size_t i = 0; i < count; i++)
        demand_tree(s, trees[i], why, tree_reason(s, trees[i]));
}

/* Sibling statements out of one macro call share their place in the text, or a part of it. */
static void demand_siblings(struct slice *s, const struct tree *block) {
    for (size_t i = 0, end; i < block->kids.count; i = end) {
        int reason = -1;
        bool kept = false;
        end = i + macro_calls_shared(block, i);
        for (size_t k = i; k < end; k++) {
            reason = kept_earlier(reason, tree_reason(s, block->kids.items[k]));
            kept = kept || kept_tree(s, block->kids.items[k]);
        }
        for (size_t k = i; kept && end > i + 1 && k < end; k++)
            demand_tree(s, block->kids.items[k], "comes out of the same macro call", reason);
    }
}

static bool is_from_macro(const struct ast *ast) {
    return ast != NULL && ast->from_macro;
}

/* A loop whose header is a macro keeps its whole header; any other statement is one piece. */
static void demand_macro(struct slice *s, const struct tree *tree) {
    const char *why = "comes out of a macro call that stays";
    bool loop = tree->ast->kind == AST_FOR || tree->ast->kind == AST_WHILE;
    const struct tree *body = loop && tree->kids.count > 0 ? tree->kids.items[0] : NULL;
    if (!is_from_macro(tree->ast) || !kept_tree(s, tree))
        return;
    int reason = tree_reason(s, tree);
    if (body == NULL || is_from_macro(body->ast)) {
        demand_tree(s, tree, why, reason);
        return;
    }
    for (size_t i = 0; i < tree->nodes.count; i++)
        if (!slice_keeps_node(s, tree->nodes.items[i]))
            slice_demand_for(s, DEMAND_NODE, tree->nodes.items[i]->id, 0, why, reason);
    if (tree->init != NULL)
        demand_tree(s, tree->init, why, reason);
    if (tree->step != NULL)
        demand_tree(s, tree->step, why, reason);
}

static void demand_breaks(struct slice *s, const struct tree *tree, int reason) {
    for (size_t i = 0; i < tree->kids.count; i++) {
        const struct tree *kid = tree->kids.items[i];
        if (kid->ast->kind == AST_BREAK && !slice_keeps_node(s, kid->nodes.items[0]))
            slice_demand_for(s, DEMAND_NODE, kid->nodes.items[0]->id, 0, "ends a case that stays",
                             reason);
        if (kid->ast->kind == AST_COMPOUND || kid->ast->kind == AST_CASE ||
            kid->ast->kind == AST_LABEL)
            demand_breaks(s, kid, reason);
    }
}

static bool has_substance(const struct tree *tree) {
    enum ast_kind kind = tree->ast->kind;
    if (kind == AST_FOR || kind == AST_WHILE || kind == AST_DO)
        return true;
    for (size_t i = 0; i < tree->nodes.count; i++)
        if (tree->nodes.items[i]->calls.count > 0)
            return true;
    for (size_t i = 0; i < tree->kids.count; i++)
        if (has_substance(tree->kids.items[i]))
            return true;
    return false;
}

/* A condition that holds a kept call can lose the rest only if what it guards costs nothing. */
static void demand_condition(struct slice *s, const struct tree *tree) {
    if (tree->ast->kind != AST_IF && tree->ast->kind != AST_SWITCH)
        return;
    const struct node *node = tree->nodes.items[0];
    if (slice_keeps_node(s, node) || !kept_any_call(s, node))
        return;
    bool substance = tree->ast->kind == AST_SWITCH;
    for (size_t i = 0; i < tree->kids.count; i++)
        substance = substance || has_substance(tree->kids.items[i]);
    if (substance)
        slice_demand_for(s, DEMAND_NODE, node->id, 0,
                         "decides about a computation and holds a call that stays",
                         kept_node_demand(s, node));
}

static bool is_sized_by_initialiser(const struct node *node) {
    const struct ast *ast = node->ast;
    bool sized = node->kind == NODE_DECLARE && ast->type->kind == TYPE_ARRAY &&
                 ast->kids[0] != NULL && ast->kids[0]->kind != AST_CALL;
    return sized || (node->kind == NODE_DECLARE && ast->is_deduced);
}

/* Types and prototypes stay with the block that they are declared in. */
static void demand_named(struct slice *s, const struct tree *tree) {
    if (tree->named.count > 0 && (tree->parent == NULL || kept_tree(s, tree->parent)))
        for (size_t i = 0; i < tree->named.count; i++)
            slice_demand(s, DEMAND_DECLARE, tree->named.items[i]->id, 0,
                         "is named in a type or prototype");
}

/* `int a[] = {...}` has its size from the initialiser, `__auto_type a = ...` its type. */
static void demand_declaration(struct slice *s, const struct tree *tree) {
    demand_named(s, tree);
    for (size_t i = 0; i < tree->nodes.count; i++) {
        const struct node *node = tree->nodes.items[i];
        if (is_sized_by_initialiser(node) && node->declares != NULL &&
            slice_declares(s, node->declares) && !slice_keeps_node(s, node))
            slice_demand_for(s, DEMAND_NODE, node->id, 0, "gives a kept variable its type",
                             slice_find(s, DEMAND_DECLARE, node->declares->id, 0));
    }
}

/* A computation inside a statement of which only other parts stay: the call stays without its
 * value, and the function that it calls becomes a stub, or its time would be lost. */
static void demand_computation(struct slice *s, const struct tree *tree) {
    for (size_t i = 0; i < tree->nodes.count; i++) {
        const struct node *node = tree->nodes.items[i];
        int index;
        if (s->cut != NULL && s->cut[node->id] != NULL &&
            call_argument_find(node, s->cut[node->id], &index) == NULL)
            continue; /* a region charges for all of it */
        for (size_t k = 0; k < node->calls.count; k++) {
            const struct call *call = node->calls.items[k];
            if (!slice_keeps_call(s, call) && !call->conditional && call->targets.count == 1 &&
                slice_computes(s, call->targets.items[0]))
                slice_demand_for(s, DEMAND_CALL, call->id, 0,
                                 "computes inside a statement that stays",
                                 kept_node_demand(s, node));
        }
    }
}

static void demand_included(struct slice *s, const struct function *function,
                            const struct tree *tree) {
    if (tree == NULL)
        return;
    if (tree->ast->range.file != function->tree->ast->range.file) {
        demand_tree(s, tree, TEXT_DEMANDS_INCLUDED, -1);
        return;
    }
    if (tree->ast->is_unwritten && !kept_tree(s, tree))
        demand_tree(s, tree, "happens with the object that stays", -1);
    demand_macro(s, tree);
    demand_condition(s, tree);
    if (kept_tree(s, tree))
        demand_computation(s, tree);
    if (tree->ast->kind == AST_COMPOUND)
        demand_siblings(s, tree);
    if (tree->ast->kind == AST_DECLARE)
        demand_declaration(s, tree);
    if (tree->ast->kind == AST_SWITCH && slice_keeps_node(s, tree->nodes.items[0]))
        demand_breaks(s, tree, kept_node_demand(s, tree->nodes.items[0]));
    for (size_t i = 0; i < tree->kids.count; i++)
        demand_included(s, function, tree->kids.items[i]);
    demand_included(s, function, tree->init);
    demand_included(s, function, tree->step);
}

/* A macro's argument that its body uses more than once is more than this call's argument. */
static bool used_again(const struct slice *s, const struct ast *ast) {
    if (ast->kind == AST_REFERENCE && program_spelled_again(s->program, ast->range))
        return true;
    for (int i = 0; i < ast->kid_count; i++)
        if (ast->kids[i] != NULL && used_again(s, ast->kids[i]))
            return true;
    return false;
}

/* An argument that would be replaced has to be spelled in the file, by itself. */
static void demand_argument(struct slice *s, const struct call *call, int index) {
    const struct ast *ast = call->arguments.items[index].ast;
    bool editable = spelling_of_argument(call, index) && !(ast->in_macro_arg && used_again(s, ast));
    if (!editable && !slice_keeps_argument(s, call, index))
        slice_demand_for(s, DEMAND_ARGUMENT, call->id, index, "comes out of a macro",
                         slice_find(s, DEMAND_CALL, call->id, 0));
}

void text_demands_declared(struct slice *s, const struct function *function,
                           const struct tree *tree, const char *why) {
    for (int i = 0; tree->ast->kind == AST_DECLARE && i < tree->ast->kid_count; i++) {
        const struct object *object =
            program_object(s->program, function, tree->ast->kids[i]->declaration);
        slice_demand(s, DEMAND_DECLARE, object->id, 0, why);
    }
    for (size_t i = 0; i < tree->kids.count; i++)
        text_demands_declared(s, function, tree->kids.items[i], why);
}

/* Of an instance of a template, which cannot have a text of its own. */
static void demand_arguments(struct slice *s, const struct node *node, const char *why) {
    for (size_t k = 0; k < node->calls.count; k++)
        for (size_t a = 0; a < node->calls.items[k]->arguments.count; a++)
            slice_demand(s, DEMAND_ARGUMENT, node->calls.items[k]->id, (int)a, why);
}

/* Its text is also another one's, of which other statements may be needed. */
static void demand_function(struct slice *s, const struct function *function) {
    const char *why = "has the same text as another function that stays";
    text_demands_whole(s, function->tree->kids.items, function->tree->kids.count, why);
    text_demands_declared(s, function, function->tree, why);
    for (size_t i = 0; function->definition->is_instance && i < function->nodes.count; i++)
        demand_arguments(s, function->nodes.items[i], why);
}

static void demand_declared(struct slice *s, const struct object *object) {
    if (object != NULL && object->function == NULL && object->declaration != NULL)
        slice_demand(s, DEMAND_DECLARE, object->id, 0,
                     "is named in the text of a function that stays as another one's");
}

static void demand_lvalues(struct slice *s, const lvalue_list *lvalues) {
    for (size_t i = 0; i < lvalues->count; i++)
        if (lvalues->items[i].object >= 0)
            demand_declared(s, s->program->objects.items[lvalues->items[i].object]);
}

/* It is not needed, but another one with its text is: what is left of the text has to compile. */
static void demand_names(struct slice *s, const struct function *function) {
    for (size_t i = 0; i < function->nodes.count; i++) {
        const struct node *node = function->nodes.items[i];
        demand_lvalues(s, &node->uses);
        demand_lvalues(s, &node->defines);
        for (size_t k = 0; k < node->addresses.count; k++)
            demand_declared(s, node->addresses.items[k]);
        for (size_t k = 0; k < node->calls.count; k++) {
            const char *key = node->calls.items[k]->key;
            demand_declared(s, key != NULL ? names_get(s->program->names, "object", key) : NULL);
        }
    }
}

/* The declaration is also another one's, which is needed. */
static void demand_variables(struct slice *s) {
    for (size_t i = 0; i < s->program->objects.count; i++) {
        const struct object *object = s->program->objects.items[i];
        const struct object *other = object->same_text;
        while (other != NULL && other != object && !slice_declares(s, other))
            other = other->same_text;
        if (other != NULL && other != object)
            slice_demand(s, DEMAND_DECLARE, object->id, 0,
                         "has the same text as another variable that stays");
    }
}

/* What comes out of a macro cannot be taken out of the text, and names what initialises it. */
static void demand_macros(struct slice *s) {
    for (size_t u = 0; u < s->program->units.count; u++) {
        const struct unit *unit = s->program->units.items[u];
        for (int i = 0; i < unit->definition_count; i++) {
            const struct ast *variable = unit->definitions[i].variable;
            if (variable != NULL && variable->from_macro && variable->kids[0] != NULL)
                slice_demand(s, DEMAND_DECLARE,
                             program_object(s->program, NULL, variable->declaration)->id, 0,
                             "comes out of a macro");
        }
    }
}

/* C++ cannot copy an object with containers out of bytes that stand for any value. */
static void demand_objects(struct slice *s, const struct call *call) {
    const char *why = "is an object with containers, which nothing can stand for";
    for (size_t k = 0; k < call->targets.count && type_has_container(call->type); k++) {
        const struct function *target = call->targets.items[k];
        for (size_t i = 0; i < target->nodes.count; i++)
            if (target->nodes.items[i]->kind == NODE_RETURN)
                slice_demand(s, DEMAND_NODE, target->nodes.items[i]->id, 0, why);
    }
}

void text_demands_add(struct slice *s) {
    size_t before;
    do {
        before = slice_mark(s);
        demand_variables(s);
        demand_macros(s);
        for (size_t i = 0; i < s->program->functions.count; i++) {
            const struct function *function = s->program->functions.items[i];
            if (kept_function(s, function))
                demand_included(s, function, function->tree);
            if (function->same_text != NULL && shared_text_is_kept_twice(s, function))
                demand_function(s, function);
            else if (function->same_text != NULL && shared_text_stays(s, function) &&
                     !shared_text_is_apart(s->program, function))
                demand_names(s, function);
        }
        for (size_t i = 0; i < s->program->calls.count; i++) {
            const struct call *call = s->program->calls.items[i];
            if (!slice_keeps_call(s, call))
                continue;
            demand_objects(s, call);
            for (size_t k = 0; k < call->arguments.count; k++)
                demand_argument(s, call, (int)k);
        }
        openmp_demand(s);
    } while (slice_mark(s) > before);
}

void text_demands_callers(struct slice *s, const struct function *function, const char *why) {
    for (size_t i = 0; i < s->callers[function->id].count; i++) {
        const struct call *caller = s->callers[function->id].items[i];
        if (caller->node->function == NULL || caller->node->is_unguarded ||
            slice_keeps_call(s, caller) || !caller->node->function->is_live)
            continue;
        slice_demand(s, DEMAND_CALL, caller->id, 0, why);
        text_demands_callers(s, caller->node->function, why);
    }
}

static void try_print(struct slice *s, const struct call *call) {
    const char *why = "prints what is known in the skeleton";
    size_t mark = slice_mark(s);
    slice_demand(s, DEMAND_NODE, call->node->id, 0, why);
    text_demands_callers(s, call->node->function, why);
    if (!slice_is_cheap(s, mark))
        slice_take_back(s, mark);
}

static bool is_live_statement(const struct call *call) {
    const struct node *node = call->node;
    return node->function != NULL && !node->is_unguarded && node->function->is_live &&
           node->kind == NODE_EXPRESSION && node->ast == call->ast;
}

/* Error checks that need nothing more are kept, although they are assumed not to fire; but not
 * where jumps lead around them, as nothing that is needed asks for these. */
static void join_exits(struct slice *s) {
    const char *why = "ends the program where a check fails that costs nothing";
    for (size_t i = 0; i < s->program->calls.count; i++) {
        const struct call *call = s->program->calls.items[i];
        bool dead = call->node->ends_abnormally && call->targets.count == 0 &&
                    (exits_program(call) || (call->mpi != NULL && call->mpi->criterion));
        if (!dead || call->node->function == NULL || call->node->is_unguarded ||
            slice_keeps_call(s, call) || !call->node->function->is_live)
            continue;
        size_t mark = slice_mark(s);
        slice_demand(s, DEMAND_CALL, call->id, 0, why);
        text_demands_callers(s, call->node->function, why);
        if (!slice_is_cheap(s, mark))
            slice_take_back(s, mark);
    }
}

/* With which status the program ends is no criterion, but nice to see. */
static void join_exit_codes(struct slice *s) {
    for (size_t i = 0; i < s->program->calls.count; i++) {
        const struct call *call = s->program->calls.items[i];
        bool exits = call->library != NULL && call->library->kind == EXTERN_EXIT;
        if (!exits || call->arguments.count == 0 || !slice_keeps_call(s, call))
            continue;
        size_t mark = slice_mark(s);
        slice_demand(s, DEMAND_ARGUMENT, call->id, 0, "is the exit code, and costs nothing");
        if (!slice_is_cheap(s, mark))
            slice_take_back(s, mark);
    }
}

void text_demands_joining(struct slice *s) {
    join_exits(s);
    join_exit_codes(s);
    for (size_t i = 0; i < s->program->calls.count; i++) {
        const struct call *call = s->program->calls.items[i];
        bool print = call->library != NULL && call->library->kind == EXTERN_OUTPUT;
        if (print && is_live_statement(call) && !slice_keeps_node(s, call->node))
            try_print(s, call);
    }
}
