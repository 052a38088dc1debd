/* SPDX-License-Identifier: Apache-2.0
 *
 * Fixpoint over nodes and functions: a node ends abnormally if it calls an error exit, or a
 * function whose entry does, or if all its successors do.
 */
#include "skeletonizer/exits.h"

#include <string.h>

bool exits_program(const struct call *call) {
    if (call->mpi != NULL)
        return call->mpi->class == MPI_CLASS_ABORT;
    return call->library != NULL && call->library->kind == EXTERN_EXIT;
}

bool exits_is_abnormal(const struct call *call) {
    if (!exits_program(call))
        return false;
    bool with_status =
        call->arguments.count == 1 && call->mpi == NULL && strstr(call->name, "xit") != NULL;
    if (!with_status)
        return true;
    const struct ast *status = call->arguments.items[0].ast;
    return status->has_value && status->value != 0;
}

static bool never_returns(const struct call *call) {
    if (call->conditional)
        return false;
    if (call->targets.count == 0)
        return exits_is_abnormal(call);
    for (size_t i = 0; i < call->targets.count; i++)
        if (!call->targets.items[i]->entry->ends_abnormally)
            return false;
    return true;
}

static bool ends(const struct node *node) {
    for (size_t i = 0; i < node->calls.count; i++)
        if (never_returns(node->calls.items[i]))
            return true;
    for (size_t i = 0; i < node->next.count; i++)
        if (!node->next.items[i]->ends_abnormally)
            return false;
    return node->next.count > 0;
}

void exits_mark(struct program *program) {
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = program->nodes.count; i-- > 0;) {
            struct node *node = program->nodes.items[i];
            if (node->function == NULL || node->kind == NODE_EXIT || node->ends_abnormally)
                continue;
            node->ends_abnormally = ends(node);
            changed = changed || node->ends_abnormally;
        }
    }
}
