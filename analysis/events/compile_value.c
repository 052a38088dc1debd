/* SPDX-License-Identifier: Apache-2.0
 *
 * Single values: names, operators, filters, conversions.
 */
#include "analysis/events/compile_value.h"

#include "analysis/events/builtin.h"

union event_value *compile_cell(struct compiler *compiler) {
    return ARENA_NEW(compiler->program->arena, union event_value);
}

const union event_value *compile_int(struct compiler *compiler, long long value) {
    union event_value *cell = compile_cell(compiler);
    cell->i = value;
    return cell;
}

unsigned compile_emit(struct compiler *compiler, enum operation_code code, union event_value *out,
                      const union event_value *a, const union event_value *b, void *object) {
    unsigned index = (unsigned)compiler->out->count;
    vec_push(compiler->out,
             (struct operation){.code = code, .out = out, .a = a, .b = b, .object = object});
    if (compiler->nothing != NULL)
        vec_push(compiler->nothing, index);
    return index;
}

void compile_emit_jump(struct compiler *compiler, compile_jumps *jumps, enum operation_code code,
                       const union event_value *a, void *object) {
    vec_push(jumps, (unsigned)compiler->out->count);
    vec_push(compiler->out, (struct operation){.code = code, .a = a, .object = object});
}

void compile_land(struct compiler *compiler, compile_jumps *jumps) {
    for (size_t i = 0; i < jumps->count; i++)
        compiler->out->items[jumps->items[i]].jump = (unsigned)compiler->out->count;
    vec_dispose(jumps);
}

static int known_logic(const struct events_kind *kind, const struct syntax *node) {
    int a = compile_known(kind, node->parts[0]), b = compile_known(kind, node->parts[1]);
    int decides = node->type == SYNTAX_OR;
    if (a == decides || b == decides)
        return decides;
    return a < 0 || b < 0 ? -1 : !decides;
}

int compile_known(const struct events_kind *kind, const struct syntax *node) {
    switch (node->type) {
    case SYNTAX_VALUE:
        if (node->result == EVENT_FLOAT)
            return node->value.f != 0;
        return node->result == EVENT_INT ? node->value.i != 0 : -1;
    case SYNTAX_NAME:
        return node->variable == NULL && node->kind != NULL ? node->kind == kind : -1;
    case SYNTAX_AND:
    case SYNTAX_OR:
        return known_logic(kind, node);
    case SYNTAX_OPERATOR:
        if (node->text[0] == '!' && node->text[1] == '\0') {
            int part = compile_known(kind, node->parts[0]);
            return part < 0 ? -1 : !part;
        }
        return -1;
    default:
        return -1;
    }
}

static const union event_value *compile_name(struct compiler *compiler, struct syntax *node) {
    struct events_variable *variable = node->variable;
    if (variable == NULL)
        return compile_int(compiler, node->kind == compiler->kind);
    if (variable->array != NULL)
        return compile_element(compiler, node);
    if (!compiler->before)
        return &variable->value;
    union event_value *cell = compile_cell(compiler);
    compile_emit(compiler, OPERATION_BEFORE, cell, NULL, NULL, variable);
    return cell;
}

/* At an event of another kind it is that of the last one, if there was one. */
static const union event_value *compile_field(struct compiler *compiler, struct syntax *node) {
    struct events_kind *kind = node->kind;
    bool is_here = kind == compiler->kind;
    if (is_here && !compiler->before)
        return &kind->values[node->field];
    if (compiler->nothing != NULL)
        compile_emit_jump(compiler, compiler->nothing, OPERATION_UNLESS_SEEN, NULL,
                          is_here ? &kind->seen_before : &kind->seen);
    return is_here ? &kind->before[node->field] : &kind->values[node->field];
}

static const union event_value *compile_number(struct compiler *compiler, struct syntax *node) {
    const union event_value *element = compile_locate(compiler, node, COMPILE_READ);
    union event_value *cell = compile_cell(compiler);
    compile_emit(compiler, compiler->before ? OPERATION_LOAD_BEFORE : OPERATION_LOAD, cell, element,
                 NULL, node->variable->array);
    return cell;
}

const union event_value *compile_convert(struct compiler *compiler, const union event_value *value,
                                         enum event_type from, enum event_type to) {
    static const enum operation_code codes[3][3] = {
        [EVENT_INT] =
            {[EVENT_FLOAT] = OPERATION_INT_TO_FLOAT, [EVENT_STRING] = OPERATION_INT_TO_TEXT},
        [EVENT_FLOAT] =
            {[EVENT_INT] = OPERATION_FLOAT_TO_INT, [EVENT_STRING] = OPERATION_FLOAT_TO_TEXT},
        [EVENT_STRING] =
            {[EVENT_INT] = OPERATION_TEXT_TO_INT, [EVENT_FLOAT] = OPERATION_TEXT_TO_FLOAT},
    };
    if (from == to)
        return value;
    union event_value *cell = compile_cell(compiler);
    compile_emit(compiler, codes[from][to], cell, value, NULL, NULL);
    return cell;
}

const union event_value *compile_converted(struct compiler *compiler, struct syntax *node,
                                           enum event_type wanted) {
    if (node->type == SYNTAX_VALUE && node->result == EVENT_INT && wanted == EVENT_FLOAT) {
        union event_value *cell = compile_cell(compiler);
        cell->f = (double)node->value.i;
        return cell;
    }
    return compile_convert(compiler, compile_value(compiler, node), node->result, wanted);
}

const union event_value *compile_overload(struct compiler *compiler,
                                          const struct overload *overload,
                                          const union event_value *const *operands) {
    union event_value *cell = compile_cell(compiler);
    const union event_value **more = NULL;
    if (overload->count > 2) {
        more = ARENA_ARRAY(compiler->program->arena, const union event_value *, 2);
        more[0] = operands[2];
        more[1] = operands[3];
    }
    compile_emit(compiler, overload->code, cell, operands[0],
                 overload->count > 1 ? operands[1] : NULL, more);
    return cell;
}

static const union event_value *compile_operator(struct compiler *compiler, struct syntax *node) {
    const union event_value *operands[4] = {0};
    for (size_t i = 0; i < node->part_count; i++)
        operands[i] = compile_converted(compiler, node->parts[i], node->overload->operands[i]);
    return compile_overload(compiler, node->overload, operands);
}

void compile_condition(struct compiler *compiler, struct syntax *node, compile_jumps *jumps) {
    int known = compile_known(compiler->kind, node);
    if (known == 1)
        return;
    if (known < 0 && node->type == SYNTAX_AND) {
        compile_condition(compiler, node->parts[0], jumps);
        compile_condition(compiler, node->parts[1], jumps);
        return;
    }
    const union event_value *value =
        known == 0 ? compile_int(compiler, 0) : compile_value(compiler, node);
    compile_emit_jump(compiler, jumps,
                      node->result == EVENT_FLOAT && known < 0 ? OPERATION_UNLESS_FLOAT
                                                               : OPERATION_UNLESS_INT,
                      value, NULL);
}

static const union event_value *compile_logic(struct compiler *compiler, struct syntax *node) {
    int known = compile_known(compiler->kind, node);
    if (known >= 0)
        return compile_int(compiler, known);
    bool is_or = node->type == SYNTAX_OR;
    union event_value *cell = compile_cell(compiler);
    compile_jumps ends = {0}, second = {0};
    if (is_or) {
        compile_condition(compiler, node->parts[0], &second);
        compile_emit(compiler, OPERATION_COPY, cell, compile_int(compiler, 1), NULL, NULL);
        compile_emit_jump(compiler, &ends, OPERATION_GO, NULL, NULL);
        compile_land(compiler, &second);
    }
    compile_emit(compiler, OPERATION_COPY, cell, compile_int(compiler, 0), NULL, NULL);
    if (!is_or)
        compile_condition(compiler, node->parts[0], &ends);
    compile_condition(compiler, node->parts[1], &ends);
    compile_emit(compiler, OPERATION_COPY, cell, compile_int(compiler, 1), NULL, NULL);
    compile_land(compiler, &ends);
    return cell;
}

static const union event_value *compile_choice(struct compiler *compiler, struct syntax *node) {
    int known = compile_known(compiler->kind, node->parts[0]);
    union event_value *cell = compile_cell(compiler);
    compile_jumps no = {0}, ends = {0};
    if (known >= 0)
        return compile_converted(compiler, node->parts[known ? 1 : 2], node->result);
    compile_condition(compiler, node->parts[0], &no);
    compile_emit(compiler, OPERATION_COPY, cell,
                 compile_converted(compiler, node->parts[1], node->result), NULL, NULL);
    compile_emit_jump(compiler, &ends, OPERATION_GO, NULL, NULL);
    compile_land(compiler, &no);
    compile_emit(compiler, OPERATION_COPY, cell,
                 compile_converted(compiler, node->parts[2], node->result), NULL, NULL);
    compile_land(compiler, &ends);
    return cell;
}

static const union event_value *compile_filter(struct compiler *compiler, struct syntax *node) {
    compile_jumps none = {0};
    compile_condition(compiler, node->parts[1],
                      compiler->nothing != NULL ? compiler->nothing : &none);
    vec_dispose(&none);
    return compile_value(compiler, node->parts[0]);
}

const union event_value *compile_value(struct compiler *compiler, struct syntax *node) {
    if (compiler->element != NULL && node->shape.dimension_count == 0)
        return node->type == SYNTAX_VALUE ? &node->value : node->once;
    switch (node->type) {
    case SYNTAX_VALUE:
        return &node->value;
    case SYNTAX_NAME:
        return compile_name(compiler, node);
    case SYNTAX_FIELD:
        return compile_field(compiler, node);
    case SYNTAX_INDEX:
        return node->shape.dimension_count > 0 ? compile_element(compiler, node)
                                               : compile_number(compiler, node);
    case SYNTAX_OPERATOR:
        return compile_operator(compiler, node);
    case SYNTAX_AND:
    case SYNTAX_OR:
        return compile_logic(compiler, node);
    case SYNTAX_CHOICE:
        return compile_choice(compiler, node);
    case SYNTAX_FILTER:
        return compile_filter(compiler, node);
    case SYNTAX_CAST:
        return compile_converted(compiler, node->parts[0], node->value_type);
    case SYNTAX_LIST:
        return compile_element(compiler, node);
    default:
        return node->overload != NULL ? compile_operator(compiler, node)
                                      : compile_call(compiler, node);
    }
}
