/* SPDX-License-Identifier: Apache-2.0
 *
 * Expressions over arrays, element by element.
 */
#include "analysis/events/builtin.h"
#include "analysis/events/compile_value.h"
#include "analysis/events/syntax/shape.h"

static void prepare_list(struct compiler *compiler, struct syntax *node) {
    for (size_t i = 0; i < node->part_count; i++)
        compile_emit(compiler, OPERATION_FILL, NULL, compile_int(compiler, (long long)i),
                     compile_converted(compiler, node->parts[i], node->result), node->array);
}

static void prepare_parts(struct compiler *compiler, struct syntax *node) {
    for (size_t i = 0; i < node->part_count; i++)
        compile_prepare(compiler, node->parts[i]);
}

static void prepare_call(struct compiler *compiler, struct syntax *node) {
    bool before = compiler->before;
    switch (node->builtin->type) {
    case BUILTIN_PREV:
        compiler->before = true;
        prepare_parts(compiler, node);
        compiler->before = before;
        break;
    case BUILTIN_TAKE:
        node->parts[0]->once = compile_locate(compiler, node->parts[0], COMPILE_TAKE);
        break;
    case BUILTIN_WINDOW:
        compile_window(compiler, node);
        break;
    case BUILTIN_TOP:
        compile_top(compiler, node);
        break;
    default:
        compile_spread(compiler, node);
    }
}

void compile_prepare(struct compiler *compiler, struct syntax *node) {
    if (node->shape.dimension_count == 0)
        node->once = compile_value(compiler, node);
    else if (node->type == SYNTAX_INDEX)
        node->once = compile_locate(compiler, node, COMPILE_READ);
    else if (node->type == SYNTAX_LIST)
        prepare_list(compiler, node);
    else if (node->type == SYNTAX_CALL && node->builtin != NULL)
        prepare_call(compiler, node);
    else if (node->type != SYNTAX_NAME)
        prepare_parts(compiler, node);
}

static const union event_value *load(struct compiler *compiler, struct events_array *array,
                                     const union event_value *base, bool before) {
    union event_value *number = compile_cell(compiler), *cell = compile_cell(compiler);
    compile_emit(compiler, compiler->keyed ? OPERATION_ELEMENT_OF_KEY : OPERATION_ELEMENT, number,
                 compiler->element, base != NULL ? base : compile_int(compiler, 0), array);
    compile_emit(compiler, before ? OPERATION_LOAD_BEFORE : OPERATION_LOAD, cell, number, NULL,
                 array);
    return cell;
}

const union event_value *compile_element(struct compiler *compiler, struct syntax *node) {
    if (node->type == SYNTAX_NAME)
        return load(compiler, node->variable->array, NULL, compiler->before);
    if (node->type == SYNTAX_INDEX)
        return load(compiler, node->variable->array, node->once, compiler->before);
    if (builtin_is_call(node, BUILTIN_TAKE))
        return load(compiler, node->parts[0]->variable->array, node->parts[0]->once, false);
    return load(compiler, node->array, NULL, false);
}

void compile_collect(compile_arrays *out, const struct syntax *node) {
    if (node->shape.dimension_count == 0)
        return;
    if (node->type == SYNTAX_NAME)
        vec_push_new(out, node->variable->array);
    else if (node->array != NULL)
        vec_push_new(out, node->array);
    else if (node->type != SYNTAX_INDEX)
        for (size_t i = 0; i < node->part_count; i++)
            compile_collect(out, node->parts[i]);
}

/* The most elements that one of them has. */
static const union event_value *largest_count(struct compiler *compiler,
                                              const compile_arrays *arrays) {
    const union event_value *most = compile_int(compiler, 0);
    for (size_t i = 0; i < arrays->count; i++) {
        union event_value *count = compile_cell(compiler), *larger = compile_cell(compiler);
        compile_emit(compiler, OPERATION_COUNT_ELEMENTS, count, NULL, NULL, arrays->items[i]);
        compile_emit(compiler, OPERATION_MAX_INT, larger, most, count, NULL);
        most = larger;
    }
    return most;
}

static void use_items(struct compiler *compiler, struct compile_loop *loop, bool keyed,
                      compile_arrays *arrays) {
    struct arena *arena = compiler->program->arena;
    loop->items = ARENA_NEW(arena, struct operation_items);
    loop->items->keyed = loop->keyed = keyed;
    loop->items->array_count = arrays->count;
    loop->items->arrays = ARENA_ARRAY(arena, struct events_array *, arrays->count + 1);
    for (size_t i = 0; i < arrays->count; i++)
        loop->items->arrays[i] = arrays->items[i];
    vec_push(&compiler->program->lists, loop->items);
    vec_dispose(arrays);
}

void compile_loop_assigned(struct compiler *compiler, struct compile_loop *loop, bool keyed,
                           compile_arrays *arrays) {
    use_items(compiler, loop, keyed, arrays);
    compile_emit(compiler, OPERATION_LIST_ASSIGNED, NULL, NULL, NULL, loop->items);
}

void compile_loop_keys(struct compiler *compiler, struct compile_loop *loop,
                       compile_arrays *arrays) {
    use_items(compiler, loop, true, arrays);
    compile_emit(compiler, OPERATION_LIST_KEYS, NULL, NULL, NULL, loop->items);
}

void compile_loop_over(struct compiler *compiler, struct compile_loop *loop, struct syntax *node) {
    compile_arrays arrays = {0};
    compile_collect(&arrays, node);
    if (node->shape.keyed) {
        compile_loop_keys(compiler, loop, &arrays);
        return;
    }
    long count = shape_count(&node->shape);
    loop->from = compiler->spread != NULL ? &compiler->spread->first : compile_int(compiler, 0);
    loop->to = compiler->spread != NULL   ? &compiler->spread->end
               : count == DIMENSION_GROWS ? largest_count(compiler, &arrays)
                                          : compile_int(compiler, count);
    vec_dispose(&arrays);
}

void compile_loop_begin(struct compiler *compiler, struct compile_loop *loop) {
    compile_jumps *outside = compiler->nothing;
    loop->at = compile_cell(compiler);
    compiler->nothing = NULL;
    loop->begin =
        compile_emit(compiler, loop->items != NULL ? OPERATION_LIST_BEGIN : OPERATION_LOOP_BEGIN,
                     loop->at, loop->from, loop->to, loop->items);
    loop->nothing_outside = outside;
    loop->nothing = (compile_jumps){0};
    compiler->nothing = &loop->nothing;
    compiler->element = loop->at;
    compiler->keyed = loop->keyed;
}

void compile_loop_end(struct compiler *compiler, struct compile_loop *loop) {
    compile_land(compiler, &loop->nothing);
    compiler->nothing = NULL;
    compiler->element = NULL;
    compiler->keyed = false;
    unsigned next =
        compile_emit(compiler, loop->items != NULL ? OPERATION_LIST_NEXT : OPERATION_LOOP_NEXT,
                     loop->at, NULL, loop->to, loop->items);
    compiler->out->items[next].jump = loop->begin + 1;
    compiler->out->items[loop->begin].jump = next + 1;
    compiler->nothing = loop->nothing_outside;
}
