/* SPDX-License-Identifier: Apache-2.0
 *
 * Indices: a row by its number or key, then each further dimension.
 */
#include "analysis/events/compile_value.h"

static struct events_access *access_of(struct compiler *compiler, struct syntax *node,
                                       size_t dimension) {
    struct events_program *program = compiler->program;
    if (node->access != NULL)
        return node->access;
    node->access = ARENA_NEW(program->arena, struct events_access);
    node->access->place = node->parts[1]->place;
    node->access->name = node->variable->name;
    node->access->array = node->variable->array;
    node->access->size = node->variable->shape.dimensions[dimension];
    vec_push(&program->accesses, node->access);
    return node->access;
}

static const union event_value *compile_position(struct compiler *compiler, struct syntax *index) {
    const union event_value *value = compile_value(compiler, index);
    if (index->result != EVENT_FLOAT)
        return value;
    union event_value *cell = compile_cell(compiler);
    compile_emit(compiler, OPERATION_FLOAT_TO_INDEX, cell, value, NULL, NULL);
    return cell;
}

static enum operation_code row_operation(const struct syntax_shape *shape,
                                         enum compile_access access) {
    if (access == COMPILE_TAKE)
        return OPERATION_ROW_TAKE;
    if (shape->keyed)
        return access == COMPILE_WRITE ? OPERATION_ROW_KEY_WRITE : OPERATION_ROW_KEY_READ;
    if (shape->dimensions[0] != DIMENSION_GROWS)
        return OPERATION_ROW_FIXED;
    return access == COMPILE_WRITE ? OPERATION_ROW_GROWING_WRITE : OPERATION_ROW_GROWING_READ;
}

/* The number without what the missing indices add. */
static const union event_value *locate(struct compiler *compiler, struct syntax *node,
                                       enum compile_access access, size_t *out_dimensions) {
    const struct syntax_shape *shape = &node->variable->shape;
    union event_value *cell;
    if (node->parts[0]->type == SYNTAX_NAME) {
        const union event_value *position = compile_position(compiler, node->parts[1]);
        *out_dimensions = 1;
        cell = compile_cell(compiler);
        compile_emit(compiler, row_operation(shape, access), cell, position, NULL,
                     access_of(compiler, node, 0));
        return cell;
    }
    const union event_value *row = locate(compiler, node->parts[0], access, out_dimensions);
    const union event_value *position = compile_position(compiler, node->parts[1]);
    cell = compile_cell(compiler);
    compile_emit(compiler, OPERATION_INSIDE, cell, row, position,
                 access_of(compiler, node, (*out_dimensions)++));
    return cell;
}

const union event_value *compile_locate(struct compiler *compiler, struct syntax *node,
                                        enum compile_access access) {
    const struct syntax_shape *shape = &node->variable->shape;
    size_t dimensions;
    long rest = 1;
    bool before = compiler->before;
    compiler->before = false; /* prev(a[i]) asks for what a was, at the i of now */
    const union event_value *number = locate(compiler, node, access, &dimensions);
    compiler->before = before;
    for (; dimensions < shape->dimension_count; dimensions++)
        rest *= shape->dimensions[dimensions];
    if (rest == 1)
        return number;
    union event_value *cell = compile_cell(compiler);
    compile_emit(compiler, OPERATION_SCALE, cell, number, compile_int(compiler, rest), NULL);
    return cell;
}
