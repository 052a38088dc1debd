/* SPDX-License-Identifier: Apache-2.0
 *
 * One pass over files, functions, nodes, calls, objects and constraints: everything has its own
 * number, what refers to something refers to what is there, and ranges are bytes of a file.
 */
#include "frontend/program/program_check.h"

struct checker {
    const struct program *program;
    struct error *error;
};

static int broken(const struct checker *c, const char *what, int id) {
    return error_set(c->error, "%s %d: %s", what, id, "is not at the place of its number");
}

static int check_range(const struct checker *c, struct range range, const char *what, int id) {
    if (range.file < 0)
        return 0;
    if ((size_t)range.file >= c->program->files.count)
        return error_set(c->error, "%s %d: its range is in file %d of %zu", what, id, range.file,
                         c->program->files.count);
    const struct source_file *file = c->program->files.items[range.file];
    if (range.begin > range.end || range.end > file->length)
        return error_set(c->error, "%s %d: its range is [%u, %u) of the %zu bytes of %s", what, id,
                         range.begin, range.end, file->length, file->path);
    return 0;
}

static int check_file(const struct checker *c, int id) {
    const struct source_file *file = c->program->files.items[id];
    for (size_t i = 0; i < file->lines.count; i++)
        if (file->lines.items[i] > file->length ||
            (i > 0 && file->lines.items[i] <= file->lines.items[i - 1]))
            return error_set(c->error, "%s: line %zu begins at byte %u", file->path, i + 1,
                             file->lines.items[i]);
    for (size_t i = 0; i < file->macros.count; i++) {
        const struct range macro = file->macros.items[i];
        if (macro.file != id || check_range(c, macro, "macro call", (int)i) != 0 ||
            (i > 0 && macro.begin < file->macros.items[i - 1].end))
            return error_set(c->error, "%s: macro call %zu is not behind the one before it",
                             file->path, i);
    }
    return 0;
}

static int check_object_id(const struct checker *c, int id, const char *what, int owner) {
    if (id < 0 || (size_t)id >= c->program->objects.count)
        return error_set(c->error, "%s %d: names object %d of %zu", what, owner, id,
                         c->program->objects.count);
    return 0;
}

static int check_variable(const struct checker *c, int variable, const char *what, int owner) {
    if (variable >= c->program->variable_count)
        return error_set(c->error, "%s %d: names points-to variable %d of %d", what, owner,
                         variable, c->program->variable_count);
    return 0;
}

/* An object, or what a pointer points to; neither: nothing that is known. */
static int check_lvalue(const struct checker *c, const struct lvalue *lvalue, const char *what,
                        int owner) {
    if (lvalue->object >= 0 && lvalue->pointer >= 0)
        return error_set(c->error, "%s %d: an lvalue is both object %d and behind pointer %d", what,
                         owner, lvalue->object, lvalue->pointer);
    if (lvalue->length_bytes < 0 || lvalue->stride_bytes < 0)
        return error_set(c->error, "%s %d: an lvalue has %lld bytes, repeated every %lld", what,
                         owner, lvalue->length_bytes, lvalue->stride_bytes);
    if (lvalue->class < 0 || lvalue->class >= CLASS_COUNT)
        return error_set(c->error, "%s %d: an lvalue is of class %d", what, owner, lvalue->class);
    if (lvalue->object >= 0)
        return check_object_id(c, lvalue->object, what, owner);
    return check_variable(c, lvalue->pointer, what, owner);
}

static int check_lvalues(const struct checker *c, const lvalue_list *lvalues, const char *what,
                         int owner) {
    for (size_t i = 0; i < lvalues->count; i++)
        if (check_lvalue(c, &lvalues->items[i], what, owner) != 0)
            return -1;
    return 0;
}

static int check_edges(const struct checker *c, const struct node *node, const node_list *next) {
    for (size_t i = 0; i < next->count; i++)
        if (next->items[i]->function != node->function)
            return error_set(c->error, "node %d: is followed by node %d of another function",
                             node->id, next->items[i]->id);
    return 0;
}

static int check_node(const struct checker *c, int id) {
    const struct node *node = c->program->nodes.items[id];
    if (node->id != id)
        return broken(c, "node", node->id);
    if (check_range(c, node->range, "node", id) != 0 ||
        check_lvalues(c, &node->uses, "node", id) != 0 ||
        check_lvalues(c, &node->defines, "node", id) != 0 ||
        check_edges(c, node, &node->next) != 0 || check_edges(c, node, &node->pseudo_next) != 0)
        return -1;
    for (size_t i = 0; i < node->moves.count; i++)
        if (check_lvalue(c, &node->moves.items[i].to, "node", id) != 0 ||
            check_lvalue(c, &node->moves.items[i].from, "node", id) != 0)
            return -1;
    for (size_t i = 0; i < node->calls.count; i++)
        if (node->calls.items[i]->node != node)
            return error_set(c->error, "node %d: lists call %d, which is of another node", id,
                             node->calls.items[i]->id);
    if (node->kind == NODE_EXIT && node->next.count > 0)
        return error_set(c->error, "node %d: something follows the end of a function", id);
    return 0;
}

/* Only what is behind the call's own node may be missing from the lists of a node. */
static int check_call(const struct checker *c, int id) {
    const struct call *call = c->program->calls.items[id];
    if (call->id != id)
        return broken(c, "call", call->id);
    if (call->node == NULL || call->ast == NULL)
        return error_set(c->error, "call %d: has no %s", id, call->node == NULL ? "node" : "text");
    if (call->name == NULL && call->callee < 0)
        return error_set(c->error, "call %d: has neither a name nor a pointer", id);
    if (check_variable(c, call->callee, "call", id) != 0 ||
        check_variable(c, call->value, "call", id) != 0)
        return -1;
    for (size_t i = 0; i < call->arguments.count; i++) {
        const struct argument *argument = &call->arguments.items[i];
        if (check_variable(c, argument->value, "call", id) != 0 ||
            check_lvalues(c, &argument->uses, "call", id) != 0 ||
            (argument->is_aggregate && check_lvalue(c, &argument->aggregate, "call", id) != 0))
            return -1;
    }
    return 0;
}

static int check_function(const struct checker *c, int id) {
    const struct function *function = c->program->functions.items[id];
    if (function->id != id)
        return broken(c, "function", function->id);
    if (check_range(c, function->range, "function", id) != 0)
        return -1;
    if (function->entry == NULL || function->exit == NULL)
        return error_set(c->error, "function %s: has no %s", function->name,
                         function->entry == NULL ? "entry" : "exit");
    for (size_t i = 0; i < function->nodes.count; i++) {
        const struct node *node = function->nodes.items[i];
        if (node->function != function || node->index != (int)i)
            return error_set(c->error, "function %s: node %d is not its own %zu", function->name,
                             node->id, i);
    }
    if (function->origin != NULL && function->nodes.count != function->origin->nodes.count)
        return error_set(c->error, "function %s: an instance has %zu nodes instead of %zu",
                         function->name, function->nodes.count, function->origin->nodes.count);
    for (size_t i = 0; i < function->parameters.count; i++)
        if (function->parameters.items[i]->parameter != (int)i)
            return error_set(c->error, "function %s: parameter %zu has the number %d",
                             function->name, i, function->parameters.items[i]->parameter);
    return 0;
}

static int check_object(const struct checker *c, int id) {
    const struct object *object = c->program->objects.items[id];
    if (object->id != id)
        return broken(c, "object", object->id);
    if (object->kind == OBJECT_VARIABLE && object->name == NULL)
        return error_set(c->error, "object %d: a variable without a name", id);
    return 0;
}

static int check_constraint(const struct checker *c, int id) {
    const struct constraint *one = &c->program->constraints.items[id];
    if (check_variable(c, one->to, "constraint", id) != 0 ||
        (one->kind != CONSTRAINT_FRESH && check_variable(c, one->from, "constraint", id) != 0))
        return -1;
    if (one->function < 0 || (size_t)one->function > c->program->functions.count)
        return error_set(c->error, "constraint %d: is of function %d of %zu", id, one->function - 1,
                         c->program->functions.count);
    bool has_lvalue = one->kind == CONSTRAINT_ADDRESS || one->kind >= CONSTRAINT_LOAD;
    return has_lvalue ? check_lvalue(c, &one->lvalue, "constraint", id) : 0;
}

int program_check(const struct program *program, struct error *error) {
    const struct checker c = {program, error};
    static int (*const checks[])(const struct checker *c, int id) = {
        check_file, check_function, check_node, check_call, check_object, check_constraint};
    const size_t counts[] = {program->files.count,   program->functions.count,
                             program->nodes.count,   program->calls.count,
                             program->objects.count, program->constraints.count};
    for (size_t k = 0; k < sizeof checks / sizeof *checks; k++)
        for (size_t i = 0; i < counts[k]; i++)
            if (checks[k](&c, (int)i) != 0)
                return -1;
    return 0;
}
