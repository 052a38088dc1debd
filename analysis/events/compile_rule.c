/* SPDX-License-Identifier: Apache-2.0
 *
 * A rule: does it wait, does its filter hold, what is the value, where does it go.
 */
#include "analysis/events/builtin.h"
#include "analysis/events/compile_value.h"
#include "analysis/events/syntax/shape.h"

struct rule_compilation {
    struct compiler *compiler;
    struct events_rule *rule;
    struct syntax *filter; /* NULL: none, or done */
    bool waits;
};

/* The new value, of the variable's type, from what is there. */
static const union event_value *combined(const struct rule_compilation *job,
                                         const union event_value *old,
                                         const union event_value *value) {
    struct compiler *compiler = job->compiler;
    const struct overload *overload = job->rule->compound;
    enum event_type type = job->rule->variable->type, from = job->rule->syntax->value->result;
    if (overload == NULL)
        return compile_convert(compiler, value, from, type);
    const union event_value *operands[2] = {
        compile_convert(compiler, old, type, overload->operands[0]),
        compile_convert(compiler, value, from, overload->operands[1])};
    return compile_convert(compiler, compile_overload(compiler, overload, operands),
                           overload->result, type);
}

static void mark(const struct rule_compilation *job) {
    if (job->rule->variable->is_read || job->rule->variable->array == NULL)
        compile_emit(job->compiler, OPERATION_MARK, NULL, NULL, NULL, job->rule->variable);
}

static void assign_variable(const struct rule_compilation *job) {
    struct compiler *compiler = job->compiler;
    struct events_variable *variable = job->rule->variable;
    const union event_value *value = compile_value(compiler, job->rule->syntax->value);
    value = combined(job, &variable->value, value);
    if (variable->keeps_before)
        compile_emit(compiler, OPERATION_KEEP, NULL, NULL, NULL, variable);
    compile_emit(compiler, OPERATION_COPY, &variable->value, value, NULL, NULL);
    mark(job);
}

static bool is_plain_sum(const struct rule_compilation *job) {
    const struct overload *overload = job->rule->compound;
    enum event_type type = job->rule->variable->type;
    return overload != NULL && job->rule->syntax->value->result == type &&
           (overload->code == OPERATION_ADD_INT || overload->code == OPERATION_ADD_FLOAT) &&
           overload->result == type;
}

static void store(const struct rule_compilation *job, const union event_value *element,
                  const union event_value *value) {
    struct compiler *compiler = job->compiler;
    struct events_array *array = job->rule->variable->array;
    if (array->listed)
        compile_emit(compiler, OPERATION_NOTE, NULL, element, NULL, array);
    if (is_plain_sum(job)) {
        compile_emit(compiler,
                     array->type == EVENT_INT ? OPERATION_ADD_AT_INT : OPERATION_ADD_AT_FLOAT, NULL,
                     element, value, array);
        return;
    }
    union event_value *old = compile_cell(compiler);
    if (job->rule->compound != NULL)
        compile_emit(compiler, OPERATION_LOAD, old, element, NULL, array);
    compile_emit(compiler, OPERATION_STORE, NULL, element, combined(job, old, value), array);
}

static void assign_element(const struct rule_compilation *job) {
    struct compiler *compiler = job->compiler;
    const union event_value *value = compile_value(compiler, job->rule->syntax->value);
    const union event_value *element = compile_locate(compiler, job->rule->target, COMPILE_WRITE);
    store(job, element, value);
    mark(job);
}

/* Does the expression read the variable other than element by element? */
static bool reads_as_a_whole(const struct syntax *node, const struct events_variable *variable,
                             bool is_in_array) {
    bool by_element = is_in_array && node->shape.dimension_count > 0;
    if (node->type == SYNTAX_NAME)
        return node->variable == variable && !by_element;
    if (node->type == SYNTAX_INDEX || (node->type == SYNTAX_CALL && node->builtin != NULL))
        by_element = false;
    for (size_t i = 0; i < node->part_count; i++)
        if (reads_as_a_whole(node->parts[i], variable, by_element))
            return true;
    return false;
}

/* Only elements whose operands were assigned in this event have to be looked at. */
static bool goes_by_assigned(const struct rule_compilation *job) {
    const struct syntax *value = job->rule->syntax->value, *filter = job->rule->syntax->filter;
    bool found = false;
    if (!job->waits || job->rule->target->type != SYNTAX_NAME)
        return false;
    for (size_t i = 0; i < job->rule->reads.count; i++) {
        const struct events_variable *variable = job->rule->reads.items[i];
        if (variable == job->rule->variable || variable->written_in != job->compiler->plan)
            continue;
        found = true;
        if (!variable->is_listed || reads_as_a_whole(value, variable, true) ||
            (filter != NULL && reads_as_a_whole(filter, variable, true)))
            return false;
    }
    return found;
}

static void collect_operands(compile_arrays *out, const struct rule_compilation *job) {
    compile_collect(out, job->rule->syntax->value);
    if (job->filter != NULL)
        compile_collect(out, job->filter);
}

/* The target and what is assigned, as one expression: its loop covers both. */
static void choose_loop(struct compile_loop *loop, const struct rule_compilation *job) {
    struct compiler *compiler = job->compiler;
    struct syntax *target = job->rule->target;
    const struct syntax *value = job->rule->syntax->value;
    compile_arrays arrays = {0};
    collect_operands(&arrays, job);
    bool has_operands = arrays.count > 0 || value->shape.dimension_count > 0;
    if (goes_by_assigned(job)) {
        compile_loop_assigned(compiler, loop, target->shape.keyed, &arrays);
        return;
    }
    if (target->shape.keyed && has_operands) {
        compile_loop_keys(compiler, loop, &arrays);
        return;
    }
    vec_dispose(&arrays);
    bool grows = shape_count(&target->shape) == DIMENSION_GROWS;
    compile_loop_over(compiler, loop,
                      grows && has_operands && compiler->spread == NULL ? job->rule->syntax->value
                                                                        : target);
}

/* A growing array becomes as long as what is assigned to it, or at least that long by +=. */
static void fit_length(const struct rule_compilation *job, const struct compile_loop *loop) {
    struct compiler *compiler = job->compiler;
    const struct syntax *target = job->rule->target;
    struct events_array *array = job->rule->variable->array;
    bool replaces = job->rule->compound == NULL && job->filter == NULL;
    if (builtin_is_call(job->rule->syntax->value, BUILTIN_TOP) && replaces)
        compile_emit(compiler, OPERATION_CLEAR, NULL, NULL, NULL, array);
    if (loop->items != NULL || target->type != SYNTAX_NAME || target->shape.dimension_count != 1 ||
        target->shape.dimensions[0] != DIMENSION_GROWS)
        return;
    compile_emit(compiler, OPERATION_GROW_TO, NULL, loop->to, NULL, array);
    if (replaces && job->rule->syntax->value->shape.dimension_count > 0 && compiler->spread == NULL)
        compile_emit(compiler, OPERATION_TRUNCATE_TO, NULL, loop->to, NULL, array);
}

static void assign_loop(const struct rule_compilation *job, struct compile_loop *loop,
                        const union event_value *base) {
    struct compiler *compiler = job->compiler;
    union event_value *element = compile_cell(compiler);
    compile_loop_begin(compiler, loop);
    if (job->filter != NULL)
        compile_condition(compiler, job->filter, &loop->nothing);
    const union event_value *value = compile_value(compiler, job->rule->syntax->value);
    compile_emit(compiler, loop->keyed ? OPERATION_ELEMENT_OF_NEW_KEY : OPERATION_ELEMENT, element,
                 loop->at, base, job->rule->variable->array);
    store(job, element, value);
    compile_loop_end(compiler, loop);
}

/* The variable whose row, or all of it, the expression is; NULL: it is something else. */
static const struct events_variable *plain_row(const struct syntax *value) {
    const struct syntax *node = builtin_is_call(value, BUILTIN_TAKE) ? value->parts[0] : value;
    return node->type == SYNTAX_INDEX || node->type == SYNTAX_NAME ? node->variable : NULL;
}

/* A row that is assigned to another one as it is, which needs no loop over operations. */
static bool is_plain_copy(const struct rule_compilation *job) {
    const struct syntax *value = job->rule->syntax->value, *target = job->rule->target;
    const struct events_variable *from = plain_row(value);
    long count = shape_count(&target->shape);
    return from != NULL && job->filter == NULL && job->rule->compound == NULL && !job->waits &&
           !target->shape.keyed && !value->shape.keyed && count != DIMENSION_GROWS &&
           count == shape_count(&value->shape) && from->type == job->rule->variable->type &&
           !job->rule->variable->array->listed && !job->compiler->before;
}

static void copy_row(const struct rule_compilation *job, const union event_value *base) {
    struct compiler *compiler = job->compiler;
    const struct syntax *value = job->rule->syntax->value;
    struct machine_copy *copy = ARENA_NEW(compiler->program->arena, struct machine_copy);
    bool is_take = value->type == SYNTAX_CALL;
    const union event_value *from = is_take ? value->parts[0]->once : value->once;
    copy->from = plain_row(value)->array;
    copy->to = job->rule->variable->array;
    copy->count = shape_count(&job->rule->target->shape);
    compile_emit(compiler, OPERATION_COPY_ROW, NULL, base,
                 value->type == SYNTAX_NAME ? compile_int(compiler, 0) : from, copy);
}

static void assign_array(const struct rule_compilation *job) {
    struct compiler *compiler = job->compiler;
    struct syntax *target = job->rule->target;
    struct compile_loop loop = {0};
    long count = shape_count(&target->shape);
    const union event_value *base = compile_int(compiler, 0);
    compiler->spread = NULL;
    compiler->spread_count =
        count == DIMENSION_GROWS || target->shape.keyed ? NULL : compile_int(compiler, count);
    compile_prepare(compiler, job->rule->syntax->value);
    if (job->filter != NULL)
        compile_prepare(compiler, job->filter);
    if (target->type == SYNTAX_INDEX)
        base = compile_locate(compiler, target, COMPILE_WRITE);
    if (is_plain_copy(job)) {
        copy_row(job, base);
    } else {
        choose_loop(&loop, job);
        fit_length(job, &loop);
        assign_loop(job, &loop, base);
    }
    compiler->spread = NULL;
    compiler->spread_count = NULL;
    mark(job);
}

static void wait_for_reads(struct compiler *compiler, const struct events_rule *rule,
                           compile_jumps *skip) {
    compile_jumps assigned = {0};
    for (size_t i = 0; i < rule->reads.count; i++)
        if (rule->reads.items[i] != rule->variable &&
            rule->reads.items[i]->written_in == compiler->plan)
            compile_emit_jump(compiler, &assigned, OPERATION_IF_CHANGED, NULL,
                              &rule->reads.items[i]->changed);
    compile_emit_jump(compiler, skip, OPERATION_GO, NULL, NULL);
    compile_land(compiler, &assigned);
}

static void update(struct compiler *compiler, const struct events_rule *rule) {
    if (!rule->sums_up)
        return;
    compile_updates(compiler, rule->syntax->value);
    if (rule->syntax->filter != NULL)
        compile_updates(compiler, rule->syntax->filter);
    for (struct syntax *node = rule->target; node->type == SYNTAX_INDEX; node = node->parts[0])
        compile_updates(compiler, node->parts[1]);
}

static void assign(const struct rule_compilation *job) {
    if (job->rule->target->shape.dimension_count > 0)
        assign_array(job);
    else if (job->rule->target->type == SYNTAX_INDEX)
        assign_element(job);
    else
        assign_variable(job);
}

void compile_rule(struct compiler *compiler, struct events_rule *rule, bool waits) {
    struct rule_compilation job = {compiler, rule, rule->syntax->filter, waits};
    compile_jumps nothing = {0};
    compiler->nothing = &nothing;
    if (waits)
        wait_for_reads(compiler, rule, &nothing);
    update(compiler, rule);
    bool can_hold = job.filter == NULL || compile_known(compiler->kind, job.filter) != 0;
    if (can_hold && job.filter != NULL && job.filter->shape.dimension_count == 0) {
        compile_condition(compiler, job.filter, &nothing);
        job.filter = NULL;
    }
    if (can_hold)
        assign(&job);
    compile_land(compiler, &nothing);
    compiler->nothing = NULL;
}

int compile_evaluate(union event_value *out, struct events_program *program, struct syntax *node,
                     enum event_type type) {
    operation_list code = {0};
    compile_jumps nothing = {0};
    struct events_machine machine = {.texts = program->texts, .now = 1};
    union event_value *is_value = ARENA_NEW(program->arena, union event_value);
    struct compiler compiler = {.program = program, .out = &code, .nothing = &nothing};
    const union event_value *value = compile_converted(&compiler, node, type);
    compile_emit(&compiler, OPERATION_COPY, is_value, compile_int(&compiler, 1), NULL, NULL);
    compile_land(&compiler, &nothing);
    compiler.nothing = NULL;
    compile_emit(&compiler, OPERATION_STOP, NULL, NULL, NULL, NULL);
    machine_run(&machine, code.items);
    *out = *value;
    vec_dispose(&code);
    return is_value->i == 1 ? 0 : script_fail(program->script, node->place, "this has no value");
}
