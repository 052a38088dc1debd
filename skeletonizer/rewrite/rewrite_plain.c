/* SPDX-License-Identifier: Apache-2.0
 *
 * A value is recorded as often as the skeleton asks for it, and no oftener. Where a function that
 * records values, or calls one that does, is also called by code that the skeleton does not have,
 * that code calls a plain copy of it in the profiling build and the original: the text as written,
 * under a name of its own.
 *
 * Not handled: calls through pointers and out of macros, functions with static locals. They record,
 * too, which `verify --replay` shows.
 */
#include "skeletonizer/rewrite/rewrite_plain.h"

#include "skeletonizer/cut/cut_shared.h"
#include "skeletonizer/plan/shared_text.h"
#include "skeletonizer/plan/variants.h"
#include "skeletonizer/rewrite/rewrite.h"
#include "skeletonizer/slice/instances.h"

#include <string.h>

static const struct function *callee_of(const struct call *call) {
    return call->callee < 0 && call->targets.count == 1 ? call->targets.items[0] : NULL;
}

/* ---- Which functions have plain copies ---- */

struct plain {
    const struct plan *plan;
    struct program *program;
    bool *records;
    const char **names; /* by function; NULL: no copy */
};

static bool may_have_copy(const struct plain *p, const struct call *call) {
    const struct function *callee = callee_of(call);
    return callee != NULL && p->records[program_origin(callee)->id] &&
           instances_can_rename(p->program, call) &&
           instances_can_copy(p->program, program_origin(callee));
}

static void name_copy(struct plain *p, const struct function *function) {
    const char *name = arena_printf(&p->program->arena, "%s__plain", function->name);
    while (variants_is_taken(p->program, name))
        name = arena_printf(&p->program->arena, "%s_", name);
    p->names[function->id] = name;
}

/* Calls that the skeleton has not, and all calls in plain copies. */
static bool is_plain_call(const struct plain *p, const struct call *call) {
    const struct function *function = call->node->function;
    return function != NULL && (!slice_keeps_call(p->plan->slice, call) ||
                                p->names[program_origin(function)->id] != NULL);
}

static void find_copies(struct plain *p) {
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < p->program->calls.count; i++) {
            const struct call *call = p->program->calls.items[i];
            if (!is_plain_call(p, call) || !may_have_copy(p, call) ||
                p->names[program_origin(callee_of(call))->id] != NULL)
                continue;
            name_copy(p, program_origin(callee_of(call)));
            changed = true;
        }
    }
}

/* ---- Text ---- */

static const char *plain_name(const struct plain *p, const struct call *call, bool in_copy) {
    if ((!in_copy && slice_keeps_call(p->plan->slice, call)) || !may_have_copy(p, call))
        return NULL;
    return p->names[program_origin(callee_of(call))->id];
}

/* Renames plain calls in one text, and declares what they name. */
static void rename_calls(struct edits *own, struct edits *out, const struct plain *p,
                         const struct function *function, bool in_copy) {
    struct declared_copies declared = {0};
    for (size_t i = 0; i < function->nodes.count; i++)
        for (size_t k = 0; k < function->nodes.items[i]->calls.count; k++) {
            const struct call *call = function->nodes.items[i]->calls.items[k];
            const char *name = plain_name(p, call, in_copy);
            if (name == NULL)
                continue;
            edits_add(own, call->ast->kids[0]->range, name);
            rewrite_declare_copy(out, p->program, &declared, function,
                                 program_origin(callee_of(call)), name);
        }
    vec_dispose(&declared.names);
}

/* No instance that the skeleton keeps has the text in place. */
static bool is_in_place(const struct plain *p, const struct function *function) {
    for (const struct function *i = function; i != NULL; i = i->next_instance)
        if (variants_text(p->plan, i) == i &&
            strcmp(variants_name(p->plan, i), function->name) == 0)
            return false;
    return function->origin == NULL;
}

static void add_copy(struct edits *out, const struct plain *p, const struct function *function) {
    struct edits own = {0};
    rename_calls(&own, out, p, function, true);
    rewrite_copy(out, &own, p->program, function, p->names[function->id]);
    edits_dispose(&own);
}

struct plain *rewrite_plain_begin(const struct plan *plan) {
    struct program *program = plan->slice->program;
    struct plain *p = ARENA_NEW(&program->arena, struct plain);
    *p = (struct plain){
        .plan = plan, .program = program, .records = cut_shared_recording(plan->slice)};
    p->names = ARENA_ARRAY(&program->arena, const char *, program->functions.count + 1);
    find_copies(p);
    return p;
}

void rewrite_plain_calls(struct edits *own, struct edits *out, const struct plain *p,
                         const struct function *function) {
    rename_calls(own, out, p, function, false);
}

void rewrite_plain_end(struct edits *out, struct plain *p) {
    for (size_t i = 0; i < p->program->functions.count; i++) {
        const struct function *function = p->program->functions.items[i];
        if (p->names[function->id] != NULL)
            add_copy(out, p, function);
        if (is_in_place(p, function))
            rename_calls(shared_text_edits(out, p->program, function), out, p, function, false);
    }
    free(p->records);
}
