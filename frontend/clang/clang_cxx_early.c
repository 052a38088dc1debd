/* SPDX-License-Identifier: Apache-2.0
 *
 * Objects at file scope, which are made before main and end behind it. In: the unit with their
 * variables, each initialised by its steps. Out: for each a function that runs before main and has
 * the steps instead; nobody wrote it, and it has the variable's text. When they end is told by it
 * as well: nothing can follow but others that end, of which none may communicate
 * (skeletonizer/check.c).
 */
#include "frontend/clang/clang_cxx.h"

#include <string.h>

static struct ast *unwritten(struct ast *ast) {
    ast->is_unwritten = true;
    return ast;
}

static struct declaration *early_function(struct clang_reader *reader,
                                          const struct declaration *object) {
    struct type *type = ARENA_NEW(&reader->program->arena, struct type);
    struct declaration *out = ARENA_NEW(&reader->program->arena, struct declaration);
    *type = (struct type){.kind = TYPE_FUNCTION, .name = "void ()"};
    *out = *object;
    out->kind = DECLARATION_FUNCTION;
    out->name = arena_printf(&reader->program->arena, "construction of %s", object->name);
    out->key = arena_printf(&reader->program->arena, "%s constructed", object->key);
    out->symbol = out->key;
    out->type = type;
    out->section = NULL;
    out->external_linkage = out->is_cxx = true;
    return out;
}

static void add_early(struct clang_reader *reader, struct unit *unit, struct ast *variable) {
    struct definition *out = &unit->definitions[unit->definition_count++];
    struct ast *steps = variable->kids[0];
    struct ast *object = cxx_make(reader, AST_REFERENCE, steps, variable->type, 0);
    struct ast *address, *made, *body;
    object->declaration = variable->declaration;
    object->name = variable->name;
    address = unwritten(cxx_address_of(reader, unwritten(object)));
    made = unwritten(cxx_make(reader, AST_CONSTRUCT, steps, address->type, steps->kid_count + 1));
    made->op = "new";
    made->kids[0] = address;
    memcpy(made->kids + 1, steps->kids, (size_t)steps->kid_count * sizeof *steps->kids);
    body = cxx_make(reader, AST_COMPOUND, variable, NULL, 1);
    body->kids[0] = made;
    out->declaration = early_function(reader, variable->declaration);
    out->range = variable->range;
    out->body = body;
    out->parameters = ARENA_ARRAY(&reader->program->arena, const struct declaration *, 1);
    out->parameter_variables = ARENA_ARRAY(&reader->program->arena, struct ast *, 1);
    struct type *nothing = ARENA_NEW(&reader->program->arena, struct type);
    *nothing = (struct type){.kind = TYPE_VOID, .name = "void"};
    out->result = nothing;
    out->is_constructor = true;
}

void cxx_make_early(struct clang_reader *reader, struct unit *unit) {
    int count = unit->definition_count;
    for (int i = 0; i < count; i++) {
        struct ast *variable = unit->definitions[i].variable;
        if (variable == NULL || variable->kids[0] == NULL ||
            variable->kids[0]->kind != AST_CONSTRUCT || variable->kids[0]->op != NULL)
            continue;
        if (variable->kids[0]->kid_count > 0)
            add_early(reader, unit, variable);
        variable->kids[0] = NULL;
    }
}
