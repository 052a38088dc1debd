/* SPDX-License-Identifier: Apache-2.0
 *
 * The values that stand between hot computation and the criteria, for regions.json.
 */
#include "skeletonizer/describe/describe.h"

#include "skeletonizer/given/given_exits.h"
#include "skeletonizer/given/given_parts.h"
#include "skeletonizer/slice/call_argument.h"

#include <math.h>

#define MOST_EXECUTIONS 1e15

static const char *kind_of(const struct code_region *region, const struct node *node,
                           const struct ast *part) {
    bool goes_on, decides = given_part_decides(node, part);
    if ((region != NULL && region->ends_loop) ||
        (region == NULL && decides && given_exit_of(node, &goes_on) != NULL))
        return "loop";
    return decides ? "branch" : "value";
}

char *describe_value(struct program *program, const struct node *node, const struct ast *part) {
    const struct ast *holder = given_part_holder(node, part);
    struct range range = part->range;
    int index;
    const struct call *call = call_argument_find(node, part, &index);
    if (call != NULL)
        return arena_printf(&program->arena, "%s %s in %s(...)",
                            call_argument_is_told(call, index)     ? "what all are told in"
                            : call_argument_is_vector(call, index) ? "the vector that is sent from"
                            : call_argument_is_sent(call, index)   ? "what is sent from"
                                                                   : "argument",
                            describe_shortened(program, range),
                            call->name != NULL ? call->name : "a call");
    if (given_part_decides(node, part) && part != node->ast)
        return describe_shortened(program, range);
    if (holder == node->ast || holder == part)
        return describe_node(program, node);
    range.begin = holder->kids[0]->range.begin; /* without parentheses */
    return describe_shortened(program, range);
}

/* Of the statement in all instances of its function. */
static json_int_t executions_at(const struct description *d, const struct node *node) {
    const struct function *function = program_origin(node->function);
    double sum = 0;
    for (; function != NULL; function = function->next_instance)
        if (d->cut->chosen[function->nodes.items[node->index]->id] != NULL)
            sum += executions_of(&d->hotness->executions, function->nodes.items[node->index]);
    return (json_int_t)round(sum < MOST_EXECUTIONS ? sum : MOST_EXECUTIONS);
}

const char *describe_draw(struct arena *arena, const struct hinted_draw *draw) {
    if (draw == NULL)
        return "";
    return draw->low == draw->high
               ? draw->low
               : arena_printf(arena, "uniform(%s, %s) by %s", draw->low, draw->high, draw->keys);
}

static const char *source_of(const struct description *d, const struct node *node) {
    const struct slice *s = d->plan->slice;
    return describe_draw(d->arena, s->draws != NULL ? s->draws[node->id] : NULL);
}

static json_t *describe_values(const struct description *d) {
    struct program *program = d->plan->slice->program;
    json_t *values = json_array();
    for (size_t i = 0; i < d->cut->values.count; i++) {
        const struct node *node = d->cut->values.items[i];
        const struct ast *part = d->cut->chosen[node->id];
        const char *path = program_relative(program, program->files.items[node->range.file]->path);
        const struct code_region *region = plan_value_of(d->plan, node);
        if (region != NULL && region->leader != NULL)
            continue;
        json_array_append_new(
            values, json_pack("{s:s, s:o, s:i, s:s, s:o, s:I, s:o}", "kind",
                              kind_of(region, node, part), "file", describe_text(path), "line",
                              node->line, "function", node->function->name, "text",
                              describe_text(describe_value(program, node, part)), "executions",
                              executions_at(d, node), "hint", describe_text(source_of(d, node))));
    }
    return values;
}

json_t *describe_cuts(const struct description *d) {
    const struct generate_summary *summary = d->summary;
    bool is_estimated = d->hotness->silent != NULL, is_counted = summary->executions > 0;
    double all = is_counted ? summary->executions : is_estimated ? summary->work : 0;
    double kept = is_counted ? summary->executions_kept : is_estimated ? summary->work_kept : 0;
    json_t *cuts = json_pack("{s:b, s:f, s:f, s:o}", "estimated", is_estimated, "executions", all,
                             "executions_kept", kept, "values", describe_values(d));
    if (!d->plan->slice->assumptions.cuts && d->cut->values.count > 0)
        json_object_set_new(cuts, "executions_if_given", json_real(d->cut->executions_left));
    return cuts;
}
