/* SPDX-License-Identifier: Apache-2.0
 *
 * Each rank's own variables: BSIM_PRIVATE in front of what the skeleton declares with static
 * storage. The compiler then reaches them through __tls_get_addr, which the runtime answers with
 * the memory of the rank that is simulated (runtime/smpi/private.c), so that all ranks can share
 * one copy of the program.
 *
 * Left as they are: constants, variables that a static initialiser names, since the address of
 * a rank's own variable is no constant, and those that the program declares and does not define: a
 * library's, or weak ones whose address is NULL. Arrays that no rank looks at are shared by all
 * (BSIM_SHARED). Where something is left SMPI copies the program
 * for each rank as before (simulator/choice/variables.h).
 */
#include "skeletonizer/rewrite/rewrite.h"

static void pin_named(struct program *program, bool *pinned, const struct function *function,
                      const struct ast *ast) {
    if (ast == NULL || ast->kind == AST_SIZEOF)
        return;
    if (ast->kind == AST_REFERENCE && ast->declaration != NULL) {
        const struct object *object = program_object(program, function, ast->declaration);
        if (object != NULL)
            pinned[object->id] = true;
    }
    for (int i = 0; i < ast->kid_count; i++)
        pin_named(program, pinned, function, ast->kids[i]);
}

static void pin_initialisers(struct program *program, bool *pinned, const struct function *function,
                             const struct ast *ast) {
    if (ast == NULL)
        return;
    if (ast->kind == AST_VARIABLE && ast->declaration->static_storage)
        pin_named(program, pinned, function, ast->kids[0]);
    for (int i = 0; i < ast->kid_count; i++)
        pin_initialisers(program, pinned, function, ast->kids[i]);
}

static void pin_made(struct program *program, bool *pinned, const struct ast *body) {
    for (int i = 0; i < body->kid_count; i++)
        if (body->kids[i] != NULL && body->kids[i]->kind == AST_CONSTRUCT)
            pin_named(program, pinned, NULL, body->kids[i]->kids[0]);
}

const bool *rewrite_pinned(struct program *program) {
    bool *pinned = ARENA_ARRAY(&program->arena, bool, program->objects.count + 1);
    for (size_t u = 0; u < program->units.count; u++) {
        const struct unit *unit = program->units.items[u];
        for (int i = 0; i < unit->definition_count; i++)
            pin_initialisers(program, pinned, NULL, unit->definitions[i].variable);
    }
    for (size_t i = 0; i < program->functions.count; i++)
        if (program->functions.items[i]->definition->is_constructor) /* of objects of C++ */
            pin_made(program, pinned, program->functions.items[i]->body);
    for (size_t i = 0; i < program->functions.count; i++)
        if (program->functions.items[i]->tree != NULL)
            pin_initialisers(program, pinned, program->functions.items[i],
                             program->functions.items[i]->tree->ast);
    return pinned;
}

static bool can_be_private(const struct rewriter *r, const struct ast *variable) {
    const struct declaration *declaration = variable->declaration;
    const struct object *object = program_object(r->program, r->function, declaration);
    return declaration->static_storage && declaration->in_project && !declaration->is_constant &&
           !declaration->thread_local_storage && !variable->from_macro && object != NULL &&
           !r->pinned[object->id] && (object->is_defined || !declaration->external_linkage);
}

/* An array that no rank looks at: one for all of them, which takes no memory. Other units do not
 * see it, so that it is declared here only. */
static bool can_be_shared(const struct rewriter *r, const struct ast *variable) {
    const struct declaration *declaration = variable->declaration;
    const struct object *object = program_object(r->program, r->function, declaration);
    return can_be_private(r, variable) && !declaration->external_linkage &&
           variable->kids[0] == NULL && r->plan->unread_variables[object->id];
}

static bool can_all_be_shared(const struct rewriter *r, const struct ast *const *variables,
                              int count) {
    for (int i = 0; i < count; i++)
        if (!can_be_shared(r, variables[i]))
            return false;
    return true;
}

void rewrite_private(struct rewriter *r, const struct ast *const *variables, int count,
                     struct range declaration) {
    for (int i = 0; i < count; i++)
        if (!can_be_private(r, variables[i]))
            return;
    declaration.end = declaration.begin;
    edits_add(r->edits, declaration,
              can_all_be_shared(r, variables, count) ? "BSIM_SHARED " : "BSIM_PRIVATE ");
}
