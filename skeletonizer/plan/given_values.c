/* SPDX-License-Identifier: Apache-2.0
 *
 * Of an assignment or initialised variable the value is what is behind the `=`, of a branch or loop
 * the condition (cut_parts.c). The skeleton asks the runtime for it; profiling build and original
 * compute it and hand it to the runtime on the way. An argument of a call is asked for in its
 * place; a number that is sent is stored where the message is read: `(*(&n) = BSIM_VALUE_I(3),
 * &n)`, and one that all ranks were told behind the call: `MPI_Bcast(&n, ...), *(&n) =
 * BSIM_VALUE_I(3)`. Where the original evaluates it, in the same order, the skeleton asks, so
 * values can be replayed one by one.
 */
#include "skeletonizer/plan/given_values.h"

#include "base/str.h"
#include "skeletonizer/cut/cut.h"
#include "skeletonizer/given/cut_parts.h"
#include "skeletonizer/given/cut_sums.h"
#include "skeletonizer/plan/variants.h"
#include "skeletonizer/slice/call_argument.h"
#include "skeletonizer/text/scan.h"

#include <string.h>

/* As runtime/include/bsim.h and regions.json name it. */
struct value_kind_name {
    const char *ask, *record, *name;
};

static struct value_kind_name kind_of(const struct code_region *region) {
    const struct node *node = region->value;
    if (cut_part_decides(node, region->part) && node->kind == NODE_LOOP)
        return (struct value_kind_name){"BSIM_TRIPS", "BSIM_RECORD_B", "trips"};
    if (cut_part_decides(node, region->part) && node->kind != NODE_SWITCH)
        return (struct value_kind_name){"BSIM_BRANCH", "BSIM_RECORD_B", "branch"};
    if (region->draw != NULL)
        return (struct value_kind_name){"BSIM_DRAW_I", "BSIM_RECORD_I", "integer"};
    if (cut_part_type(node, region->part)->kind == TYPE_FLOATING)
        return (struct value_kind_name){"BSIM_VALUE_D", "BSIM_RECORD_D", "floating"};
    return (struct value_kind_name){"BSIM_VALUE_I", "BSIM_RECORD_I", "integer"};
}

const char *values_kind(const struct code_region *region) {
    return kind_of(region).name;
}

bool values_add_up(const struct code_region *region) {
    return cut_sum_goes_on(region->value, cut_part_holder(region->value, region->part));
}

bool values_have_features(const struct code_region *region) {
    return region->value->kind != NODE_SWITCH && region->draw == NULL;
}

void values_find(struct plan *plan, const struct function *function) {
    const struct slice *s = plan->slice;
    for (size_t i = 0; s->cut != NULL && i < function->nodes.count; i++) {
        struct node *node = function->nodes.items[i];
        if (!slice_keeps_value(s, node))
            continue;
        struct code_region *region = ARENA_NEW(&s->program->arena, struct code_region);
        int column;
        region->function = node->function;
        region->value = node;
        region->part = s->cut[node->id];
        region->draw = s->draws != NULL ? s->draws[node->id] : NULL;
        region->range = region->part->range;
        struct range last = {region->range.file, region->range.end - 1, region->range.end};
        program_position(s->program, region->range, &region->line, &column);
        program_position(s->program, last, &region->end_line, &column);
        vec_push(&region->trees, node->tree);
        vec_push(&plan->regions, region);
    }
}

const struct code_region *plan_value_of(const struct plan *plan, const struct node *node) {
    for (size_t i = 0; i < plan->regions.count; i++)
        if (plan->regions.items[i]->value == node)
            return plan->regions.items[i];
    return NULL;
}

/* "3, n, m": the region's number and its features. */
static void add_features(struct str *out, const struct code_region *region) {
    str_printf(out, "%d", region->index);
    for (size_t i = 0; i < region->features.count; i++)
        str_printf(out, ", %s", region->features.items[i].expression);
}

bool values_are_arguments(const struct code_region *region) {
    int index;
    return call_argument_find(region->value, region->part, &index) != NULL;
}

/* The call whose contents are given; NULL: that is not what is given. */
static const struct call *call_with(const struct code_region *region,
                                    bool (*has)(const struct call *, int)) {
    int index;
    const struct call *call = call_argument_find(region->value, region->part, &index);
    return call != NULL && has(call, index) ? call : NULL;
}

/* The text of the address of the number; NULL: it has none. */
static const char *address_of(const struct plan *plan, const struct code_region *region) {
    return call_with(region, call_argument_is_contents) != NULL
               ? program_text(plan->slice->program, region->range)
               : NULL;
}

static struct range end_of(struct range range) {
    range.begin = range.end;
    return range;
}

/* `return(n);`: the name of a macro has to be a word by itself. */
static const char *gap_before(const struct plan *plan, struct range range) {
    return scan_is_behind_word(plan->slice->program->files.items[range.file], range.begin) ? " "
                                                                                           : "";
}

void values_take(struct edits *out, const struct plan *plan, const struct code_region *region,
                 const char *calls) {
    struct arena *arena = &plan->slice->program->arena;
    struct str features = {0};
    add_features(&features, region);
    if (region->draw != NULL)
        str_printf(&features, ", %s, %s, %s", region->draw->low, region->draw->high,
                   region->draw->keys);
    char *text = arena_printf(arena, "%s%s(%s)", gap_before(plan, region->range),
                              kind_of(region).ask, str_text(&features));
    str_dispose(&features);
    if (calls[0] != '\0') {
        char *list = arena_strdup(arena, calls); /* "f(); g();" -> "(f(), g(), value)" */
        for (char *c = list; *c != '\0'; c++)
            *c = *c == ';' ? ',' : *c;
        text = arena_printf(arena, "(%s %s)", list, text);
    }
    const char *address = address_of(plan, region);
    const struct call *teller = call_with(region, call_argument_is_told);
    if (teller != NULL) {
        edits_add(out, end_of(teller->ast->range),
                  arena_printf(arena, ", *(%s) = %s", address, text));
        return;
    }
    if (address != NULL)
        text = arena_printf(arena, "(*(%s) = %s, %s)", address, text, address);
    edits_add(out, region->range, text);
}

void values_record(struct edits *out, const struct plan *plan, const struct function *function) {
    struct arena *arena = &plan->slice->program->arena;
    for (size_t i = 0; i < plan->regions.count; i++) {
        const struct code_region *region = plan->regions.items[i];
        if (region->value == NULL || region->function != function)
            continue;
        struct str features = {0};
        struct range begin = region->range, end = region->range;
        const char *record = kind_of(region).record, *address = address_of(plan, region);
        const struct call *teller = call_with(region, call_argument_is_told);
        begin.end = begin.begin;
        end.begin = end.end;
        add_features(&features, region);
        if (teller != NULL) {
            edits_add(
                out, end_of(teller->ast->range),
                arena_printf(arena, ", %s((*(%s)), %s)", record, address, str_text(&features)));
        } else if (address != NULL) {
            edits_add(
                out, begin,
                arena_printf(arena, "(%s((*(%s)), %s), ", record, address, str_text(&features)));
            edits_add(out, end, ")");
        } else {
            edits_add(out, begin, arena_printf(arena, "%s%s((", gap_before(plan, begin), record));
            edits_add(out, end, arena_printf(arena, "), %s)", str_text(&features)));
        }
        str_dispose(&features);
    }
}
