/* SPDX-License-Identifier: Apache-2.0
 *
 * In: an expression in memory, and who reads it. Out: what was assigned there, by the statement
 * before the read that writes it (conditional_value.h walks back to it): an assignment; a record
 * that is copied, of which the same member of the source is read; a call that returns the record,
 * or writes through a pointer that it is given; MPI_Comm_rank or MPI_Comm_size, which tell the
 * same where the region begins.
 *
 * Not handled: elements of arrays, unions, static variables, records in braces, functions that
 * return in several places.
 */
#include "skeletonizer/features/written_value.h"

#include "skeletonizer/features/always_executed.h"
#include "skeletonizer/features/conditional_value.h"
#include "skeletonizer/features/origins.h"
#include "skeletonizer/features/region_writes.h"
#include "skeletonizer/slice/assigned.h"
#include "skeletonizer/slice/events.h"

#include <string.h>

/* ---- Where it is ---- */

static bool is_variable(const struct ast *ast) {
    return ast->kind == AST_REFERENCE && ast->declaration->kind == DECLARATION_VARIABLE;
}

static const struct object *object_of(const struct frame *frame, const struct ast *ast) {
    return program_object(frame->slice->program, frame->function, ast->declaration);
}

/* The function has the record that it is given, and never changes its copy. */
static bool is_as_given(const struct frame *frame, const struct ast *parameter) {
    const struct object *object = object_of(frame, parameter);
    const struct event_list *list =
        object != NULL ? events_of_object(frame->slice, object->id) : NULL;
    return list != NULL && list->items.count == 1 &&
           list->items.items[0].event->kind == EVENT_PARAMETER;
}

static bool is_pointer_to_same(const struct type *one, const struct type *other) {
    if (one->kind != TYPE_POINTER || other->kind != TYPE_POINTER || one->element == NULL ||
        other->element == NULL)
        return false;
    one = one->element;
    other = other->element;
    return one->kind == other->kind && one->size_bytes == other->size_bytes &&
           (one->kind != TYPE_RECORD || strcmp(one->name, other->name) == 0);
}

/* The address that a pointer has: what `&` stands in front of, and in which frame; NULL: none. */
static const struct ast *pointee_of(const struct frame **frame, const struct ast *pointer) {
    for (;;) {
        const struct ast *inner = NULL;
        if (pointer->kind == AST_UNARY && strcmp(pointer->op, "&") == 0)
            return pointer->kids[0];
        if (pointer->kind == AST_CAST && pointer->kid_count > 0) {
            inner = pointer->kids[pointer->kid_count - 1];
        } else if (is_variable(pointer)) {
            const struct binding *binding = frame_binding(*frame, pointer->declaration);
            const struct object *object = binding == NULL ? object_of(*frame, pointer) : NULL;
            bool local = object != NULL && flow_tracks(object) && object->parameter < 0;
            const struct node *node = local ? assigned_once((*frame)->function, object) : NULL;
            inner = binding != NULL && binding->record == NULL ? binding->argument
                    : node != NULL                             ? assigned_value(node, object)
                                                               : NULL;
            *frame = inner != NULL && binding != NULL ? binding->argument_frame : *frame;
        }
        if (inner == NULL || !is_pointer_to_same(pointer->type, inner->type))
            return NULL;
        pointer = inner;
    }
}

/* One step outwards: from a member to its record, from what a pointer points to to what it is, from
 * a parameter to the argument. NULL: it ends here, at a variable or at what is not known. */
static const struct ast *step_outwards(struct held *out, const struct frame **frame,
                                       const struct ast *ast) {
    const struct ast *base = ast->kid_count > 0 ? ast->kids[0] : NULL;
    if (ast->kind == AST_UNARY && strcmp(ast->op, "*") == 0)
        return pointee_of(frame, base);
    if (ast->kind == AST_MEMBER) {
        const struct type *record = ast->arrow ? base->type->element : base->type;
        if (record == NULL || record->kind != TYPE_RECORD || record->is_union ||
            ast->member_offset_bytes < 0 || out->name_count == HELD_MAX_NAMES)
            return NULL;
        out->names[out->name_count++] = ast->name;
        out->lvalue.offset_bytes += ast->member_offset_bytes;
        return ast->arrow ? pointee_of(frame, base) : base;
    }
    const struct binding *binding =
        is_variable(ast) ? frame_binding(*frame, ast->declaration) : NULL;
    if (binding == NULL || binding->record == NULL || !is_as_given(*frame, ast))
        return NULL;
    *frame = out->frame = binding->argument_frame;
    out->node = binding->argument_node;
    return binding->argument;
}

/* Where that is which is written like this in the frame's function; false if it is something else,
 * or not known. */
static bool written_value_find(struct held *out, const struct frame *frame, const struct ast *ast) {
    const struct ast *last = ast;
    *out = (struct held){.lvalue = {.pointer = -1, .length_bytes = ast->type->size_bytes}};
    out->lvalue.class = type_class(ast->type);
    for (const struct ast *at = ast; at != NULL; at = step_outwards(out, &frame, at))
        last = at;
    if (!is_variable(last) || frame_binding(frame, last->declaration) != NULL ||
        out->lvalue.length_bytes <= 0)
        return false;
    out->object = object_of(frame, last);
    if (out->object == NULL || out->object->function == NULL || out->object->parameter >= 0 ||
        !out->object->in_memory || last->declaration->static_storage)
        return false;
    out->lvalue.object = out->object->id;
    for (int i = 0; i < out->name_count / 2; i++) {
        const char *name = out->names[i];
        out->names[i] = out->names[out->name_count - 1 - i];
        out->names[out->name_count - 1 - i] = name;
    }
    return true;
}

/* ---- Who writes it ---- */

static bool hits(const struct slice *s, const struct event_at *at, const struct held *held) {
    struct location wanted = {.object = held->object->id,
                              .offset_bytes = held->lvalue.offset_bytes,
                              .length_bytes = held->lvalue.length_bytes};
    return location_overlap(s->points_to->locations.items[at->location], wanted);
}

static const struct node *node_of(const struct event *event) {
    return event->call != NULL ? event->call->node : event->node;
}

/* The call leads to a function that writes it. */
static bool call_writes(const struct slice *s, const struct held *held, const struct call *call) {
    const struct event_list *list = events_of_object(s, held->object->id);
    for (size_t i = 0; list != NULL && i < list->items.count; i++) {
        const struct node *node = node_of(list->items.items[i].event);
        if (node != NULL && node->function != NULL && hits(s, &list->items.items[i], held) &&
            region_writes_call_leads_to(s, call, node->function))
            return true;
    }
    return false;
}

/* Of the node itself; the last one of them is `out`. */
static size_t own_writes(const struct event **out, const struct slice *s, const struct held *held,
                         const struct node *node) {
    const struct event_list *list = events_of_object(s, held->object->id);
    size_t count = 0;
    for (size_t i = 0; list != NULL && i < list->items.count; i++)
        if (node_of(list->items.items[i].event) == node && hits(s, &list->items.items[i], held)) {
            *out = list->items.items[i].event;
            count++;
        }
    return count;
}

bool written_value_writes(const struct slice *slice, const struct held *held,
                          const struct node *node) {
    const struct event *event;
    bool writes = own_writes(&event, slice, held, node) > 0;
    for (size_t i = 0; i < node->calls.count && !writes; i++)
        writes = call_writes(slice, held, node->calls.items[i]);
    return writes;
}

/* ---- What they write ---- */

/* A value of a record, of which a member is read. */
struct written_value_part {
    struct held held; /* the names of the member in the record, the first `names_left` left out */
    int first_name;
    long long offset_bytes; /* of the member in the record */
};

static bool print_part(struct str *out, const struct frame *frame, const struct node *node,
                       const struct ast *value, const struct written_value_part *part);

static bool has_jump_out(const struct function *function, const struct tree *last) {
    for (size_t i = 0; i < function->nodes.count; i++) {
        const struct node *node = function->nodes.items[i];
        bool jumps =
            node->ast != NULL && (node->ast->kind == AST_RETURN || node->ast->kind == AST_GOTO);
        if (jumps && node->tree != last)
            return true;
    }
    return false;
}

static const struct tree *last_statement(const struct function *function) {
    const struct tree *tree = function->tree;
    return tree->kids.count > 0 ? tree->kids.items[tree->kids.count - 1] : NULL;
}

/* Of the record that the call returns. */
static bool print_returned(struct str *out, const struct frame *frame, const struct node *node,
                           const struct ast *ast, const struct written_value_part *part) {
    struct frame inner;
    struct binding bindings[FRAME_MAX_BINDINGS];
    const struct call *call = frame_find_call(node, ast);
    if (call == NULL || !frame_enter(&inner, bindings, frame, node, call))
        return false;
    const struct tree *last = last_statement(inner.function);
    return last != NULL && last->ast->kind == AST_RETURN && last->ast->kid_count > 0 &&
           !has_jump_out(inner.function, last) &&
           print_part(out, &inner, last->nodes.items[last->nodes.count - 1], last->ast->kids[0],
                      part);
}

static void print_names(struct str *out, const struct held *held, int first) {
    for (int i = first; i < held->name_count; i++)
        str_printf(out, ".%s", held->names[i]);
}

/* If such are wanted: what has been printed since then. */
static void add_source(const struct frame *frame, const struct str *out, size_t begin) {
    if (frame->sources != NULL)
        origins_add(frame->sources, out->text + begin);
}

/* Another local of the function has the name, which may be the one that is seen. */
static bool is_shadowed(const struct object *object) {
    const object_list *locals = &object->function->locals;
    for (size_t i = 0; i < locals->count; i++)
        if (locals->items[i] != object && strcmp(locals->items[i]->name, object->name) == 0)
            return true;
    return false;
}

/* It is what it was before the region. */
static bool print_unwritten(struct str *out, const struct frame *frame, const struct held *held) {
    if (held->object->function != frame->region->function || is_shadowed(held->object) ||
        !expression_is_in_scope(frame->region, held->object) ||
        region_writes_of(frame, held->lvalue) || !expression_joins(frame, held->lvalue))
        return false;
    str_add(out, held->object->name);
    print_names(out, held, 0);
    return true;
}

static bool print_value(struct str *out, const struct frame *frame, const struct node *node,
                        const struct held *held) {
    size_t begin = out->length;
    if (!print_unwritten(out, frame, held)) {
        struct frame given = held->frame != NULL ? *held->frame : *frame;
        given.sources = frame->sources;
        given.unsafe = given.unsafe || given.sources != NULL;
        return conditional_value_print_written(out, &given, held,
                                               held->frame != NULL ? held->node : node);
    }
    add_source(frame, out, begin);
    return true;
}

/* Of a record that has been there before the region begins. */
static bool print_source(struct str *out, const struct frame *frame, const struct node *node,
                         const struct ast *value, const struct written_value_part *part) {
    size_t begin = out->length;
    if (node->moves.count != 1)
        return false;
    struct lvalue lvalue = node->moves.items[0].from;
    bool visible = frame->depth == 0 ||
                   program_sees(frame->slice->program, frame->region->function, value->type->name);
    lvalue.offset_bytes += part->offset_bytes;
    lvalue.length_bytes = part->held.lvalue.length_bytes;
    lvalue.class = part->held.lvalue.class;
    if (lvalue.stride_bytes != 0 || !visible || region_writes_of(frame, lvalue) ||
        !expression_joins(frame, lvalue) || !expression_print_base(out, frame, node, value))
        return false;
    print_names(out, &part->held, part->first_name);
    add_source(frame, out, begin);
    return true;
}

static bool print_part(struct str *out, const struct frame *frame, const struct node *node,
                       const struct ast *value, const struct written_value_part *part) {
    struct held source;
    if (value->kind == AST_CALL)
        return print_returned(out, frame, node, value, part);
    if (value->type->kind != TYPE_RECORD)
        return false;
    if (!written_value_find(&source, frame, value))
        return print_source(out, frame, node, value, part);
    source.lvalue.offset_bytes += part->offset_bytes;
    source.lvalue.length_bytes = part->held.lvalue.length_bytes;
    source.lvalue.class = part->held.lvalue.class;
    for (int i = part->first_name; i < part->held.name_count; i++) {
        if (source.name_count == HELD_MAX_NAMES)
            return false;
        source.names[source.name_count++] = part->held.names[i];
    }
    return print_value(out, frame, node, &source);
}

/* `written` is a record around what is looked for, or just that. */
static bool is_within(const struct held *held, const struct held *written) {
    bool within = held->object == written->object && held->name_count >= written->name_count;
    for (int i = 0; i < written->name_count && within; i++)
        within = strcmp(held->names[i], written->names[i]) == 0;
    return within;
}

static bool print_assigned(struct str *out, const struct frame *frame, const struct node *node,
                           const struct held *held) {
    const struct ast *ast = node->ast, *value = NULL;
    struct held written = {.object = held->object};
    const struct type *type = held->object->type;
    if (ast != NULL && ast->kind == AST_VARIABLE && node->declares == held->object) {
        value = ast->kid_count > 0 ? ast->kids[0] : NULL;
    } else if (ast != NULL && ast->kind == AST_BINARY && strcmp(ast->op, "=") == 0) {
        value = written_value_find(&written, frame, ast->kids[0]) ? ast->kids[1] : NULL;
        type = ast->kids[0]->type;
    }
    if (value == NULL || !is_within(held, &written))
        return false;
    if (written.name_count == held->name_count)
        return frame->sources != NULL ? origins_follow(frame, node, value)
                                      : expression_print_as(out, frame, node, value, type);
    struct written_value_part part = {.held = *held, .first_name = written.name_count};
    part.offset_bytes = held->lvalue.offset_bytes - written.lvalue.offset_bytes;
    return print_part(out, frame, node, value, &part);
}

/* The value behind the last statement of the function that is called. */
static bool print_called(struct str *out, const struct frame *frame, const struct node *node,
                         const struct held *held, const struct call *call) {
    struct frame inner;
    struct binding bindings[FRAME_MAX_BINDINGS];
    return frame_enter(&inner, bindings, frame, node, call) &&
           !has_jump_out(inner.function, last_statement(inner.function)) &&
           conditional_value_print_at_end(out, &inner, held);
}

/* Of a communicator that the region asks in any case, so that it is there where the region begins.
 */
static bool print_told(struct str *out, const struct frame *frame, const struct node *node,
                       const struct held *held, const struct call *call) {
    struct held written;
    const struct frame *of = frame;
    if (!always_executed_asks(call) || frame->sources != NULL || frame->region->value != NULL ||
        !expression_sees(frame, call->key))
        return false;
    const struct ast *pointee = pointee_of(&of, call->ast->kids[2]);
    if (pointee == NULL || !written_value_find(&written, of, pointee) ||
        written.name_count != held->name_count || !is_within(held, &written))
        return false;
    str_add(out, mpi_call_is(call->mpi, MPI_TELLS_RANK) ? "bsim_rank_in(" : "bsim_size_of(");
    size_t begin = out->length;
    if (!expression_print(out, frame, node, call->ast->kids[1]) ||
        !always_executed_follows(frame, out->text + begin))
        return false;
    str_addc(out, ')');
    return true;
}

bool written_value_print_written(struct str *out, const struct frame *frame,
                                 const struct node *node, const struct held *held) {
    const struct slice *s = frame->slice;
    const struct event *event = NULL;
    const struct call *call = NULL;
    size_t own = own_writes(&event, s, held, node), called = 0;
    for (size_t i = 0; i < node->calls.count; i++)
        if (call_writes(s, held, node->calls.items[i])) {
            call = node->calls.items[i];
            called++;
        }
    if (own + called != 1)
        return false;
    if (call != NULL)
        return print_called(out, frame, node, held, call);
    if (event->kind == EVENT_CALL)
        return print_told(out, frame, node, held, event->call);
    return (event->kind == EVENT_NODE || event->kind == EVENT_MOVE) &&
           print_assigned(out, frame, node, held);
}

bool written_value_print(struct str *out, const struct frame *frame, const struct node *node,
                         const struct ast *ast) {
    struct held held;
    return ast->type->kind == TYPE_INTEGER && written_value_find(&held, frame, ast) &&
           print_value(out, frame, node, &held);
}
