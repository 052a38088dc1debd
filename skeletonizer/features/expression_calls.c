/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls in an expression; see expression.h. What a function of the program returns stands for its
 * call. A function without source is called once more if its row says that it works a number out
 * (mpi/externs.def). Not handled: such functions under other names (type-generic ones of clang,
 * those of C++ in a namespace).
 */
#include "skeletonizer/features/expression.h"

#include "mpi/externs.h"

#include <string.h>

/* A function that only returns an expression, perhaps of constants that it declares before. */
static bool print_returned(struct str *out, const struct frame *frame, const struct node *node,
                           const struct call *call) {
    struct frame inner;
    struct binding bindings[FRAME_MAX_BINDINGS];
    if (!frame_enter(&inner, bindings, frame, node, call))
        return false;
    const struct tree *tree = inner.function->tree;
    for (size_t i = 0; i + 1 < tree->kids.count; i++)
        if (tree->kids.items[i]->ast->kind != AST_DECLARE)
            return false;
    const struct tree *last = tree->kids.count > 0 ? tree->kids.items[tree->kids.count - 1] : NULL;
    return last != NULL && last->ast->kind == AST_RETURN && last->ast->kid_count > 0 &&
           expression_print_as(out, &inner, last->nodes.items[0], last->ast->kids[0],
                               call->ast->type);
}

/* A name that the function has wherever it is seen. */
static bool has_own_name(const struct ast *callee, const struct extern_function *row) {
    return callee->kind == AST_REFERENCE &&
           (strcmp(callee->name, row->name) == 0 || text_has_prefix(callee->name, "__builtin_"));
}

static bool print_number(struct str *out, const struct frame *frame, const struct node *node,
                         const struct call *call) {
    const struct ast *callee = call->ast->kids[0];
    if (!call->library->is_number || !has_own_name(callee, call->library) ||
        !expression_sees(frame, callee->declaration->key))
        return false;
    str_printf(out, "%s(", callee->name);
    for (int i = 1; i < call->ast->kid_count; i++) {
        if (i > 1)
            str_add(out, ", ");
        if (!expression_print(out, frame, node, call->ast->kids[i]))
            return false;
    }
    str_addc(out, ')');
    return true;
}

bool expression_print_call(struct str *out, const struct frame *frame, const struct node *node,
                           const struct ast *ast) {
    const struct call *call = frame_find_call(node, ast);
    if (call == NULL)
        return false;
    return call->library != NULL ? print_number(out, frame, node, call)
                                 : print_returned(out, frame, node, call);
}
