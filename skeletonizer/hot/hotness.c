/* SPDX-License-Identifier: Apache-2.0
 *
 * With counts, hot is a statement that has a real share of all executions and is executed more
 * often than any MPI call that stays (executions.c tells how often). Without, executions are
 * estimated from loops and calls (work_estimate.c), and hot is what is obviously so: what computes
 * with floating-point numbers of arrays in a loop without communication, not more rarely than the
 * most frequent MPI call; and anything that is two loops deeper than that. Kernels of a library
 * whose cost is a product (dgemm: 2*m*n*k) are hot in either case. What reads text never is: what
 * it finds is what the user asked for, which no model can tell. That is a loop that calls a
 * function of the C library that reads lines or words or makes numbers of them, and neither
 * communicates nor computes with floating-point numbers of arrays; and a function, its helper, that
 * only such loops and other helpers call, and that has to do with characters but not with such
 * arrays.
 *
 * Not handled: the time of one execution; loops that take text apart by hand.
 */
#include "skeletonizer/hot/hotness.h"

#include "frontend/program/tree.h"
#include "skeletonizer/hot/silent_loops.h"

#include <stdlib.h>
#include <string.h>

#define HOT_SHARE 1e-4        /* of all executions */
#define HOT_OVER_MPI 4        /* times the executions of the most frequent MPI call */
#define ESTIMATED_OVER_MPI 40 /* the same for what computes on no array */
#define KERNEL_FACTORS 2

/* ---- What reads text ---- */

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

/* By node, on the heap: in a loop that takes text apart, or in a helper of such loops. */
static bool *parsing_find(const struct slice *s) {
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

/* ---- What is hot ---- */

static bool touches_array(const lvalue_list *lvalues) {
    for (size_t i = 0; i < lvalues->count; i++) {
        const struct lvalue *lvalue = &lvalues->items[i];
        if (lvalue->class == CLASS_FLOATING && (lvalue->object < 0 || lvalue->stride_bytes != 0))
            return true;
    }
    return false;
}

/* What the limit is about. */
static double heat(const struct hotness *h, const struct node *node) {
    double often = h->parses[node->id] ? 0 : executions_for_rarest(&h->executions, node);
    bool computes = h->silent != NULL && h->silent[node->id] &&
                    (touches_array(&node->uses) || touches_array(&node->defines));
    return h->silent == NULL || computes ? often : often / ESTIMATED_OVER_MPI;
}

bool hotness_is_frequent(const struct hotness *h, const struct node *node) {
    return heat(h, node) >= h->limit;
}

bool hotness_is_hot(const struct hotness *h, const struct node *node) {
    return weights_kernel_factors(node) >= KERNEL_FACTORS || hotness_is_frequent(h, node);
}

static bool *find_whole(const struct slice *s) {
    const struct program *program = s->program;
    bool *whole = memset(xmalloc(program->nodes.count + 1), 0, program->nodes.count + 1);
    for (size_t i = 0; i < s->demands.count; i++)
        if (s->demands.items[i].kind == DEMAND_NODE)
            whole[s->demands.items[i].subject] = true;
    return whole;
}

double hotness_of_slice(const struct hotness *h, const struct slice *s) {
    bool *whole = find_whole(s);
    double *kept = executions_kept(&h->executions, s), sum = 0;
    for (size_t i = 0; i < s->program->nodes.count; i++) {
        const struct node *node = s->program->nodes.items[i];
        if (whole[i] && node->function != NULL)
            sum += kept[node->function->id] * executions_of(&h->executions, node);
    }
    free(whole);
    free(kept);
    return sum;
}

double hotness_highest(const struct hotness *h, const struct slice *s) {
    double most = 0;
    for (size_t i = 0; i < s->demands.count; i++) {
        const struct demand *demand = &s->demands.items[i];
        double here =
            demand->kind == DEMAND_NODE ? heat(h, s->program->nodes.items[demand->subject]) : 0;
        most = here > most ? here : most;
    }
    return most;
}

double hotness_of_program(const struct hotness *h, const struct program *program) {
    double sum = 0;
    for (size_t i = 0; i < program->nodes.count; i++)
        sum += executions_of(&h->executions, program->nodes.items[i]);
    return sum;
}

double hotness_starts(const struct hotness *h, const struct program *program) {
    const struct function *function = program_function(program, "main");
    for (size_t i = 0; function != NULL && i < function->nodes.count; i++)
        if (function->nodes.items[i]->kind == NODE_EXPRESSION)
            return executions_of(&h->executions, function->nodes.items[i]);
    return 1;
}

/* Limits */

static double most_frequent_mpi_call(const struct hotness *h, const struct slice *s) {
    double most = 0;
    for (size_t i = 0; i < s->program->calls.count; i++) {
        const struct call *call = s->program->calls.items[i];
        if (call->mpi == NULL || !call->mpi->criterion || !slice_keeps_call(s, call))
            continue;
        double often = executions_of(&h->executions, call->node);
        most = often > most ? often : most;
    }
    return most;
}

static double usual_limit(const struct hotness *h, const struct slice *s) {
    double limit = most_frequent_mpi_call(h, s);
    if (!executions_are_estimated(&h->executions)) {
        double share = HOT_SHARE * hotness_of_slice(h, s);
        limit = HOT_OVER_MPI * limit > share ? HOT_OVER_MPI * limit : share;
    }
    return limit > 1 ? limit : 1;
}

void hotness_init(struct hotness *out, const struct slice *slice, const struct counts *counts) {
    *out = (struct hotness){0};
    executions_init(&out->executions, slice, counts);
    out->parses = parsing_find(slice);
    if (executions_are_estimated(&out->executions))
        out->silent = silent_loops_find(slice, &out->executions.weights);
    out->limit = usual_limit(out, slice);
}

void hotness_dispose(struct hotness *hotness) {
    executions_dispose(&hotness->executions);
    free(hotness->silent);
    free(hotness->parses);
}
