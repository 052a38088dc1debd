/* SPDX-License-Identifier: Apache-2.0
 *
 * Bits are mixed where an exclusive or of eight bytes has an operand that is shifted: shift
 * registers (Tausworthe 1965), xorshift, the finishers of hashes. Partners in a hypercube
 * (rank ^ (1 << k)) shift a constant. From there on the demands are followed upwards through
 * statements that copy a number or choose bits of it; sums, products and decisions are of another
 * kind, since they may have a mean.
 *
 * Not handled: generators that only multiply and add.
 */
#include "skeletonizer/cut/cut_mixed.h"

#include "base/str.h"
#include "skeletonizer/given/cut_parts.h"

#include <string.h>

#define WIDE 8 /* bytes */

static bool is_wide(const struct ast *ast) {
    return ast->type != NULL && ast->type->kind == TYPE_INTEGER && ast->type->size_bytes >= WIDE;
}

static bool shifts(const struct ast *ast) {
    static const char *const ops[] = {"<<", ">>", NULL};
    if (ast == NULL)
        return false;
    if (ast->kind == AST_BINARY && text_is_one_of(ast->op, ops) && is_wide(ast) &&
        !ast->kids[0]->has_value)
        return true;
    for (int i = 0; i < ast->kid_count; i++)
        if (shifts(ast->kids[i]))
            return true;
    return false;
}

static bool mixes(const struct ast *ast) {
    static const char *const ops[] = {"^", "^=", NULL};
    if (ast == NULL)
        return false;
    if ((ast->kind == AST_BINARY || ast->kind == AST_COMPOUND_ASSIGN) &&
        text_is_one_of(ast->op, ops) && is_wide(ast) && shifts(ast))
        return true;
    for (int i = 0; i < ast->kid_count; i++)
        if (mixes(ast->kids[i]))
            return true;
    return false;
}

/* Its value is bits of what it reads. */
static bool passes_bits(const struct ast *ast) {
    static const char *const ops[] = {"^", "&", "|", "^=", "&=", "|=", NULL};
    static const char *const choosing[] = {"<<", ">>", "<<=", ">>=", "%", "%=", NULL};
    static const char *const copying[] = {"=", ",", NULL};
    if (ast == NULL)
        return false;
    switch (ast->kind) {
    case AST_BINARY:
    case AST_COMPOUND_ASSIGN:
        if (text_is_one_of(ast->op, ops))
            return passes_bits(ast->kids[0]) || passes_bits(ast->kids[1]);
        return (text_is_one_of(ast->op, choosing) && passes_bits(ast->kids[0])) ||
               (text_is_one_of(ast->op, copying) && passes_bits(ast->kids[1]));
    case AST_REFERENCE:
    case AST_MEMBER:
    case AST_SUBSCRIPT:
    case AST_CALL:
        return true;
    case AST_UNARY:
        return strcmp(ast->op, "*") == 0 ||
               (strcmp(ast->op, "~") == 0 && passes_bits(ast->kids[0]));
    case AST_CONDITIONAL:
        return passes_bits(ast->kids[1]) || passes_bits(ast->kids[2]);
    case AST_CAST:
    case AST_RETURN:
    case AST_VARIABLE:
    case AST_DECLARE:
        for (int i = 0; i < ast->kid_count; i++)
            if (passes_bits(ast->kids[i]))
                return true;
        return false;
    default:
        return false;
    }
}

/* What the demand is for are bits of what it raises, if that is mixed. */
static bool passes(const struct slice *s, int demand, const struct ast *const *parts) {
    const struct node *node = cut_node_of(s, (size_t)demand);
    if (node == NULL)
        return s->demands.items[demand].kind == DEMAND_VALUE ||
               s->demands.items[demand].kind == DEMAND_PLACE ||
               s->demands.items[demand].kind == DEMAND_PARAMETER ||
               s->demands.items[demand].kind == DEMAND_ARGUMENT;
    const struct ast *part = parts[node->id];
    if (part != NULL && (cut_steers(node) || cut_part_decides(node, part) ||
                         cut_part_type(node, part)->kind != TYPE_INTEGER))
        return false;
    return !cut_steers(node) && passes_bits(part != NULL ? part : node->ast);
}

/* Of statements without a part that could be given all edges go around. */
static bool is_data(const struct slice *s, const struct demand_edge *edge,
                    const struct ast *const *parts) {
    const struct node *from = cut_node_of(s, (size_t)edge->from),
                      *to = cut_node_of(s, (size_t)edge->to);
    if (!edge->around)
        return true;
    return from != NULL && parts[from->id] == NULL && (to == NULL || !cut_steers(to));
}

static void follow(const struct slice *s, const struct demand_graph *graph,
                   const struct ast *const *parts, bool *mixed) {
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < graph->edges.count; i++) {
            const struct demand_edge *edge = &graph->edges.items[i];
            if (mixed[edge->from] || !mixed[edge->to] || !is_data(s, edge, parts) ||
                !passes(s, edge->from, parts))
                continue;
            mixed[edge->from] = changed = true;
        }
    }
}

bool *cut_mixed_find(struct slice *s, const struct ast *const *parts) {
    size_t nodes = s->program->nodes.count, count = s->demands.count, found = 0;
    bool *by_node = memset(xmalloc(nodes + 1), 0, nodes + 1);
    bool *mixed = memset(xmalloc(count + 1), 0, count + 1);
    for (size_t i = 0; i < count; i++) {
        const struct node *node = cut_node_of(s, i);
        mixed[i] = node != NULL && !cut_steers(node) && mixes(node->ast);
        found += mixed[i];
    }
    if (found > 0) {
        struct demand_graph graph = {0};
        slice_record(s, &graph, parts);
        follow(s, &graph, parts, mixed);
        vec_dispose(&graph.edges);
    }
    for (size_t i = 0; i < count; i++)
        if (mixed[i] && cut_node_of(s, i) != NULL)
            by_node[s->demands.items[i].subject] = true;
    free(mixed);
    return by_node;
}
