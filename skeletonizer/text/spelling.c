/* SPDX-License-Identifier: Apache-2.0
 *
 * Ranges reach over whole macro calls, so whatever shares a macro with the expression overlaps it:
 * other operands, arguments, the called function, other statements.
 */
#include "skeletonizer/text/spelling.h"

#include <string.h>

static bool overlaps(struct range one, struct range other) {
    return one.file == other.file && one.begin < other.end && other.begin < one.end;
}

static bool is_within(struct range inner, struct range outer) {
    return inner.file == outer.file && inner.begin >= outer.begin && inner.end <= outer.end;
}

/* No other statement has a piece of the text. */
static bool is_of_one_statement(const struct node *node, struct range range) {
    for (size_t i = 0; node->function != NULL && i < node->function->nodes.count; i++) {
        const struct node *other = node->function->nodes.items[i];
        if (other != node && other->ast != NULL && overlaps(other->ast->range, range))
            return false;
    }
    return node->function != NULL;
}

bool spelling_of_argument(const struct call *call, int index) {
    const struct ast *ast = call->arguments.items[index].ast, *callee = call->ast->kids[0];
    struct range range = ast->range;
    if (range.file != call->ast->range.file || range.end <= range.begin)
        return false;
    if (!ast->from_macro)
        return true;
    if (call->ast->from_macro || ast->in_macro_arg || !is_within(range, call->ast->range) ||
        range.end >= call->ast->range.end || overlaps(callee->range, range))
        return false;
    for (size_t i = 0; i < call->arguments.count; i++)
        if ((int)i != index && overlaps(call->arguments.items[i].ast->range, range))
            return false;
    return is_of_one_statement(call->node, range);
}

/* What of the statement surrounds the part does not share text with it. */
static bool is_apart(const struct ast *ast, const struct ast *part) {
    if (ast == part)
        return true;
    bool own_text = ast->range.begin < part->range.begin || ast->range.end > part->range.end;
    bool found = false;
    for (int i = 0; i < ast->kid_count; i++) {
        const struct ast *kid = ast->kids[i];
        if (kid == NULL)
            continue;
        if (is_within(part->range, kid->range) && !found && is_apart(kid, part))
            found = true;
        else if (overlaps(kid->range, part->range))
            return false;
    }
    return own_text && found;
}

/* Between the parentheses of a statement that is spelled here. */
static bool is_whole_condition(const struct node *node, const struct ast *part) {
    const struct ast *statement = node->tree != NULL ? node->tree->ast : NULL;
    return part == node->ast && statement != NULL && !statement->from_macro &&
           is_within(part->range, statement->range) && part->range.begin > statement->range.begin &&
           part->range.end < statement->range.end;
}

bool spelling_of_part(const struct node *node, const struct ast *part) {
    struct range range = part->range;
    if (part->is_unwritten || (node->ast != NULL && node->ast->is_unwritten))
        return false;
    if (part->in_macro_arg || range.file != node->range.file || range.end <= range.begin)
        return false;
    if (!part->from_macro && !node->ast->from_macro)
        return true;
    bool names = node->ast->kind == AST_VARIABLE && overlaps(node->ast->name_range, range);
    bool apart =
        part == node->ast ? is_whole_condition(node, part) : !names && is_apart(node->ast, part);
    return apart && is_of_one_statement(node, range);
}

const char *spelling_of_mpi(struct program *program, const struct ast *ast) {
    static const char *const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    if (!ast->from_macro ||
        strncmp(program->files.items[ast->range.file]->text + ast->range.begin, "MPI_", 4) != 0)
        return NULL;
    const char *text = program_text(program, ast->range);
    return text[strspn(text, letters)] == '\0' ? text : NULL;
}
