/* SPDX-License-Identifier: Apache-2.0
 *
 * A rule is part of the plan if it mentions the kind, or reads what another rule of the plan
 * assigns, unless its filter cannot hold there (what it sums up goes on even then). Rules that
 * mention no event, and read nothing that is assigned, belong to START. The order is topological
 * (A. B. Kahn, Topological sorting of large networks, CACM 5(11), 1962), by position in the text
 * among those that are free. A circle counts within a plan only: what a send gives a receive goes
 * round between two events.
 */
#include "analysis/events/event_plans.h"

#include "analysis/events/compile_value.h"

#include <string.h>

struct event_plan {
    struct events_program *program;
    size_t kind;
    VEC(struct events_rule *) rules; /* in the order of the text */
    VEC(struct events_rule *) order;
    bool *is_placed; /* by rule of `rules` */
};

static bool can_hold(const struct event_plan *plan, const struct events_rule *rule) {
    const struct syntax *filter = rule->syntax->filter;
    return filter == NULL || compile_known(&plan->program->kinds.items[plan->kind], filter) != 0;
}

static bool is_written(const struct events_program *program,
                       const struct events_variable *variable) {
    for (size_t i = 0; i < program->rules.count; i++)
        if (program->rules.items[i].variable == variable)
            return true;
    return false;
}

static bool belongs_to_start(const struct events_program *program, const struct events_rule *rule) {
    for (size_t i = 0; i < program->kinds.count; i++)
        if (rule->mentions[i])
            return false;
    for (size_t i = 0; i < rule->reads.count; i++)
        if (rule->reads.items[i] != rule->variable && is_written(program, rule->reads.items[i]))
            return false;
    return true;
}

static bool is_direct(const struct event_plan *plan, const struct events_rule *rule) {
    return rule->mentions[plan->kind] ||
           (plan->kind == plan->program->start && belongs_to_start(plan->program, rule));
}

static bool reads_from(const struct events_rule *reader, const struct events_variable *variable) {
    for (size_t i = 0; i < reader->reads.count; i++)
        if (reader->reads.items[i] == variable && reader->variable != variable)
            return true;
    return false;
}

/* Does it read what the plan assigns so far? */
static bool is_touched(const struct event_plan *plan, const struct events_rule *rule) {
    for (size_t i = 0; i < rule->reads.count; i++)
        if (rule->reads.items[i] != rule->variable &&
            rule->reads.items[i]->written_in == plan->kind + 1)
            return true;
    return false;
}

static void choose_rules(struct event_plan *plan) {
    struct events_program *program = plan->program;
    size_t count = program->rules.count, before = SIZE_MAX, chosen = 0;
    bool *is_chosen = ARENA_ARRAY(program->arena, bool, count + 1);
    while (before != chosen) {
        before = chosen;
        for (size_t i = 0; i < count; i++) {
            struct events_rule *rule = &program->rules.items[i];
            if (is_chosen[i] || (!can_hold(plan, rule) && !rule->sums_up) ||
                (!is_direct(plan, rule) && !is_touched(plan, rule)))
                continue;
            is_chosen[i] = true;
            if (can_hold(plan, rule))
                rule->variable->written_in = plan->kind + 1;
            chosen++;
        }
    }
    for (size_t i = 0; i < count; i++)
        if (is_chosen[i])
            vec_push(&plan->rules, &program->rules.items[i]);
}

/* Does rule i come before rule k? One whose filter cannot hold assigns nothing. */
static bool precedes(const struct event_plan *plan, size_t i, size_t k) {
    const struct events_rule *first = plan->rules.items[i], *second = plan->rules.items[k];
    if (first->variable == second->variable)
        return i < k;
    return can_hold(plan, first) && reads_from(second, first->variable);
}

static bool is_free(const struct event_plan *plan, size_t k) {
    for (size_t i = 0; i < plan->rules.count; i++)
        if (i != k && !plan->is_placed[i] && precedes(plan, i, k))
            return false;
    return true;
}

/* A rule that waits for k and is not placed either. */
static size_t blocker_of(const struct event_plan *plan, size_t k) {
    for (size_t i = 0; i < plan->rules.count; i++)
        if (i != k && !plan->is_placed[i] && precedes(plan, i, k))
            return i;
    return k;
}

static int fail_circle(const struct event_plan *plan) {
    struct script *script = plan->program->script;
    struct str names = {0};
    size_t at = 0, begin;
    while (plan->is_placed[at])
        at++;
    for (size_t i = 0; i < plan->rules.count; i++) /* by then it is on the circle itself */
        at = blocker_of(plan, at);
    begin = at;
    do {
        str_printf(&names, "%s, which needs ", plan->rules.items[at]->variable->name);
        at = blocker_of(plan, at);
    } while (at != begin && names.length < 300);
    const struct events_rule *rule = plan->rules.items[begin];
    script_fail(script, rule->syntax->place,
                "at an event %s '%s' depends on itself: it needs %s%s; write prev(%s) for a value "
                "before the event",
                plan->program->kinds.items[plan->kind].name, rule->variable->name,
                str_text(&names) + strlen(rule->variable->name) + strlen(", which needs "),
                rule->variable->name, plan->rules.items[blocker_of(plan, begin)]->variable->name);
    str_dispose(&names);
    return -1;
}

static int order_rules(struct event_plan *plan) {
    plan->is_placed = ARENA_ARRAY(plan->program->arena, bool, plan->rules.count + 1);
    while (plan->order.count < plan->rules.count) {
        size_t next = 0;
        while (next < plan->rules.count && (plan->is_placed[next] || !is_free(plan, next)))
            next++;
        if (next == plan->rules.count)
            return fail_circle(plan);
        plan->is_placed[next] = true;
        vec_push(&plan->order, plan->rules.items[next]);
    }
    return 0;
}

static void compile_plan(const struct event_plan *plan) {
    struct events_program *program = plan->program;
    struct events_kind *kind = &program->kinds.items[plan->kind];
    struct compiler compiler = {
        .program = program, .kind = kind, .plan = plan->kind + 1, .out = &kind->code};
    for (size_t i = 0; i < plan->order.count; i++)
        compile_rule(&compiler, plan->order.items[i], !is_direct(plan, plan->order.items[i]));
    for (size_t i = 0; plan->order.count > 0 && i < program->variables.count; i++)
        if (program->variables.items[i]->is_taken)
            compile_emit(&compiler, OPERATION_FREE_TAKEN, NULL, NULL, NULL,
                         program->variables.items[i]->array);
    if (kind->code.count > 0)
        compile_emit(&compiler, OPERATION_STOP, NULL, NULL, NULL, NULL);
}

int event_plans_make(struct events_program *program) {
    int result = 0;
    for (size_t i = 0; i < program->kinds.count && result == 0; i++) {
        struct event_plan plan = {.program = program, .kind = i};
        choose_rules(&plan);
        result = order_rules(&plan);
        if (result == 0)
            compile_plan(&plan);
        vec_dispose(&plan.rules);
        vec_dispose(&plan.order);
    }
    return program->script->errors == 0 ? result : -1;
}
