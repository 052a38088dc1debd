/* SPDX-License-Identifier: Apache-2.0
 *
 * Arguments of functions that do not just go element by element.
 */
#include "analysis/events/builtin.h"
#include "analysis/events/check_expression.h"

static int fail_form(struct events_program *program, const struct syntax *node, const char *why) {
    return script_fail(program->script, node->place, "%s; write %s", why, node->builtin->form);
}

static bool is_array(const struct syntax *node) {
    return node->shape.dimension_count > 0;
}

static int check_key(struct events_program *program, struct syntax *node, struct syntax *key) {
    if (check_expression(program, key) != 0)
        return -1;
    if (is_array(key) || is_array(builtin_argument(node)))
        return fail_form(program, key, "'by' goes with single values, not with arrays");
    node->states->keyed = true;
    return 0;
}

static int check_aggregate(struct events_program *program, struct syntax *node) {
    struct syntax *argument = builtin_argument(node);
    enum aggregate_function function = node->builtin->function;
    bool is_where = function == AGGREGATE_ARGMIN || function == AGGREGATE_ARGMAX;
    if (argument->result == EVENT_STRING && function != AGGREGATE_COUNT)
        return fail_form(program, node, "this function needs numbers, not texts");
    if (is_where && !is_array(argument))
        return fail_form(program, node, "this function needs an array");
    if (function == AGGREGATE_QUANTILE &&
        (node->parts[1]->result == EVENT_STRING || is_array(node->parts[1])))
        return fail_form(program, node, "the second argument has to be a number from 0 to 1");
    node->states = ARENA_NEW(program->arena, struct aggregate_states);
    node->states->function = function;
    node->states->type = argument->result == EVENT_FLOAT ? EVENT_FLOAT : EVENT_INT;
    vec_push(&program->states, node->states);
    node->shape = (struct syntax_shape){0};
    node->result = aggregate_result(function, node->states->type);
    if (is_where && argument->shape.keyed)
        node->result = argument->shape.key_type;
    struct syntax *key = builtin_key(node);
    return key != NULL ? check_key(program, node, key) : 0;
}

static bool is_variable(const struct syntax *node) {
    return (node->type == SYNTAX_NAME || node->type == SYNTAX_INDEX) && node->variable != NULL;
}

static bool is_row_of_map(const struct syntax *node) {
    return node->type == SYNTAX_INDEX && node->parts[0]->type == SYNTAX_NAME &&
           node->parts[0]->shape.keyed;
}

static int check_of_map(struct events_program *program, struct syntax *node) {
    if (!is_row_of_map(node->parts[0]))
        return fail_form(program, node, "this function needs a map with a key, such as int m[int]");
    if (node->builtin->type == BUILTIN_HAS) {
        node->shape = (struct syntax_shape){0};
        node->result = EVENT_INT;
    } else {
        node->shape = node->parts[0]->shape;
        node->result = node->parts[0]->result;
    }
    return 0;
}

static int check_default(struct events_program *program, struct syntax *node) {
    const struct syntax *a = node->parts[0], *b = node->parts[1];
    node->result = a->result > b->result ? a->result : b->result;
    if ((a->result == EVENT_STRING) != (b->result == EVENT_STRING))
        return fail_form(program, node, "both arguments have to be texts, or both numbers");
    if (is_array(a) || is_array(b))
        return fail_form(program, node, "this function takes single values");
    return 0;
}

static int check_length(struct events_program *program, struct syntax *node) {
    const struct syntax *argument = node->parts[0];
    node->result = EVENT_INT;
    if (!is_array(argument) && argument->result == EVENT_STRING) {
        node->builtin = NULL;
        node->overload = overload_find("length", 1, &argument->result);
        return 0;
    }
    node->shape = (struct syntax_shape){0};
    if (argument->type != SYNTAX_NAME || !is_array(argument))
        return fail_form(program, node, "this function needs an array or a text");
    return 0;
}

static int check_window(struct events_program *program, struct syntax *node) {
    if (is_array(node->parts[0]) || is_array(node->parts[1]) || node->parts[1]->result != EVENT_INT)
        return fail_form(program, node, "this function takes a single value, and an int of values");
    node->result = node->parts[0]->result;
    node->shape = (struct syntax_shape){1, {DIMENSION_GROWS}, false, 0};
    return events_program_new_array(&node->array, program, node->place, node->result, &node->shape,
                                    false);
}

static int check_top(struct events_program *program, struct syntax *node) {
    const struct syntax *argument = node->parts[0];
    if (argument->type != SYNTAX_NAME || argument->shape.dimension_count != 1 ||
        is_array(node->parts[1]) || node->parts[1]->result != EVENT_INT)
        return fail_form(program, node,
                         "this function takes a variable with one dimension, and an int");
    node->result = argument->result;
    node->shape = (struct syntax_shape){
        1, {DIMENSION_GROWS}, true, argument->shape.keyed ? argument->shape.key_type : EVENT_INT};
    return events_program_new_array(&node->array, program, node->place, node->result, &node->shape,
                                    false);
}

static int check_spread(struct events_program *program, struct syntax *node) {
    node->result = EVENT_INT;
    for (size_t i = 0; i < 4; i++) {
        if (is_array(node->parts[i]) || node->parts[i]->result == EVENT_STRING)
            return fail_form(program, node, "this function takes single numbers");
        if (node->parts[i]->result == EVENT_FLOAT)
            node->result = EVENT_FLOAT;
    }
    node->shape = (struct syntax_shape){1, {DIMENSION_GROWS}, false, 0};
    return 0;
}

static int check_prev(struct events_program *program, struct syntax *node) {
    const struct syntax *argument = node->parts[0];
    if (!is_variable(argument) && argument->type != SYNTAX_FIELD)
        return fail_form(program, node,
                         "this function takes a variable, an element of one, or a field");
    node->result = argument->result;
    return 0;
}

static int check_type(struct events_program *program, struct syntax *node) {
    switch (node->builtin->type) {
    case BUILTIN_AGGREGATE:
        return check_aggregate(program, node);
    case BUILTIN_PREV:
        return check_prev(program, node);
    case BUILTIN_TAKE:
    case BUILTIN_HAS:
        return check_of_map(program, node);
    case BUILTIN_DEFAULT:
        return check_default(program, node);
    case BUILTIN_LENGTH:
        return check_length(program, node);
    case BUILTIN_WINDOW:
        return check_window(program, node);
    case BUILTIN_TOP:
        return check_top(program, node);
    default:
        return check_spread(program, node);
    }
}

int check_builtin(struct events_program *program, struct syntax *node) {
    const struct builtin *builtin = node->builtin;
    bool takes_by = builtin->type == BUILTIN_AGGREGATE;
    if (node->part_count < builtin->least || node->part_count > builtin->most)
        return fail_form(program, node, "these are not the arguments of this function");
    if (check_expression(program, takes_by ? builtin_argument(node) : node->parts[0]) != 0)
        return -1;
    for (size_t i = 1; i < node->part_count; i++)
        if (check_expression(program, node->parts[i]) != 0)
            return -1;
    node->shape = node->parts[0]->shape;
    return check_type(program, node);
}
