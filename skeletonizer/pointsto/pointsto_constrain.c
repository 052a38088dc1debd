/* SPDX-License-Identifier: Apache-2.0
 *
 * Constraints that come up while the others are solved: of calls through pointers, of what
 * libraries and MPI give back.
 */
#include "skeletonizer/pointsto/pointsto.h"

#include <string.h>

void points_to_constrain(struct points_to *p, struct constraint constraint) {
    constraint.function = p->code_of != NULL ? p->code_of->id + 1 : 0;
    vec_push(&p->program->constraints, constraint);
    p->changed = true;
}

struct lvalue points_to_lvalue(const struct object *object) {
    return (struct lvalue){.object = object->id, .pointer = -1};
}

void points_to_store_address(struct points_to *p, struct lvalue lvalue,
                             const struct object *object) {
    int address = p->program->variable_count++;
    points_to_constrain(p, (struct constraint){.kind = CONSTRAINT_ADDRESS,
                                               .to = address,
                                               .lvalue = points_to_lvalue(object)});
    points_to_constrain(
        p, (struct constraint){.kind = CONSTRAINT_STORE, .from = address, .lvalue = lvalue});
}

static struct object *find_state(const struct program *program, const char *name) {
    for (size_t i = 0; i < program->objects.count; i++) {
        struct object *object = program->objects.items[i];
        if (object->kind == OBJECT_STATE && strcmp(object->name, name) == 0)
            return object;
    }
    return NULL;
}

static struct object *add_state(struct program *program, const char *name) {
    struct object *object = ARENA_NEW(&program->arena, struct object);
    object->id = (int)program->objects.count;
    object->kind = OBJECT_STATE;
    object->name = arena_strdup(&program->arena, name);
    object->parameter = -1;
    object->in_memory = true;
    vec_push(&program->objects, object);
    return object;
}

struct object *points_to_state(struct points_to *p, const char *name) {
    struct object **known = hash_table_add_text(&p->states, name, sizeof *known);
    if (*known == NULL)
        *known = find_state(p->program, name);
    if (*known == NULL)
        *known = add_state(p->program, name);
    return *known;
}
