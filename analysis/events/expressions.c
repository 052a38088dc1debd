/* SPDX-License-Identifier: Apache-2.0
 *
 * The stages from a text to a running program. A field is copied where the program finds it before
 * the plan of its event runs, and stays there until the next event of that kind.
 */
#include "analysis/events/expressions.h"

#include "analysis/events/builtin.h"
#include "analysis/events/check_expression.h"
#include "analysis/events/declare.h"
#include "analysis/events/event_plans.h"
#include "analysis/events/events_program.h"
#include "analysis/events/machine.h"
#include "analysis/events/syntax/shape.h"
#include "analysis/events/unit.h"
#include "base/str.h"

#include <stdio.h>
#include <string.h>

/* ---- Reads ---- */

/*
 * What a rule reads: which kinds of events and variables it mentions, and what has to be kept for
 * prev.
 * Walks a rule. The variable that it assigns is no read of its own, but for what stands in its
 * indices.
 */

struct reads_walk {
    struct events_program *program;
    struct events_rule *rule;
};

static void add_read(const struct reads_walk *walk, struct events_variable *variable) {
    variable->is_read = true;
    if (variable != walk->rule->variable)
        variable->is_operand = true;
    vec_push_new(&walk->rule->reads, variable);
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

/* Fills `reads` and `mentions` of the rule, and the flags of variables and fields. */
static void reads_of_rule(struct events_program *program, struct events_rule *rule) {
    struct reads_walk walk = {program, rule};
    rule->mentions = ARENA_ARRAY(program->arena, bool, program->kinds.count + 1);
    walk_node(&walk, rule->syntax->value);
    if (rule->syntax->filter != NULL)
        walk_node(&walk, rule->syntax->filter);
    for (const struct syntax *node = rule->target; node->type == SYNTAX_INDEX;
         node = node->parts[0])
        walk_node(&walk, node->parts[1]);
}

/* ---- Expressions ---- */

static struct syntax *name_node(struct events_program *program, struct events_variable *variable) {
    struct syntax *node = ARENA_NEW(program->arena, struct syntax);
    node->type = SYNTAX_NAME;
    node->place = variable->place;
    node->text = variable->name;
    node->variable = variable;
    node->result = variable->type;
    node->shape = variable->shape;
    return node;
}

/* sum(x by k) alone is an array with the keys k. */
static void target_by_key(struct events_program *program, struct events_rule *rule) {
    struct syntax *value = rule->syntax->value, *key = builtin_key(value);
    struct syntax *node = ARENA_NEW(program->arena, struct syntax);
    struct syntax_shape shape = {
        1, {DIMENSION_GROWS}, true, key->result == EVENT_STRING ? EVENT_STRING : EVENT_INT};
    rule->variable = declare_result(program, rule->syntax, value->result, &shape);
    node->type = SYNTAX_INDEX;
    node->place = key->place;
    node->parts = ARENA_ARRAY(program->arena, struct syntax *, 2);
    node->part_count = 2;
    node->parts[0] = name_node(program, rule->variable);
    node->parts[1] = key;
    node->variable = rule->variable;
    node->result = value->result;
    rule->target = node;
}

static void make_target(struct events_program *program, struct events_rule *rule) {
    const struct syntax *value = rule->syntax->value;
    if (builtin_is_call(value, BUILTIN_AGGREGATE) && builtin_key(value) != NULL) {
        target_by_key(program, rule);
        return;
    }
    rule->variable = declare_result(program, rule->syntax, value->result, &value->shape);
    rule->target = name_node(program, rule->variable);
}

static int check_target(struct events_program *program, struct events_rule *rule) {
    struct syntax *target = rule->syntax->target;
    if (target->type != SYNTAX_NAME && target->type != SYNTAX_INDEX)
        return script_fail(program->script, target->place,
                           "only a variable, or an element of one, can be assigned");
    if (target->type == SYNTAX_NAME && events_program_variable(program, target->text) == NULL &&
        events_program_kind(program, target->text) == NULL)
        return script_fail(program->script, target->place,
                           "'%s' is not declared; write `int %s` or `output float %s` before the "
                           "rules",
                           target->text, target->text, target->text);
    if (check_expression(program, target) != 0)
        return -1;
    if (target->variable == NULL)
        return script_fail(program->script, target->place,
                           "'%s' is no variable and cannot be assigned", target->text);
    rule->target = target;
    rule->variable = target->variable;
    return 0;
}

static int check_compound(struct events_program *program, struct events_rule *rule) {
    const struct syntax_rule *syntax = rule->syntax;
    enum event_type types[2] = {rule->variable->type, syntax->value->result};
    size_t length = syntax->compound == NULL ? 0 : strlen(syntax->compound) - 1;
    if (length == 0)
        return check_conversion(program, syntax->value, rule->variable->type);
    const char *operator= arena_strndup(program->arena, syntax->compound, length);
    rule->compound = overload_find(operator, 2, types);
    if (rule->compound == NULL)
        return script_fail(program->script, syntax->compound_place, "'%s' does not take %s and %s",
                           syntax->compound, event_type_name(types[0]), event_type_name(types[1]));
    return check_conversion(program, syntax->value, rule->compound->operands[1]);
}

static int check_shapes(struct events_program *program, const struct events_rule *rule) {
    const struct syntax_rule *syntax = rule->syntax;
    struct syntax_shape joined;
    const struct syntax_shape *target = &rule->target->shape, *value = &syntax->value->shape;
    if (target->dimension_count == 0 && value->dimension_count > 0)
        return script_fail(program->script, syntax->compound_place,
                           "an array does not fit into the single value '%s'; sum it up, or "
                           "declare an array",
                           rule->variable->name);
    if (target->keyed && target->dimension_count > 1)
        return script_fail(program->script, syntax->compound_place,
                           "rows of an array with keys are assigned one by one; give '%s' a key",
                           rule->variable->name);
    if (shape_join(&joined, program->script, syntax->compound_place, target, value) != 0)
        return -1;
    if (syntax->filter == NULL)
        return 0;
    if (target->dimension_count == 0 && syntax->filter->shape.dimension_count > 0)
        return script_fail(program->script, syntax->filter->place,
                           "an array is neither true nor false here; ask for one of its elements");
    return shape_join(&joined, program->script, syntax->filter->place, target,
                      &syntax->filter->shape);
}

static int check_rule(struct events_program *program, const struct syntax_rule *syntax) {
    struct events_rule rule = {.syntax = syntax};
    int result = syntax->target != NULL ? check_target(program, &rule) : 0;
    if (check_expression(program, syntax->value) != 0)
        return -1;
    if (syntax->filter != NULL && (check_expression(program, syntax->filter) != 0 ||
                                   check_truth(program, syntax->filter, "a filter") != 0))
        return -1;
    if (result == 0 && syntax->target == NULL)
        make_target(program, &rule);
    if (result != 0 || check_compound(program, &rule) != 0 || check_shapes(program, &rule) != 0)
        return -1;
    if (rule.variable->unit == NULL)
        rule.variable->unit = unit_of(syntax->value);
    rule.variable->is_ranked |= builtin_is_call(syntax->value, BUILTIN_TOP);
    vec_push(&program->rules, rule);
    return 0;
}

static void ask(struct events_kind *kind) {
    for (size_t i = 0; i < kind->field_count; i++)
        if (kind->used[i])
            kind->asked[kind->asked_count++] = i;
}

/* Only kinds with a plan, or with fields that are asked for, are of interest. */
static void want(struct events_program *program, struct event_source *source) {
    for (size_t i = 0; i < program->source_kinds; i++) {
        struct events_kind *kind = &program->kinds.items[i];
        ask(kind);
        source->wanted[i] = kind->code.count > 0 || kind->asked_count > 0;
    }
}

int expressions_load(struct events_program *out, struct arena *arena, struct script *script,
                     struct event_source *source, const char *const *settings,
                     size_t setting_count) {
    int result = 0;
    *out = (struct events_program){.arena = arena, .script = script, .texts = &source->texts};
    if (syntax_parse(&out->syntax, arena, script) != 0 ||
        declare_inputs(out, source, settings, setting_count) != 0 || declare_variables(out) != 0)
        return -1;
    for (size_t i = 0; i < out->syntax.rules.count; i++)
        result |= check_rule(out, &out->syntax.rules.items[i]);
    if (result != 0)
        return -1;
    for (size_t i = 0; i < out->rules.count; i++)
        reads_of_rule(out, &out->rules.items[i]);
    if (declare_storage(out) != 0 || event_plans_make(out) != 0)
        return -1;
    want(out, source);
    return 0;
}

static void copy_fields(struct events_kind *kind, const union event_value *values) {
    for (size_t i = 0; i < kind->asked_count; i++) {
        size_t field = kind->asked[i];
        if (kind->used_before[field])
            kind->before[field] = kind->values[field];
        kind->values[field] = values[field];
    }
}

static void run_event(struct events_machine *machine, struct events_kind *kind,
                      const union event_value *values) {
    machine->now++;
    copy_fields(kind, values);
    kind->seen_before = kind->seen;
    kind->seen = true;
    if (kind->code.count > 0)
        machine_run(machine, kind->code.items);
}

static void run_once(struct events_machine *machine, struct events_program *program, size_t kind) {
    if (kind < program->kinds.count)
        run_event(machine, &program->kinds.items[kind], NULL);
}

static void warn_outside(const struct events_program *program) {
    char index[64];
    for (size_t i = 0; i < program->accesses.count; i++) {
        const struct events_access *access = program->accesses.items[i];
        const struct events_array *array = access->array;
        long size = access->size != DIMENSION_GROWS ? access->size : MOST_ELEMENTS;
        if (access->outside == 0)
            continue;
        snprintf(index, sizeof index, array->shape.keyed ? "a key" : "%lld", access->first.i);
        script_warn(program->script, access->place,
                    "%zu time%s this index of '%s' was outside of 0 to %ld, first %s; the rule was "
                    "left out there",
                    access->outside, text_plural(access->outside), access->name, size - 1, index);
    }
}

int expressions_run(size_t *out_count, struct events_program *program, struct event_source *source,
                    struct error *error) {
    struct events_machine machine = {.texts = program->texts};
    const struct source_event *block;
    size_t count;
    int result;
    *out_count = 0;
    run_once(&machine, program, program->start);
    while ((result = source->next(&block, &count, source, error)) == 0 && count > 0) {
        for (size_t i = 0; i < count; i++)
            run_event(&machine, &program->kinds.items[block[i].kind], block[i].values);
        *out_count += count;
    }
    run_once(&machine, program, program->end);
    warn_outside(program);
    return result;
}

void expressions_dispose(struct events_program *program) {
    events_program_dispose(program);
}
