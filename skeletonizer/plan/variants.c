/* SPDX-License-Identifier: Apache-2.0
 *
 * Each kept instance has a signature: which of its statements, calls, arguments and declarations
 * stay, which texts its calls name, and its regions with their features. Equal signatures, equal
 * text. Functions that have instances are not recursive, so callees are named before callers. The
 * text that calls through pointers use keeps the function's name, the others get a number.
 */
#include "skeletonizer/plan/variants.h"
#include "skeletonizer/slice/kept.h"

#include "base/str.h"

#include <stdio.h>
#include <string.h>

static bool has_instances(const struct function *function) {
    return function->origin != NULL || function->next_instance != NULL;
}

static void name_all(struct plan *plan, const struct function *origin);

/* Signatures */

static void sign_call(struct str *out, struct plan *plan, const struct call *call) {
    const struct slice *s = plan->slice;
    if (!slice_keeps_call(s, call)) {
        str_addc(out, '-');
        return;
    }
    str_addc(out, 'C');
    for (size_t i = 0; i < call->arguments.count; i++)
        str_addc(out, slice_keeps_argument(s, call, (int)i) ? 'A' : '.');
    if (call->callee >= 0 || call->targets.count != 1 || !has_instances(call->targets.items[0]))
        return;
    name_all(plan, program_origin(call->targets.items[0]));
    str_printf(out, "(%s)", variants_name(plan, call->targets.items[0]));
}

static void sign_objects(struct str *out, const struct slice *s, const struct function *function,
                         const object_list *objects) {
    for (size_t i = 0; i < objects->count; i++)
        if (objects->items[i]->function == function)
            str_addc(out, slice_declares(s, objects->items[i]) ? 'D' : '.');
}

static void sign_regions(struct str *out, const struct plan *plan,
                         const struct function *function) {
    for (size_t i = 0; i < plan->regions.count; i++) {
        const struct code_region *region = plan->regions.items[i];
        if (region->function != function)
            continue;
        str_printf(out, "[%u %d", region->range.begin,
                   region->value != NULL ? 2
                   : region->is_late     ? 3
                                         : (int)region->is_kept);
        for (size_t k = 0; k < region->features.count; k++)
            str_printf(out, ",%s", region->features.items[k].expression);
        str_addc(out, ']');
    }
}

static char *signature(struct plan *plan, const struct function *function) {
    const struct slice *s = plan->slice;
    struct str out = {0};
    for (size_t i = 0; i < function->nodes.count; i++) {
        const struct node *node = function->nodes.items[i];
        if (slice_keeps_value(s, node))
            str_printf(&out, "V%d", function->id); /* a model of its own for each way here */
        str_addc(&out, slice_keeps_node(s, node) ? 'N' : slice_keeps_jump(s, node) ? 'J' : '.');
        for (size_t k = 0; k < node->calls.count; k++)
            sign_call(&out, plan, node->calls.items[k]);
    }
    sign_objects(&out, s, function, &function->parameters);
    sign_objects(&out, s, function, &function->locals);
    sign_regions(&out, plan, function);
    return str_into(&s->program->arena, &out);
}

/* Names */

bool variants_is_taken(const struct program *program, const char *name) {
    for (size_t i = 0; i < program->objects.count; i++) {
        const char *known = program->objects.items[i]->name;
        if (known != NULL && strcmp(known, name) == 0)
            return true;
    }
    for (size_t i = 0; i < program->functions.count; i++)
        if (strcmp(program->functions.items[i]->name, name) == 0)
            return true;
    return false;
}

static const char *new_name(const struct plan *plan, const char *name, int *number) {
    const char *copy;
    do {
        copy = arena_printf(&plan->slice->program->arena, "%s__%d", name, ++*number);
    } while (variants_is_taken(plan->slice->program, copy));
    return copy;
}

static void name_one(struct plan *plan, const struct function *function, char **signatures,
                     int *number) {
    const struct function *origin = program_origin(function);
    if (!kept_function(plan->slice, function))
        return;
    signatures[function->id] = signature(plan, function);
    bool first = true;
    for (const struct function *f = origin; f != NULL; f = f->next_instance) {
        if (plan->texts[f->id] != f)
            continue;
        first = false;
        if (strcmp(signatures[f->id], signatures[function->id]) != 0)
            continue;
        plan->texts[function->id] = f;
        plan->names[function->id] = plan->names[f->id];
        return;
    }
    plan->texts[function->id] = function;
    plan->names[function->id] = first ? function->name : new_name(plan, function->name, number);
}

/* The function as written comes first in the list, so that it keeps its name. */
static void name_all(struct plan *plan, const struct function *origin) {
    struct slice *s = plan->slice;
    if (plan->names[origin->id] != NULL)
        return;
    size_t count = s->program->functions.count;
    char **signatures = ARENA_ARRAY(&s->program->arena, char *, count);
    int number = 1;
    for (const struct function *f = origin; f != NULL; f = f->next_instance)
        name_one(plan, f, signatures, &number);
    if (plan->names[origin->id] == NULL)
        plan->names[origin->id] = origin->name;
}

static void drop_shared(struct plan *plan) {
    size_t left = 0;
    for (size_t i = 0; i < plan->regions.count; i++) {
        struct code_region *region = plan->regions.items[i];
        if (plan->texts[region->function->id] == region->function) {
            plan->regions.items[left++] = region;
            continue;
        }
        vec_dispose(&region->trees);
        vec_dispose(&region->features);
        vec_dispose(&region->exits);
    }
    plan->regions.count = left;
}

void variants_choose(struct plan *plan) {
    struct program *program = plan->slice->program;
    size_t count = program->functions.count;
    plan->texts = ARENA_ARRAY(&program->arena, const struct function *, count + 1);
    plan->names = ARENA_ARRAY(&program->arena, const char *, count + 1);
    for (size_t i = 0; i < count; i++)
        name_all(plan, program_origin(program->functions.items[i]));
    drop_shared(plan);
}

const struct function *variants_text(const struct plan *plan, const struct function *function) {
    return plan->texts[function->id];
}

const char *variants_name(const struct plan *plan, const struct function *function) {
    const char *name = plan->names[function->id];
    return name != NULL ? name : function->name;
}

const char *variants_callee(const struct plan *plan, const struct call *call) {
    if (call->callee >= 0 || call->targets.count != 1)
        return NULL;
    const char *name = variants_name(plan, call->targets.items[0]);
    return strcmp(name, call->targets.items[0]->name) != 0 ? name : NULL;
}
