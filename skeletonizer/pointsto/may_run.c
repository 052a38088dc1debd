/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions in a circle of calls have one row, which is complete when the walk leaves the circle
 * (R. Tarjan, "Depth-First Search and Linear Graph Algorithms", 1972): each call is looked at once,
 * and each row is added to those of callers of the function.
 */
#include "skeletonizer/pointsto/may_run.h"

#include <stdlib.h>
#include <string.h>

struct may_run_walk {
    struct may_run *out;
    int *lowest; /* by function: the lowest number that it leads back to; 0: it was not visited yet,
                  * -1: its row is complete */
    VEC(int) open;
    int count;
};

static uint64_t *row_of(const struct may_run *m, int function) {
    return m->rows + (size_t)function * m->words;
}

static void add_row(const struct may_run *m, int function, int other) {
    uint64_t *row = row_of(m, function);
    const uint64_t *from = row_of(m, other);
    for (size_t i = 0; i < m->words; i++)
        row[i] |= from[i];
}

static void visit(struct may_run_walk *w, const struct function *function);

static void add_callee(struct may_run_walk *w, int function, const struct function *callee) {
    w->out->steps++;
    if (w->lowest[callee->id] == 0)
        visit(w, callee);
    if (w->lowest[callee->id] < 0) {
        if (!may_run_has(w->out, function, callee->id))
            add_row(w->out, function, callee->id);
    } else if (w->lowest[callee->id] < w->lowest[function]) {
        w->lowest[function] = w->lowest[callee->id];
    }
}

/* All that was visited since the function, and is not complete, is in a circle with it. */
static void close_circle(struct may_run_walk *w, int function) {
    size_t first = w->open.count;
    while (w->open.items[--first] != function)
        add_row(w->out, function, w->open.items[first]);
    for (size_t i = first; i < w->open.count; i++) {
        if (i > first)
            memcpy(row_of(w->out, w->open.items[i]), row_of(w->out, function),
                   w->out->words * sizeof(uint64_t));
        w->lowest[w->open.items[i]] = -1;
    }
    w->open.count = first;
}

static void visit(struct may_run_walk *w, const struct function *function) {
    int id = function->id, number = ++w->count;
    w->out->steps++;
    w->lowest[id] = number;
    row_of(w->out, id)[id / 64] |= (uint64_t)1 << (id % 64);
    vec_push(&w->open, id);
    for (size_t n = 0; n < function->nodes.count; n++)
        for (size_t i = 0; i < function->nodes.items[n]->calls.count; i++) {
            const struct call *call = function->nodes.items[n]->calls.items[i];
            for (size_t t = 0; t < call->targets.count; t++)
                add_callee(w, id, call->targets.items[t]);
        }
    if (w->lowest[id] == number)
        close_circle(w, id);
}

void may_run_find(struct may_run *out, const struct program *program) {
    size_t count = program->functions.count;
    struct may_run_walk walk = {.out = out};
    *out = (struct may_run){.words = (count + 63) / 64};
    out->rows = xcalloc(count * out->words + 1, sizeof *out->rows);
    walk.lowest = xcalloc(count + 1, sizeof *walk.lowest);
    for (size_t i = 0; i < count; i++)
        if (walk.lowest[i] == 0)
            visit(&walk, program->functions.items[i]);
    free(walk.lowest);
    vec_dispose(&walk.open);
}

void may_run_add(bool *functions, const struct may_run *m, int function) {
    const uint64_t *row = row_of(m, function);
    for (size_t i = 0; i < m->words; i++)
        for (uint64_t bits = row[i]; bits != 0; bits &= bits - 1)
            functions[64 * i + (size_t)__builtin_ctzll(bits)] = true;
}

bool may_run_any(const struct may_run *m, int function, const uint64_t *functions) {
    const uint64_t *row = row_of(m, function);
    for (size_t i = 0; i < m->words; i++)
        if ((row[i] & functions[i]) != 0)
            return true;
    return false;
}

void may_run_dispose(struct may_run *m) {
    free(m->rows);
}
