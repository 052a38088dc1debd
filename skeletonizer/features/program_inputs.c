/* SPDX-License-Identifier: Apache-2.0
 *
 * Not handled: arrays that are read as a whole, and numbers behind them in a file.
 */
#include "skeletonizer/features/program_inputs.h"

#include "base/str.h"
#include "frontend/program/tree.h"

#include <string.h>

#define FEW 256         /* times that all ranks read a line with parameters, or an argument */
#define MOST_BYTES 4096 /* that are read at once */
#define MOST_USES 32    /* that are looked at in a region */

static bool reads_input(const struct node *node) {
    static const char *const states[] = {"stdin", "getopt", "strtok", NULL};
    for (size_t i = 0; i < node->calls.count; i++) {
        const struct extern_function *library = node->calls.items[i]->library;
        if (library != NULL && (library->kind == EXTERN_INPUT ||
                                (library->state != NULL && text_is_one_of(library->state, states))))
            return true;
    }
    return false;
}

bool inputs_are_read(const struct tree *tree) {
    node_list nodes = {0};
    bool reads = false;
    tree_nodes(tree, &nodes);
    for (size_t i = 0; i < nodes.count && !reads; i++)
        reads = reads_input(nodes.items[i]);
    vec_dispose(&nodes);
    return reads;
}

/* The outermost loop around the node, in which lines or arguments are read, if it is executed once;
 * NULL: there is none. */
static const struct tree *input_loop(const struct slice *s, const struct node *node) {
    const struct tree *outermost = NULL;
    for (const struct tree *tree = node->tree; tree != NULL; tree = tree->parent)
        outermost = tree_is_loop(tree) ? tree : outermost;
    if (outermost == NULL || !slice_is_executed_once(s, node->function->entry))
        return NULL;
    return inputs_are_read(outermost) ? outermost : NULL;
}

/* Executed once, or a few times in such a loop. */
static bool is_few(const struct slice *s, const struct node *node, const struct counts *counts) {
    if (node->function == NULL || (node->kind != NODE_LOOP && slice_is_executed_once(s, node)))
        return true;
    long long often = counts != NULL ? counts_of(counts, node) : -1;
    return often >= 0 && often <= FEW && input_loop(s, node) != NULL;
}

/* Nothing is created or emptied for a feature: the mode stands there, and is "r" or "rb". */
static bool opens_for_reading(const struct slice *s, const struct call *call) {
    static const char *const opening[] = {"fopen", "fopen64", "fdopen", NULL};
    if (!text_is_one_of(call->library->name, opening) || call->arguments.count < 2)
        return false;
    const char *mode = program_text(s->program, call->arguments.items[1].ast->range);
    return strcmp(mode, "\"r\"") == 0 || strcmp(mode, "\"rb\"") == 0 || strcmp(mode, "\"rt\"") == 0;
}

/* Reads little: what is read as a whole may be any number of bytes. */
static bool reads_few_bytes(const struct call *call) {
    static const char *const reading[] = {"fread", "fread_unlocked", "read", "pread", NULL};
    long long bytes = 1;
    if (!text_is_one_of(call->library->name, reading))
        return true;
    for (size_t i = 1; i < call->arguments.count; i++) {
        const struct ast *ast = call->arguments.items[i].ast;
        if (ast->type->kind != TYPE_INTEGER)
            continue;
        if (!ast->has_value || ast->value < 0 || ast->value > MOST_BYTES)
            return false;
        bytes *= ast->value;
    }
    return bytes <= MOST_BYTES;
}

/* It changes nothing but what it is given: no file is written, or opened for that. */
static bool only_reads(const struct slice *s, const struct extern_function *library,
                       const struct call *call) {
    static const char *const states[] = {"stdin", "getopt", "strtok", "environment", NULL};
    static const char *const copying[] = {"memset", "memcpy", "memmove", "qsort",
                                          "bzero",  "bcopy",  NULL};
    if (library->result == EXTERN_RETURNS_FRESH)
        return opens_for_reading(s, call);
    switch (library->kind) {
    case EXTERN_INPUT:
        return reads_few_bytes(call);
    case EXTERN_PURE:
        return !text_is_one_of(library->name, copying);
    case EXTERN_STATE:
        return text_is_one_of(library->state, states);
    case EXTERN_OUTPUT:
        return strcmp(library->name, "fclose") == 0;
    case EXTERN_EXIT:
        return true;
    default:
        return false;
    }
}

static bool is_input_call(const struct slice *s, const struct call *call,
                          const struct counts *counts) {
    if (call->targets.count > 0)
        return true;
    if (call->mpi != NULL)
        return call->mpi->criterion;
    return call->library != NULL && call->library->cost == NULL && is_few(s, call->node, counts) &&
           only_reads(s, call->library, call);
}

bool inputs_are_cheap(const struct slice *s, size_t mark, const struct counts *counts) {
    for (size_t i = mark; i < s->demands.count; i++) {
        const struct demand *demand = &s->demands.items[i];
        if (demand->kind == DEMAND_NODE &&
            !is_few(s, s->program->nodes.items[demand->subject], counts))
            return false;
        if (demand->kind == DEMAND_CALL &&
            !is_input_call(s, s->program->calls.items[demand->subject], counts))
            return false;
    }
    return true;
}

/* A loop that goes on by it stays with it, and is not what goes by it. */
static bool is_of_loop(const struct slice *s, size_t mark, const struct node *node) {
    const struct tree *loop = node->kind == NODE_LOOP ? node->tree : NULL;
    while (loop != NULL && !tree_is_loop(loop))
        loop = loop->parent;
    for (size_t i = mark; loop != NULL && i < s->demands.count; i++) {
        const struct demand *demand = &s->demands.items[i];
        if (demand->kind == DEMAND_NODE &&
            tree_is_within(s->program->nodes.items[demand->subject]->tree, loop))
            return true;
    }
    return false;
}

static bool join_use(struct slice *s, struct node *node, struct lvalue use,
                     const struct counts *counts) {
    size_t mark = slice_mark(s);
    lvalue_list uses = {0};
    vec_push(&uses, use);
    slice_demand_uses(s, node, &uses, "tells how long a region computes");
    vec_dispose(&uses);
    if (!inputs_are_cheap(s, mark, counts) || is_of_loop(s, mark, node))
        slice_take_back(s, mark);
    return slice_mark(s) > mark;
}

static bool join(struct slice *s, struct node *node, const lvalue_list *uses,
                 const struct counts *counts) {
    bool joined = false;
    for (size_t i = 0; i < uses->count && i < MOST_USES; i++) {
        const struct ast *ast = uses->items[i].ast;
        if (ast != NULL && ast->type != NULL && ast->type->kind == TYPE_INTEGER)
            joined |= join_use(s, node, uses->items[i], counts);
    }
    return joined;
}

static bool join_arguments(struct slice *s, struct node *node, const struct counts *counts) {
    bool joined = false;
    for (size_t i = 0; i < node->calls.count; i++) {
        const struct call *call = node->calls.items[i];
        bool computes = call->targets.count == 1 && slice_computes(s, call->targets.items[0]);
        for (size_t k = 0; computes && k < call->arguments.count; k++)
            joined |= join(s, node, &call->arguments.items[k].uses, counts);
    }
    return joined;
}

bool inputs_join(struct slice *s, struct tree *const *trees, size_t count,
                 const struct counts *counts) {
    node_list nodes = {0};
    bool joined = false;
    for (size_t i = 0; i < count; i++)
        tree_nodes(trees[i], &nodes);
    for (size_t i = 0; i < nodes.count; i++) {
        struct node *node = nodes.items[i];
        if (node->kind == NODE_LOOP)
            joined |= join(s, node, &node->uses, counts);
        joined |= join_arguments(s, node, counts);
    }
    vec_dispose(&nodes);
    return joined;
}
