/* SPDX-License-Identifier: Apache-2.0
 *
 * Statements of the skeleton. What stays keeps its text, comments and layout; a removed run becomes
 * one stub in its place; a call that is kept without its statement stands alone (rewrite_calls.c).
 * Directive lines inside a removed range stay, so that conditionals balance.
 */
#include "skeletonizer/rewrite/rewrite.h"

#include "skeletonizer/plan/shared_text.h"
#include "skeletonizer/plan/variants.h"
#include "skeletonizer/rewrite/hooks.h"
#include "skeletonizer/slice/kept.h"
#include "skeletonizer/text/directives.h"
#include "skeletonizer/text/scan.h"

#include <string.h>

static const struct source_file *file_of(const struct rewriter *r, struct range range) {
    return r->program->files.items[range.file];
}

char *rewrite_take(struct rewriter *r, struct str *text) {
    char *copy = arena_strdup(&r->program->arena, str_text(text));
    str_dispose(text);
    return copy;
}

/* Stubs */

static const char *stub(struct rewriter *r, const struct code_region *region) {
    struct str text = {0};
    if (region == NULL)
        return "";
    str_printf(&text, "BSIM_ADD_TIME(%d", region->index);
    for (size_t i = 0; i < region->features.count; i++)
        str_printf(&text, ", %s", region->features.items[i].hooked);
    str_add(&text, "); ");
    if (region->line == region->end_line)
        str_printf(&text, "/* line %d: %s */", region->line, region->summary);
    else
        str_printf(&text, "/* lines %d-%d: %s */", region->line, region->end_line, region->summary);
    return rewrite_take(r, &text);
}

/* Directives need lines of their own. */
static void add_directives(struct rewriter *r, struct str *out, struct range range) {
    struct str lines = {0};
    directives_left(&lines, file_of(r, range), range.begin, range.end);
    if (lines.length > 0) {
        str_addc(out, '\n');
        str_addn(out, lines.text, lines.length);
    }
    str_dispose(&lines);
}

static void remove_run(struct rewriter *r, struct tree *const *trees, size_t count) {
    const struct source_file *file = file_of(r, trees[0]->ast->range);
    const struct code_region *region = NULL;
    struct range range = scan_statements(r->program, trees, count);
    unsigned first = range.begin;
    struct str text = {0};
    for (size_t i = 0; i < count && region == NULL; i++)
        region = plan_region_at(r->plan, trees[i]);
    range.begin = directives_before(file, range.begin);
    if (range.begin != first)
        scan_indent(&text, file, first);
    else if (region != NULL && scan_is_behind_word(file, range.begin))
        str_addc(&text, ' ');
    str_add(&text, stub(r, region));
    add_directives(r, &text, range);
    if (text.length == 0)
        range = scan_whole_lines(file, range);
    edits_add(r->edits, range, rewrite_take(r, &text));
}

static void rewrite_tree(struct rewriter *r, const struct tree *tree);

/* A removed statement that is the body of a kept one. */
static void remove_body(struct rewriter *r, struct tree *tree) {
    struct range range = tree->ast->range;
    struct str text = {0};
    range.end = scan_statement_end(r->program, tree);
    const char *inside = stub(r, plan_region_at(r->plan, tree));
    str_printf(&text, "{%s%s", inside[0] != '\0' ? " " : "", inside);
    add_directives(r, &text, range);
    str_add(&text, " }");
    edits_add(r->edits, range, rewrite_take(r, &text));
}

static void rewrite_body(struct rewriter *r, struct tree *tree) {
    if (kept_in_place(r->slice, tree))
        rewrite_tree(r, tree);
    else
        remove_body(r, tree);
}

/* Statements */

static void rewrite_block(struct rewriter *r, const struct tree *tree) {
    size_t begin = 0;
    for (size_t i = 0; i <= tree->kids.count; i++) {
        if (i < tree->kids.count && !kept_in_place(r->slice, tree->kids.items[i]))
            continue;
        if (i > begin)
            remove_run(r, tree->kids.items + begin, i - begin);
        begin = i + 1;
        if (i < tree->kids.count)
            rewrite_tree(r, tree->kids.items[i]);
    }
}

/* A conditional may begin or end within the statement: `#else`, its beginning, `#endif`, its rest.
 */
static void replace_statement(struct rewriter *r, const struct tree *tree, const char *replaced) {
    struct range range = tree->ast->range;
    struct str text = {0};
    range.end = scan_statement_end(r->program, tree);
    str_add(&text, replaced);
    if (strchr(replaced, '#') == NULL) /* or they are in the arguments of calls that stay */
        add_directives(r, &text, range);
    edits_add(r->edits, range, rewrite_take(r, &text));
}

/* `if (f(x)) ...` of which only the call is needed. */
static void rewrite_condition_calls(struct rewriter *r, const struct tree *tree) {
    struct str text = {0};
    struct range range = tree->ast->range;
    range.end = scan_statement_end(r->program, tree);
    str_printf(&text, "{ %s", rewrite_calls(r, tree->nodes.items[0]));
    add_directives(r, &text, range);
    str_add(&text, " }");
    edits_add(r->edits, range, rewrite_take(r, &text));
}

static void remove_else(struct rewriter *r, const struct tree *tree) {
    const struct tree *then = tree->kids.items[0], *other = tree->kids.items[1];
    const struct code_region *region = plan_region_at(r->plan, other);
    struct range range = tree->ast->range;
    struct str text = {0};
    range.begin = scan_statement_end(r->program, then);
    range.end = scan_statement_end(r->program, other);
    if (region != NULL)
        str_printf(&text, " else { %s }", stub(r, region));
    add_directives(r, &text, range);
    edits_add(r->edits, range, rewrite_take(r, &text));
}

static void rewrite_if(struct rewriter *r, const struct tree *tree) {
    const struct node *node = tree->nodes.items[0];
    bool with_else = tree->kids.count > 1;
    if (!slice_keeps_node(r->slice, node)) {
        rewrite_condition_calls(r, tree);
        return;
    }
    rewrite_arguments(r, r->edits, node);
    rewrite_body(r, tree->kids.items[0]);
    if (with_else && kept_in_place(r->slice, tree->kids.items[1]))
        rewrite_tree(r, tree->kids.items[1]);
    else if (with_else)
        remove_else(r, tree);
}

static void rewrite_header_part(struct rewriter *r, const struct tree *part) {
    if (part == NULL)
        return;
    if (part->ast->kind == AST_DECLARE) {
        rewrite_declaration(r, part);
        return;
    }
    for (size_t i = 0; i < part->nodes.count; i++) {
        const struct node *node = part->nodes.items[i];
        if (slice_keeps_node(r->slice, node)) {
            rewrite_arguments(r, r->edits, node);
            continue;
        }
        char *calls = arena_strdup(&r->program->arena, rewrite_calls(r, node));
        for (char *c = calls; *c != '\0'; c++) /* "f(); g();" -> "f(), g()" */
            if (*c == ';')
                *c = c[1] != '\0' ? ',' : ' ';
        edits_add(r->edits, node->range, calls);
    }
}

static void rewrite_loop(struct rewriter *r, const struct tree *tree) {
    hooks_insert(r->edits, r->plan, tree);
    for (size_t i = 0; i < tree->nodes.count; i++)
        rewrite_arguments(r, r->edits, tree->nodes.items[i]);
    if (!tree->ast->from_macro) {
        rewrite_header_part(r, tree->init);
        rewrite_header_part(r, tree->step);
    }
    for (size_t i = 0; i < tree->kids.count; i++)
        rewrite_body(r, tree->kids.items[i]);
}

static void rewrite_switch(struct rewriter *r, const struct tree *tree) {
    if (!slice_keeps_node(r->slice, tree->nodes.items[0])) {
        rewrite_condition_calls(r, tree);
        return;
    }
    rewrite_arguments(r, r->edits, tree->nodes.items[0]);
    rewrite_body(r, tree->kids.items[0]);
}

/* The label stays; its statement may go. */
static void rewrite_labelled(struct rewriter *r, const struct tree *tree) {
    struct tree *kid = tree->kids.count > 0 ? tree->kids.items[0] : NULL;
    bool label = tree->ast->kind == AST_LABEL;
    if (kid == NULL)
        return;
    if (label && !kept_label(r->slice, tree)) {
        struct range range = tree->ast->range;
        range.end = kid->ast->range.begin;
        edits_add(r->edits, range, "");
    }
    if (kept_in_place(r->slice, kid)) {
        if (kid->ast->kind == AST_DECLARE)
            return;
        rewrite_tree(r, kid);
        return;
    }
    if (kid->ast->kind != AST_NULL)
        remove_body(r, kid);
}

/* Such as -1: it needs nothing, and may be what the program leaves with. */
static bool is_of_constants(const struct ast *ast) {
    bool result = ast->kind == AST_CONSTANT || ast->kind == AST_UNARY || ast->kind == AST_BINARY;
    for (int i = 0; i < ast->kid_count; i++)
        result = result && is_of_constants(ast->kids[i]);
    return result;
}

static void rewrite_return(struct rewriter *r, const struct tree *tree) {
    const struct node *node = tree->nodes.items[0];
    if (slice_keeps_node(r->slice, node) || tree->ast->kid_count == 0) {
        rewrite_arguments(r, r->edits, node);
        return;
    }
    const char *calls = rewrite_calls(r, node);
    if (!slice_keeps_jump(r->slice, node)) {
        replace_statement(r, tree, arena_printf(&r->program->arena, "{ %s }", calls));
        return;
    }
    if (is_of_constants(tree->ast->kids[0]))
        return;
    replace_statement(r, tree,
                      calls[0] == '\0'
                          ? rewrite_zero_return(r->program, r->function)
                          : arena_printf(&r->program->arena, "{ %s %s }", calls,
                                         rewrite_zero_return(r->program, r->function)));
}

static void rewrite_expression(struct rewriter *r, const struct tree *tree) {
    const struct node *node = tree->nodes.items[0];
    if (slice_keeps_node(r->slice, node)) {
        rewrite_arguments(r, r->edits, node);
        return;
    }
    const char *calls = rewrite_calls(r, node);
    bool single = strchr(calls, ';') == calls + strlen(calls) - 1;
    replace_statement(r, tree, single ? calls : arena_printf(&r->program->arena, "{ %s }", calls));
}

static void rewrite_tree(struct rewriter *r, const struct tree *tree) {
    switch (tree->ast->kind) {
    case AST_COMPOUND:
        rewrite_block(r, tree);
        return;
    case AST_DECLARE: {
        const char *after = rewrite_declaration(r, tree);
        struct range range = tree->ast->range;
        range.begin = range.end;
        if (after[0] != '\0')
            edits_add(r->edits, range, arena_printf(&r->program->arena, " %s", after));
        return;
    }
    case AST_IF:
        rewrite_if(r, tree);
        return;
    case AST_WHILE:
    case AST_DO:
    case AST_FOR:
        rewrite_loop(r, tree);
        return;
    case AST_SWITCH:
        rewrite_switch(r, tree);
        return;
    case AST_CASE:
    case AST_LABEL:
        rewrite_labelled(r, tree);
        return;
    case AST_RETURN:
        rewrite_return(r, tree);
        return;
    case AST_GOTO:
    case AST_BREAK:
    case AST_CONTINUE:
    case AST_NULL:
        return;
    default:
        rewrite_expression(r, tree);
        return;
    }
}

/* Functions */

static bool ends_with_return(const struct rewriter *r, const struct tree *tree) {
    if (tree->kids.count == 0)
        return false;
    const struct tree *last = tree->kids.items[tree->kids.count - 1];
    if (last->ast->kind == AST_LABEL && last->kids.count > 0)
        last = last->kids.items[0];
    return last->ast->kind == AST_RETURN && slice_keeps_jump(r->slice, last->nodes.items[0]);
}

/* A function that returned a value still has to, although nobody looks at it; those that a macro
 * makes, and those that have one text, stay as they are. */
static void add_return(struct rewriter *r) {
    const struct tree *tree = r->function->tree;
    if (r->function->result_type->kind == TYPE_VOID || tree->ast->from_macro ||
        shared_text_is_kept_twice(r->slice, r->function) || ends_with_return(r, tree))
        return;
    struct range range = tree->ast->range;
    range.begin = --range.end;
    edits_add(
        r->edits, range,
        arena_printf(&r->program->arena, "    %s\n", rewrite_zero_return(r->program, r->function)));
}

/* A call that went on naming another copy than the one it needs would be silently wrong. */
static int check_names(struct rewriter *r) {
    int result = 0;
    for (size_t i = 0; i < r->function->nodes.count; i++)
        for (size_t k = 0; k < r->function->nodes.items[i]->calls.count; k++) {
            const struct call *call = r->function->nodes.items[i]->calls.items[k];
            if (!slice_keeps_call(r->slice, call) || r->named[call->id] ||
                variants_callee(r->plan, call) == NULL)
                continue;
            program_report(r->program, call->ast->range, "error",
                           "this call needs a copy of '%s' that cannot be named here; this is a "
                           "limit of mpiskel's, please report it",
                           call->name);
            result = -1;
        }
    return result;
}

int rewrite_skeleton(struct edits *out, const struct plan *plan) {
    struct rewriter r = {.plan = plan, .slice = plan->slice, .program = plan->slice->program};
    struct edits own = {0};
    int result = 0;
    r.named = ARENA_ARRAY(&r.program->arena, bool, r.program->calls.count + 1);
    r.pinned = rewrite_pinned(r.program);
    shared_text_begin(out, r.program);
    for (size_t i = 0; i < r.program->functions.count; i++) {
        r.function = r.program->functions.items[i];
        r.edits = &own;
        if (variants_text(plan, r.function) != r.function || shared_text_stays(r.slice, r.function))
            continue;
        rewrite_block(&r, r.function->tree);
        add_return(&r);
        for (size_t k = 0; k < plan->regions.count; k++)
            if (plan->regions.items[k]->is_kept && plan->regions.items[k]->function == r.function)
                rewrite_timer(&own, r.program, r.slice, plan->regions.items[k]);
        if (check_names(&r) != 0)
            result = -1;
        rewrite_function_text(out, &own, plan, r.function);
    }
    edits_dispose(&own);
    rewrite_copy_declarations(out, plan);
    shared_text_join(out, r.program, r.slice);
    rewrite_file_scope(out, plan);
    return shared_text_check(r.slice, out) == 0 ? result : -1;
}
