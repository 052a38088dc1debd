/* SPDX-License-Identifier: Apache-2.0
 *
 * The values that stand between hot computation and the criteria, for regions.json.
 */
#include "skeletonizer/describe/describe.h"

#include "skeletonizer/given/cut_parts.h"
#include "skeletonizer/slice/call_argument.h"

#include <math.h>

#define MOST_EXECUTIONS 1e15

static const char *kind_of(const struct node *node, const struct ast *part) {
    if (!cut_part_decides(node, part))
        return "value";
    return node->kind == NODE_LOOP ? "loop" : "branch";
}

char *describe_value(struct generation *g, const struct node *node, const struct ast *part) {
    const struct ast *holder = cut_part_holder(node, part);
    struct range range = part->range;
    int index;
    const struct call *call = call_argument_find(node, part, &index);
    if (call != NULL)
        return arena_printf(&g->arena, "%s %s in %s(...)",
                            call_argument_is_sent(call, index) ? "what is sent from" : "argument",
                            describe_shortened(g, range),
                            call->name != NULL ? call->name : "a call");
    if (cut_part_decides(node, part) && part != node->ast)
        return describe_shortened(g, range);
    if (holder == node->ast || holder == part)
        return describe_node(g, node);
    range.begin = holder->kids[0]->range.begin; /* without parentheses */
    return describe_shortened(g, range);
}

/* Of the statement in all instances of its function. */
static json_int_t executions_at(const struct generation *g, const struct node *node) {
    const struct function *function = program_origin(node->function);
    double sum = 0;
    for (; function != NULL; function = function->next_instance)
        if (g->cut.chosen[function->nodes.items[node->index]->id] != NULL)
            sum += executions_of(&g->hotness.executions, function->nodes.items[node->index]);
    return (json_int_t)round(sum < MOST_EXECUTIONS ? sum : MOST_EXECUTIONS);
}

const char *describe_draw(struct generation *g, const struct hinted_draw *draw) {
    if (draw == NULL)
        return "";
    return draw->low == draw->high ? draw->low
                                   : arena_printf(&g->arena, "uniform(%s, %s) by %s", draw->low,
                                                  draw->high, draw->keys);
}

static const char *source_of(struct generation *g, const struct node *node) {
    return describe_draw(g, g->slice.draws != NULL ? g->slice.draws[node->id] : NULL);
}

static json_t *describe_values(struct generation *g) {
    json_t *values = json_array();
    for (size_t i = 0; i < g->cut.values.count; i++) {
        const struct node *node = g->cut.values.items[i];
        const struct ast *part = g->cut.chosen[node->id];
        const char *path = generate_relative(g, g->program.files.items[node->range.file]->path);
        json_array_append_new(
            values,
            json_pack("{s:s, s:o, s:i, s:s, s:o, s:I, s:o}", "kind", kind_of(node, part), "file",
                      describe_text(path), "line", node->line, "function", node->function->name,
                      "text", describe_text(describe_value(g, node, part)), "executions",
                      executions_at(g, node), "hint", describe_text(source_of(g, node))));
    }
    return values;
}

json_t *describe_cuts(struct generation *g) {
    const struct generate_summary *summary = &g->summary;
    bool is_estimated = g->hotness.silent != NULL, is_counted = summary->executions > 0;
    double all = is_counted ? summary->executions : is_estimated ? summary->work : 0;
    double kept = is_counted ? summary->executions_kept : is_estimated ? summary->work_kept : 0;
    json_t *cuts = json_pack("{s:b, s:f, s:f, s:o}", "estimated", is_estimated, "executions", all,
                             "executions_kept", kept, "values", describe_values(g));
    if (!g->assumptions.cuts && g->cut.values.count > 0)
        json_object_set_new(cuts, "executions_if_given", json_real(g->cut.executions_left));
    return cuts;
}
