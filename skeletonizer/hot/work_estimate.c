/* SPDX-License-Identifier: Apache-2.0
 *
 * In: the program and the slice. Out: a weight per statement, an estimate for ranking.
 *
 * One execution of a statement weighs 1, a call of a library kernel 10 to the power of the factors
 * in its cost (2*m*n*k: 1000). Each loop around a statement is taken to run 10 times, or as often
 * as constants say if that is less, a branch to be always taken. A function is executed as often as
 * its calls are, 10 times that if it calls itself, directly or through others (strongly connected
 * components, Tarjan 1972); a call through a pointer is shared out among its targets.
 *
 * Not handled: larger trip counts; what a call weighs that goes back into a function that is being
 * weighed.
 */
#include "skeletonizer/hot/work_estimate.h"

#include "frontend/program/tree.h"
#include "skeletonizer/slice/kept.h"
#include "skeletonizer/slice/loop_shape.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#define TRIPS 10.0
#define LARGEST 1e60 /* deep nests of calls stay finite */
#define UNKNOWN (-1.0)
#define BEING_WEIGHED (-2.0)

bool weights_count(const struct weights *w, const struct node *node) {
    return node_is_statement(node) && node->function->is_live &&
           (!w->kept_only || kept_part_of_node(w->slice, node));
}

static bool call_counts(const struct weights *w, const struct call *call) {
    return !w->kept_only || slice_keeps_call(w->slice, call);
}

/* Of a loop between constants, at most TRIPS. */
static double trips_of(const struct tree *tree) {
    struct loop_shape loop;
    if (!loop_shape_read(&loop, tree) || loop.geometric || loop.first == NULL || loop.end == NULL ||
        !loop.first->has_value || !loop.end->has_value ||
        (loop.step != NULL && (!loop.step->has_value || loop.step->value == 0)))
        return TRIPS;
    double first = (double)loop.first->value, end = (double)loop.end->value;
    double step = loop.step != NULL ? fabs((double)loop.step->value) : 1;
    double trips = floor(fabs(end - first) / step + (loop.inclusive ? 1 : 0));
    return trips < 1 ? 1 : trips < TRIPS ? trips : TRIPS;
}

/* How often in one execution of its function. The first part of a `for` is outside its loop. */
static double executions_within(const struct node *node) {
    double executions = 1;
    const struct tree *from = NULL;
    for (const struct tree *tree = node->tree; tree != NULL; from = tree, tree = tree->parent) {
        enum ast_kind kind = tree->ast->kind;
        bool loop = kind == AST_FOR || kind == AST_WHILE || kind == AST_DO;
        if (loop && (from == NULL || from != tree->init) && executions < LARGEST)
            executions *= trips_of(tree);
    }
    return executions;
}

/* Factors of the largest product, by names; what stands in parentheses is one factor, and no
 * factor as a function's argument (log(n)). */
static int factors(const char *cost) {
    int count = 0, depth = 0;
    for (const char *at = cost; *at != '\0'; at++) {
        bool begins = at == cost || (!isalnum((unsigned char)at[-1]) && at[-1] != '_');
        if (*at == '(') {
            count += depth == 0 && begins;
            depth++;
        } else if (*at == ')') {
            depth -= depth > 0;
        } else if (depth == 0 && begins && (isalpha((unsigned char)*at) || *at == '_')) {
            size_t length = 0;
            while (isalnum((unsigned char)at[length]) || at[length] == '_')
                length++;
            count += at[length] != '(';
        }
    }
    return count;
}

static double kernel_weight(const struct call *call) {
    double weight = 0;
    if (call->targets.count > 0 || call->library == NULL || call->library->cost == NULL)
        return 0;
    weight = 1;
    for (int i = factors(call->library->cost); i > 0; i--)
        weight *= TRIPS;
    return weight;
}

static double function_weight(struct weights *w, const struct function *function);

static double calls_weight(struct weights *w, const struct node *node) {
    double sum = 0;
    for (size_t i = 0; i < node->calls.count; i++) {
        const struct call *call = node->calls.items[i];
        for (size_t k = 0; call_counts(w, call) && k < call->targets.count; k++)
            sum += function_weight(w, call->targets.items[k]) / (double)call->targets.count;
    }
    return sum;
}

static double own_weight(const struct weights *w, const struct node *node) {
    double sum = 1;
    for (size_t i = 0; i < node->calls.count; i++)
        if (call_counts(w, node->calls.items[i]))
            sum += kernel_weight(node->calls.items[i]);
    return sum;
}

static double capped(double weight) {
    return weight < LARGEST ? weight : LARGEST;
}

static double function_weight(struct weights *w, const struct function *function) {
    double *weight = &w->weight[function->id];
    if (*weight == BEING_WEIGHED)
        return 0;
    if (*weight != UNKNOWN)
        return *weight;
    *weight = BEING_WEIGHED;
    double sum = 0;
    for (size_t i = 0; i < function->nodes.count; i++) {
        const struct node *node = function->nodes.items[i];
        if (weights_count(w, node))
            sum += executions_within(node) * (own_weight(w, node) + calls_weight(w, node));
    }
    return *weight = capped(sum);
}

/* Recursion: from functions to their callers, also those that have libraries call them (signal,
 * qsort), as executions are summed up. */

struct components {
    struct weights *w;
    int *order, *lowest; /* by function; order 0: not seen */
    bool *is_open;
    VEC(int) open;
    int seen;
};

static void visit(struct components *c, const struct function *function);

static void visit_caller(struct components *c, const struct function *from,
                         const struct function *to) {
    if (c->order[to->id] == 0)
        visit(c, to);
    else if (!c->is_open[to->id])
        return;
    if (c->lowest[to->id] < c->lowest[from->id])
        c->lowest[from->id] = c->lowest[to->id];
}

static void visit(struct components *c, const struct function *function) {
    int id = function->id, last;
    c->order[id] = c->lowest[id] = ++c->seen;
    c->is_open[id] = true;
    vec_push(&c->open, id);
    const call_list *callers = &c->w->slice->callers[id];
    for (size_t i = 0; i < callers->count; i++)
        if (callers->items[i]->node->function != NULL)
            visit_caller(c, function, callers->items[i]->node->function);
    if (c->lowest[id] != c->order[id])
        return;
    do {
        last = c->open.items[--c->open.count];
        c->is_open[last] = false;
        c->w->component[last] = id;
    } while (last != id);
}

static void find_components(struct weights *w) {
    const struct program *program = w->slice->program;
    size_t count = program->functions.count;
    struct components c = {.w = w};
    c.order = memset(xmalloc((count + 1) * sizeof(int)), 0, (count + 1) * sizeof(int));
    c.lowest = xmalloc((count + 1) * sizeof(int));
    c.is_open = memset(xmalloc(count + 1), 0, count + 1);
    w->component = xmalloc((count + 1) * sizeof(int));
    w->is_recursive = memset(xmalloc(count + 1), 0, count + 1);
    for (size_t i = 0; i < count; i++)
        if (c.order[i] == 0)
            visit(&c, program->functions.items[i]);
    free(c.order);
    free(c.lowest);
    free(c.is_open);
    vec_dispose(&c.open);
}

static double function_executions(struct weights *w, const struct function *function);

/* By calls from outside of its component; *is_recursive: there are others. */
static double executions_from_outside(struct weights *w, const struct function *function,
                                      bool *is_recursive) {
    const call_list *callers = &w->slice->callers[function->id];
    double sum = strcmp(function->name, "main") == 0;
    for (size_t i = 0; i < callers->count; i++) {
        const struct call *call = callers->items[i];
        const struct function *caller = call->node->function;
        if (caller == NULL || !call_counts(w, call) ||
            (w->inside != NULL && w->inside[call->node->id]))
            continue;
        double share = call->targets.count > 1 ? 1.0 / (double)call->targets.count : 1;
        if (w->component[caller->id] == w->component[function->id])
            *is_recursive = true;
        else
            sum += function_executions(w, caller) * executions_within(call->node) * share;
    }
    return sum;
}

/* All functions of a component are executed as often. */
static double function_executions(struct weights *w, const struct function *function) {
    const struct program *program = w->slice->program;
    int component = w->component[function->id];
    bool is_recursive = false;
    double sum = 0;
    if (w->executions[function->id] != UNKNOWN)
        return w->executions[function->id];
    for (size_t i = 0; i < program->functions.count; i++)
        if (w->component[i] == component)
            sum += executions_from_outside(w, program->functions.items[i], &is_recursive);
    sum = capped(is_recursive ? TRIPS * sum : sum);
    for (size_t i = 0; i < program->functions.count; i++)
        if (w->component[i] == component) {
            w->executions[i] = sum;
            w->is_recursive[i] = is_recursive;
        }
    return sum;
}

void weights_compute(struct weights *w, const struct slice *slice, bool kept_only,
                     const bool *inside) {
    size_t count = slice->program->functions.count;
    *w = (struct weights){.slice = slice, .kept_only = kept_only, .inside = inside};
    w->executions = xmalloc((count + 1) * sizeof(double));
    w->weight = xmalloc((count + 1) * sizeof(double));
    for (size_t i = 0; i < count; i++)
        w->executions[i] = w->weight[i] = UNKNOWN;
    find_components(w);
    for (size_t i = 0; i < count; i++) {
        function_weight(w, slice->program->functions.items[i]);
        function_executions(w, slice->program->functions.items[i]);
    }
}

void weights_dispose(struct weights *w) {
    free(w->executions);
    free(w->weight);
    free(w->component);
    free(w->is_recursive);
}

double weights_executions(const struct weights *w, const struct node *node) {
    if (node->function == NULL)
        return 0;
    return capped(w->executions[node->function->id] * executions_within(node));
}

int weights_kernel_factors(const struct node *node) {
    int most = 0;
    for (size_t i = 0; i < node->calls.count; i++) {
        const struct call *call = node->calls.items[i];
        bool is_kernel =
            call->targets.count == 0 && call->library != NULL && call->library->cost != NULL;
        int count = is_kernel ? factors(call->library->cost) : 0;
        most = count > most ? count : most;
    }
    return most;
}

double weights_within(const struct weights *w, const struct node *node, bool with_calls) {
    if (!weights_count(w, node))
        return 0;
    double once = own_weight(w, node);
    for (size_t i = 0; with_calls && i < node->calls.count; i++) {
        const struct call *call = node->calls.items[i];
        for (size_t k = 0; call_counts(w, call) && k < call->targets.count; k++)
            once += w->weight[call->targets.items[k]->id] / (double)call->targets.count;
    }
    return capped(executions_within(node) * once);
}

double weights_of(const struct weights *w, const struct node *node, bool with_calls) {
    if (node->function == NULL)
        return 0;
    return capped(w->executions[node->function->id] * weights_within(w, node, with_calls));
}

double weights_total(const struct weights *w) {
    double sum = 0;
    for (size_t i = 0; i < w->slice->program->nodes.count; i++)
        sum += weights_of(w, w->slice->program->nodes.items[i], false);
    return sum;
}
