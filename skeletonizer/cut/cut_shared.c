/* SPDX-License-Identifier: Apache-2.0
 *
 * The original records a value wherever it computes it. Where a function that gives values is also
 * called by code that the skeleton does not have, that code calls a plain copy (rewrite_plain.c).
 * Calls through pointers and calls that cannot name another function have none: a function that
 * they reach, itself or through others, gives no values. Calls through pointers that the skeleton
 * keeps do no harm.
 */
#include "skeletonizer/cut/cut_shared.h"

#include "skeletonizer/slice/instances.h"

#include <stdlib.h>
#include <string.h>

static bool *new_flags(const struct program *program) {
    return memset(xmalloc(program->functions.count + 1), 0, program->functions.count + 1);
}

bool *cut_shared_recording(const struct slice *s) {
    const struct program *program = s->program;
    bool *records = new_flags(program);
    for (size_t i = 0; i < program->nodes.count; i++) {
        const struct node *node = program->nodes.items[i];
        if (node->function != NULL && slice_keeps_value(s, node))
            records[program_origin(node->function)->id] = true;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < program->calls.count; i++) {
            const struct call *call = program->calls.items[i];
            if (call->node->function == NULL || records[program_origin(call->node->function)->id] ||
                !slice_keeps_call(s, call))
                continue;
            for (size_t k = 0; k < call->targets.count; k++)
                if (records[program_origin(call->targets.items[k])->id])
                    records[program_origin(call->node->function)->id] = changed = true;
        }
    }
    return records;
}

static bool may_call_copy(const struct slice *s, const struct call *call) {
    return call->callee < 0 && call->targets.count == 1 && instances_can_rename(s->program, call) &&
           instances_can_copy(s->program, program_origin(call->targets.items[0]));
}

/* By function as written: code that the skeleton does not have calls it as it is. */
static bool *find_shared(const struct slice *s, const bool *records) {
    const struct program *program = s->program;
    bool *shared = new_flags(program);
    for (size_t i = 0; i < program->calls.count; i++) {
        const struct call *call = program->calls.items[i];
        if (call->node->function == NULL || !call->node->function->is_live ||
            slice_keeps_call(s, call) || may_call_copy(s, call))
            continue;
        for (size_t k = 0; k < call->targets.count; k++) {
            const struct function *target = program_origin(call->targets.items[k]);
            shared[target->id] = shared[target->id] || records[target->id];
        }
    }
    for (bool changed = true; changed;) { /* what they call */
        changed = false;
        for (size_t i = 0; i < program->calls.count; i++) {
            const struct call *call = program->calls.items[i];
            if (call->node->function == NULL || !shared[program_origin(call->node->function)->id])
                continue;
            for (size_t k = 0; k < call->targets.count; k++) {
                bool *flag = &shared[program_origin(call->targets.items[k])->id];
                changed = changed || !*flag;
                *flag = true;
            }
        }
    }
    return shared;
}

bool cut_shared_remove(const struct ast **parts, const struct slice *s,
                       const struct ast *const *cut, const struct cut_wishes *wishes) {
    const struct program *program = s->program;
    bool *records = cut_shared_recording(s), *shared = find_shared(s, records);
    bool removed = false;
    for (size_t i = 0; i < program->nodes.count; i++) {
        const struct node *node = program->nodes.items[i];
        bool hinted = wishes->preferred[i] || wishes->draws[i] != NULL;
        if (node->function == NULL || hinted || parts[i] == NULL ||
            !shared[program_origin(node->function)->id])
            continue;
        removed = removed || cut[i] != NULL;
        parts[i] = NULL;
    }
    free(records);
    free(shared);
    return removed;
}
