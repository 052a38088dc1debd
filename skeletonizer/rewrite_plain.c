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
#include "skeletonizer/rewrite_plain.h"

#include "skeletonizer/instances.h"
#include "skeletonizer/scan.h"
#include "skeletonizer/variants.h"

#include <string.h>

static const struct function *origin_of(const struct function *function) {
    return function->origin != NULL ? function->origin : function;
}

static const struct function *callee_of(const struct call *call) {
    return call->callee < 0 && call->targets.count == 1 ? call->targets.items[0] : NULL;
}

/* ---- Which functions record ---- */

/* By function: its text in the skeleton asks for values, itself or by what it calls. */
static bool *find_asking(const struct plan *plan) {
    const struct program *program = plan->slice->program;
    size_t count = program->functions.count;
    bool *asks = memset(xmalloc(count + 1), 0, count + 1);
    for (size_t i = 0; i < plan->regions.count; i++)
        if (plan->regions.items[i]->value != NULL)
            asks[plan->regions.items[i]->function->id] = true;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < program->calls.count; i++) {
            const struct call *call = program->calls.items[i];
            if (call->node->function == NULL || asks[call->node->function->id] ||
                !slice_keeps_call(plan->slice, call))
                continue;
            for (size_t k = 0; k < call->targets.count; k++) {
                const struct function *text = variants_text(plan, call->targets.items[k]);
                if (text != NULL && asks[text->id])
                    asks[call->node->function->id] = changed = true;
            }
        }
    }
    return asks;
}

/* By function: any of its instances asks. */
static bool *find_recording(const struct plan *plan) {
    const struct program *program = plan->slice->program;
    size_t count = program->functions.count;
    bool *asks = find_asking(plan), *records = memset(xmalloc(count + 1), 0, count + 1);
    for (size_t i = 0; i < count; i++)
        if (asks[i])
            records[origin_of(program->functions.items[i])->id] = true;
    free(asks);
    return records;
}

/* ---- Which of them have plain copies ---- */

struct plain {
    const struct plan *plan;
    struct program *program;
    bool *records;
    const char **names; /* by function; NULL: no copy */
};

static bool may_have_copy(const struct plain *p, const struct call *call) {
    const struct function *callee = callee_of(call);
    return callee != NULL && p->records[origin_of(callee)->id] &&
           instances_can_rename(p->program, call) &&
           instances_can_copy(p->program, origin_of(callee));
}

static bool is_known_name(const struct program *program, const char *name) {
    for (size_t i = 0; i < program->functions.count; i++)
        if (strcmp(program->functions.items[i]->name, name) == 0)
            return true;
    for (size_t i = 0; i < program->objects.count; i++)
        if (program->objects.items[i]->name != NULL &&
            strcmp(program->objects.items[i]->name, name) == 0)
            return true;
    return false;
}

static void name_copy(struct plain *p, const struct function *function) {
    const char *name = arena_printf(&p->program->arena, "%s__plain", function->name);
    while (is_known_name(p->program, name))
        name = arena_printf(&p->program->arena, "%s_", name);
    p->names[function->id] = name;
}

/* Calls that the skeleton has not, and all calls in plain copies. */
static bool is_plain_call(const struct plain *p, const struct call *call) {
    const struct function *function = call->node->function;
    return function != NULL &&
           (!slice_keeps_call(p->plan->slice, call) || p->names[origin_of(function)->id] != NULL);
}

static void find_copies(struct plain *p) {
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < p->program->calls.count; i++) {
            const struct call *call = p->program->calls.items[i];
            if (!is_plain_call(p, call) || !may_have_copy(p, call) ||
                p->names[origin_of(callee_of(call))->id] != NULL)
                continue;
            name_copy(p, origin_of(callee_of(call)));
            changed = true;
        }
    }
}

/* ---- Text ---- */

static const char *plain_name(const struct plain *p, const struct call *call, bool in_copy) {
    if ((!in_copy && slice_keeps_call(p->plan->slice, call)) || !may_have_copy(p, call))
        return NULL;
    return p->names[origin_of(callee_of(call))->id];
}

static void declare(struct edits *out, const struct plain *p, const struct function *before,
                    const struct function *callee, const char *name) {
    struct range place = before->range;
    place.begin = place.end = scan_before_comment(p->program->files.items[place.file], place.begin);
    edits_add(out, place,
              arena_printf(&p->program->arena, "%s__typeof__(%s) %s;\n",
                           callee->declaration->external_linkage ? "extern " : "static ",
                           callee->name, name));
}

/* Renames plain calls in one text, and declares what they name. */
static void rename_calls(struct edits *own, struct edits *out, const struct plain *p,
                         const struct function *function, bool in_copy) {
    VEC(const char *) declared = {0};
    for (size_t i = 0; i < function->nodes.count; i++)
        for (size_t k = 0; k < function->nodes.items[i]->calls.count; k++) {
            const struct call *call = function->nodes.items[i]->calls.items[k];
            const char *name = plain_name(p, call, in_copy);
            bool known = name == NULL;
            if (name != NULL)
                edits_add(own, call->ast->kids[0]->range, name);
            for (size_t d = 0; d < declared.count && !known; d++)
                known = declared.items[d] == name;
            if (known)
                continue;
            vec_push(&declared, name);
            declare(out, p, function, origin_of(callee_of(call)), name);
        }
    vec_dispose(&declared);
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
    edits_add(&own, instances_name_range(p->program, function), p->names[function->id]);
    struct arena *arena = &p->program->arena;
    const char *linkage = function->declaration->external_linkage
                              ? ""
                              : arena_printf(arena, "static __typeof__(%s) %s;\n", function->name,
                                             p->names[function->id]);
    edits_add_copy(
        out, p->program,
        arena_printf(arena, "\n\n%s%s", linkage, instances_before_copy(p->program, function)), &own,
        function->range);
    edits_dispose(&own);
}

struct plain *rewrite_plain_begin(const struct plan *plan) {
    struct program *program = plan->slice->program;
    struct plain *p = ARENA_NEW(&program->arena, struct plain);
    *p = (struct plain){.plan = plan, .program = program, .records = find_recording(plan)};
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
            rename_calls(out, out, p, function, false);
    }
    free(p->records);
}
