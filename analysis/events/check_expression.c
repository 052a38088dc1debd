/* SPDX-License-Identifier: Apache-2.0
 *
 * Walks an expression from its leaves up. An operator or function is the overload that fits the
 * types of its operands; over arrays it goes element by element.
 */
#include "analysis/events/check_expression.h"

#include "analysis/events/builtin.h"
#include "analysis/events/syntax/shape.h"
#include "base/str.h"
#include "base/text/suggestion.h"

#include <string.h>

/* The name of a variable, event or constant that may have been meant is told. */
static int fail_name(struct events_program *program, const struct syntax *node) {
    struct suggestion suggestion = {.word = node->text};
    for (size_t i = 0; i < program->variables.count; i++)
        suggestion_offer(&suggestion, program->variables.items[i]->name);
    for (size_t i = 0; i < program->kinds.count; i++)
        suggestion_offer(&suggestion, program->kinds.items[i].name);
    for (size_t i = 0; i < program->constants.count; i++)
        suggestion_offer(&suggestion, program->constants.items[i].name);
    if (suggestion.name != NULL)
        return script_fail(program->script, node->place, "'%s' is not known; did you mean '%s'?",
                           node->text, suggestion.name);
    return script_fail(program->script, node->place,
                       "'%s' is not known: declare it (int %s), or give it a value with --set "
                       "%s=VALUE; `mpiskel events TRACE` lists what a trace has",
                       node->text, node->text, node->text);
}

static int check_name(struct events_program *program, struct syntax *node) {
    const struct event_constant *constant = events_program_constant(program, node->text);
    node->variable = events_program_variable(program, node->text);
    node->kind = events_program_kind(program, node->text);
    if (node->variable != NULL) {
        node->result = node->variable->type;
        node->shape = node->variable->shape;
    } else if (node->kind != NULL) {
        node->result = EVENT_INT;
    } else if (constant != NULL) {
        node->type = SYNTAX_VALUE;
        node->value = constant->value;
        node->unit = constant->unit;
        node->value_type = node->result = constant->type;
    } else {
        return fail_name(program, node);
    }
    return 0;
}

static int fail_field(struct events_program *program, const struct syntax *node,
                      const struct events_kind *kind) {
    struct suggestion suggestion = {.word = node->text};
    struct str names = {0};
    for (size_t i = 0; i < kind->field_count; i++) {
        suggestion_offer(&suggestion, kind->fields[i].name);
        str_printf(&names, "%s%s", i == 0 ? "" : ", ", kind->fields[i].name);
    }
    if (suggestion.name != NULL)
        script_fail(program->script, node->place, "%s has no field '%s'; did you mean '%s'?",
                    kind->name, node->text, suggestion.name);
    else
        script_fail(program->script, node->place, "%s has no field '%s'; it has %s", kind->name,
                    node->text, kind->field_count > 0 ? str_text(&names) : "none");
    str_dispose(&names);
    return -1;
}

static int check_field(struct events_program *program, struct syntax *node) {
    struct syntax *base = node->parts[0];
    if (base->type != SYNTAX_NAME)
        return script_fail(program->script, node->place, "only events have fields; write EVENT.%s",
                           node->text);
    if (check_name(program, base) != 0)
        return -1;
    if (base->kind == NULL || base->variable != NULL)
        return script_fail(program->script, base->place, "'%s' is no event and has no fields",
                           base->text);
    node->kind = base->kind;
    for (node->field = 0; node->field < node->kind->field_count; node->field++)
        if (strcmp(node->kind->fields[node->field].name, node->text) == 0) {
            node->result = node->kind->fields[node->field].type;
            return 0;
        }
    return fail_field(program, node, node->kind);
}

static int check_index_type(struct events_program *program, const struct syntax *index, bool text) {
    if (index->shape.dimension_count > 0)
        return script_fail(program->script, index->place,
                           "an array is no index; give one of its elements");
    if (text && index->result != EVENT_STRING)
        return script_fail(program->script, index->place,
                           "the keys of this array are texts; write (string) before the index");
    if (!text && index->result == EVENT_STRING)
        return script_fail(program->script, index->place,
                           "a text is no index of this array; declare it with [string]");
    return 0;
}

static int check_index(struct events_program *program, struct syntax *node) {
    struct syntax *base = node->parts[0], *index = node->parts[1];
    if (base->type != SYNTAX_NAME && base->type != SYNTAX_INDEX)
        return script_fail(program->script, node->place,
                           "only variables have elements; assign this to one first");
    if (check_expression(program, base) != 0 || check_expression(program, index) != 0)
        return -1;
    node->variable = base->variable;
    if (base->shape.dimension_count == 0)
        return script_fail(program->script, node->place,
                           base->type == SYNTAX_NAME
                               ? "'%s' is no array; declare it with [] or a size"
                               : "'%s' has fewer dimensions than indices here",
                           base->variable != NULL ? base->variable->name : base->text);
    bool text = base->shape.keyed && base->shape.key_type == EVENT_STRING;
    node->result = base->result;
    node->shape = shape_of_element(&base->shape);
    return check_index_type(program, index, text);
}

static int check_parts(struct events_program *program, struct syntax *node) {
    int result = 0;
    for (size_t i = 0; i < node->part_count; i++)
        if (check_expression(program, node->parts[i]) != 0)
            result = -1;
    node->shape = (struct syntax_shape){0};
    for (size_t i = 0; result == 0 && i < node->part_count; i++)
        result = shape_join(&node->shape, program->script, node->place, &node->shape,
                            &node->parts[i]->shape);
    return result;
}

int check_conversion(struct events_program *program, const struct syntax *node,
                     enum event_type wanted) {
    if (wanted == EVENT_FLOAT && node->type == SYNTAX_OPERATOR &&
        node->overload->code == OPERATION_DIVIDE_INT)
        script_warn(program->script, node->place,
                    "an int divided by an int has no fraction, as in C; write (float) before one "
                    "of them to keep it");
    if ((wanted == EVENT_STRING) == (node->result == EVENT_STRING) || wanted == EVENT_STRING)
        return 0;
    return script_fail(program->script, node->place, "a text is no number; write (%s) before it",
                       event_type_name(wanted));
}

int check_truth(struct events_program *program, const struct syntax *node, const char *what) {
    if (node->result != EVENT_STRING)
        return 0;
    return script_fail(
        program->script, node->place,
        "a text is neither true nor false, which %s has to be; compare it with ==", what);
}

static void print_types(struct str *out, const struct syntax *node) {
    for (size_t i = 0; i < node->part_count; i++)
        str_printf(out, "%s%s",
                   i == 0                      ? ""
                   : i + 1 == node->part_count ? " and "
                                               : ", ",
                   event_type_name(node->parts[i]->result));
}

static int fail_overload(struct events_program *program, const struct syntax *node) {
    struct str types = {0};
    size_t count;
    print_types(&types, node);
    bool exists = overload_exists(&count, node->text);
    if (node->type == SYNTAX_CALL && exists && count != node->part_count)
        script_fail(program->script, node->place, "%s takes %zu argument%s, not %zu", node->text,
                    count, text_plural(count), node->part_count);
    else
        script_fail(program->script, node->place,
                    "'%s' does not take %s; convert with (int), (float) or (string)", node->text,
                    str_text(&types));
    str_dispose(&types);
    return -1;
}

static int check_overload(struct events_program *program, struct syntax *node) {
    enum event_type types[4] = {0};
    for (size_t i = 0; i < node->part_count && i < 4; i++)
        types[i] = node->parts[i]->result;
    node->overload = overload_find(node->text, node->part_count, types);
    if (node->overload == NULL)
        return fail_overload(program, node);
    node->result = node->overload->result;
    for (size_t i = 0; i < node->part_count; i++)
        if (node->overload->code != OPERATION_JOIN &&
            check_conversion(program, node->parts[i], node->overload->operands[i]) != 0)
            return -1;
    return 0;
}

/* The type of either of two; -1: one is a text, the other is not. */
static int join_types(struct events_program *program, struct syntax *node, const struct syntax *a,
                      const struct syntax *b) {
    node->result = a->result > b->result ? a->result : b->result;
    if ((a->result == EVENT_STRING) == (b->result == EVENT_STRING))
        return 0;
    return script_fail(program->script, node->place,
                       "one of these is a text and the other is not; write (string) before that");
}

static int check_list(struct events_program *program, struct syntax *node) {
    if (node->shape.dimension_count > 0)
        return script_fail(program->script, node->place, "a list has single values, no arrays");
    node->result = node->parts[0]->result;
    for (size_t i = 1; i < node->part_count; i++)
        if (join_types(program, node, node->parts[0], node->parts[i]) != 0)
            return -1;
    for (size_t i = 0; i < node->part_count; i++)
        if (node->parts[i]->result > node->result)
            node->result = node->parts[i]->result;
    node->shape = (struct syntax_shape){1, {(long)node->part_count}, false, 0};
    return events_program_new_array(&node->array, program, node->place, node->result, &node->shape,
                                    false);
}

static int fail_call(struct events_program *program, const struct syntax *node) {
    struct suggestion suggestion = {.word = node->text};
    for (size_t i = 0; overload_name(i) != NULL; i++)
        suggestion_offer(&suggestion, overload_name(i));
    for (size_t i = 0; builtin_name(i) != NULL; i++)
        suggestion_offer(&suggestion, builtin_name(i));
    return suggestion.name != NULL
               ? script_fail(program->script, node->place,
                             "there is no function '%s'; did you mean '%s'?", node->text,
                             suggestion.name)
               : script_fail(program->script, node->place,
                             "there is no function '%s'; the page on event expressions lists them",
                             node->text);
}

/* min(a, b, c) is min(min(a, b), c). */
static void nest_extremes(struct events_program *program, struct syntax *node) {
    if (strcmp(node->text, "min") != 0 && strcmp(node->text, "max") != 0)
        return;
    while (node->part_count > 2) {
        struct syntax *inner = ARENA_NEW(program->arena, struct syntax);
        inner->type = SYNTAX_CALL;
        inner->place = node->place;
        inner->text = node->text;
        inner->parts = ARENA_ARRAY(program->arena, struct syntax *, 2);
        inner->parts[0] = node->parts[0];
        inner->parts[1] = node->parts[1];
        inner->part_count = 2;
        node->parts[0] = inner;
        memmove(node->parts + 1, node->parts + 2, (node->part_count - 2) * sizeof *node->parts);
        node->part_count--;
    }
}

static int check_call(struct events_program *program, struct syntax *node) {
    const struct builtin *builtin = builtin_find(node->text);
    size_t count;
    bool exists = overload_exists(&count, node->text);
    nest_extremes(program, node);
    if (builtin == NULL && !exists)
        return fail_call(program, node);
    if (builtin != NULL &&
        (!exists || node->part_count != count || strcmp(node->text, "length") == 0)) {
        node->builtin = builtin;
        return check_builtin(program, node);
    }
    return check_parts(program, node) != 0 ? -1 : check_overload(program, node);
}

static int check_choice(struct events_program *program, struct syntax *node) {
    return check_truth(program, node->parts[0], "a condition") != 0
               ? -1
               : join_types(program, node, node->parts[1], node->parts[2]);
}

static int check_logic(struct events_program *program, struct syntax *node) {
    node->result = EVENT_INT;
    return check_truth(program, node->parts[0], "an operand of && and ||") != 0 ||
                   check_truth(program, node->parts[1], "an operand of && and ||") != 0
               ? -1
               : 0;
}

static int check_filter(struct events_program *program, struct syntax *node) {
    node->result = node->parts[0]->result;
    return check_truth(program, node->parts[1], "a filter");
}

static int check_by(struct events_program *program, struct syntax *node) {
    return script_fail(program->script, node->place,
                       "'by' belongs into a function such as sum(x by key)");
}

int check_expression(struct events_program *program, struct syntax *node) {
    switch (node->type) {
    case SYNTAX_NAME:
        return check_name(program, node);
    case SYNTAX_FIELD:
        return check_field(program, node);
    case SYNTAX_INDEX:
        return check_index(program, node);
    case SYNTAX_CALL:
        return check_call(program, node);
    case SYNTAX_VALUE:
        node->result = node->value_type;
        if (node->result == EVENT_STRING)
            node->value.s = texts_intern(program->texts, node->value.s, strlen(node->value.s));
        return 0;
    case SYNTAX_BY:
        return check_by(program, node);
    default:
        break;
    }
    if (check_parts(program, node) != 0)
        return -1;
    switch (node->type) {
    case SYNTAX_OPERATOR:
        return check_overload(program, node);
    case SYNTAX_AND:
    case SYNTAX_OR:
        return check_logic(program, node);
    case SYNTAX_CHOICE:
        return check_choice(program, node);
    case SYNTAX_FILTER:
        return check_filter(program, node);
    case SYNTAX_LIST:
        return check_list(program, node);
    default:
        node->result = node->value_type; /* a cast */
        return 0;
    }
}
