/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls: the callee, and for each argument what it reads, so that a call can be kept with only
 * those arguments that are needed. Calls inside arguments come first in a node's list of calls.
 */
#include "frontend/program/build.h"

#include <string.h>

struct build_calls_reading {
    lvalue_list *uses;
    object_list *addresses;
    call_list *calls;
    struct argument *argument;
    bool has_effects;
};

static struct build_calls_reading redirect(struct builder *b, struct argument *argument) {
    struct build_calls_reading saved = {b->uses, b->addresses, b->calls, b->argument,
                                        b->has_effects};
    b->uses = &argument->uses;
    b->addresses = &argument->addresses;
    b->calls = &argument->calls;
    b->argument = argument;
    b->has_effects = false;
    return saved;
}

static void restore(struct builder *b, struct build_calls_reading saved) {
    b->uses = saved.uses;
    b->addresses = saved.addresses;
    b->calls = saved.calls;
    b->argument = saved.argument;
    b->has_effects = saved.has_effects;
}

static void read_argument(struct builder *b, struct call *call, size_t index,
                          const struct ast *ast) {
    struct argument *argument = &call->arguments.items[index];
    *argument = (struct argument){.ast = ast, .type = ast->type, .value = -1};
    struct build_calls_reading saved = redirect(b, argument);
    struct value value = build_value(b, ast);
    argument->value = value.is_aggregate ? -1 : value.variable;
    argument->is_aggregate = value.is_aggregate;
    argument->aggregate = value.lvalue;
    argument->has_effects = b->has_effects;
    if (value.is_aggregate)
        argument->aggregate.length_bytes = ast->type->size_bytes;
    restore(b, saved);
    b->has_effects = b->has_effects || argument->has_effects;
    for (size_t i = 0; i < argument->calls.count; i++)
        vec_push(b->calls, argument->calls.items[i]);
}

static void note_extern(struct builder *b, const struct declaration *declaration) {
    if (names_get(b->program->names, "extern", declaration->key) != NULL)
        return;
    names_put(b->program->names, "extern", declaration->key, (void *)declaration);
    vec_push(&b->program->externs, declaration);
}

/* As clang spells types; in `__vector_size__(2 * sizeof(double))` there is none. */
static bool has_pointers(const struct type *type) {
    bool found = type == NULL;
    for (const char *c = found ? "" : type->name; *c != '\0'; c++)
        found = found || (c[0] == '*' && c[1] != ' ');
    return found;
}

static const struct extern_function *
find_library(struct builder *b, const struct declaration *declaration, const char *name) {
    struct externs *libraries = b->program->libraries;
    const struct extern_function *row = externs_find(libraries, name);
    return row != NULL ? row
                       : externs_find_vector(libraries, name, has_pointers(declaration->type));
}

static void read_callee(struct builder *b, struct call *call, const struct ast *callee) {
    call->callee = -1;
    while (callee->kind == AST_UNARY && strcmp(callee->op, "&") == 0)
        callee = callee->kids[0];
    const struct declaration *declaration = callee->declaration;
    if (callee->kind == AST_REFERENCE && declaration->kind == DECLARATION_FUNCTION) {
        const struct declaration *target = program_alias(b->program, declaration->key);
        target = target != NULL ? target : declaration;
        call->name = target->symbol != NULL && !target->is_cxx ? target->symbol : target->name;
        call->key = target->key;
        call->mpi = build_mpi_call(b, target, call->name);
        call->library = find_library(b, declaration, target->is_cxx ? target->key : call->name);
        note_extern(b, target);
        return;
    }
    lvalue_list *uses = b->uses;
    b->uses = &call->callee_uses;
    call->callee = build_value(b, callee).variable;
    b->uses = uses;
}

struct value build_call(struct builder *b, const struct ast *ast) {
    struct call *call = ARENA_NEW(&b->program->arena, struct call);
    call->id = (int)b->program->calls.count;
    vec_push(&b->program->calls, call);
    call->node = b->node;
    call->ast = ast;
    call->type = ast->type;
    call->within = b->argument;
    call->conditional = b->conditional > 0 || ast->is_unwritten;
    read_callee(b, call, ast->kids[0]);
    size_t count = (size_t)ast->kid_count - 1;
    vec_reserve(&call->arguments, count + 1);
    call->arguments.count = count; /* fixed before reading: calls inside point into it */
    for (size_t i = 0; i < count; i++)
        read_argument(b, call, i, ast->kids[i + 1]);
    vec_push(b->calls, call);
    call->result = build_new_object(b, OBJECT_CALL_RESULT, call->name, ast->type);
    call->result->call = call;
    struct lvalue lvalue = {.object = call->result->id, .pointer = -1};
    lvalue.length_bytes = ast->type->size_bytes;
    call->value = -1;
    if (ast->type->kind == TYPE_RECORD)
        return (struct value){.variable = -1, .is_aggregate = true, .lvalue = lvalue};
    bool pointer = ast->type->kind == TYPE_POINTER ||
                   (ast->type->kind == TYPE_INTEGER && ast->type->size_bytes >= 8);
    if (!pointer)
        return (struct value){.variable = -1};
    call->value = build_variable(b);
    lvalue.class = type_class(ast->type);
    build_constrain(
        b, (struct constraint){.kind = CONSTRAINT_LOAD, .to = call->value, .lvalue = lvalue});
    return (struct value){.variable = call->value};
}
