/* SPDX-License-Identifier: Apache-2.0
 *
 * A variable is known at the region's beginning if the definitions that reach it are in the
 * skeleton and nothing in the region changes it before. Values that are not there yet may join the
 * skeleton when they are cheap (slice_is_cheap). A local that is assigned in the region is replaced
 * by what it is assigned; if several assignments reach the use, by what branches choose
 * (conditional_value.h).
 */
#include "skeletonizer/features/expression.h"

#include "base/str.h"
#include "skeletonizer/features/always_executed.h"
#include "skeletonizer/features/conditional_value.h"
#include "skeletonizer/features/program_inputs.h"
#include "skeletonizer/features/region_writes.h"
#include "skeletonizer/features/written_value.h"
#include "skeletonizer/slice/assigned.h"
#include "skeletonizer/slice/copied_records.h"
#include "skeletonizer/text/spelling.h"

#include <ctype.h>
#include <string.h>

#define MAX_TEXT 4000

static const struct lvalue *find_in(const lvalue_list *uses, const struct ast *ast) {
    for (size_t i = 0; i < uses->count; i++)
        if (uses->items[i].ast == ast)
            return &uses->items[i];
    return NULL;
}

/* The read that this expression is, among those of the node and of its calls' arguments. */
static const struct lvalue *find_use(const struct node *node, const struct ast *ast) {
    const struct lvalue *lvalue = find_in(&node->uses, ast);
    for (size_t i = 0; lvalue == NULL && i < node->calls.count; i++) {
        const struct call *call = node->calls.items[i];
        for (size_t k = 0; lvalue == NULL && k < call->arguments.count; k++)
            lvalue = find_in(&call->arguments.items[k].uses, ast);
    }
    return lvalue;
}

static const struct object *object_of(const struct frame *frame,
                                      const struct declaration *declaration) {
    return program_object(frame->slice->program, frame->function, declaration);
}

bool expression_joins(const struct frame *frame, struct lvalue lvalue) {
    struct slice *s = frame->slice;
    size_t mark = slice_mark(s);
    lvalue_list uses = {0};
    vec_push(&uses, lvalue);
    slice_demand_uses(s, frame->entry, &uses, "is part of a region's feature");
    vec_dispose(&uses);
    /* What a value depends on is worth a record on the heap. */
    bool cheap = frame->region->value != NULL
                     ? slice_is_cheap_but_allocates(s, mark)
                     : slice_is_cheap(s, mark) || inputs_are_cheap(s, mark, frame->counts);
    for (size_t i = mark; cheap && i < s->demands.count; i++) {
        const struct demand *demand = &s->demands.items[i];
        if (demand->kind == DEMAND_NODE &&
            code_region_has(frame->region, s->program->nodes.items[demand->subject]->tree))
            cheap = false; /* would tear the region apart */
    }
    if (!cheap)
        slice_take_back(s, mark);
    return cheap;
}

/* Declared before the region, in a block around it. */
bool expression_is_in_scope(const struct code_region *region, const struct object *object) {
    if (object->parameter >= 0)
        return true;
    if (object->declared_in == NULL || object->declared_in->ast->range.begin >= region->range.begin)
        return false;
    for (const struct tree *tree = region->trees.items[0]; tree != NULL; tree = tree->parent)
        if (tree->parent == object->declared_in->parent)
            return true;
    return false;
}

/* A variable of a block around has values of the loop's last iteration where it is not declared
 * yet. */
static bool is_declared_yet(const struct code_region *region, const struct object *object) {
    return object->declared_in == NULL || region == NULL || object->function != region->function ||
           expression_is_in_scope(region, object);
}

bool expression_knows(const struct frame *frame, const struct object *object) {
    const struct slice *s = frame->slice;
    node_list definitions = {0};
    flow_reaching(&s->flow, frame->entry, object, &definitions);
    bool known = definitions.count > 0 && slice_declares(s, object) &&
                 is_declared_yet(frame->region, object);
    for (size_t i = 0; i < definitions.count && known; i++) {
        const struct node *definition = definitions.items[i];
        known =
            definition->kind == NODE_ENTRY
                ? object->parameter >= 0 &&
                      slice_find(s, DEMAND_PARAMETER, object->function->id, object->parameter) >= 0
                : slice_keeps_node(s, definition);
    }
    vec_dispose(&definitions);
    return known;
}

static bool has_value(const struct frame *frame, const struct object *object) {
    node_list definitions = {0};
    bool value = true;
    flow_reaching(&frame->slice->flow, frame->entry, object, &definitions);
    for (size_t i = 0; i < definitions.count; i++)
        value = value && !(definitions.items[i]->kind == NODE_ENTRY && object->parameter < 0);
    vec_dispose(&definitions);
    return value;
}

static const struct lvalue *find_read(const lvalue_list *uses, const struct object *object) {
    for (size_t i = 0; i < uses->count; i++)
        if (uses->items[i].object == object->id)
            return &uses->items[i];
    return NULL;
}

bool expression_obtains(const struct frame *frame, const struct object *object) {
    const struct lvalue *use = NULL;
    if (expression_knows(frame, object))
        return true;
    for (size_t i = 0; i < object->function->nodes.count && use == NULL; i++) {
        const struct node *node = object->function->nodes.items[i];
        use = find_read(&node->uses, object);
        for (size_t k = 0; k < node->calls.count && use == NULL; k++)
            for (size_t a = 0; a < node->calls.items[k]->arguments.count && use == NULL; a++)
                use = find_read(&node->calls.items[k]->arguments.items[a].uses, object);
    }
    return use != NULL && has_value(frame, object) && expression_joins(frame, *use);
}

static bool print_binding(struct str *out, const struct binding *binding) {
    if (binding->argument != NULL)
        return expression_print_as(out, binding->argument_frame, binding->argument_node,
                                   binding->argument, binding->declaration->type);
    binding->choice->touched = true;
    str_add(out, binding->choice->name);
    return true;
}

/* A reference of C++ is a pointer (docs/explanation/cxx.md), and its name what that points to. */
static void print_name(struct str *out, const struct object *object) {
    bool is_reference = object->type != NULL && text_has_suffix(object->type->name, "&");
    str_printf(out, is_reference ? "(&%s)" : "%s", object->name);
}

static bool print_local(struct str *out, const struct frame *frame, const struct object *object,
                        struct lvalue lvalue, const struct node *node) {
    bool own = frame->depth == 0, changed = !own;
    node_list definitions = {0};
    const struct node *definition =
        assigned_before(&frame->slice->flow, node, object, &definitions);
    for (size_t i = 0; i < definitions.count; i++)
        changed = changed || code_region_has(frame->region, definitions.items[i]->tree);
    vec_dispose(&definitions);
    if (own && !changed && frame->unsafe && !has_value(frame, object))
        return false;
    if (own && frame->scoped && !expression_is_in_scope(frame->region, object))
        return false;
    bool declared = !own || is_declared_yet(frame->region, object);
    if (!changed && declared && expression_joins(frame, lvalue)) {
        print_name(out, object);
        return true;
    }
    const struct ast *value = definition != NULL ? assigned_value(definition, object) : NULL;
    if (value == NULL)
        return conditional_value_print(out, frame, object, node);
    if (own && !code_region_has(frame->region, definition->tree))
        return false;
    return expression_print_as(out, frame, definition, value, object->type);
}

bool expression_sees(const struct frame *frame, const char *name) {
    return frame->depth == 0 || program_sees(frame->slice->program, frame->region->function, name);
}

/* A global that another function names may be hidden by a local of the region's own. */
static bool global_visible(const struct frame *frame, const struct object *object) {
    const struct function *function = frame->region->function;
    const object_list *lists[] = {&function->locals, &function->parameters};
    for (size_t l = 0; l < 2 && frame->depth > 0; l++)
        for (size_t i = 0; i < lists[l]->count; i++)
            if (strcmp(lists[l]->items[i]->name, object->name) == 0)
                return false;
    return expression_sees(frame, object->declaration->key);
}

static bool own_visible(const struct frame *frame, const struct object *object) {
    return frame->depth == 0 && is_declared_yet(frame->region, object) &&
           (!frame->scoped || expression_is_in_scope(frame->region, object));
}

static bool is_reachable(const struct frame *frame, const struct object *object) {
    return object->function == NULL ? global_visible(frame, object) : own_visible(frame, object);
}

static bool print_in_memory(struct str *out, const struct frame *frame, const struct object *object,
                            struct lvalue lvalue) {
    if (!is_reachable(frame, object) || object->in_memory == false ||
        region_writes_of(frame, lvalue) || !expression_joins(frame, lvalue))
        return false;
    print_name(out, object);
    return true;
}

/* An array stands for the address of its first element, as where it is handed on. */
static bool print_array(struct str *out, const struct frame *frame, const struct object *object) {
    if (!is_reachable(frame, object) ||
        (object->function != NULL && !expression_is_in_scope(frame->region, object)))
        return false;
    struct slice *s = frame->slice;
    size_t mark = slice_mark(s);
    slice_demand(s, DEMAND_DECLARE, object->id, 0, "is part of a region's feature");
    if (!slice_is_cheap(s, mark)) {
        slice_take_back(s, mark);
        return false;
    }
    print_name(out, object);
    return true;
}

static bool print_reference(struct str *out, const struct frame *frame, const struct node *node,
                            const struct ast *ast) {
    if (ast->declaration->kind != DECLARATION_VARIABLE)
        return false;
    const struct binding *binding = frame_binding(frame, ast->declaration);
    if (binding != NULL)
        return binding->record == NULL && print_binding(out, binding);
    const struct object *object = object_of(frame, ast->declaration);
    const struct lvalue *use = find_use(node, ast);
    if (object == NULL)
        return false;
    if (ast->type->kind == TYPE_ARRAY)
        return print_array(out, frame, object);
    if (use == NULL)
        return false;
    if (flow_tracks(object))
        return print_local(out, frame, object, *use, node);
    return print_in_memory(out, frame, object, *use) || written_value_print(out, frame, node, ast);
}

bool expression_print_pointed(struct str *out, const struct frame *frame, const struct ast *ast) {
    if (ast->kind != AST_REFERENCE || ast->declaration->kind != DECLARATION_VARIABLE ||
        frame_binding(frame, ast->declaration) != NULL)
        return false;
    const struct object *object = object_of(frame, ast->declaration);
    if (object == NULL || flow_tracks(object) || ast->type == NULL || ast->type->size_bytes <= 0)
        return false;
    struct lvalue lvalue = {.object = object->id,
                            .pointer = -1,
                            .length_bytes = ast->type->size_bytes,
                            .class = type_class(ast->type),
                            .ast = ast};
    return print_in_memory(out, frame, object, lvalue);
}

/* What a record of the region, or of a function called in it, is a copy of. */
static bool find_copied(struct copied *out, const struct frame *frame, const struct ast *ast) {
    const struct object *object = object_of(frame, ast->declaration);
    return object != NULL && copied_find(out, frame->slice, object) &&
           (frame->depth > 0 || code_region_has(frame->region, out->node->tree));
}

static bool is_pointer(const struct ast *ast) {
    return ast->type->kind == TYPE_POINTER;
}

/* "(&x)" that begins at `begin` becomes "x"; false if it is something else. */
static bool strip_address(struct str *out, size_t begin) {
    char *text = out->text + begin;
    size_t length = out->length - begin;
    if (length < 4 || text[0] != '(' || text[1] != '&' || strcspn(text + 2, "()") != length - 3)
        return false;
    memmove(text, text + 2, length - 3);
    out->length -= 3;
    out->text[out->length] = '\0';
    return true;
}

/* The address of a variable, perhaps handed on as a parameter: safe to follow whether or not the
 * program does so. */
static bool is_address(const struct frame *frame, const struct ast *pointer) {
    const struct binding *binding =
        pointer->kind == AST_REFERENCE ? frame_binding(frame, pointer->declaration) : NULL;
    if (binding != NULL && binding->argument != NULL && binding->record == NULL)
        return is_address(binding->argument_frame, binding->argument);
    return pointer->kind == AST_UNARY && strcmp(pointer->op, "&") == 0 &&
           pointer->kids[0]->kind == AST_REFERENCE;
}

/* Prints the pointer; false also if it may not be followed: under a condition, or since it is not
 * the one that the program follows first. A number as such is NULL. */
static bool print_pointer(struct str *out, const struct frame *frame, const struct node *node,
                          const struct ast *pointer) {
    size_t begin = out->length;
    int uses = expression_begins(frame);
    if (!expression_print(out, frame, node, pointer))
        return false;
    const char *text = out->text + begin;
    if (isdigit((unsigned char)text[strspn(text, "(")]))
        return false;
    return (!frame->unsafe && expression_begins(frame) == uses) || is_address(frame, pointer) ||
           always_executed_follows(frame, text);
}

/* "(*p)", or "x" for "(&x)". */
static bool print_pointee(struct str *out, const struct frame *frame, const struct node *node,
                          const struct ast *pointer) {
    size_t begin = out->length;
    if (!print_pointer(out, frame, node, pointer) ||
        !expression_give_type(out, begin, frame, pointer))
        return false;
    if (!strip_address(out, begin)) {
        char *text = xstrdup(out->text + begin);
        out->length = begin;
        str_printf(out, "(*%s)", text);
        free(text);
    }
    return true;
}

static bool is_dereference(const struct ast *ast) {
    return ast->kind == AST_UNARY && strcmp(ast->op, "*") == 0 && is_pointer(ast->kids[0]);
}

bool expression_print_base(struct str *out, const struct frame *frame, const struct node *node,
                           const struct ast *ast) {
    if (ast->kind == AST_MEMBER || ast->kind == AST_SUBSCRIPT)
        return expression_print(out, frame, node, ast);
    if (is_dereference(ast))
        return print_pointee(out, frame, node, ast->kids[0]);
    if (ast->kind != AST_REFERENCE || ast->declaration->kind != DECLARATION_VARIABLE)
        return false;
    const struct binding *binding = frame_binding(frame, ast->declaration);
    if (binding != NULL)
        return binding->record != NULL &&
               expression_print_base(out, binding->argument_frame, binding->argument_node,
                                     binding->argument);
    struct copied copied;
    if (find_copied(&copied, frame, ast))
        return expression_print_base(out, frame, copied.node, copied.source);
    const struct object *object = object_of(frame, ast->declaration);
    if (object == NULL)
        return false;
    if (!is_reachable(frame, object))
        return false;
    print_name(out, object);
    return true;
}

/* A member's lvalue in this record becomes that in another one. */
static void move_to(struct lvalue *lvalue, const struct lvalue *record) {
    lvalue->object = record->object;
    lvalue->pointer = record->pointer;
    lvalue->offset_bytes += record->offset_bytes;
}

/* What reads a member of a parameter that is a record reads that of the argument, as long as
 * nothing in the region changes the parameter, and what reads a member of a copy that of its
 * source. False: it is not known where that is. */
static bool find_source(struct lvalue *lvalue, const struct frame *frame, const struct ast *base) {
    while ((base->kind == AST_MEMBER || base->kind == AST_SUBSCRIPT) && !is_pointer(base->kids[0]))
        base = base->kids[0];
    const struct binding *binding =
        base->kind == AST_REFERENCE ? frame_binding(frame, base->declaration) : NULL;
    struct copied copied;
    if (binding == NULL && base->kind == AST_REFERENCE && find_copied(&copied, frame, base)) {
        move_to(lvalue, &copied.lvalue);
        return find_source(lvalue, frame, copied.source);
    }
    if (binding == NULL || binding->record == NULL)
        return true;
    if (binding->record->stride_bytes != 0 || region_writes_of(frame, *lvalue))
        return false;
    move_to(lvalue, binding->record);
    return find_source(lvalue, binding->argument_frame, binding->argument);
}

static bool print_memory(struct str *out, const struct frame *frame, const struct node *node,
                         const struct ast *ast) {
    const struct ast *base = ast->kids[0];
    const struct lvalue *use = find_use(node, ast);
    bool is_value = ast->type->kind == TYPE_INTEGER || ast->type->kind == TYPE_POINTER;
    bool inner = ast->type->kind == TYPE_RECORD || ast->type->kind == TYPE_ARRAY;
    struct lvalue lvalue = use != NULL ? *use : (struct lvalue){0};
    if (!inner &&
        (!is_value || use == NULL || (!is_pointer(base) && !find_source(&lvalue, frame, base)) ||
         region_writes_of(frame, lvalue) || !expression_joins(frame, lvalue)))
        return written_value_print(out, frame, node, ast);
    bool is_array = base->type->kind == TYPE_ARRAY; /* `records->n` is of the first of them */
    const struct type *record = is_pointer(base) || is_array ? base->type->element : base->type;
    if (ast->kind == AST_MEMBER && (record == NULL || !expression_sees(frame, record->name)))
        return false;
    size_t begin = out->length;
    bool known = is_pointer(base) ? print_pointer(out, frame, node, base) &&
                                        expression_give_type(out, begin, frame, base)
                                  : expression_print_base(out, frame, node, base);
    if (!known)
        return false;
    if (ast->kind == AST_MEMBER) {
        bool arrow = is_array || (is_pointer(base) && !strip_address(out, begin));
        str_printf(out, "%s%s", arrow ? "->" : ".", ast->name);
        return true;
    }
    return expression_print_index(out, begin, frame, node, ast);
}

/* `*n`: a number that a function gets by its address. */
static bool print_number_at(struct str *out, const struct frame *frame, const struct node *node,
                            const struct ast *ast) {
    const struct lvalue *use = find_use(node, ast);
    size_t begin = out->length;
    if (ast->type->kind != TYPE_INTEGER || use == NULL)
        return false;
    if (written_value_print(out, frame, node, ast))
        return true;
    out->length = begin;
    return !region_writes_of(frame, *use) && expression_joins(frame, *use) &&
           print_pointee(out, frame, node, ast->kids[0]);
}

/* A floating number, as it is written. */
static bool print_literal(struct str *out, const struct frame *frame, const struct ast *ast) {
    if (ast->type->kind != TYPE_FLOATING || ast->from_macro || ast->is_unwritten)
        return false;
    str_add(out, program_text(frame->slice->program, ast->range));
    return true;
}

static bool print_any(struct str *out, const struct frame *frame, const struct node *node,
                      const struct ast *ast) {
    if (out->length > MAX_TEXT)
        return false;
    const char *constant = spelling_of_mpi(frame->slice->program, ast);
    if (constant != NULL) {
        str_add(out, constant);
        return true;
    }
    if (ast->has_value && (ast->kind == AST_CONSTANT || ast->kind == AST_SIZEOF)) {
        bool is_long = ast->type->kind == TYPE_INTEGER && ast->type->size_bytes > 4;
        str_printf(out, "%lld%s", ast->value, is_long ? "L" : "");
        return true;
    }
    switch (ast->kind) {
    case AST_CONSTANT:
        return print_literal(out, frame, ast);
    case AST_REFERENCE:
        return print_reference(out, frame, node, ast);
    case AST_MEMBER:
    case AST_SUBSCRIPT:
        return print_memory(out, frame, node, ast);
    case AST_UNARY:
        if (is_dereference(ast))
            return print_number_at(out, frame, node, ast);
        return expression_print_operation(out, frame, node, ast);
    case AST_BINARY:
    case AST_CONDITIONAL:
    case AST_CAST:
        return expression_print_operation(out, frame, node, ast);
    case AST_CALL:
        return expression_print_call(out, frame, node, ast);
    default:
        return false;
    }
}

bool expression_print(struct str *out, const struct frame *frame, const struct node *node,
                      const struct ast *ast) {
    if (!ast->type->is_scoped)
        return print_any(out, frame, node, ast);
    str_add(out, "((int)");
    bool known = print_any(out, frame, node, ast);
    str_addc(out, ')');
    return known;
}
