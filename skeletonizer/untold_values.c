/* SPDX-License-Identifier: Apache-2.0
 *
 * In: the list of an older bundle, which names a value by its file, function, statement and line;
 * and what can be given. Out: by node, what is not to be given. If no such statement is on the line
 * any more since the source was edited, all of the function with this text are meant: to compute
 * more than has to be is never wrong.
 */
#include "skeletonizer/untold_values.h"

#include "base/file.h"
#include "skeletonizer/describe/describe.h"

#include <stdlib.h>
#include <string.h>

/* regions.json has no text that is not UTF-8. */
static bool is_described_as(const char *text, const char *described) {
    json_t *value = describe_text(text);
    bool same = strcmp(json_string_value(value), described) == 0;
    json_decref(value);
    return same;
}

static bool is_named(struct generation *g, const struct untold_value *value,
                     const struct node *node, const struct ast *part) {
    return node->function != NULL && strcmp(node->function->name, value->function) == 0 &&
           is_described_as(
               program_relative(&g->program, g->program.files.items[node->range.file]->path),
               value->file) &&
           is_described_as(describe_value(&g->program, node, part), value->text);
}

static int line_of(const struct generation *g, const struct ast *part) {
    int line, column;
    program_position(&g->program, part->range, &line, &column);
    return line;
}

static void find(bool *untold, struct generation *g, const struct untold_value *value,
                 const struct ast *const *parts, const struct cut_wishes *wishes) {
    node_list found = {0};
    bool same_line = false;
    for (size_t i = 0; i < g->program.nodes.count; i++) {
        struct node *node = g->program.nodes.items[i];
        if (parts[i] == NULL || !is_named(g, value, node, parts[i]))
            continue;
        vec_push(&found, node);
        same_line = same_line || line_of(g, parts[i]) == value->line;
    }
    for (size_t i = 0; i < found.count; i++) {
        struct node *node = found.items[i];
        bool is_elsewhere = same_line && line_of(g, parts[node->id]) != value->line;
        bool is_hinted = wishes->preferred[node->id] || wishes->draws[node->id] != NULL;
        if (is_elsewhere || is_hinted || untold[node->id])
            continue;
        untold[node->id] = true;
        vec_push(&g->computed, node);
    }
    if (found.count == 0)
        note("note: %s/%s lists %s:%d (%s), which is no value any more", g->options->output,
             UNTOLD_FILE, value->file, value->line, value->text);
    vec_dispose(&found);
}

int untold_values_find(struct cut_wishes *wishes, struct generation *g, struct error *error) {
    const char *path = path_join(&g->arena, g->options->output, UNTOLD_FILE);
    if (untold_read(&g->untold, path, error) != 0)
        return -1;
    if (!g->assumptions.cuts || g->untold.items.count == 0)
        return 0;
    bool *untold = ARENA_ARRAY(&g->arena, bool, g->program.nodes.count + 1);
    const struct ast **parts = cut_find_parts(&g->slice, wishes);
    for (size_t i = 0; i < g->untold.items.count; i++)
        find(untold, g, &g->untold.items.items[i], parts, wishes);
    free(parts);
    wishes->untold = untold;
    return 0;
}
