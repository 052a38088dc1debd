/* SPDX-License-Identifier: Apache-2.0
 *
 * A loop takes text apart if it calls a function of the C library that reads lines or words or
 * makes numbers of them, and neither communicates nor computes with floating-point numbers of
 * arrays. A function is its helper if only such loops and other helpers call it, and it has to do
 * with characters but not with such arrays.
 *
 * Not handled: loops that take text apart by hand, without any such function.
 */
#include "skeletonizer/hot/parsing.h"

#include "frontend/program/tree.h"
#include "skeletonizer/hot/silent_loops.h"

#include <stdlib.h>
#include <string.h>

static bool reads_text(const struct call *call) {
    static const char *const names[] = {
        "atoi",     "atol",   "atoll",  "atof",        "strtol",  "strtoul",  "strtoll",
        "strtoull", "strtod", "strtof", "strtold",     "sscanf",  "fscanf",   "scanf",
        "fgets",    "fgetc",  "getc",   "getchar",     "getline", "getdelim", "strtok",
        "strtok_r", "strsep", "getopt", "getopt_long",
    };
    for (size_t i = 0; call->targets.count == 0 && i < sizeof names / sizeof *names; i++)
        if (call->name != NULL && strcmp(call->name, names[i]) == 0)
            return true;
    return false;
}

/* With what arrays hold; numbers that are read from text may go there. */
static bool computes(const struct node *node) {
    for (size_t i = 0; i < node->uses.count; i++)
        if (node->uses.items[i].class == CLASS_FLOATING && node->uses.items[i].stride_bytes != 0)
            return true;
    return false;
}

static bool takes_apart(const struct slice *s, const node_list *nodes) {
    bool reads = false;
    for (size_t i = 0; i < nodes->count; i++) {
        const struct node *node = nodes->items[i];
        if (computes(node))
            return false;
        for (size_t k = 0; k < node->calls.count; k++) {
            if (silent_loops_communicates(s, node->calls.items[k]))
                return false;
            reads = reads || reads_text(node->calls.items[k]);
        }
    }
    return reads;
}

static void find_loops(bool *parses, const struct slice *s, const struct tree *tree) {
    if (tree_is_loop(tree)) {
        node_list nodes = {0};
        tree_nodes(tree, &nodes);
        bool found = takes_apart(s, &nodes);
        for (size_t i = 0; i < nodes.count && found; i++)
            parses[nodes.items[i]->id] = true;
        vec_dispose(&nodes);
        if (found)
            return;
    }
    for (size_t i = 0; i < tree->kids.count; i++)
        find_loops(parses, s, tree->kids.items[i]);
}

static bool has_characters(const struct ast *ast) {
    if (ast == NULL)
        return false;
    if ((ast->kind == AST_SUBSCRIPT || ast->kind == AST_UNARY) && ast->type != NULL &&
        ast->type->kind == TYPE_CHARACTER)
        return true;
    for (int i = 0; i < ast->kid_count; i++)
        if (has_characters(ast->kids[i]))
            return true;
    return false;
}

static bool is_helper(const bool *parses, const struct slice *s, const struct function *function) {
    const call_list *callers = &s->callers[function->id];
    bool characters = false, reads = false;
    for (size_t i = 0; i < callers->count; i++) {
        const struct node *node = callers->items[i]->node;
        if (node->function != NULL && node->function->is_live && !parses[node->id])
            return false;
    }
    for (size_t i = 0; i < function->nodes.count; i++) {
        const struct node *node = function->nodes.items[i];
        if (computes(node))
            return false;
        characters = characters || has_characters(node->ast);
        for (size_t k = 0; k < node->calls.count; k++)
            reads = reads || reads_text(node->calls.items[k]);
    }
    return callers->count > 0 && (characters || reads) && !s->communicates[function->id];
}

bool *parsing_find(const struct slice *s) {
    const struct program *program = s->program;
    bool *parses = memset(xmalloc(program->nodes.count + 1), 0, program->nodes.count + 1);
    for (size_t i = 0; i < program->functions.count; i++)
        if (program->functions.items[i]->is_live && program->functions.items[i]->tree != NULL)
            find_loops(parses, s, program->functions.items[i]->tree);
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < program->functions.count; i++) {
            const struct function *function = program->functions.items[i];
            if (parses[function->entry->id] || !is_helper(parses, s, function))
                continue;
            for (size_t k = 0; k < function->nodes.count; k++)
                parses[function->nodes.items[k]->id] = true;
            changed = true;
        }
    }
    return parses;
}
