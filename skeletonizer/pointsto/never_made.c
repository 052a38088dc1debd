/* SPDX-License-Identifier: Apache-2.0 */
#include "skeletonizer/pointsto/never_made.h"

#include <string.h>
#include <strings.h>

/* `extern`, perhaps as a macro, in front of the name. */
static bool says_extern(const struct program *program, const struct definition *definition) {
    const struct range range = definition->range, name = definition->variable->name_range;
    const char *text = program->files.items[range.file]->text;
    for (unsigned at = range.begin; at + strlen("extern") <= name.begin; at++)
        if (strncasecmp(text + at, "extern", strlen("extern")) == 0)
            return true;
    return name.file != range.file || name.begin < range.begin;
}

/* Here, and not in a library, whose code sets it as it likes. */
static bool is_defined(const struct program *program, const struct declaration *variable) {
    if (!variable->external_linkage)
        return true;
    for (size_t u = 0; u < program->units.count; u++) {
        const struct unit *unit = program->units.items[u];
        for (const struct definition *definition = unit->definitions,
                                     *end = definition + unit->definition_count;
             definition != end; definition++)
            if (definition->variable != NULL &&
                strcmp(definition->variable->declaration->key, variable->key) == 0 &&
                (definition->variable->kids[0] != NULL || !says_extern(program, definition)))
                return true;
    }
    return false;
}

/* What the pointer is read from is a variable of the program, its members or elements, of which all
 * that is stored there is known. */
static bool is_stored(const struct program *program, const struct ast *ast) {
    ast = ast_without_casts(ast);
    while (ast != NULL &&
           (ast->kind == AST_MEMBER || ast->kind == AST_SUBSCRIPT || ast->kind == AST_UNARY))
        ast = ast_without_casts(ast->kids[0]);
    return ast != NULL && ast->kind == AST_REFERENCE &&
           ast->declaration->kind == DECLARATION_VARIABLE && is_defined(program, ast->declaration);
}

static bool is_empty(const struct points_to *p, int variable) {
    const int_list *targets = points_to_targets(p, variable);
    return targets == NULL || targets->count == 0;
}

static bool lies_elsewhere(const struct program *program, int id) {
    const struct object *object = program->objects.items[id];
    return object->kind == OBJECT_VARIABLE && object->function == NULL &&
           object->declaration != NULL && !is_defined(program, object->declaration);
}

/* It is read from a table that a linker script or a library makes. */
static bool is_elsewhere(const struct points_to *p, const struct call *call) {
    for (size_t i = 0; i < call->callee_uses.count; i++) {
        struct lvalue use = call->callee_uses.items[i];
        const int_list *targets = use.object < 0 ? points_to_targets(p, use.pointer) : NULL;
        if (use.object >= 0 && lies_elsewhere(p->program, use.object))
            return true;
        for (size_t k = 0; targets != NULL && k < targets->count; k++)
            if (lies_elsewhere(p->program, p->locations.items[targets->items[k]].object))
                return true;
    }
    return false;
}

bool never_made_is(const struct points_to *p, const struct call *call) {
    const struct function *function = call->node->function;
    return call->callee >= 0 && (function == NULL || function->is_live) &&
           is_empty(p, call->callee) && is_stored(p->program, call->ast->kids[0]) &&
           !is_elsewhere(p, call);
}

void never_made_mark(struct points_to *p) {
    for (size_t i = 0; i < p->program->calls.count; i++) {
        struct call *call = p->program->calls.items[i];
        call->never_made = never_made_is(p, call);
    }
}
