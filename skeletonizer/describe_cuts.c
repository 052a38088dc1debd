/* SPDX-License-Identifier: Apache-2.0
 *
 * The values that stand between hot computation and the criteria, for regions.json.
 */
#include "skeletonizer/describe.h"

static const char *kind_of(const struct node *node) {
    switch (node->kind) {
    case NODE_LOOP:
        return "loop";
    case NODE_CONDITION:
    case NODE_SWITCH:
        return "branch";
    default:
        return "value";
    }
}

json_t *describe_cuts(struct generation *g) {
    json_t *values = json_array();
    for (size_t i = 0; i < g->cut.values.count; i++) {
        const struct node *node = g->cut.values.items[i];
        const char *path = generate_relative(g, g->program.files.items[node->range.file]->path);
        json_array_append_new(
            values, json_pack("{s:s, s:o, s:i, s:s, s:o, s:I}", "kind", kind_of(node), "file",
                              describe_text(path), "line", node->line, "function",
                              node->function->name, "text", describe_text(describe_node(g, node)),
                              "executions", (json_int_t)counts_of(&g->counts, node)));
    }
    return json_pack("{s:f, s:f, s:o}", "executions", g->cut.executions, "executions_left",
                     g->cut.executions_left, "values", values);
}
