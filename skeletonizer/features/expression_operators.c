/* SPDX-License-Identifier: Apache-2.0
 *
 * Expressions made of others with the operators of C; see expression.h. Not those that assign, nor
 * the comma.
 */
#include "skeletonizer/features/expression.h"

#include <string.h>

static bool print_address(struct str *out, const struct frame *frame, const struct node *node,
                          const struct ast *ast) {
    str_add(out, "(&");
    bool known = expression_print_base(out, frame, node, ast->kids[0]);
    str_addc(out, ')');
    return known;
}

static bool print_unary(struct str *out, const struct frame *frame, const struct node *node,
                        const struct ast *ast) {
    if (strcmp(ast->op, "&") == 0)
        return print_address(out, frame, node, ast);
    if (strcmp(ast->op, "-") != 0 && strcmp(ast->op, "!") != 0 && strcmp(ast->op, "+") != 0 &&
        strcmp(ast->op, "~") != 0)
        return false;
    str_printf(out, "(%s", ast->op);
    bool known = expression_print(out, frame, node, ast->kids[0]);
    str_addc(out, ')');
    return known;
}

/* One that is a long, where an int may stand for it: the sum or product may only fit into a long.
 */
static bool print_operand(struct str *out, const struct frame *frame, const struct node *node,
                          const struct ast *ast) {
    size_t begin = out->length;
    if (!expression_print(out, frame, node, ast))
        return false;
    const struct type *printed = expression_printed_type(frame, ast, out->text + begin);
    if (ast->type->kind != TYPE_INTEGER || ast->type->size_bytes != 8 ||
        printed->kind != TYPE_INTEGER || printed->size_bytes == 8)
        return true;
    char *text = xstrdup(out->text + begin);
    out->length = begin;
    str_printf(out, "(long)%s", text);
    free(text);
    return true;
}

/* The program may divide only where the divisor is not 0. */
static bool may_trap(const struct frame *frame, const struct ast *ast) {
    const struct ast *divisor = ast->kids[1];
    return frame->unsafe && (strcmp(ast->op, "/") == 0 || strcmp(ast->op, "%") == 0) &&
           ast->type->kind != TYPE_FLOATING && !(divisor->has_value && divisor->value != 0);
}

static bool print_binary(struct str *out, const struct frame *frame, const struct node *node,
                         const struct ast *ast) {
    if (strcmp(ast->op, "=") == 0 || strcmp(ast->op, ",") == 0)
        return false;
    bool guards = may_trap(frame, ast);
    str_add(out, !guards ? "(" : ast->op[0] == '/' ? "bsim_quotient(" : "bsim_remainder(");
    if (!print_operand(out, frame, node, ast->kids[0]))
        return false;
    if (guards)
        str_add(out, ", ");
    else
        str_printf(out, " %s ", ast->op);
    bool known = print_operand(out, frame, node, ast->kids[1]);
    str_addc(out, ')');
    return known;
}

static bool print_conditional(struct str *out, const struct frame *frame, const struct node *node,
                              const struct ast *ast) {
    static const char *const between[] = {"(", " ? ", " : "};
    for (int i = 0; i < ast->kid_count && i < 3; i++) {
        str_add(out, between[i]);
        if (!expression_print(out, frame, node, ast->kids[i]))
            return false;
    }
    str_addc(out, ')');
    return ast->kid_count == 3;
}

/* A name that is known everywhere, which names of typedefs need not be; NULL: narrow, or of another
 * size. */
static const char *integer_name(const struct type *type) {
    static const char *const names[] = {"_Bool",         "char",         "signed char",
                                        "unsigned char", "short",        "unsigned short",
                                        "int",           "unsigned int", "unsigned long"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(type->name, names[i]) == 0)
            return names[i];
    return type->size_bytes == 8 ? "long" : type->size_bytes == 4 ? "int" : NULL;
}

static const char *number_name(const struct type *type) {
    static const char *const names[] = {"float", "double", "long double"};
    for (size_t i = 0; type->kind == TYPE_FLOATING && i < sizeof names / sizeof *names; i++)
        if (strcmp(type->name, names[i]) == 0)
            return names[i];
    return type->kind == TYPE_FLOATING ? NULL : integer_name(type);
}

static bool print_converted(struct str *out, const struct frame *frame, const struct node *node,
                            const struct ast *ast, const struct type *type) {
    const char *name = number_name(type);
    if (name == NULL)
        return false;
    str_printf(out, "((%s)", name);
    bool known = expression_print(out, frame, node, ast);
    str_addc(out, ')');
    return known;
}

bool expression_print_as(struct str *out, const struct frame *frame, const struct node *node,
                         const struct ast *ast, const struct type *type) {
    if (type == NULL || (type->kind == TYPE_FLOATING) == (ast->type->kind == TYPE_FLOATING))
        return expression_print(out, frame, node, ast);
    return print_converted(out, frame, node, ast, type);
}

static bool print_cast(struct str *out, const struct frame *frame, const struct node *node,
                       const struct ast *ast) {
    if (ast->kid_count == 0)
        return false;
    const struct ast *value = ast->kids[ast->kid_count - 1];
    if (ast->type->kind == TYPE_POINTER) /* between pointers: as it is */
        return expression_print(out, frame, node, value);
    return (ast->type->kind == TYPE_INTEGER || ast->type->kind == TYPE_FLOATING) &&
           print_converted(out, frame, node, value, ast->type);
}

bool expression_print_operation(struct str *out, const struct frame *frame, const struct node *node,
                                const struct ast *ast) {
    switch (ast->kind) {
    case AST_UNARY:
        return print_unary(out, frame, node, ast);
    case AST_BINARY:
        return print_binary(out, frame, node, ast);
    case AST_CONDITIONAL:
        return print_conditional(out, frame, node, ast);
    default:
        return print_cast(out, frame, node, ast);
    }
}

int expression_truth(const struct frame *frame, const struct node *node, const struct ast *ast) {
    struct str text = {0};
    int value = -1, negations = 0;
    size_t mark = slice_mark(frame->slice);
    if (expression_print(&text, frame, node, ast)) {
        const char *at = text.text;
        for (; *at == '(' || *at == '!'; at++)
            negations += *at == '!';
        size_t digits = strspn(at, "0123456789");
        if (digits > 0 && at[digits + strspn(at + digits, "L)")] == '\0')
            value = (strspn(at, "0") < digits) != (negations % 2 == 1);
    }
    slice_take_back(frame->slice, mark);
    str_dispose(&text);
    return value;
}
