/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls of functions that keep something from event to event, or look at whole arrays.
 */
#include "analysis/events/builtin.h"
#include "analysis/events/compile_value.h"

/* What makes an expression occur in an event of the plan. */
enum occurrence {
    OCCURS_HERE = 1,      /* it names this kind */
    OCCURS_ASSIGNED = 2,  /* it reads a variable that the plan may assign */
    OCCURS_ELSEWHERE = 4, /* it names another kind, or reads another variable */
};

static int occurrence_of(const struct compiler *compiler, const struct syntax *node) {
    int found = 0;
    if (builtin_is_call(node, BUILTIN_PREV))
        return OCCURS_ELSEWHERE;
    if (node->type == SYNTAX_NAME && node->variable != NULL)
        return node->variable->written_in == compiler->plan && compiler->plan > 0
                   ? OCCURS_ASSIGNED
                   : OCCURS_ELSEWHERE;
    if (node->type == SYNTAX_NAME && node->kind != NULL)
        return node->kind == compiler->kind ? OCCURS_HERE : OCCURS_ELSEWHERE;
    for (size_t i = 0; i < node->part_count; i++)
        found |= occurrence_of(compiler, node->parts[i]);
    return found;
}

/* Jumps to `jumps` unless one of the variables was assigned in this event. */
static void emit_assigned(struct compiler *compiler, const struct syntax *node,
                          compile_jumps *assigned) {
    if (builtin_is_call(node, BUILTIN_PREV))
        return;
    if (node->type == SYNTAX_NAME && node->variable != NULL &&
        node->variable->written_in == compiler->plan)
        compile_emit_jump(compiler, assigned, OPERATION_IF_CHANGED, NULL, &node->variable->changed);
    for (size_t i = 0; i < node->part_count; i++)
        emit_assigned(compiler, node->parts[i], assigned);
}

/* false: the expression cannot occur in this plan. What follows is for when it does; the jumps are
 * to land behind it. */
static bool begin_occurrence(struct compiler *compiler, const struct syntax *node,
                             compile_jumps *out) {
    int occurrence = occurrence_of(compiler, node);
    compile_jumps assigned = {0};
    if (occurrence == OCCURS_ELSEWHERE)
        return false;
    if ((occurrence & OCCURS_HERE) != 0 || (occurrence & OCCURS_ASSIGNED) == 0)
        return true;
    emit_assigned(compiler, node, &assigned);
    compile_emit_jump(compiler, out, OPERATION_GO, NULL, NULL);
    compile_land(compiler, &assigned);
    return true;
}

static const union event_value *value_for(struct compiler *compiler, struct syntax *argument,
                                          const struct aggregate_states *states) {
    const union event_value *value = compile_value(compiler, argument);
    return argument->result == EVENT_STRING
               ? value /* counted, not looked at */
               : compile_convert(compiler, value, argument->result, states->type);
}

static void add_elements(struct compiler *compiler, struct syntax *argument,
                         struct aggregate_states *states) {
    struct compile_loop loop = {0};
    const union event_value *count = compiler->spread_count;
    struct machine_spread *spread = compiler->spread;
    compiler->spread_count = NULL;
    compiler->spread = NULL;
    compile_emit(compiler, OPERATION_AGGREGATE_RESET, NULL, NULL, NULL, states);
    compile_prepare(compiler, argument);
    compile_loop_over(compiler, &loop, argument);
    compile_loop_begin(compiler, &loop);
    compile_emit(compiler, OPERATION_AGGREGATE_ADD, NULL, value_for(compiler, argument, states),
                 loop.at, states);
    compile_loop_end(compiler, &loop);
    compiler->spread_count = count;
    compiler->spread = spread;
}

static void add_occurrence(struct compiler *compiler, struct syntax *argument,
                           struct aggregate_states *states, const union event_value *key) {
    compile_jumps *outside = compiler->nothing, nothing = {0};
    if (!begin_occurrence(compiler, argument, &nothing))
        return;
    compiler->nothing = &nothing;
    const union event_value *value = value_for(compiler, argument, states);
    compile_emit(compiler, key != NULL ? OPERATION_AGGREGATE_ADD_BY : OPERATION_AGGREGATE_ADD, NULL,
                 value, key != NULL ? key : compile_int(compiler, 0), states);
    compile_land(compiler, &nothing);
    compiler->nothing = outside;
}

static const union event_value *key_of(struct compiler *compiler, struct syntax *key) {
    const union event_value *value = compile_value(compiler, key);
    union event_value *cell = compile_cell(compiler);
    compile_emit(compiler, OPERATION_COPY, cell, value, NULL, NULL);
    return cell;
}

static const union event_value *compile_aggregate(struct compiler *compiler, struct syntax *node) {
    struct syntax *argument = builtin_argument(node), *by = builtin_key(node);
    const union event_value *key = by != NULL ? key_of(compiler, by) : NULL;
    const union event_value *p = node->part_count > 1
                                     ? compile_converted(compiler, node->parts[1], EVENT_FLOAT)
                                     : compile_int(compiler, 0);
    union event_value *cell = compile_cell(compiler);
    if (argument->shape.dimension_count > 0)
        add_elements(compiler, argument, node->states);
    else if (node->updated_in != compiler->plan)
        add_occurrence(compiler, argument, node->states, key);
    compile_emit(compiler, by != NULL ? OPERATION_AGGREGATE_GET_BY : OPERATION_AGGREGATE_GET, cell,
                 p, key, node->states);
    return cell;
}

static const union event_value *compile_default(struct compiler *compiler, struct syntax *node) {
    union event_value *cell = compile_cell(compiler);
    compile_jumps *outside = compiler->nothing, nothing = {0}, ends = {0};
    compiler->nothing = &nothing;
    compile_emit(compiler, OPERATION_COPY, cell,
                 compile_converted(compiler, node->parts[0], node->result), NULL, NULL);
    compile_emit_jump(compiler, &ends, OPERATION_GO, NULL, NULL);
    compile_land(compiler, &nothing);
    compiler->nothing = outside;
    compile_emit(compiler, OPERATION_COPY, cell,
                 compile_converted(compiler, node->parts[1], node->result), NULL, NULL);
    compile_land(compiler, &ends);
    return cell;
}

static const union event_value *compile_prev(struct compiler *compiler, struct syntax *node) {
    bool before = compiler->before;
    compiler->before = true;
    const union event_value *value = compile_value(compiler, node->parts[0]);
    compiler->before = before;
    return value;
}

static const union event_value *compile_take(struct compiler *compiler, struct syntax *node) {
    union event_value *cell = compile_cell(compiler);
    compile_emit(compiler, OPERATION_LOAD, cell,
                 compile_locate(compiler, node->parts[0], COMPILE_TAKE), NULL,
                 node->parts[0]->variable->array);
    return cell;
}

static const union event_value *compile_has(struct compiler *compiler, struct syntax *node) {
    union event_value *cell = compile_cell(compiler);
    compile_emit(compiler, OPERATION_IS_ELEMENT, cell,
                 compile_locate(compiler, node->parts[0], COMPILE_READ), NULL, NULL);
    return cell;
}

static const union event_value *compile_length(struct compiler *compiler, struct syntax *node) {
    union event_value *cell = compile_cell(compiler);
    struct events_array *array = node->parts[0]->variable->array;
    compile_emit(compiler, array->shape.keyed ? OPERATION_COUNT_KEYS : OPERATION_COUNT_ELEMENTS,
                 cell, NULL, NULL, array);
    return cell;
}

static void push_window(struct compiler *compiler, struct syntax *node) {
    compile_jumps *outside = compiler->nothing, nothing = {0};
    const union event_value *count = compile_value(compiler, node->parts[1]);
    if (!begin_occurrence(compiler, node->parts[0], &nothing))
        return;
    compiler->nothing = &nothing;
    compile_emit(compiler, OPERATION_PUSH_WINDOW, NULL, compile_value(compiler, node->parts[0]),
                 count, node->array);
    compile_land(compiler, &nothing);
    compiler->nothing = outside;
}

void compile_window(struct compiler *compiler, struct syntax *node) {
    if (node->updated_in != compiler->plan)
        push_window(compiler, node);
}

/* The key of what is added may be nothing, and then nothing is added. */
static void update_aggregate(struct compiler *compiler, struct syntax *node) {
    struct syntax *argument = builtin_argument(node), *by = builtin_key(node);
    compile_jumps *outside = compiler->nothing, nothing = {0};
    if (argument->shape.dimension_count > 0)
        return;
    compiler->nothing = &nothing;
    const union event_value *key = by != NULL ? key_of(compiler, by) : NULL;
    add_occurrence(compiler, argument, node->states, key);
    compile_land(compiler, &nothing);
    compiler->nothing = outside;
    node->updated_in = compiler->plan;
}

void compile_updates(struct compiler *compiler, struct syntax *node) {
    if (builtin_is_call(node, BUILTIN_AGGREGATE))
        update_aggregate(compiler, node);
    if (builtin_is_call(node, BUILTIN_WINDOW)) {
        compile_jumps *outside = compiler->nothing, nothing = {0};
        compiler->nothing = &nothing;
        push_window(compiler, node);
        compile_land(compiler, &nothing);
        compiler->nothing = outside;
        node->updated_in = compiler->plan;
    }
    for (size_t i = 0; i < node->part_count && node->updated_in != compiler->plan; i++)
        compile_updates(compiler, node->parts[i]);
}

void compile_top(struct compiler *compiler, struct syntax *node) {
    struct machine_top *top = ARENA_NEW(compiler->program->arena, struct machine_top);
    top->from = node->parts[0]->variable->array;
    top->out = node->array;
    compile_emit(compiler, OPERATION_TOP, NULL, compile_value(compiler, node->parts[1]), NULL, top);
}

void compile_spread(struct compiler *compiler, struct syntax *node) {
    struct machine_spread *spread = ARENA_NEW(compiler->program->arena, struct machine_spread);
    if (compiler->spread_count == NULL || compiler->spread != NULL) {
        script_fail(compiler->program->script, node->place,
                    compiler->spread != NULL
                        ? "a rule can have one spread; write another rule"
                        : "spread is added to an array of fixed size; write ARRAY += spread(...)");
        return;
    }
    spread->is_int = node->result == EVENT_INT;
    spread->count = compiler->spread_count;
    const union event_value **operands[] = {&spread->from, &spread->to, &spread->low,
                                            &spread->high};
    for (size_t i = 0; i < 4; i++)
        *operands[i] = compile_converted(compiler, node->parts[i], node->result);
    compiler->spread = spread;
    compile_emit(compiler, OPERATION_SPREAD, NULL, NULL, NULL, spread);
}

static const union event_value *compile_spread_at(struct compiler *compiler) {
    union event_value *cell = compile_cell(compiler);
    if (compiler->spread != NULL) /* else there is a message */
        compile_emit(compiler, OPERATION_SPREAD_AT, cell, compiler->element, NULL,
                     compiler->spread);
    return cell;
}

const union event_value *compile_call(struct compiler *compiler, struct syntax *node) {
    switch (node->builtin->type) {
    case BUILTIN_AGGREGATE:
        return compile_aggregate(compiler, node);
    case BUILTIN_PREV:
        return compile_prev(compiler, node);
    case BUILTIN_TAKE:
        return node->shape.dimension_count > 0 ? compile_element(compiler, node)
                                               : compile_take(compiler, node);
    case BUILTIN_HAS:
        return compile_has(compiler, node);
    case BUILTIN_DEFAULT:
        return compile_default(compiler, node);
    case BUILTIN_LENGTH:
        return compile_length(compiler, node);
    case BUILTIN_SPREAD:
        return compile_spread_at(compiler);
    default:
        return compile_element(compiler, node);
    }
}
