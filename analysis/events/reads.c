/* SPDX-License-Identifier: Apache-2.0
 *
 * Walks a rule. The variable that it assigns is no read of its own, but for what stands in its
 * indices.
 */
#include "analysis/events/reads.h"

#include "analysis/events/builtin.h"

struct reads_walk {
    struct events_program *program;
    struct events_rule *rule;
};

static void add_read(const struct reads_walk *walk, struct events_variable *variable) {
    variable->is_read = true;
    if (variable != walk->rule->variable)
        variable->is_operand = true;
    for (size_t i = 0; i < walk->rule->reads.count; i++)
        if (walk->rule->reads.items[i] == variable)
            return;
    vec_push(&walk->rule->reads, variable);
}

static void mention(const struct reads_walk *walk, const struct events_kind *kind) {
    walk->rule->mentions[kind - walk->program->kinds.items] = true;
}

static void walk_node(const struct reads_walk *walk, const struct syntax *node);

static void walk_parts(const struct reads_walk *walk, const struct syntax *node) {
    for (size_t i = 0; i < node->part_count; i++)
        walk_node(walk, node->parts[i]);
}

/* The value before the event neither waits for it nor depends on what it changes. */
static void walk_prev(const struct reads_walk *walk, const struct syntax *node) {
    if (node->type == SYNTAX_FIELD) {
        node->kind->used[node->field] = node->kind->used_before[node->field] = true;
        return;
    }
    node->variable->is_operand |= node->variable != walk->rule->variable;
    node->variable->keeps_before = true;
    node->variable->is_listed |= node->variable->shape.dimension_count > 0;
    for (; node->type == SYNTAX_INDEX; node = node->parts[0])
        walk_node(walk, node->parts[1]);
}

static void walk_node(const struct reads_walk *walk, const struct syntax *node) {
    bool by_element = walk->rule->target->shape.dimension_count > 0;
    if (builtin_is_call(node, BUILTIN_PREV)) {
        walk_prev(walk, node->parts[0]);
    } else if (node->type == SYNTAX_FIELD) {
        node->kind->used[node->field] = true;
        mention(walk, node->kind);
    } else if (node->type == SYNTAX_NAME && node->variable != NULL) {
        add_read(walk, node->variable);
        node->variable->is_listed |= by_element && node->variable->shape.dimension_count > 0;
    } else if (node->type == SYNTAX_INDEX) {
        for (; node->type == SYNTAX_INDEX; node = node->parts[0])
            walk_node(walk, node->parts[1]);
        add_read(walk, node->variable);
    } else if (node->type == SYNTAX_NAME) {
        mention(walk, node->kind);
    } else {
        walk->rule->sums_up |=
            builtin_is_call(node, BUILTIN_AGGREGATE) || builtin_is_call(node, BUILTIN_WINDOW);
        if (builtin_is_call(node, BUILTIN_TAKE))
            node->parts[0]->variable->is_taken = true;
        walk_parts(walk, node);
    }
}

void reads_of_rule(struct events_program *program, struct events_rule *rule) {
    struct reads_walk walk = {program, rule};
    rule->mentions = ARENA_ARRAY(program->arena, bool, program->kinds.count + 1);
    walk_node(&walk, rule->syntax->value);
    if (rule->syntax->filter != NULL)
        walk_node(&walk, rule->syntax->filter);
    for (const struct syntax *node = rule->target; node->type == SYNTAX_INDEX;
         node = node->parts[0])
        walk_node(&walk, node->parts[1]);
}
