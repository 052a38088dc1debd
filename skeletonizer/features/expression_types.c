/* SPDX-License-Identifier: Apache-2.0
 *
 * The type that a printed pointer has, which another one may have been handed on for.
 */
#include "skeletonizer/features/expression.h"
#include "skeletonizer/slice/assigned.h"

#include <string.h>

/* The reference is what was printed: another variable, which a called function's was given, may
 * have the same name. */
static bool is_printed(const struct frame *frame, const struct ast *ast, const char *text) {
    const struct object *object =
        program_object(frame->slice->program, frame->function, ast->declaration);
    bool is_of_called = frame->depth > 0 && object != NULL && object->function != NULL;
    return strcmp(ast->name, text) == 0 && !is_of_called;
}

const struct type *expression_printed_type(const struct frame *frame, const struct ast *ast,
                                           const char *text) {
    for (;;) {
        const struct ast *next = NULL;
        if (ast->kind == AST_CAST && ast->kid_count > 0 && ast->type->kind != TYPE_INTEGER) {
            next = ast->kids[ast->kid_count - 1];
        } else if (ast->kind == AST_REFERENCE && !is_printed(frame, ast, text)) {
            const struct binding *binding = frame_binding(frame, ast->declaration);
            const struct object *object =
                program_object(frame->slice->program, frame->function, ast->declaration);
            const struct node *node =
                binding == NULL && object != NULL ? assigned_once(frame->function, object) : NULL;
            next = binding != NULL ? binding->argument
                   : node != NULL  ? assigned_value(node, object)
                                   : NULL;
            frame = binding != NULL ? binding->argument_frame : frame;
        }
        if (next == NULL)
            return ast->type;
        ast = next;
    }
}

static const char *without_const(const char *name) {
    static const char word[] = "const ";
    return strncmp(name, word, sizeof word - 1) == 0 ? name + sizeof word - 1 : name;
}

/* Numbers or records of one name: they may differ in `const`. */
static bool is_same(const struct type *one, const struct type *other) {
    return one != NULL && other != NULL && one->kind == other->kind &&
           (one->kind == TYPE_RECORD || one->kind == TYPE_INTEGER || one->kind == TYPE_FLOATING) &&
           strcmp(without_const(one->name), without_const(other->name)) == 0;
}

/* Not `struct (unnamed at FILE:LINE:COLUMN) *`, of which only a typedef is the name. */
static bool has_name(const struct type *type) {
    return strstr(type->name, "(unnamed ") == NULL && strstr(type->name, "(anonymous ") == NULL;
}

bool expression_give_type(struct str *out, size_t begin, const struct frame *frame,
                          const struct ast *pointer) {
    const struct type *printed = expression_printed_type(frame, pointer, out->text + begin);
    const struct type *record = pointer->type->element;
    if (printed->kind != TYPE_POINTER || strcmp(printed->name, pointer->type->name) == 0 ||
        is_same(printed->element, record))
        return true;
    while (record != NULL && (record->kind == TYPE_POINTER || record->kind == TYPE_ARRAY))
        record = record->element;
    if (record == NULL || !has_name(pointer->type) || type_is_variably_modified(pointer->type) ||
        (record->kind == TYPE_RECORD && !expression_sees(frame, record->name)))
        return false;
    char *text = xstrdup(out->text + begin);
    out->length = begin;
    str_printf(out, "((%s)%s)", pointer->type->name, text);
    free(text);
    return true;
}
