/* SPDX-License-Identifier: Apache-2.0
 *
 * The frame of a function that is called in a region; see expression.h. A parameter stands for its
 * argument where the function never changes it; records stand for their arguments in any case. Not
 * handled: functions that call themselves, calls through pointers with several targets, and more
 * than FRAME_MAX_BINDINGS parameters (the others are not known).
 */
#include "skeletonizer/features/expression.h"

#include "skeletonizer/slice/flow.h"

#include <string.h>

#define MAX_CALL_DEPTH 5

const struct binding *frame_binding(const struct frame *frame,
                                    const struct declaration *declaration) {
    for (const struct binding *b = frame->bindings; b != NULL; b = b->outer)
        if (b->declaration == declaration || strcmp(b->declaration->key, declaration->key) == 0)
            return b;
    return NULL;
}

const struct call *frame_find_call(const struct node *node, const struct ast *ast) {
    for (size_t i = 0; i < node->calls.count; i++)
        if (node->calls.items[i]->ast == ast)
            return node->calls.items[i];
    return NULL;
}

static bool changes(const struct function *function, const struct object *object) {
    if (!flow_tracks(object))
        return true;
    for (size_t n = 0; n < function->nodes.count; n++)
        for (size_t d = 0; d < function->nodes.items[n]->defines.count; d++)
            if (function->nodes.items[n]->defines.items[d].object == object->id)
                return true;
    return false;
}

/* Also by way of others: an object would be one of several of its name. */
static bool is_entered(const struct frame *frame, const struct function *function) {
    while (frame != NULL && frame->function != function)
        frame = frame->caller;
    return frame != NULL;
}

bool frame_enter(struct frame *out, struct binding bindings[FRAME_MAX_BINDINGS],
                 const struct frame *outer, const struct node *node, const struct call *call) {
    const struct function *function = call->targets.count == 1 ? call->targets.items[0] : NULL;
    if (function == NULL || is_entered(outer, function) || outer->depth >= MAX_CALL_DEPTH)
        return false;
    *out = *outer;
    out->function = function;
    out->bindings = NULL;
    out->caller = outer;
    out->called_at = node;
    out->depth++;
    size_t count = 0;
    for (size_t i = 0;
         i < function->parameters.count && i < call->arguments.count && count < FRAME_MAX_BINDINGS;
         i++) {
        const struct object *parameter = function->parameters.items[i];
        const struct argument *argument = &call->arguments.items[i];
        if (!argument->is_aggregate && changes(function, parameter))
            continue;
        bindings[count] =
            (struct binding){.outer = out->bindings,
                             .declaration = parameter->declaration,
                             .argument = argument->ast,
                             .argument_node = node,
                             .argument_frame = outer,
                             .record = argument->is_aggregate ? &argument->aggregate : NULL};
        out->bindings = &bindings[count++];
    }
    return true;
}
