/* SPDX-License-Identifier: Apache-2.0
 *
 * In: the functions that are called and have no source. Out: a line on stderr for each of which
 * nothing is known. The row says what the types allow: what `const T *` points to is read, what
 * other pointers point to is read and written. What types do not tell is left to the user: whether
 * a returned pointer is fresh memory, and whether calls depend on each other.
 */
#include "skeletonizer/slice/unknown.h"

#include "base/file.h"
#include "base/str.h"

#include <stdio.h>
#include <string.h>

static const struct call *first_call(const struct program *program, const char *key) {
    for (size_t i = 0; i < program->calls.count; i++) {
        const struct call *call = program->calls.items[i];
        if (call->key != NULL && strcmp(call->key, key) == 0)
            return call;
    }
    return NULL;
}

static bool is_callback(const struct type *type) {
    return type->kind == TYPE_FUNCTION ||
           (type->kind == TYPE_POINTER && type->element->kind == TYPE_FUNCTION);
}

static const char *effect(const struct type *type) {
    if (is_callback(type) || (type->kind != TYPE_POINTER && type->kind != TYPE_ARRAY))
        return "v";
    bool one_level = strchr(type->name, '*') == strrchr(type->name, '*');
    return one_level && text_has_prefix(type->name, "const ") ? "r" : "rw";
}

static const struct type *parameter(const struct call *call, const struct type *function, int i) {
    return function->parameter_count >= 0 ? function->parameters[i] : call->arguments.items[i].type;
}

static const char *result(const struct type *type) {
    return type->kind == TYPE_VOID ? "void" : type->kind == TYPE_POINTER ? "static" : "value";
}

static void print_row(struct str *out, const struct declaration *declaration,
                      const struct call *call) {
    const struct type *type = declaration->type;
    int count = type->parameter_count >= 0 ? type->parameter_count : (int)call->arguments.count;
    int callback = 0;
    str_printf(out, "%s(", declaration->name);
    for (int i = 0; i < count; i++) {
        str_printf(out, "%s%s", i > 0 ? " " : "", effect(parameter(call, type, i)));
        if (is_callback(parameter(call, type, i)))
            callback = i + 1;
    }
    if (declaration->variadic && type->parameter_count > 0)
        str_add(out, " rw...");
    str_printf(out, ") %s", result(call->type));
    if (callback > 0)
        str_printf(out, " callback %d", callback);
}

/* A function of the program that it may call though no argument is one: something points to it that
 * it is given, which no row can tell. NULL: there is none. */
static const struct function *hidden_callback(const struct program *program, const char *key) {
    for (size_t i = 0; i < program->calls.count; i++) {
        const struct call *call = program->calls.items[i];
        bool tells = call->key == NULL || strcmp(call->key, key) != 0;
        for (size_t k = 0; k < call->arguments.count && !tells; k++)
            tells = is_callback(call->arguments.items[k].type);
        if (!tells && call->callbacks.count > 0)
            return call->callbacks.items[0];
    }
    return NULL;
}

static void tell(struct program *program, const struct declaration *declaration,
                 const struct call *call) {
    const struct function *callback = hidden_callback(program, declaration->key);
    struct str row = {0};
    int line, column;
    program_position(program, call->ast->range, &line, &column);
    if (callback != NULL)
        str_printf(
            &row,
            "it may call '%s', to which something points that it is given; if it does not, and "
            "no more than this",
            callback->name);
    else
        str_add(&row, "if it does no more than this");
    str_add(&row, ", put into the hints: extern ");
    print_row(&row, declaration, call);
    fprintf(stderr,
            "%s:%d:%d: note: nothing is known about '%s': its calls stay, with all that reaches "
            "them; %s\n",
            path_relative(&program->arena, program->root,
                          program->files.items[call->ast->range.file]->path),
            line, column, declaration->name, str_text(&row));
    str_dispose(&row);
}

void unknown_report(struct program *program) {
    for (size_t i = 0; i < program->externs.count; i++) {
        const struct declaration *declaration = program->externs.items[i];
        const struct call *call = first_call(program, declaration->key);
        if (call != NULL && program_function(program, declaration->key) == NULL &&
            call->mpi == NULL && call->library == NULL &&
            !text_has_prefix(declaration->name, "MPI_")) /* check.h tells of these */
            tell(program, declaration, call);
    }
}
