/* SPDX-License-Identifier: Apache-2.0
 *
 * Of an assignment or initialised variable the value is what is behind the `=`, of a branch or loop
 * the condition (given_parts.c). The skeleton asks the runtime for it; profiling build and original
 * compute it and hand it to the runtime on the way. An argument of a call is asked for in its
 * place; a number that is sent is stored where the message is read: `(*(&n) = BSIM_VALUE_I(3),
 * &n)`, and one that all ranks were told behind the call: `MPI_Bcast(&n, ...), *(&n) =
 * BSIM_VALUE_I(3)`. Where the original evaluates it, in the same order, the skeleton asks, so
 * values can be replayed one by one.
 */
#include "skeletonizer/plan/given_values.h"

#include "base/str.h"
#include "skeletonizer/cut/cut.h"
#include "skeletonizer/features/features.h"
#include "skeletonizer/given/given_exits.h"
#include "skeletonizer/given/given_parts.h"
#include "skeletonizer/given/given_sums.h"
#include "skeletonizer/plan/variants.h"
#include "skeletonizer/slice/call_argument.h"
#include "skeletonizer/text/scan.h"

#include <string.h>

/* As runtime/include/bsim.h and regions.json name it. */
struct value_kind_name {
    const char *ask, *record, *name;
};

/* The call whose contents are given; NULL: that is not what is given. */
static const struct call *call_with(const struct code_region *region,
                                    bool (*has)(const struct call *, int)) {
    int index;
    const struct call *call = call_argument_find(region->value, region->part, &index);
    return call != NULL && has(call, index) ? call : NULL;
}

static bool is_vector(const struct code_region *region) {
    return call_with(region, call_argument_is_vector) != NULL;
}

static struct value_kind_name kind_of(const struct code_region *region) {
    const struct node *node = region->value;
    if (region->ends_loop)
        return (struct value_kind_name){region->goes_on ? "BSIM_TRIPS" : "!BSIM_TRIPS",
                                        "BSIM_RECORD_B", "trips"};
    if (given_part_decides(node, region->part) && node->kind != NODE_SWITCH)
        return (struct value_kind_name){"BSIM_BRANCH", "BSIM_RECORD_B", "branch"};
    if (region->draw != NULL)
        return (struct value_kind_name){"BSIM_DRAW_I", "BSIM_RECORD_I", "integer"};
    if (is_vector(region))
        return (struct value_kind_name){"BSIM_VECTOR", "BSIM_RECORD_VECTOR", "floating"};
    if (given_part_type(node, region->part)->kind == TYPE_FLOATING)
        return (struct value_kind_name){"BSIM_VALUE_D", "BSIM_RECORD_D", "floating"};
    return (struct value_kind_name){"BSIM_VALUE_I", "BSIM_RECORD_I", "integer"};
}

const char *values_kind(const struct code_region *region) {
    return kind_of(region).name;
}

bool values_add_up(const struct code_region *region) {
    return given_sum_goes_on(region->value, given_part_holder(region->value, region->part));
}

bool values_have_features(const struct code_region *region) {
    return region->value->kind != NODE_SWITCH && region->draw == NULL;
}

/* Whether a loop waits for it, and how. */
static void find_loop(struct code_region *region, const struct slice *s) {
    const struct node *node = region->value;
    if (given_part_decides(node, region->part)) {
        region->loop = given_exit_of(node, &region->goes_on);
        region->ends_loop = region->loop != NULL;
    } else if (region->draw == NULL) {
        enum flag_sense sense = given_flag_sense(s, node, region->part);
        region->ends_loop = sense != FLAG_WAITS_FOR_NOTHING;
        region->goes_on = sense == FLAG_GOES_ON;
    }
}

static struct code_region *make_region(const struct slice *s, struct node *node) {
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
    find_loop(region, s);
    return region;
}

/* Whose number it has, of those from `first` on: that of the loop's condition, or its first exit.
 */
static const struct code_region *leader_of(const struct plan *plan, size_t first,
                                           const struct code_region *region) {
    for (size_t i = first; i < plan->regions.count && region->loop != NULL; i++)
        if (plan->regions.items[i]->loop == region->loop)
            return plan->regions.items[i];
    return NULL;
}

void values_find(struct plan *plan, const struct function *function) {
    const struct slice *s = plan->slice;
    size_t first = plan->regions.count;
    for (int of_loops = 1; s->cut != NULL && of_loops >= 0; of_loops--)
        for (size_t i = 0; i < function->nodes.count; i++) {
            struct node *node = function->nodes.items[i];
            if ((node->kind == NODE_LOOP) != of_loops || !slice_keeps_value(s, node))
                continue;
            struct code_region *region = make_region(s, node);
            region->leader = leader_of(plan, first, region);
            if (region->leader != NULL)
                vec_push(&plan->followers, region);
            else
                vec_push(&plan->regions, region);
        }
}

static bool has_feature(const struct code_region *region, const char *expression) {
    for (size_t i = 0; i < region->features.count; i++)
        if (strcmp(region->features.items[i].expression, expression) == 0)
            return true;
    return false;
}

static void keep_common(struct code_region *region, const struct code_region *other) {
    size_t kept = 0;
    for (size_t i = 0; i < region->features.count; i++)
        if (has_feature(other, region->features.items[i].expression))
            region->features.items[kept++] = region->features.items[i];
    region->features.count = kept;
}

void values_join_features(struct plan *plan) {
    for (size_t i = 0; i < plan->followers.count; i++)
        for (size_t k = 0; k < plan->regions.count; k++)
            if (plan->followers.items[i]->leader == plan->regions.items[k])
                keep_common(plan->regions.items[k], plan->followers.items[i]);
}

static const struct code_region *value_in(struct code_region *const *regions, size_t count,
                                          const struct node *node) {
    for (size_t i = 0; i < count; i++)
        if (regions[i]->value == node)
            return regions[i];
    return NULL;
}

const struct code_region *plan_value_of(const struct plan *plan, const struct node *node) {
    const struct code_region *found = value_in(plan->regions.items, plan->regions.count, node);
    return found != NULL ? found : value_in(plan->followers.items, plan->followers.count, node);
}

/* "3, n, m": the region's number and its features. */
static void add_features(struct str *out, const struct code_region *region) {
    region = region->leader != NULL ? region->leader : region;
    str_printf(out, "%d", region->index);
    for (size_t i = 0; i < region->features.count; i++)
        str_printf(out, ", %s", region->features.items[i].expression);
}

bool values_are_arguments(const struct code_region *region) {
    int index;
    return call_argument_find(region->value, region->part, &index) != NULL;
}

/* The text of the address of the number; NULL: it has none. */
static const char *address_of(const struct plan *plan, const struct code_region *region) {
    return call_with(region, call_argument_is_contents) != NULL
               ? program_text(plan->slice->program, region->range)
               : NULL;
}

/* "counts, comm, 2, ": the vector, the ranks that it has numbers for, and which of the values in
 * the list tells which of its numbers is meant. */
static char *vector_of(const struct plan *plan, const struct code_region *region) {
    struct program *program = plan->slice->program;
    const struct call *call = call_with(region, call_argument_is_vector);
    const struct code_region *listed = region->leader != NULL ? region->leader : region;
    int comm = mpi_call_parameter(call->mpi, MPI_ROLE_COMMUNICATOR), which = 0;
    for (size_t i = 0; i < listed->features.count; i++)
        if (strcmp(listed->features.items[i].expression, FEATURE_NUMBER_OF_VECTOR) == 0)
            which = (int)i + 1;
    return arena_printf(&program->arena, "%s, %s, %d, ", address_of(plan, region),
                        program_text(program, call->arguments.items[comm].ast->range), which);
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
    const char *vector_list =
        is_vector(region)
            ? arena_printf(arena, "(%s%s)", vector_of(plan, region), str_text(&features))
            : NULL;
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
    if (is_vector(region))
        text = arena_printf(arena, "(%s%s, %s)", kind_of(region).ask, vector_list, address);
    else if (address != NULL)
        text = arena_printf(arena, "(*(%s) = %s, %s)", address, text, address);
    edits_add(out, region->range, text);
}

/* Both of which end up around the expression: `BSIM_RECORD_B((n > 0), 3)`, of what ends a loop
 * `!BSIM_RECORD_B((!(n > 0)), 3)`: that it goes on. */
static void record(struct edits *out, const struct plan *plan, const struct code_region *region) {
    struct arena *arena = &plan->slice->program->arena;
    const char *record = kind_of(region).record, *address = address_of(plan, region);
    const struct call *teller = call_with(region, call_argument_is_told);
    bool ends = region->ends_loop && !region->goes_on;
    struct range begin = region->range, end = end_of(region->range);
    struct str features = {0};
    begin.end = begin.begin;
    add_features(&features, region);
    const char *of = str_text(&features), *before = ends ? "!(" : "(";
    if (teller != NULL) {
        edits_add(out, end_of(teller->ast->range),
                  arena_printf(arena, ", %s((%s*(%s))), %s)", record, before, address, of));
    } else if (is_vector(region)) {
        edits_add(out, begin,
                  arena_printf(arena, "(%s(%s%s), ", record, vector_of(plan, region), of));
        edits_add(out, end, ")");
    } else if (address != NULL) {
        edits_add(out, begin,
                  arena_printf(arena, "(%s((%s*(%s))), %s), ", record, before, address, of));
        edits_add(out, end, ")");
    } else {
        edits_add(out, begin,
                  arena_printf(arena, "%s%s%s((%s", gap_before(plan, begin), ends ? "!" : "",
                               record, ends ? "!(" : ""));
        edits_add(out, end, arena_printf(arena, "%s), %s)", ends ? ")" : "", of));
    }
    str_dispose(&features);
}

static void record_of(struct edits *out, const struct plan *plan, const struct function *function,
                      struct code_region *const *regions, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (regions[i]->value != NULL && regions[i]->function == function)
            record(out, plan, regions[i]);
}

void values_record(struct edits *out, const struct plan *plan, const struct function *function) {
    record_of(out, plan, function, plan->regions.items, plan->regions.count);
    record_of(out, plan, function, plan->followers.items, plan->followers.count);
}
