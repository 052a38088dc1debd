/* SPDX-License-Identifier: Apache-2.0
 *
 * In: `value FILE:LINE TARGET = ...` and the program. Out: which part of a statement is given, and
 * the locations that the expressions of the hint read, which the skeleton then computes.
 *
 * Expressions are C's, of integers: constants, variables that are visible at the statement, members
 * of records (`panel->m`, `grid.row`), + - * / %, parentheses; a recursive descent checks them and
 * finds the variables. The skeleton gets their text.
 *
 * Limits: no elements of arrays, no calls, no macros; what is drawn is an integer.
 */
#include "skeletonizer/hints/hint_values.h"

#include "skeletonizer/given/given_parts.h"

#include <ctype.h>
#include <string.h>

#define MAX_DEPTH 50

struct resolver {
    const struct hints *hints;
    const struct hint_value *value;
    const struct slice *slice;
    const struct node *node;
    struct error *error;
    const char *at;
    int depth;
    int_list locations; /* where the variable or member lies that is being read */
    lvalue_list uses;
};

static int misfit(const struct hints *hints, const struct hint_value *value, struct error *error,
                  const char *what) {
    return error_set(error, "%s:%d:%d: error: %s", hints->path, value->place.line,
                     value->place.column, what);
}

static int fail(struct resolver *r, const char *format, const char *name) {
    struct arena *arena = &r->slice->program->arena;
    return misfit(r->hints, r->value, r->error, arena_printf(arena, format, name));
}

static char *take_word(struct resolver *r) {
    const char *begin = r->at;
    while (isalnum((unsigned char)*r->at) || *r->at == '_')
        r->at++;
    return arena_strndup(&r->slice->program->arena, begin, (size_t)(r->at - begin));
}

static void skip_space(struct resolver *r) {
    while (isspace((unsigned char)*r->at))
        r->at++;
}

static bool accept(struct resolver *r, const char *text) {
    skip_space(r);
    size_t length = strlen(text);
    if (strncmp(r->at, text, length) != 0)
        return false;
    r->at += length;
    return true;
}

/* Names */

static bool is_in_scope(const struct object *object, const struct node *node) {
    const struct tree *block = object->declared_in != NULL ? object->declared_in->parent : NULL;
    for (const struct tree *tree = node->tree; tree != NULL; tree = tree->parent)
        if (tree == block)
            return true;
    return block == NULL;
}

static bool is_visible_global(const struct resolver *r, const struct object *object) {
    const struct declaration *declaration = object->declaration;
    if (object->function != NULL || declaration == NULL || !declaration->global)
        return false;
    return declaration->external_linkage
               ? program_sees(r->slice->program, r->node->function, object->name)
               : declaration->name_range.file == r->node->range.file;
}

/* NULL after an error. */
static const struct object *find_variable(struct resolver *r, const char *name) {
    const struct program *program = r->slice->program;
    const struct object *local = NULL, *global = NULL;
    int count = 0;
    for (size_t i = 0; i < program->objects.count; i++) {
        const struct object *object = program->objects.items[i];
        if (object->kind != OBJECT_VARIABLE || strcmp(object->name, name) != 0)
            continue;
        if (is_visible_global(r, object))
            global = object;
        if (object->function != r->node->function || !is_in_scope(object, r->node))
            continue;
        local = object;
        count++;
    }
    if (count > 1)
        fail(r, "several variables are called '%s' there", name);
    else if (local == NULL && global == NULL)
        fail(r, "no variable '%s' is visible there", name);
    return count > 1 ? NULL : local != NULL ? local : global;
}

static const struct field *find_member(const struct type *type, const char *name) {
    for (int i = 0; type != NULL && type->kind == TYPE_RECORD && i < type->field_count; i++)
        if (type->fields[i].name != NULL && strcmp(type->fields[i].name, name) == 0)
            return &type->fields[i];
    return NULL;
}

static void add_use(struct resolver *r, const struct type *type) {
    for (size_t i = 0; i < r->locations.count; i++) {
        struct location where = r->slice->points_to->locations.items[r->locations.items[i]];
        struct lvalue lvalue = {.object = where.object, .pointer = -1};
        lvalue.offset_bytes = where.offset_bytes;
        lvalue.stride_bytes = where.stride_bytes;
        lvalue.length_bytes = where.length_bytes;
        lvalue.class = type_class(type);
        vec_push(&r->uses, lvalue);
    }
}

/* From records to a member of theirs. */
static void go_to_member(struct resolver *r, const struct field *field) {
    struct points_to *p = r->slice->points_to;
    for (size_t i = 0; i < r->locations.count; i++) {
        struct location where = p->locations.items[r->locations.items[i]];
        if (where.stride_bytes != 1) {
            where.offset_bytes += field->offset_bytes;
            where.length_bytes = field->type->size_bytes;
        }
        r->locations.items[i] = points_to_intern(p, where);
    }
}

static void follow_pointers(struct resolver *r, const struct type *type) {
    int_list targets = {0};
    add_use(r, type);
    for (size_t i = 0; i < r->locations.count; i++)
        points_to_load(r->slice->points_to,
                       r->slice->points_to->locations.items[r->locations.items[i]], &targets);
    vec_dispose(&r->locations);
    r->locations = targets;
}

/* A variable and its members, whose locations are followed along. */
static int variable(struct resolver *r) {
    const char *name = take_word(r);
    const struct object *object = find_variable(r, name);
    if (object == NULL)
        return -1;
    const struct type *type = object->type;
    r->locations.count = 0;
    vec_push(&r->locations,
             points_to_intern(r->slice->points_to,
                              (struct location){.object = object->id,
                                                .length_bytes = type ? type->size_bytes : 0}));
    for (bool arrow; type != NULL && ((arrow = accept(r, "->")) || accept(r, "."));) {
        const struct type *record = arrow ? type->element : type;
        skip_space(r);
        name = take_word(r);
        const struct field *field = find_member(record, name);
        if (field == NULL)
            return fail(r, "there is no member '%s'", name);
        if (arrow)
            follow_pointers(r, type);
        go_to_member(r, field);
        type = field->type;
    }
    if (type == NULL || (type->kind != TYPE_INTEGER && type->kind != TYPE_CHARACTER))
        return fail(r, "'%.60s' is no integer", name);
    add_use(r, type);
    return 0;
}

/* Expressions */

static int sum(struct resolver *r);

static int operand(struct resolver *r) {
    while (accept(r, "-"))
        continue;
    if (accept(r, "(")) {
        if (++r->depth > MAX_DEPTH)
            return fail(r, "'%.60s' is nested too deeply", r->value->text);
        int result = sum(r);
        r->depth--;
        return result != 0 || accept(r, ")") ? result
                                             : fail(r, "expected ')' before '%.60s'", r->at);
    }
    if (isalpha((unsigned char)*r->at) || *r->at == '_')
        return variable(r);
    if (!isdigit((unsigned char)*r->at))
        return fail(r, "expected a number or a name before '%.60s'", r->at);
    const char *digits = take_word(r);
    return strspn(digits, "0123456789") == strlen(digits)
               ? 0
               : fail(r, "'%s' is no decimal number", digits);
}

static int product(struct resolver *r) {
    do {
        if (operand(r) != 0)
            return -1;
    } while (accept(r, "*") || accept(r, "/") || accept(r, "%"));
    return 0;
}

static int sum(struct resolver *r) {
    do {
        if (product(r) != 0)
            return -1;
    } while (accept(r, "+") || accept(r, "-"));
    return 0;
}

/* Expressions with commas between them. */
static int resolve(struct resolver *r, const char *text) {
    r->at = text;
    do {
        if (sum(r) != 0)
            return -1;
    } while (accept(r, ","));
    skip_space(r);
    return *r->at == '\0' ? 0 : fail(r, "did not expect '%.60s'", r->at);
}

/* Statements */

static int give(struct cut_wishes *out, const struct hints *hints, const struct hint_value *value,
                const struct slice *s, const struct node *node, const struct ast *part,
                struct error *error) {
    struct arena *arena = &s->program->arena;
    struct resolver r = {.hints = hints, .value = value, .slice = s, .node = node, .error = error};
    int result = resolve(&r, value->low);
    if (result == 0)
        result = resolve(&r, value->high);
    if (result == 0)
        result = resolve(&r, value->keys);
    struct hinted_draw *draw = ARENA_NEW(arena, struct hinted_draw);
    *draw = (struct hinted_draw){
        .part = part, .low = value->low, .high = value->high, .keys = value->keys};
    draw->why = arena_printf(arena, "is named by a hint, line %d", value->place.line);
    draw->uses = ARENA_ARRAY(arena, struct lvalue, r.uses.count + 1);
    for (size_t i = 0; i < r.uses.count; i++)
        draw->uses[draw->use_count++] = r.uses.items[i];
    out->draws[node->id] = draw;
    out->has_draws = true;
    vec_dispose(&r.uses);
    vec_dispose(&r.locations);
    return result;
}

int hint_value_apply(struct cut_wishes *out, const struct hints *hints,
                     const struct hint_value *value, int file, const struct slice *s,
                     struct error *error) {
    const char *obstacle = "it is not assigned there";
    bool found = false;
    for (size_t i = 0; i < s->program->nodes.count; i++) {
        const struct node *node = s->program->nodes.items[i];
        const char *why;
        if (node->ast == NULL || node->range.file != file || node->line != value->place.at)
            continue;
        const struct ast *part = given_part_of(s, node, value->target, &why);
        if (part == NULL) {
            obstacle = why != NULL ? why : obstacle;
            continue;
        }
        if (given_part_type(node, part)->kind != TYPE_INTEGER)
            return misfit(hints, value, error, "only integers can be given by a hint");
        if (out->draws[i] != NULL)
            return misfit(hints, value, error,
                          "another hint gives a value of this statement; remove one");
        if (give(out, hints, value, s, node, part, error) != 0)
            return -1;
        found = true;
    }
    if (found)
        return 0;
    return misfit(hints, value, error,
                  arena_printf(&s->program->arena, "'%s' on line %d cannot be given: %s",
                               value->target, value->place.at, obstacle));
}

void hint_values_demand(const struct cut_wishes *wishes, struct slice *s) {
    for (size_t i = 0; wishes->has_draws && i < s->program->nodes.count; i++) {
        struct node *node = s->program->nodes.items[i];
        const struct hinted_draw *draw = wishes->draws[i];
        lvalue_list uses = {0};
        if (draw == NULL || s->cut == NULL || s->cut[i] != draw->part || !node->function->is_live)
            continue;
        for (size_t k = 0; k < draw->use_count; k++)
            vec_push(&uses, draw->uses[k]);
        slice_demand_uses(s, node, &uses, draw->why);
        vec_dispose(&uses);
    }
}
