/* SPDX-License-Identifier: Apache-2.0 */
#include "skeletonizer/rewrite/cxx_text.h"

#include "base/str.h"

#include <string.h>

bool cxx_text_is_in(const struct program *program, const struct node *node) {
    return node->function != NULL && program->units.items[node->function->unit]->is_cxx;
}

static bool is_reference(const struct type *type) {
    return text_has_suffix(type->name, "&") || strstr(type->name, "(&)") != NULL;
}

/* `T` of "const T &", with `*` behind it. */
static const char *pointer_to_referred(struct program *program, const char *name) {
    const char *inside = strstr(name, "(&)");
    if (inside != NULL) /* of an array */
        return arena_printf(&program->arena, "%.*s(*)%s", (int)(inside - name), name, inside + 3);
    return arena_printf(&program->arena, "%.*s*", (int)strcspn(name, "&"), name);
}

static const char *in_scratch(struct program *program, const struct type *type) {
    const char *moved = text_has_suffix(type->name, "&&") ? type->name : NULL;
    const char *text = arena_printf(&program->arena, "*(%s)BSIM_SCRATCH",
                                    pointer_to_referred(program, type->name));
    return moved != NULL ? arena_printf(&program->arena, "(%s)%s", moved, text) : text;
}

static const char *zero_of(struct program *program, const struct type *type) {
    if (is_reference(type))
        return in_scratch(program, type);
    if (strcmp(type->name, "int") == 0)
        return "0";
    if (type->kind == TYPE_RECORD)
        return arena_printf(&program->arena, "*(%s *)BSIM_SCRATCH", type->name);
    return arena_printf(&program->arena, "(%s)0", type->name);
}

/* The type of a method's parameters lacks the object. */
const char *cxx_text_zero(struct program *program, const struct call *call, int index) {
    const struct type *function = call->ast->kids[0]->declaration->type;
    int hidden = (int)call->arguments.count > function->parameter_count && call->ast->pinned > 0;
    index -= hidden;
    const struct type *type = index >= 0 && index < function->parameter_count
                                  ? function->parameters[index]
                                  : call->arguments.items[index + hidden].type;
    return zero_of(program, type);
}

const char *cxx_text_null(struct program *program, const struct type *type) {
    if (type->kind == TYPE_ARRAY)
        return arena_printf(&program->arena, "(%s *)0", type->element->name);
    return arena_printf(&program->arena, "(%s)0", type->name);
}

const char *cxx_text_return(struct program *program, const struct type *type) {
    if (is_reference(type))
        return arena_printf(&program->arena, "return %s;", in_scratch(program, type));
    if (type->kind == TYPE_RECORD && !type_is_container(type))
        return arena_printf(&program->arena, "return *(%s *)BSIM_SCRATCH;", type->name);
    return strcmp(type->name, "int") == 0 ? "return 0;" : "return {};";
}
