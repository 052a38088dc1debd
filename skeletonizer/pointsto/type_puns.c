/* SPDX-License-Identifier: Apache-2.0
 *
 * In: the program. Out: whether it has a cast such as `(int *)x` of an array of doubles, as old
 * codes write the head of a message, or put an int array into their work space. By strict aliasing
 * (C11, 6.5) that is wrong, but it works where nothing is optimized by it, and no skeleton should
 * be wrong for it. Casts from and to `void *` and `char *` are no sign: allocators and reductions
 * have them.
 */
#include "skeletonizer/pointsto/type_puns.h"

#include <string.h>

static enum value_class scalar_class(const struct type *type) {
    while (type != NULL && type->kind == TYPE_ARRAY)
        type = type->element;
    return type != NULL ? type_class(type) : CLASS_ANY;
}

static enum value_class pointee_class(const struct type *type) {
    if (type == NULL || (type->kind != TYPE_POINTER && type->kind != TYPE_ARRAY))
        return CLASS_ANY;
    return scalar_class(type->element);
}

static bool is_pun(const struct ast *ast) {
    if (ast->kind != AST_CAST || ast->kid_count == 0)
        return false;
    enum value_class to = pointee_class(ast->type);
    enum value_class from = pointee_class(ast->kids[ast->kid_count - 1]->type);
    return to != CLASS_ANY && from != CLASS_ANY && to != from;
}

static bool has_pun(const struct ast *ast) {
    if (ast == NULL)
        return false;
    if (is_pun(ast))
        return true;
    for (int i = 0; i < ast->kid_count; i++)
        if (has_pun(ast->kids[i]))
            return true;
    return false;
}

bool puns_found(const struct program *program) {
    for (size_t i = 0; i < program->nodes.count; i++)
        if (has_pun(program->nodes.items[i]->ast))
            return true;
    return false;
}

static bool is_compiled_without(const struct compile_command *command, const char *option) {
    bool strict = true;
    for (size_t i = 0; i < command->arguments.count; i++) {
        strict = strict || strcmp(command->arguments.items[i], "-fstrict-aliasing") == 0;
        strict = strict && strcmp(command->arguments.items[i], option) != 0;
    }
    return !strict;
}

const char *puns_declared(const struct program *program, const struct commands *commands,
                          const char **why) {
    *why = "-fno-strict-aliasing";
    for (size_t i = 0; i < commands->compiles.count; i++)
        if (is_compiled_without(&commands->compiles.items[i], *why))
            return commands->compiles.items[i].file;
    *why = "may_alias";
    for (size_t i = 0; i < program->files.count; i++)
        if (program->files.items[i]->in_project &&
            strstr(program->files.items[i]->text, *why) != NULL)
            return program->files.items[i]->path;
    return NULL;
}
