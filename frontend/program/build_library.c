/* SPDX-License-Identifier: Apache-2.0
 *
 * What the C++ library does with objects (AST_LIBRARY): a container has its elements in a block.
 * Where it changes it has the old block or a fresh one, with what arguments give. A block stands
 * for many (copies of a container share it), so that no write to it replaces another one.
 */
#include "frontend/program/build.h"

#include <string.h>

#define TYPES_DEEPEST 6 /* containers in containers: what lies deeper is read as it is reached */

struct build_library_call {
    struct builder *b;
    const struct ast *ast;
    struct lvalue *lvalues; /* of kids that are records, or exchanged */
    struct value *values;   /* of the other ones */
};

bool type_is_container(const struct type *type) {
    return type->kind == TYPE_RECORD && type->field_count == 2 &&
           strcmp(type->fields[0].name, TYPE_CONTAINER_DATA) == 0;
}

bool type_has_container(const struct type *type) {
    bool has = false;
    while (type->kind == TYPE_ARRAY)
        type = type->element;
    for (int i = 0; type->kind == TYPE_RECORD && i < type->field_count && !has; i++) {
        const struct type *field = type->fields[i].type;
        while (field->kind == TYPE_ARRAY)
            field = field->element;
        has = type_is_container(field) || type_has_container(field);
    }
    return has && !type_is_container(type);
}

static struct lvalue elements_at(int pointer, const struct type *element) {
    long long size = element->size_bytes > 0 ? element->size_bytes : 1;
    return (struct lvalue){.object = -1,
                           .pointer = pointer,
                           .length_bytes = size,
                           .stride_bytes = size,
                           .class = CLASS_ANY};
}

static struct lvalue member(struct lvalue record, const struct field *field) {
    if (!record.range) {
        record.offset_bytes += field->offset_bytes;
        record.length_bytes = field->type->size_bytes;
    }
    record.class = record.untyped ? CLASS_ANY : type_class(field->type);
    return record;
}

static void use(struct builder *b, struct lvalue lvalue) {
    vec_push(b->uses, lvalue);
    if (lvalue.object >= 0)
        vec_push(b->addresses, b->program->objects.items[lvalue.object]);
}

static int load(struct builder *b, struct lvalue lvalue) {
    int to = build_variable(b);
    use(b, lvalue);
    build_constrain(b, (struct constraint){.kind = CONSTRAINT_LOAD, .to = to, .lvalue = lvalue});
    return to;
}

static void store(struct builder *b, struct lvalue lvalue, int from) {
    if (from >= 0)
        build_constrain(
            b, (struct constraint){.kind = CONSTRAINT_STORE, .from = from, .lvalue = lvalue});
}

static void move(struct builder *b, struct lvalue to, struct lvalue from) {
    to.class = from.class = CLASS_ANY;
    b->has_effects = true;
    vec_push(&b->node->moves, (struct move){to, from});
    build_constrain(b, (struct constraint){.kind = CONSTRAINT_MOVE, .lvalue = to, .other = from});
}

/* The block of a container, which it reads the address and the number of. */
static int block_of(struct builder *b, struct lvalue container, const struct type *type) {
    use(b, member(container, &type->fields[1]));
    return load(b, member(container, &type->fields[0]));
}

static void read_deep(struct builder *b, struct lvalue lvalue, const struct type *type, int depth) {
    if (type_is_container(type)) {
        const struct type *element = type->fields[0].type->element;
        int block = block_of(b, lvalue, type);
        if (depth < TYPES_DEEPEST)
            read_deep(b, elements_at(block, element), element, depth + 1);
        return;
    }
    if (type->kind != TYPE_RECORD || type->field_count == 0) {
        lvalue.class = CLASS_ANY;
        use(b, lvalue);
    }
    for (int i = 0; type->kind == TYPE_RECORD && i < type->field_count; i++)
        read_deep(b, member(lvalue, &type->fields[i]), type->fields[i].type, depth);
}

static bool is_same(const struct type *one, const struct type *other) {
    return one == other || strcmp(one->name, other->name) == 0;
}

static const struct type *pointed_to(const struct type *type) {
    return type->kind == TYPE_POINTER || type->kind == TYPE_ARRAY ? type->element : NULL;
}

static void give_list(struct builder *b, const struct ast *list, struct lvalue to,
                      const struct type *element) {
    for (int i = 0; i < list->kid_count; i++)
        build_initialise(b, list->kids[i], to, element);
}

/* Elements of that type may have what kid i gives: itself, or what it holds or points to. */
static void give(const struct build_library_call *call, int i, struct lvalue to,
                 const struct type *element) {
    struct builder *b = call->b;
    const struct ast *kid = call->ast->kids[i];
    const struct type *target = pointed_to(kid->type);
    bool is_list = kid->kind == AST_INIT_LIST && kid->type->kind == TYPE_ARRAY;
    if (is_list)
        give_list(b, kid, to, element);
    else if (kid->type->kind == TYPE_RECORD && type_is_container(kid->type) &&
             !is_same(kid->type, element))
        move(b, to,
             elements_at(block_of(b, call->lvalues[i], kid->type),
                         kid->type->fields[0].type->element));
    else if (kid->type->kind == TYPE_RECORD)
        move(b, to, call->lvalues[i]);
    else if (target != NULL && !is_same(kid->type, element))
        move(b, to, elements_at(call->values[i].variable, target));
    else
        store(b, to, call->values[i].variable);
}

static struct lvalue fresh_block(struct builder *b, const struct type *element, int *pointer) {
    struct object *block = build_new_object(b, OBJECT_HEAP, "elements", NULL);
    struct lvalue all = {.object = block->id, .pointer = -1};
    *pointer = build_variable(b);
    build_constrain(b,
                    (struct constraint){.kind = CONSTRAINT_ADDRESS, .to = *pointer, .lvalue = all});
    struct lvalue elements = elements_at(*pointer, element);
    build_define(b, elements);
    return elements;
}

/* A fresh block for what lies at `container`; a pointer to it. `changed`: it had one before. */
static int renew(const struct build_library_call *call, struct lvalue container,
                 const struct type *type, int changed) {
    struct builder *b = call->b;
    const struct type *element = type->fields[0].type->element;
    struct lvalue data = member(container, &type->fields[0]);
    int fresh = -1;
    int old = changed >= 0 ? block_of(b, container, type) : -1;
    if (call->ast->kid_count > 0) {
        struct lvalue to = fresh_block(b, element, &fresh);
        for (int i = 0; i < call->ast->kid_count; i++)
            if (i != changed)
                give(call, i, to, element);
    }
    build_define(b, data);
    build_define(b, member(container, &type->fields[1]));
    fresh = build_join(b, fresh, old);
    store(b, data, fresh);
    return fresh;
}

static void overwrite(const struct build_library_call *call, int i) {
    struct builder *b = call->b;
    const struct type *element = pointed_to(call->ast->kids[i]->type);
    if (element == NULL || call->values[i].variable < 0)
        return;
    struct lvalue to = elements_at(call->values[i].variable, element);
    use(b, to);
    build_define(b, to);
    for (int k = 0; k < call->ast->kid_count; k++)
        if (k != i)
            give(call, k, to, element);
}

static void exchange(const struct build_library_call *call) {
    const struct type *type = call->ast->kids[0]->type;
    struct builder *b = call->b;
    if (type->kind == TYPE_RECORD) {
        move(b, call->lvalues[0], call->lvalues[1]);
        move(b, call->lvalues[1], call->lvalues[0]);
        return;
    }
    int left = load(b, call->lvalues[0]), right = load(b, call->lvalues[1]);
    for (int i = 0; i < 2; i++) {
        build_define(b, call->lvalues[i]);
        store(b, call->lvalues[i], i == 0 ? right : left);
    }
}

static void read_kid(const struct build_library_call *call, int i) {
    struct builder *b = call->b;
    const struct ast *kid = call->ast->kids[i];
    char effect = call->ast->op[i];
    const struct type *target = pointed_to(kid->type);
    struct lvalue lvalue = {.object = -1, .pointer = -1};
    if (kid->kind == AST_INIT_LIST) /* where its values go it is read */
        return;
    if (kid->type->kind == TYPE_RECORD || effect == 'x' || effect == 's') {
        if (!build_lvalue(b, kid, &lvalue))
            return;
        lvalue.length_bytes = kid->type->size_bytes;
        lvalue.class =
            effect == 's' && kid->type->kind == TYPE_RECORD ? CLASS_ANY : type_class(kid->type);
        call->lvalues[i] = lvalue;
        if (effect == 'r' || effect == 'k')
            read_deep(b, lvalue, kid->type, 0);
        else if (type_is_container(kid->type) && effect != 'x' && effect != 's')
            block_of(b, lvalue, kid->type);
        return;
    }
    call->values[i] = build_value(b, kid);
    if (effect == 'r' && target != NULL && call->values[i].variable >= 0)
        read_deep(b, elements_at(call->values[i].variable, target), target, 0);
}

/* A pointer into the object, or to what an argument points to. */
static int found(const struct build_library_call *call, int changed) {
    int joined = changed;
    for (int i = 0; i < call->ast->kid_count; i++) {
        const struct ast *kid = call->ast->kids[i];
        if (type_is_container(kid->type))
            joined = build_join(call->b, joined, block_of(call->b, call->lvalues[i], kid->type));
        else if (pointed_to(kid->type) != NULL)
            joined = build_join(call->b, joined, call->values[i].variable);
    }
    return joined;
}

static struct value new_object(const struct build_library_call *call, int changed) {
    struct builder *b = call->b;
    const struct type *type = call->ast->type;
    struct object *object = build_new_object(b, OBJECT_CALL_RESULT, call->ast->name, type);
    struct lvalue lvalue = {.object = object->id, .pointer = -1, .length_bytes = type->size_bytes};
    if (type_is_container(type)) {
        renew(call, lvalue, type, -1);
    } else { /* where an element is, and whether it is new */
        struct lvalue whole = lvalue;
        whole.class = CLASS_ANY;
        build_define(b, whole);
        store(b, whole, found(call, changed));
    }
    return (struct value){.variable = -1, .is_aggregate = true, .lvalue = lvalue};
}

struct value build_library(struct builder *b, const struct ast *ast) {
    size_t count = (size_t)ast->kid_count;
    struct build_library_call call = {b, ast, ARENA_ARRAY(&b->program->arena, struct lvalue, count),
                                      ARENA_ARRAY(&b->program->arena, struct value, count)};
    int fresh = -1, changed = -1;
    for (int i = 0; i < ast->kid_count; i++) {
        call.lvalues[i] = (struct lvalue){.object = -1, .pointer = -1};
        call.values[i] = (struct value){.variable = -1};
        read_kid(&call, i);
    }
    for (int i = ast->kid_count - 1; i >= 0; i--) {
        const struct type *type = ast->kids[i]->type;
        char effect = ast->op[i];
        if (effect == 'w')
            overwrite(&call, i);
        b->conditional += effect == 's'; /* nothing may be left to read */
        if (effect == 'c' || effect == 'k' || (effect == 's' && type_is_container(type)))
            fresh = renew(&call, call.lvalues[i], type, changed = i);
        else if (effect == 's')
            build_define(b, call.lvalues[i]);
        b->conditional -= effect == 's';
    }
    if (count == 2 && ast->op[0] == 'x')
        exchange(&call);
    if (ast->type->kind == TYPE_RECORD && changed >= 0 &&
        is_same(ast->type, ast->kids[changed]->type))
        return (struct value){
            .variable = -1, .is_aggregate = true, .lvalue = call.lvalues[changed]};
    if (ast->type->kind == TYPE_RECORD)
        return new_object(&call, fresh);
    return (struct value){.variable = ast->type->kind == TYPE_POINTER ? found(&call, fresh) : -1};
}
