/* SPDX-License-Identifier: Apache-2.0
 *
 * A unit's definitions -> functions, objects and nodes of the program model.
 */
#include "frontend/program/build.h"

#include "frontend/program/sections.h"

#include <stdio.h>
#include <string.h>

struct object *build_new_object(struct builder *b, enum object_kind kind, const char *name,
                                const struct type *type) {
    struct object *object = ARENA_NEW(&b->program->arena, struct object);
    object->id = (int)b->program->objects.count;
    object->kind = kind;
    object->name = name;
    object->type = type;
    object->parameter = -1;
    object->in_memory = kind != OBJECT_VARIABLE;
    vec_push(&b->program->objects, object);
    return object;
}

static bool is_aggregate(const struct type *type) {
    return type->kind == TYPE_ARRAY || type->kind == TYPE_RECORD;
}

/* Locals of an instance, or of one of several functions with one text, are objects of their own,
 * under names of another kind. */
static const char *object_kind_name(const struct function *function,
                                    const struct declaration *declaration) {
    bool local = declaration->kind == DECLARATION_VARIABLE && !declaration->static_storage &&
                 !declaration->global;
    return local && function != NULL && function->suffix != NULL ? function->suffix : "object";
}

struct object *program_object(const struct program *program, const struct function *function,
                              const struct declaration *declaration) {
    const struct declaration *target = program_alias(program, declaration->key);
    declaration = target != NULL ? target : declaration;
    return names_get(program->names, object_kind_name(function, declaration), declaration->key);
}

/* A bound of a section stays with all variables that it is made of. */
static void name_section(struct builder *b, struct object *object) {
    const struct section *section = sections_bounded_by(b->program, object->declaration);
    struct function *function = b->function;
    b->function = NULL;
    for (size_t i = 0; section != NULL && i < section->variables.count; i++)
        vec_push(&object->named, build_object(b, section->variables.items[i]));
    b->function = function;
}

struct object *build_object(struct builder *b, const struct declaration *declaration) {
    const struct declaration *target = program_alias(b->program, declaration->key);
    declaration = target != NULL ? target : declaration;
    struct object *object = program_object(b->program, b->function, declaration);
    if (object != NULL)
        return object;
    enum object_kind kind =
        declaration->kind == DECLARATION_FUNCTION ? OBJECT_FUNCTION : OBJECT_VARIABLE;
    object = build_new_object(b, kind, declaration->name, declaration->type);
    object->declaration = declaration;
    if (kind == OBJECT_VARIABLE) {
        object->in_memory =
            declaration->static_storage || declaration->is_type || is_aggregate(declaration->type);
        object->function = declaration->static_storage ? NULL : b->function;
        if (b->function != NULL && !declaration->parameter && !declaration->is_type)
            vec_push(&b->function->locals, object);
    }
    names_put(b->program->names, object_kind_name(b->function, declaration), declaration->key,
              object);
    if (kind == OBJECT_VARIABLE)
        name_section(b, object);
    return object;
}

struct node *build_new_node(struct builder *b, enum node_kind kind, const struct ast *ast) {
    struct node *node = ARENA_NEW(&b->program->arena, struct node);
    node->id = (int)b->program->nodes.count;
    node->kind = kind;
    node->function = b->function;
    node->ast = ast;
    node->range = ast != NULL ? ast->range : (struct range){-1, 0, 0};
    node->line = ast != NULL ? ast->line : 0;
    vec_push(&b->program->nodes, node);
    if (b->function != NULL) {
        node->index = (int)b->function->nodes.count;
        vec_push(&b->function->nodes, node);
    }
    b->node = node;
    b->uses = &node->uses;
    b->addresses = &node->addresses;
    b->calls = &node->calls;
    b->argument = NULL;
    b->conditional = 0;
    return node;
}

static void add_parameters(struct builder *b, const struct definition *definition) {
    for (int i = 0; i < definition->parameter_count; i++) {
        struct object *object = build_object(b, definition->parameters[i]);
        object->function = b->function;
        object->parameter = i;
        vec_push(&b->function->parameters, object);
    }
}

static void resolve_gotos(struct builder *b) {
    for (size_t i = 0; i < b->gotos.count; i++) {
        struct node *target = names_get(b->labels, "label", b->gotos.items[i].label);
        if (target != NULL)
            vec_push(&b->gotos.items[i].node->next, target);
        else if (ast_is_asm_goto(b->gotos.items[i].node->ast))
            program_report(b->program, b->gotos.items[i].node->range, "error",
                           "nothing is known about the label '%s' of this asm goto; write its name "
                           "as it is",
                           b->gotos.items[i].label);
    }
    b->gotos.count = 0;
}

static void fill_function(struct builder *b) {
    struct function *function = b->function;
    const struct definition *definition = function->definition;
    add_parameters(b, definition);
    function->result = build_new_object(b, OBJECT_RESULT, function->name, definition->result);
    function->result->function = function;
    function->entry = build_new_node(b, NODE_ENTRY, NULL);
    function->exit = build_new_node(b, NODE_EXIT, NULL);
    b->labels = names_new();
    function->tree = build_body(b, definition);
    resolve_gotos(b);
    names_free(b->labels);
    b->labels = NULL;
}

static void enter_function(struct builder *b, struct function *function) {
    function->id = (int)b->program->functions.count;
    vec_push(&b->program->functions, function);
    names_put(b->program->names, "function", function->key, function);
    b->function = function;
    fill_function(b);
    b->function = NULL;
}

/* A text may begin with a macro that is nothing in other units, and end in a conditional: those of
 * one text begin or end at one place. */
static void find_same_text(struct builder *b, struct function *function) {
    struct name_table *names = b->program->names;
    struct range range = function->range;
    const char *begin = arena_printf(&b->program->arena, "%d:%u", range.file, range.begin);
    const char *end = arena_printf(&b->program->arena, "%d:%u", range.file, range.end);
    struct function *known = names_get(names, "function at", begin);
    if (known == NULL)
        names_put(names, "function at", begin, function);
    if (known == NULL)
        known = names_get(names, "function to", end);
    if (names_get(names, "function to", end) == NULL)
        names_put(names, "function to", end, function);
    if (known == NULL)
        return;
    function->same_text = known->same_text != NULL ? known->same_text : known;
    known->same_text = function;
    function->suffix = arena_printf(&b->program->arena, "@%zu", b->program->functions.count);
}

/* One source that defines it twice is not linked together: a build of two configurations. */
static void report_other_text(struct program *program, const struct definition *definition,
                              int unit, int other) {
    const char *paths[] = {program->units.items[unit]->path, program->units.items[other]->path};
    if (strcmp(paths[0], paths[1]) == 0)
        program_report(program, definition->range, "error",
                       "%s has several entries in the compile database, whose options make "
                       "different programs of '%s', as a debug and a release build do; leave one "
                       "of them, or capture the build and name the executable with --link",
                       paths[0], definition->declaration->name);
    else
        program_report(program, definition->range, "error",
                       "macros make something else of '%s' in %s than in %s, and the compiler may "
                       "call either: declare it static",
                       definition->declaration->name, paths[0], paths[1]);
}

/* A function that has been defined before. */
static void check_again(struct builder *b, const struct definition *definition,
                        const struct function *known, int unit) {
    const char *name = definition->declaration->name;
    if (known->range.file != definition->range.file ||
        known->range.begin != definition->range.begin) {
        program_report(
            b->program, definition->range, "error",
            "'%s' is defined in two units that are linked together, and the linker "
            "would have to choose: name the executable with --link, and build it before, "
            "so that the linker tells which members of libraries it takes",
            name);
        program_report(b->program, known->range, "note", "the other definition is here");
    } else if (!build_is_same(definition, known->definition)) {
        report_other_text(b->program, definition, unit, known->unit);
    }
}

void build_function(struct builder *b, const struct definition *definition, int unit) {
    const struct declaration *declaration = definition->declaration;
    struct function *known = program_function(b->program, declaration->key);
    if (known != NULL) {
        check_again(b, definition, known, unit);
        return;
    }
    struct function *function = ARENA_NEW(&b->program->arena, struct function);
    function->name = declaration->name;
    function->key = declaration->key;
    function->declaration = declaration;
    function->definition = definition;
    function->range = definition->range;
    function->body = definition->body;
    function->result_type = definition->result;
    function->unit = unit;
    function->line = declaration->line;
    find_same_text(b, function);
    enter_function(b, function);
}

struct function *program_instantiate(struct program *program, struct function *origin) {
    struct builder builder = {.program = program};
    struct function *function = ARENA_NEW(&program->arena, struct function);
    int number = 1;
    function->name = origin->name;
    function->declaration = origin->declaration;
    function->definition = origin->definition;
    function->range = origin->range;
    function->body = origin->body;
    function->result_type = origin->result_type;
    function->unit = origin->unit;
    function->line = origin->line;
    function->origin = origin;
    for (struct function *other = origin->next_instance; other != NULL;
         other = other->next_instance)
        number++;
    const char *number_text = arena_printf(&program->arena, "#%d", number);
    function->key = arena_printf(&program->arena, "%s%s", origin->key, number_text);
    function->suffix = arena_printf(&program->arena, "%s%s",
                                    origin->suffix != NULL ? origin->suffix : "", number_text);
    function->next_instance = origin->next_instance;
    origin->next_instance = function;
    enter_function(&builder, function);
    vec_dispose(&builder.gotos);
    return function;
}

/* Its text is also another variable's, in a file that is included more than once. */
static void find_same_variable(struct builder *b, struct object *object, struct range name) {
    struct name_table *names = b->program->names;
    const char *place = arena_printf(&b->program->arena, "%d:%u", name.file, name.begin);
    struct object *known = names_get(names, "variable at", place);
    if (known == NULL) {
        names_put(names, "variable at", place, object);
    } else if (known != object && object->same_text == NULL) {
        object->same_text = known->same_text != NULL ? known->same_text : known;
        known->same_text = object;
    }
}

static void add_variable(struct builder *b, const struct definition *definition) {
    const struct ast *ast = definition->variable;
    struct object *object = build_object(b, definition->declaration);
    object->type = ast->type;
    object->is_defined |= !definition->is_extern;
    build_sizes(b, &object->named, ast);
    find_same_variable(b, object, ast->name_range);
    /* Several texts: all but one are weak, or in what the linker leaves out. */
    const char *text = arena_printf(&b->program->arena, "%s at %d:%u", ast->declaration->key,
                                    ast->name_range.file, ast->name_range.begin);
    if (ast->kids[0] == NULL || names_get(b->program->names, "initialised", text))
        return;
    names_put(b->program->names, "initialised", text, object);
    struct node *node = build_new_node(b, NODE_INITIALISE, ast);
    node->declares = object;
    struct lvalue lvalue = {.object = object->id, .pointer = -1};
    lvalue.length_bytes = ast->type->size_bytes;
    build_initialise(b, ast->kids[0], lvalue, ast->type);
}

int build_unit(struct builder *b, const struct unit *unit, int index) {
    build_keys(b, unit, index);
    for (int i = 0; i < unit->definition_count; i++) {
        const struct definition *definition = &unit->definitions[i];
        if (definition->body != NULL)
            build_function(b, definition, index);
        else if (definition->variable != NULL)
            add_variable(b, definition);
    }
    build_names(b, &b->program->named, unit->named);
    return 0;
}

void build_callees(struct builder *b) {
    for (size_t i = 0; i < b->program->targets.count; i++)
        vec_push(&b->program->named, build_object(b, b->program->targets.items[i]));
    for (size_t i = 0; i < b->program->functions.count; i++) {
        const struct function *function = b->program->functions.items[i];
        for (size_t n = 0; function->same_text != NULL && n < function->nodes.count; n++) {
            const struct node *node = function->nodes.items[n];
            for (size_t k = 0; k < node->calls.count; k++) {
                const char *key = node->calls.items[k]->key;
                const struct function *callee =
                    key != NULL ? program_function(b->program, key) : NULL;
                if (callee != NULL)
                    build_object(b, callee->declaration);
            }
        }
    }
}
