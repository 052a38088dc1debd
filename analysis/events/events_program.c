/* SPDX-License-Identifier: Apache-2.0
 *
 * What a program consists of, found by name, and given back.
 */
#include "analysis/events/events_program.h"

#include <string.h>

void events_program_dispose(struct events_program *program) {
    for (size_t i = 0; i < program->arrays.count; i++)
        events_array_dispose(program->arrays.items[i]);
    for (size_t i = 0; i < program->states.count; i++)
        aggregate_states_dispose(program->states.items[i]);
    for (size_t i = 0; i < program->lists.count; i++)
        vec_dispose(&program->lists.items[i]->items);
    for (size_t i = 0; i < program->kinds.count; i++)
        vec_dispose(&program->kinds.items[i].code);
    for (size_t i = 0; i < program->rules.count; i++)
        vec_dispose(&program->rules.items[i].reads);
    vec_dispose(&program->constants);
    vec_dispose(&program->kinds);
    vec_dispose(&program->variables);
    vec_dispose(&program->rules);
    vec_dispose(&program->accesses);
    vec_dispose(&program->states);
    vec_dispose(&program->arrays);
    vec_dispose(&program->lists);
    syntax_dispose(&program->syntax);
}

struct events_variable *events_program_variable(const struct events_program *program,
                                                const char *name) {
    for (size_t i = 0; i < program->variables.count; i++)
        if (strcmp(program->variables.items[i]->name, name) == 0)
            return program->variables.items[i];
    return NULL;
}

struct events_kind *events_program_kind(const struct events_program *program, const char *name) {
    for (size_t i = 0; i < program->kinds.count; i++)
        if (strcmp(program->kinds.items[i].name, name) == 0)
            return &program->kinds.items[i];
    return NULL;
}

const struct event_constant *events_program_constant(const struct events_program *program,
                                                     const char *name) {
    for (size_t i = program->constants.count; i-- > 0;)
        if (strcmp(program->constants.items[i].name, name) == 0)
            return &program->constants.items[i];
    return NULL;
}

int events_program_new_array(struct events_array **out, struct events_program *program,
                             struct script_place place, enum event_type type,
                             const struct syntax_shape *shape, bool listed) {
    struct events_array *array = ARENA_NEW(program->arena, struct events_array);
    if (events_array_init(array, type, shape, listed) != 0)
        return script_fail(program->script, place, "this array has more than %ld elements",
                           MOST_ELEMENTS);
    vec_push(&program->arrays, array);
    *out = array;
    return 0;
}
