/* SPDX-License-Identifier: Apache-2.0
 *
 * Statements -> the statement tree and the control-flow graph.
 *
 * Jumps (break, continue, goto, return) get a pseudo edge to what would follow if they were not
 * there, so that statements depend on them for control (T. Ball, S. Horwitz: Slicing programs with
 * arbitrary control flow, 1993). Statements inside expressions (a GNU extension) are not split:
 * their node is marked opaque.
 */
#include "frontend/program/build.h"

static void connect(edge_list *ends, struct node *to) {
    for (size_t i = 0; i < ends->count; i++) {
        struct node *from = ends->items[i].from;
        if (ends->items[i].pseudo)
            vec_push(&from->pseudo_next, to);
        else
            vec_push(&from->next, to);
    }
    ends->count = 0;
}

static void add_end(edge_list *ends, struct node *from, bool pseudo) {
    vec_push(ends, (struct loose_edge){from, pseudo});
}

static void append(edge_list *to, edge_list *from) {
    for (size_t i = 0; i < from->count; i++)
        vec_push(to, from->items[i]);
    vec_dispose(from);
}

static struct tree *new_tree(struct builder *b, const struct ast *ast, struct tree *parent) {
    struct tree *tree = ARENA_NEW(&b->program->arena, struct tree);
    tree->ast = ast;
    tree->function = b->function;
    tree->parent = parent;
    return tree;
}

static struct node *new_node(struct builder *b, enum node_kind kind, const struct ast *ast,
                             struct tree *tree, edge_list *ends) {
    struct node *node = build_new_node(b, kind, ast);
    node->tree = tree;
    if (node->range.file < 0)
        node->range = tree->ast->range;
    if (node->line == 0)
        node->line = tree->ast->line;
    vec_push(&tree->nodes, node);
    connect(ends, node);
    return node;
}

static void build_statement(struct builder *b, const struct ast *ast, struct tree *parent,
                            struct tree **out, edge_list *ends);

static void add_kid(struct builder *b, struct tree *tree, const struct ast *ast, edge_list *ends) {
    struct tree *kid;
    build_statement(b, ast, tree, &kid, ends);
    vec_push(&tree->kids, kid);
}

static struct node *condition(struct builder *b, enum node_kind kind, const struct ast *ast,
                              struct tree *tree, edge_list *ends) {
    struct node *node = new_node(b, kind, ast, tree, ends);
    b->conditional = kind == NODE_LOOP;
    if (ast != NULL)
        build_value(b, ast);
    b->conditional = 0;
    return node;
}

static void push_scope(struct builder *b, struct jump_scope *scope) {
    scope->outer = b->scope;
    b->scope = scope;
}

static void build_if(struct builder *b, struct tree *tree, edge_list *ends) {
    const struct ast *ast = tree->ast;
    struct node *node = condition(b, NODE_CONDITION, ast->kids[0], tree, ends);
    edge_list other = {0};
    add_end(ends, node, false);
    add_kid(b, tree, ast->kids[1], ends);
    add_end(&other, node, false);
    if (ast->kids[2] != NULL)
        add_kid(b, tree, ast->kids[2], &other);
    append(ends, &other);
}

static void build_while(struct builder *b, struct tree *tree, edge_list *ends) {
    struct jump_scope scope = {0};
    struct node *node = condition(b, NODE_LOOP, tree->ast->kids[0], tree, ends);
    push_scope(b, &scope);
    add_end(ends, node, false);
    add_kid(b, tree, tree->ast->kids[1], ends);
    append(ends, &scope.continues);
    connect(ends, node);
    b->scope = scope.outer;
    add_end(ends, node, false);
    append(ends, &scope.breaks);
}

static void build_do(struct builder *b, struct tree *tree, edge_list *ends) {
    struct jump_scope scope = {0};
    struct node *head = new_node(b, NODE_JOIN, NULL, tree, ends);
    push_scope(b, &scope);
    add_end(ends, head, false);
    add_kid(b, tree, tree->ast->kids[0], ends);
    append(ends, &scope.continues);
    b->scope = scope.outer;
    struct node *node = condition(b, NODE_LOOP, tree->ast->kids[1], tree, ends);
    vec_push(&node->next, head);
    add_end(ends, node, false);
    append(ends, &scope.breaks);
}

static void build_for(struct builder *b, struct tree *tree, edge_list *ends) {
    const struct ast *ast = tree->ast;
    struct jump_scope scope = {0};
    if (ast->kids[0] != NULL)
        build_statement(b, ast->kids[0], tree, &tree->init, ends);
    struct node *node = condition(b, NODE_LOOP, ast->kids[1], tree, ends);
    tree->condition = node;
    if (ast->kids[1] == NULL)
        vec_push(&node->pseudo_next, b->function->exit);
    push_scope(b, &scope);
    add_end(ends, node, false);
    add_kid(b, tree, ast->kids[3], ends);
    append(ends, &scope.continues);
    b->scope = scope.outer;
    if (ast->kids[2] != NULL) {
        size_t first_call = b->program->calls.count;
        build_statement(b, ast->kids[2], tree, &tree->step, ends);
        for (size_t i = first_call; i < b->program->calls.count; i++)
            b->program->calls.items[i]->conditional = true;
    }
    connect(ends, node);
    add_end(ends, node, ast->kids[1] == NULL);
    append(ends, &scope.breaks);
}

static void build_switch(struct builder *b, struct tree *tree, edge_list *ends) {
    struct jump_scope scope = {.is_switch = true};
    struct node *node = condition(b, NODE_SWITCH, tree->ast->kids[0], tree, ends);
    scope.switch_node = node;
    push_scope(b, &scope);
    add_end(ends, node, true);
    add_kid(b, tree, tree->ast->kids[1], ends);
    b->scope = scope.outer;
    append(ends, &scope.breaks);
    vec_dispose(&scope.continues);
    if (!scope.has_default)
        add_end(ends, node, false);
}

static void build_case(struct builder *b, struct tree *tree, edge_list *ends) {
    struct jump_scope *scope = b->scope;
    while (scope != NULL && !scope->is_switch)
        scope = scope->outer;
    if (scope != NULL) {
        scope->has_default = scope->has_default || tree->ast->is_default;
        add_end(ends, scope->switch_node, false);
        build_names(b, &scope->switch_node->addresses, tree->ast->named);
    }
    add_kid(b, tree, tree->ast->kids[0], ends);
}

static void build_label(struct builder *b, struct tree *tree, edge_list *ends) {
    struct node *node = new_node(b, NODE_JOIN, NULL, tree, ends);
    names_put(b->labels, "label", tree->ast->name, node);
    add_end(ends, node, false);
    for (int i = 0; i < tree->ast->kid_count; i++)
        add_kid(b, tree, tree->ast->kids[i], ends);
}

/* `asm goto`: to one of its labels, or on. */
static void build_asm_goto(struct builder *b, struct tree *tree, struct node *node,
                           edge_list *ends) {
    const char *at = tree->ast->name + strspn(tree->ast->name, " ");
    while (*at != '\0') {
        size_t length = strcspn(at, " ");
        const char *label = arena_strndup(&b->program->arena, at, length);
        vec_push(&b->gotos, (struct pending_goto){node, label});
        at += length;
        at += strspn(at, " ");
    }
    build_value(b, tree->ast->kids[0]);
    add_end(ends, node, false);
}

static void build_jump(struct builder *b, struct tree *tree, edge_list *ends) {
    struct node *node = new_node(b, NODE_JUMP, tree->ast, tree, ends);
    struct jump_scope *scope = b->scope;
    if (ast_is_asm_goto(tree->ast)) {
        build_asm_goto(b, tree, node, ends);
        return;
    }
    if (tree->ast->kind == AST_GOTO) {
        vec_push(&b->gotos, (struct pending_goto){node, tree->ast->name});
    } else {
        bool leave = tree->ast->kind == AST_BREAK;
        while (scope != NULL && !leave && scope->is_switch)
            scope = scope->outer;
        if (scope != NULL)
            add_end(leave ? &scope->breaks : &scope->continues, node, false);
    }
    add_end(ends, node, true);
}

static void build_return(struct builder *b, struct tree *tree, edge_list *ends) {
    struct node *node = new_node(b, NODE_RETURN, tree->ast, tree, ends);
    struct object *result = b->function->result;
    struct lvalue lvalue = {.object = result->id, .pointer = -1};
    lvalue.length_bytes = result->type->size_bytes;
    if (tree->ast->kid_count > 0)
        build_initialise(b, tree->ast->kids[0], lvalue, result->type);
    vec_push(&node->next, b->function->exit);
    add_end(ends, node, true);
}

static void declare_static(struct builder *b, const struct ast *ast, struct object *object) {
    if (ast->kids[0] == NULL)
        return;
    struct function *function = b->function;
    b->function = NULL;
    struct node *node = build_new_node(b, NODE_INITIALISE, ast);
    node->declares = object;
    struct lvalue lvalue = {.object = object->id, .pointer = -1};
    lvalue.length_bytes = ast->type->size_bytes;
    build_initialise(b, ast->kids[0], lvalue, ast->type);
    b->function = function;
}

/* The text of the call is the attribute: it happens if the variable is declared, and only then. */
static void call_cleanup(struct builder *b, const struct ast *variable) {
    b->conditional++;
    build_value(b, ast_cleanup(variable));
    b->conditional--;
}

static void declare(struct builder *b, const struct ast *ast, struct tree *tree, edge_list *ends) {
    struct object *object = build_object(b, ast->declaration);
    object->declared_in = tree;
    bool sized = type_is_variably_modified(ast->type), cleaned = ast_cleanup(ast) != NULL;
    bool made = ast->kids[0] != NULL && ast->kids[0]->kind == AST_CONSTRUCT;
    if (ast->declaration->static_storage || (ast->kids[0] == NULL && !sized && !cleaned)) {
        build_sizes(b, &object->named, ast);
        if (ast->declaration->static_storage)
            declare_static(b, ast, object);
        return;
    }
    struct node *node = new_node(b, NODE_DECLARE, ast, tree, ends);
    node->declares = object;
    build_sizes(b, &object->named, ast);
    if (sized || cleaned || (made && ast->kids[0]->op == NULL))
        object->declared_by = node;
    struct lvalue lvalue = {.object = object->id, .pointer = -1};
    lvalue.length_bytes = ast->type->size_bytes;
    if (ast->kids[0] != NULL)
        build_initialise(b, ast->kids[0], lvalue, ast->type);
    if (cleaned)
        call_cleanup(b, ast);
    add_end(ends, node, false);
}

/* Where control comes to the end of a block; what it does on other ways out is told by the call at
 * the declaration. */
static void leave_block(struct builder *b, struct tree *tree, edge_list *ends) {
    for (int i = tree->ast->kid_count - 1; i >= 0 && ends->count > 0; i--) {
        const struct ast *kid = tree->ast->kids[i];
        for (int k = kid->kid_count - 1; kid->kind == AST_DECLARE && k >= 0; k--) {
            if (ast_cleanup(kid->kids[k]) == NULL)
                continue;
            struct node *node = new_node(b, NODE_EXPRESSION, ast_cleanup(kid->kids[k]), tree, ends);
            call_cleanup(b, kid->kids[k]);
            add_end(ends, node, false);
        }
    }
}

static void build_expression(struct builder *b, struct tree *tree, edge_list *ends) {
    const struct ast *ast = tree->ast;
    bool unknown = ast->kind == AST_UNKNOWN_STATEMENT;
    struct node *node = new_node(b, unknown ? NODE_UNKNOWN : NODE_EXPRESSION, ast, tree, ends);
    if (unknown) {
        program_report(b->program, ast->range, "error",
                       "%s cannot be analysed; move it into a function of its own file that is "
                       "not part of the program, or leave it out",
                       ast->name);
        for (int i = 0; i < ast->kid_count; i++)
            build_value(b, ast->kids[i]);
    } else {
        build_value(b, ast);
    }
    add_end(ends, node, false);
}

static void build_statement(struct builder *b, const struct ast *ast, struct tree *parent,
                            struct tree **out, edge_list *ends) {
    struct tree *tree = new_tree(b, ast, parent);
    *out = tree;
    switch (ast->kind) {
    case AST_COMPOUND:
        for (int i = 0; i < ast->kid_count; i++)
            add_kid(b, tree, ast->kids[i], ends);
        leave_block(b, tree, ends);
        return;
    case AST_DECLARE:
        for (int i = 0; i < ast->kid_count; i++)
            declare(b, ast->kids[i], tree, ends);
        build_names(b, &tree->named, ast->named);
        return;
    case AST_IF:
        build_if(b, tree, ends);
        return;
    case AST_WHILE:
        build_while(b, tree, ends);
        return;
    case AST_DO:
        build_do(b, tree, ends);
        return;
    case AST_FOR:
        build_for(b, tree, ends);
        return;
    case AST_SWITCH:
        build_switch(b, tree, ends);
        return;
    case AST_CASE:
        build_case(b, tree, ends);
        return;
    case AST_LABEL:
        build_label(b, tree, ends);
        return;
    case AST_GOTO:
    case AST_BREAK:
    case AST_CONTINUE:
        build_jump(b, tree, ends);
        return;
    case AST_RETURN:
        build_return(b, tree, ends);
        return;
    case AST_NULL:
        return;
    default:
        build_expression(b, tree, ends);
        return;
    }
}

/* The sizes of what a parameter points to are worked out where the function is entered. What its
 * type names has to be declared even if nobody uses the parameter. */
static void size_parameter(struct builder *b, struct object *object, const struct ast *variable,
                           edge_list *ends) {
    struct node *node = build_new_node(b, NODE_JOIN, NULL);
    node->range = variable->range;
    node->line = variable->line;
    build_sizes(b, &b->function->entry->addresses, variable);
    for (size_t i = 0; i < node->addresses.count; i++)
        vec_push(&b->function->entry->addresses, node->addresses.items[i]);
    if (type_is_variably_modified(object->type))
        object->declared_by = node;
    connect(ends, node);
    add_end(ends, node, false);
}

struct tree *build_body(struct builder *b, const struct definition *definition) {
    edge_list ends = {0};
    struct tree *tree;
    add_end(&ends, b->function->entry, false);
    build_names(b, &b->function->entry->addresses, definition->named);
    for (int i = 0; i < definition->parameter_count; i++)
        if (definition->parameter_variables[i]->kid_count > 1)
            size_parameter(b, b->function->parameters.items[i], definition->parameter_variables[i],
                           &ends);
    build_statement(b, definition->body, NULL, &tree, &ends);
    connect(&ends, b->function->exit);
    vec_dispose(&ends);
    return tree;
}
