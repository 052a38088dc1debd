/* SPDX-License-Identifier: Apache-2.0
 *
 * Kept calls. In: a node. Out: edits of the arguments of its calls, or the text of those that are
 * kept without their statement. An argument that nobody needs becomes zero or scratch memory,
 * behind the calls in it that stay; one that is given takes its value from the model. An allocation
 * of which little or nothing is looked at becomes one of so much.
 */
#include "skeletonizer/rewrite/rewrite.h"

#include "skeletonizer/plan/given_values.h"
#include "skeletonizer/plan/unread_memory.h"
#include "skeletonizer/rewrite/cxx_text.h"

#include <ctype.h>

static bool is_trivial(const struct argument *argument) {
    return argument->uses.count == 0 && argument->calls.count == 0 &&
           argument->addresses.count == 0 && !argument->has_effects;
}

static bool is_payload(const struct call *call, size_t index) {
    return call->mpi != NULL && (int)index < call->mpi->parameter_count &&
           mpi_role_is_payload(call->mpi->parameters[index].role);
}

static bool is_inside_kept(const struct rewriter *r, const call_list *calls,
                           const struct call *call) {
    for (size_t i = 0; i < calls->count; i++) {
        const struct call *outer = calls->items[i];
        if (outer == call || !slice_keeps_call(r->slice, outer))
            continue;
        if (call_is_in_callee(call, outer))
            return true;
        for (size_t k = 0; k < outer->arguments.count; k++)
            if (vec_has(&outer->arguments.items[k].calls, call))
                return true;
    }
    return false;
}

static bool is_part_of(const struct call *inner, const struct call *outer) {
    return inner->ast->range.begin >= outer->ast->range.begin &&
           inner->ast->range.end <= outer->ast->range.end;
}

static void edit_call(struct rewriter *r, struct edits *edits, const struct call *call);

static const char *call_text(struct rewriter *r, const struct node *node, const struct call *call) {
    struct edits edits = {0};
    for (size_t i = 0; i < node->calls.count; i++) {
        const struct call *inner = node->calls.items[i];
        if (slice_keeps_call(r->slice, inner) && is_part_of(inner, call))
            edit_call(r, &edits, inner);
    }
    const char *text = edits_text(&edits, r->program, call->ast->range);
    edits_dispose(&edits);
    return text;
}

/* Without a prototype in sight an argument is passed as the type that it has. */
static const char *zero(struct rewriter *r, const struct call *call, size_t index) {
    const struct argument *argument = &call->arguments.items[index];
    const struct declaration *callee = call->ast->kids[0]->declaration;
    if (callee != NULL && callee->is_cxx)
        return cxx_text_zero(r->program, call, (int)index);
    if (callee == NULL || callee->type == NULL || !text_has_suffix(callee->type->name, "()"))
        return "0";
    switch (argument->type->kind) {
    case TYPE_POINTER:
    case TYPE_ARRAY:
        return "(void *)0";
    case TYPE_FLOATING:
        return argument->type->size_bytes > (long long)sizeof(double) ? "0.0L" : "0.0";
    case TYPE_INTEGER:
        return argument->type->size_bytes > (long long)sizeof(int) ? "0LL" : "0";
    default:
        return "0";
    }
}

/* An argument that nobody needs; calls in it that are kept stay. */
static const char *replacement(struct rewriter *r, const struct call *call, size_t index) {
    const struct argument *argument = &call->arguments.items[index];
    const char *value = is_payload(call, index) ? "BSIM_SCRATCH" : zero(r, call, index);
    struct str text = {0};
    for (size_t i = 0; i < argument->calls.count; i++) {
        const struct call *inner = argument->calls.items[i];
        if (!slice_keeps_call(r->slice, inner) || is_inside_kept(r, &argument->calls, inner))
            continue;
        const char *inner_text = call_text(r, call->node, inner);
        if (inner->ast == argument->ast && !is_payload(call, index))
            return inner_text;
        str_printf(&text, "%s%s", text.length > 0 ? ", " : "(", inner_text);
    }
    if (text.length == 0)
        return value;
    bool address = argument->type->kind == TYPE_POINTER || argument->type->kind == TYPE_ARRAY;
    if (cxx_text_is_in(r->program, call->node) && address && !is_payload(call, index))
        value = cxx_text_null(r->program, argument->type);
    else if (address && !is_payload(call, index)) /* behind a comma 0 is no null pointer */
        value = "(void *)0";
    str_printf(&text, ", %s)", value);
    return rewrite_take(r, &text);
}

/* From the name to the parenthesis: malloc(n) becomes BSIM_UNREAD_malloc(0, n). */
static void edit_allocation(struct rewriter *r, struct edits *edits, const struct call *call) {
    const struct ast *callee = call->ast->kids[0];
    long long bytes = r->plan->unread[call->id];
    if (bytes == UNREAD_NOT || call->ast->from_macro || callee->kind != AST_REFERENCE ||
        callee->from_macro || callee->in_macro_arg)
        return;
    const char *text = r->program->files.items[callee->range.file]->text;
    struct range range = callee->range;
    if (range.end - range.begin != strlen(call->library->name) ||
        memcmp(text + range.begin, call->library->name, range.end - range.begin) != 0)
        return;
    while (isspace((unsigned char)text[range.end]))
        range.end++;
    if (text[range.end++] == '(')
        edits_add(
            edits, range,
            arena_printf(&r->program->arena, "BSIM_UNREAD_%s(%lld, ", call->library->name, bytes));
}

static void edit_call(struct rewriter *r, struct edits *edits, const struct call *call) {
    rewrite_callee(edits, r->plan, call);
    edit_allocation(r, edits, call);
    r->named[call->id] = true;
    const struct code_region *given = plan_value_of(r->plan, call->node);
    for (size_t i = 0; i < call->arguments.count; i++) {
        const struct argument *argument = &call->arguments.items[i];
        if (given != NULL && given->part == argument->ast) {
            values_take(edits, r->plan, given, "");
            continue;
        }
        if (slice_keeps_argument(r->slice, call, (int)i) || is_trivial(argument) ||
            argument->ast->is_unwritten || (int)i < call->ast->pinned)
            continue;
        edits_add(edits, argument->ast->range, replacement(r, call, i));
    }
}

/* Calls behind the `=`, which is where the value is taken as given. */
static const char *value_calls(struct rewriter *r, const struct node *node, struct range part) {
    struct str text = {0};
    for (size_t i = 0; i < node->calls.count; i++) {
        const struct call *call = node->calls.items[i];
        if (slice_keeps_call(r->slice, call) && !is_inside_kept(r, &node->calls, call) &&
            call->ast->range.begin >= part.begin && call->ast->range.end <= part.end)
            str_printf(&text, "%s%s;", text.length > 0 ? " " : "", call_text(r, node, call));
    }
    return rewrite_take(r, &text);
}

void rewrite_arguments(struct rewriter *r, struct edits *edits, const struct node *node) {
    const struct code_region *given = plan_value_of(r->plan, node);
    if (given != NULL && !values_are_arguments(given)) /* those come with their calls */
        values_take(edits, r->plan, given, value_calls(r, node, given->range));
    for (size_t i = 0; i < node->calls.count; i++)
        if (slice_keeps_call(r->slice, node->calls.items[i]))
            edit_call(r, edits, node->calls.items[i]);
}

static int count_lines(const char *text, const char *end) {
    int lines = 0;
    for (; text < end; text++)
        lines += *text == '\n';
    return lines;
}

/* As many lines in front of the call as its statement had. */
static void add_lines(struct rewriter *r, struct str *out, const struct node *node,
                      const struct call *call) {
    const struct source_file *file = r->program->files.items[call->ast->range.file];
    if (!file->names_lines || node->range.file != call->ast->range.file)
        return;
    int lines = count_lines(file->text + node->range.begin, file->text + call->ast->range.begin);
    for (lines -= count_lines(str_text(out), str_text(out) + out->length); lines > 0; lines--)
        str_addc(out, '\n');
}

const char *rewrite_calls(struct rewriter *r, const struct node *node) {
    struct str text = {0};
    for (size_t i = 0; i < node->calls.count; i++) {
        const struct call *call = node->calls.items[i];
        if (!slice_keeps_call(r->slice, call) || is_inside_kept(r, &node->calls, call))
            continue;
        add_lines(r, &text, node, call);
        str_printf(&text, "%s%s;", text.length > 0 ? " " : "", call_text(r, node, call));
    }
    return rewrite_take(r, &text);
}
