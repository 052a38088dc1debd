/* SPDX-License-Identifier: Apache-2.0
 *
 * From declarations to kinds, constants and variables.
 */
#include "analysis/events/declare.h"

#include "analysis/events/check_expression.h"
#include "analysis/events/compile_value.h"

#include <string.h>

static void add_kind(struct events_program *program, const char *name,
                     const struct event_field *fields, size_t count) {
    struct arena *arena = program->arena;
    struct events_kind kind = {.name = name, .fields = fields, .field_count = count};
    kind.values = ARENA_ARRAY(arena, union event_value, count + 1);
    kind.before = ARENA_ARRAY(arena, union event_value, count + 1);
    kind.used = ARENA_ARRAY(arena, bool, count + 1);
    kind.used_before = ARENA_ARRAY(arena, bool, count + 1);
    kind.asked = ARENA_ARRAY(arena, size_t, count + 1);
    for (size_t i = 0; i < count; i++)
        kind.values[i] = kind.before[i] = events_zero(fields[i].type);
    vec_push(&program->kinds, kind);
}

static const struct event_field *field_of(const struct events_kind *kind, const char *name) {
    for (size_t i = 0; i < kind->field_count; i++)
        if (strcmp(kind->fields[i].name, name) == 0)
            return &kind->fields[i];
    return NULL;
}

/* The fields that the program expects, against those that there are. */
static int compare_input(struct events_program *program, const struct syntax_input *input,
                         const struct events_kind *kind) {
    int result = 0;
    for (size_t i = 0; i < input->fields.count; i++) {
        const struct event_field *wanted = &input->fields.items[i],
                                 *found = field_of(kind, wanted->name);
        if (found == NULL)
            result = script_fail(program->script, input->places.items[i],
                                 "events %s of this trace have no field '%s'", input->name,
                                 wanted->name);
        else if (found->type != wanted->type)
            result = script_fail(program->script, input->places.items[i],
                                 "field '%s' of %s is %s in this trace; declare it so",
                                 wanted->name, input->name, event_type_name(found->type));
    }
    return result;
}

static size_t add_once(struct events_program *program, const char *name) {
    if (events_program_kind(program, name) != NULL)
        return SIZE_MAX;
    add_kind(program, name, NULL, 0);
    return program->kinds.count - 1;
}

static void add_setting(struct events_program *program, const char *setting) {
    const char *equals = strchr(setting, '=');
    struct event_constant constant = {
        .name = arena_strndup(program->arena, setting, (size_t)(equals - setting))};
    if (machine_text_to_int(&constant.value, equals + 1)) {
        constant.type = EVENT_INT;
    } else if (machine_text_to_float(&constant.value, equals + 1)) {
        constant.type = EVENT_FLOAT;
    } else {
        constant.type = EVENT_STRING;
        constant.value.s = texts_intern(program->texts, equals + 1, strlen(equals + 1));
    }
    vec_push(&program->constants, constant);
}

int declare_inputs(struct events_program *program, const struct event_source *source,
                   const char *const *settings, size_t setting_count) {
    int result = 0;
    for (size_t i = 0; i < source->kind_count; i++)
        add_kind(program, source->kinds[i].name, source->kinds[i].fields,
                 source->kinds[i].field_count);
    program->source_kinds = source->kind_count;
    for (size_t i = 0; i < program->syntax.inputs.count; i++) {
        const struct syntax_input *input = &program->syntax.inputs.items[i];
        const struct events_kind *kind = events_program_kind(program, input->name);
        if (kind == NULL)
            add_kind(program, input->name, input->fields.items, input->fields.count);
        else if (compare_input(program, input, kind) != 0)
            result = -1;
    }
    program->start = add_once(program, "START");
    program->end = add_once(program, "END");
    for (size_t i = 0; i < source->constant_count; i++)
        vec_push(&program->constants, source->constants[i]);
    for (size_t i = 0; i < setting_count; i++)
        add_setting(program, settings[i]);
    return result;
}

static int check_constant(struct events_program *program, const struct syntax *node) {
    if (node->type == SYNTAX_NAME || node->type == SYNTAX_FIELD)
        return script_fail(program->script, node->place,
                           "this has to be a constant: numbers, and what the trace has as "
                           "constants");
    for (size_t i = 0; i < node->part_count; i++)
        if (check_constant(program, node->parts[i]) != 0)
            return -1;
    return 0;
}

static int evaluate_size(long *out, struct events_program *program,
                         const struct syntax_dimension *dimension) {
    union event_value value;
    struct syntax *size = dimension->size;
    if (check_expression(program, size) != 0 || check_constant(program, size) != 0)
        return -1;
    if (size->result == EVENT_STRING || size->shape.dimension_count > 0)
        return script_fail(program->script, size->place, "the size of an array is a number");
    if (compile_evaluate(&value, program, size, EVENT_INT) != 0)
        return -1;
    if (value.i < 0 || value.i > MOST_ELEMENTS)
        return script_fail(program->script, size->place,
                           "an array cannot have %lld elements, only 0 to %ld", value.i,
                           MOST_ELEMENTS);
    *out = (long)value.i;
    return 0;
}

static int set_shape(struct events_variable *variable, struct events_program *program,
                     const struct syntax_declaration *declaration) {
    struct syntax_shape *shape = &variable->shape;
    shape->dimension_count = declaration->dimension_count;
    for (size_t i = 0; i < shape->dimension_count; i++) {
        const struct syntax_dimension *dimension = &declaration->dimensions[i];
        shape->dimensions[i] = DIMENSION_GROWS;
        if (dimension->size != NULL &&
            evaluate_size(&shape->dimensions[i], program, dimension) != 0)
            return -1;
    }
    if (shape->dimension_count > 0) {
        shape->keyed = declaration->dimensions[0].keyed;
        shape->key_type = declaration->dimensions[0].key_type;
    }
    if (shape->keyed && shape->key_type == EVENT_FLOAT)
        return script_fail(program->script, declaration->dimensions[0].place,
                           "keys are [int] or [string]");
    return 0;
}

static int check_new_name(struct events_program *program, struct script_place place,
                          const char *name) {
    if (events_program_variable(program, name) != NULL)
        return script_fail(program->script, place, "'%s' is declared already", name);
    if (events_program_kind(program, name) != NULL)
        return script_fail(program->script, place, "'%s' is a kind of event; choose another name",
                           name);
    return 0;
}

static struct events_variable *add_variable(struct events_program *program,
                                            struct script_place place, const char *name,
                                            enum event_type type, enum syntax_role role) {
    struct events_variable *variable = ARENA_NEW(program->arena, struct events_variable);
    variable->name = name;
    variable->place = place;
    variable->type = type;
    variable->role = role;
    variable->value = variable->before = events_zero(type);
    vec_push(&program->variables, variable);
    return variable;
}

int declare_variables(struct events_program *program) {
    int result = 0;
    for (size_t i = 0; i < program->syntax.declarations.count; i++) {
        const struct syntax_declaration *declaration = &program->syntax.declarations.items[i];
        if (check_new_name(program, declaration->place, declaration->name) != 0) {
            result = -1;
            continue;
        }
        struct events_variable *variable = add_variable(
            program, declaration->place, declaration->name, declaration->type, declaration->role);
        variable->declaration = declaration;
        if (set_shape(variable, program, declaration) != 0)
            result = -1;
    }
    return result;
}

struct events_variable *declare_result(struct events_program *program,
                                       const struct syntax_rule *rule, enum event_type type,
                                       const struct syntax_shape *shape) {
    struct events_variable *variable =
        add_variable(program, rule->place, rule->text, type, ROLE_OUTPUT);
    variable->shape = *shape;
    return variable;
}

/* That a list of so many elements fills; no more than there are of a fixed size. */
static long rows_of_list(const struct events_array *array, size_t count) {
    long length = array->row_length > 0 ? array->row_length : 1;
    return array->shape.dimensions[0] < 0 ? ((long)count + length - 1) / length : 0;
}

static int set_initial(struct events_program *program, struct events_variable *variable,
                       struct syntax *initial) {
    struct events_array *array = variable->array;
    if (check_expression(program, initial) != 0 || check_constant(program, initial) != 0 ||
        check_conversion(program, initial, variable->type) != 0)
        return -1;
    if (array == NULL && initial->shape.dimension_count == 0)
        return compile_evaluate(&variable->value, program, initial, variable->type);
    if (array == NULL || array->shape.keyed || initial->type != SYNTAX_LIST)
        return script_fail(program->script, initial->place,
                           "a variable begins with a constant, an array with a list {1, 2, 3}");
    events_array_grow(array, rows_of_list(array, initial->part_count));
    if ((long)initial->part_count > array->rows * array->row_length)
        return script_fail(program->script, initial->place, "this list is longer than the array");
    for (size_t i = 0; i < initial->part_count; i++)
        if (compile_evaluate(&array->values[i], program, initial->parts[i], variable->type) != 0)
            return -1;
    return 0;
}

int declare_storage(struct events_program *program) {
    int result = 0;
    for (size_t i = 0; i < program->variables.count; i++) {
        struct events_variable *variable = program->variables.items[i];
        const struct syntax_declaration *declaration = variable->declaration;
        if (variable->shape.dimension_count > 0 &&
            events_program_new_array(&variable->array, program, variable->place, variable->type,
                                     &variable->shape, variable->is_listed) != 0)
            return -1;
        if (declaration != NULL && declaration->initial != NULL &&
            set_initial(program, variable, declaration->initial) != 0)
            result = -1;
        variable->before = variable->value;
    }
    return result;
}
