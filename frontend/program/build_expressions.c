/* SPDX-License-Identifier: Apache-2.0
 *
 * Expressions -> what a node reads and writes, and constraints for points-to analysis.
 *
 * An lvalue is an object (or what a pointer points to) with a byte offset; the elements of an array
 * are one lvalue that repeats with a stride. Pointers may pass through casts and integer arithmetic
 * of pointer-sized integers; an offset that is computed makes the lvalue "anywhere in the object"
 * (stride 1).
 */
#include "frontend/program/build.h"

#include <string.h>

#define POINTER_BYTES 8

static const struct value no_value = {.variable = -1};

int build_variable(struct builder *b) {
    return b->program->variable_count++;
}

void build_constrain(struct builder *b, struct constraint constraint) {
    constraint.function = b->function != NULL ? b->function->id + 1 : 0;
    vec_push(&b->program->constraints, constraint);
}

int build_derive(struct builder *b, enum constraint_kind kind, int from, long long bytes,
                 long long length) {
    int to = build_variable(b);
    build_constrain(b, (struct constraint){
                           .kind = kind, .to = to, .from = from, .bytes = bytes, .length = length});
    return to;
}

int build_join(struct builder *b, int one, int other) {
    if (one < 0 || other < 0 || one == other)
        return one >= 0 ? one : other;
    int to = build_derive(b, CONSTRAINT_COPY, one, 0, 0);
    build_constrain(b, (struct constraint){.kind = CONSTRAINT_COPY, .to = to, .from = other});
    return to;
}

static bool may_hold_pointer(const struct type *type) {
    switch (type->kind) {
    case TYPE_INTEGER:
        return type->size_bytes >= POINTER_BYTES;
    case TYPE_FLOATING:
    case TYPE_CHARACTER:
    case TYPE_VOID:
        return false;
    default:
        return true;
    }
}

static struct lvalue typed(struct lvalue lvalue, const struct type *type) {
    lvalue.class = lvalue.untyped ? CLASS_ANY : type_class(type);
    if (!lvalue.range)
        lvalue.length_bytes = type->size_bytes;
    return lvalue;
}

static void declare_use(struct builder *b, struct lvalue lvalue) {
    if (lvalue.object >= 0)
        vec_push(b->addresses, b->program->objects.items[lvalue.object]);
}

static struct value load(struct builder *b, struct lvalue lvalue, const struct ast *ast) {
    const struct type *type = ast->type;
    lvalue = typed(lvalue, type);
    lvalue.ast = ast;
    vec_push(b->uses, lvalue);
    declare_use(b, lvalue);
    int to = build_variable(b);
    build_constrain(b, (struct constraint){.kind = CONSTRAINT_LOAD, .to = to, .lvalue = lvalue});
    return (struct value){.variable = to};
}

static struct value build_address(struct builder *b, struct lvalue lvalue, bool is_array) {
    long long length = is_array || lvalue.range ? lvalue.length_bytes : 0;
    declare_use(b, lvalue);
    if (lvalue.object >= 0) {
        b->program->objects.items[lvalue.object]->in_memory = true;
        int to = build_variable(b);
        lvalue.length_bytes = length;
        build_constrain(
            b, (struct constraint){.kind = CONSTRAINT_ADDRESS, .to = to, .lvalue = lvalue});
        return (struct value){.variable = to};
    }
    int from = lvalue.pointer;
    if (lvalue.stride_bytes > 0)
        from = build_derive(b, CONSTRAINT_INDEX, from, lvalue.stride_bytes, 0);
    if (lvalue.offset_bytes != 0 || length > 0)
        from = build_derive(b, CONSTRAINT_OFFSET, from, lvalue.offset_bytes, length);
    return (struct value){.variable = from};
}

void build_define(struct builder *b, struct lvalue lvalue) {
    b->has_effects = true;
    lvalue.conditional = b->conditional > 0;
    vec_push(&b->node->defines, lvalue);
    declare_use(b, lvalue);
}

void build_store(struct builder *b, struct lvalue to, struct value value, const struct type *type) {
    to = typed(to, type);
    if (value.is_aggregate) {
        struct lvalue from = value.lvalue;
        from.length_bytes = from.range ? from.length_bytes : type->size_bytes;
        to.class = from.class = from.untyped ? CLASS_ANY : to.class;
        b->has_effects = true;
        vec_push(&b->node->moves, (struct move){to, from});
        declare_use(b, from);
        declare_use(b, to);
        build_constrain(b,
                        (struct constraint){.kind = CONSTRAINT_MOVE, .lvalue = to, .other = from});
        return;
    }
    build_define(b, to);
    if (value.variable >= 0)
        build_constrain(
            b, (struct constraint){.kind = CONSTRAINT_STORE, .from = value.variable, .lvalue = to});
}

/* Values */

static bool is_array(const struct ast *ast) {
    return ast->type != NULL && ast->type->kind == TYPE_ARRAY;
}

static struct value lvalue_value(struct builder *b, const struct ast *ast) {
    struct lvalue lvalue;
    if (!build_lvalue(b, ast, &lvalue))
        return no_value;
    if (is_array(ast))
        return build_address(b, lvalue, true);
    if (ast->type->kind == TYPE_RECORD) {
        declare_use(b, lvalue);
        return (struct value){.variable = -1, .is_aggregate = true, .lvalue = lvalue};
    }
    return load(b, lvalue, ast);
}

static struct value function_value(struct builder *b, const struct ast *ast) {
    if (ast->declaration->kind != DECLARATION_FUNCTION)
        return lvalue_value(b, ast);
    struct object *object = build_object(b, build_pointed_to(b, ast));
    return build_address(b, (struct lvalue){.object = object->id, .pointer = -1}, false);
}

/* p + i, p - i, ++p: the same array, another element. */
static struct value step_pointer(struct builder *b, struct value value, const struct type *type) {
    if (value.variable < 0)
        return no_value;
    long long bytes = 1;
    if (type->kind == TYPE_POINTER && type->element != NULL && type->element->size_bytes > 0)
        bytes = type->element->size_bytes;
    return (struct value){.variable = build_derive(b, CONSTRAINT_INDEX, value.variable, bytes, 0)};
}

static struct value increment(struct builder *b, const struct ast *ast) {
    struct lvalue lvalue;
    if (!build_lvalue(b, ast->kids[0], &lvalue))
        return no_value;
    struct value old = load(b, lvalue, ast);
    build_store(b, lvalue, step_pointer(b, old, ast->type), ast->type);
    return old;
}

static struct value unary_value(struct builder *b, const struct ast *ast) {
    const struct ast *operand = ast->kids[0];
    if (strstr(ast->op, "++") != NULL || strstr(ast->op, "--") != NULL)
        return increment(b, ast);
    if (strcmp(ast->op, "*") == 0) {
        if (ast->type->kind == TYPE_FUNCTION)
            return build_value(b, operand);
        return lvalue_value(b, ast);
    }
    if (strcmp(ast->op, "&") == 0) {
        struct lvalue lvalue;
        if (operand->kind == AST_REFERENCE && operand->declaration->kind == DECLARATION_FUNCTION)
            return function_value(b, operand);
        if (!build_lvalue(b, operand, &lvalue))
            return no_value;
        return build_address(b, lvalue, is_array(operand));
    }
    struct value value = build_value(b, operand);
    bool passes = strcmp(ast->op, "!") != 0 && may_hold_pointer(ast->type);
    return passes ? value : no_value;
}

static struct value assign(struct builder *b, const struct ast *ast) {
    struct value value = build_value(b, ast->kids[1]);
    struct lvalue lvalue;
    if (!build_lvalue(b, ast->kids[0], &lvalue)) {
        b->has_effects = true;
        return no_value;
    }
    build_store(b, lvalue, value, ast->type);
    if (ast->type->kind == TYPE_RECORD)
        return (struct value){.variable = -1, .is_aggregate = true, .lvalue = lvalue};
    return value;
}

static struct value logical(struct builder *b, const struct ast *ast) {
    build_value(b, ast->kids[0]);
    b->conditional++;
    build_value(b, ast->kids[1]);
    b->conditional--;
    return no_value;
}

/* A pointer plus an integer points where the pointer does; of two integers either may be an
 * address. */
static int pointer_operand(struct builder *b, const struct ast *ast, struct value left,
                           struct value right) {
    if (ast->type->kind != TYPE_POINTER)
        return build_join(b, left.variable, right.variable);
    enum type_kind kind = ast->kids[0]->type->kind;
    return kind == TYPE_POINTER || kind == TYPE_ARRAY ? left.variable : right.variable;
}

static struct value binary_value(struct builder *b, const struct ast *ast) {
    if (strcmp(ast->op, "=") == 0)
        return assign(b, ast);
    if (strcmp(ast->op, "&&") == 0 || strcmp(ast->op, "||") == 0)
        return logical(b, ast);
    struct value left = build_value(b, ast->kids[0]), right = build_value(b, ast->kids[1]);
    if (strcmp(ast->op, ",") == 0)
        return right;
    if (!may_hold_pointer(ast->type) || strchr("<>=!", ast->op[0]) != NULL)
        return no_value;
    int joined = pointer_operand(b, ast, left, right);
    return step_pointer(b, (struct value){.variable = joined}, ast->type);
}

static struct value compound_assign(struct builder *b, const struct ast *ast) {
    struct value right = build_value(b, ast->kids[1]);
    struct lvalue lvalue;
    if (!build_lvalue(b, ast->kids[0], &lvalue))
        return no_value;
    struct value old = load(b, lvalue, ast);
    int joined = ast->type->kind == TYPE_POINTER ? old.variable
                 : may_hold_pointer(ast->type)   ? build_join(b, old.variable, right.variable)
                                                 : -1;
    struct value result = step_pointer(b, (struct value){.variable = joined}, ast->type);
    build_store(b, lvalue, result, ast->type);
    return result;
}

static struct value conditional_value(struct builder *b, const struct ast *ast) {
    build_value(b, ast->kids[0]);
    b->conditional++;
    struct value one = build_value(b, ast->kids[1]);
    struct value other = ast->kid_count > 2 ? build_value(b, ast->kids[2]) : no_value;
    b->conditional--;
    if (ast->type->kind != TYPE_RECORD)
        return (struct value){.variable = build_join(b, one.variable, other.variable)};
    struct object *object = build_new_object(b, OBJECT_CALL_RESULT, "?:", ast->type);
    struct lvalue lvalue = {.object = object->id, .pointer = -1};
    build_store(b, lvalue, one, ast->type);
    build_store(b, lvalue, other, ast->type);
    return (struct value){.variable = -1, .is_aggregate = true, .lvalue = lvalue};
}

static struct value all_kids(struct builder *b, const struct ast *ast) {
    int joined = -1;
    for (int i = 0; i < ast->kid_count; i++)
        joined = build_join(b, joined, build_value(b, ast->kids[i]).variable);
    return (struct value){.variable = joined};
}

void build_names(struct builder *b, object_list *out, const struct ast *ast) {
    if (ast == NULL)
        return;
    if (ast->kind == AST_REFERENCE)
        vec_push(out, build_object(b, ast->declaration));
    for (int i = 0; i < ast->kid_count; i++)
        build_names(b, out, ast->kids[i]);
}

void build_sizes(struct builder *b, object_list *out, const struct ast *variable) {
    build_names(b, out, variable->named);
    for (int i = 1; i < variable->kid_count; i++)
        if (type_is_variably_modified(variable->type))
            build_value(b, variable->kids[i]);
        else
            build_names(b, out, variable->kids[i]);
}

static void flatten(struct builder *b, const struct ast *ast, struct value *last) {
    if (ast == NULL)
        return;
    build_names(b, b->addresses, ast->named);
    if (ast->kind == AST_VARIABLE) {
        struct object *object = build_object(b, ast->declaration);
        object->in_memory = true;
        build_sizes(b, b->addresses, ast);
        struct lvalue lvalue = {.object = object->id, .pointer = -1};
        if (ast->kids[0] != NULL)
            build_initialise(b, ast->kids[0], lvalue, ast->type);
        if (ast_cleanup(ast) != NULL)
            build_value(b, ast_cleanup(ast));
    } else if (ast->kind > AST_LAST_STATEMENT) {
        *last = build_value(b, ast);
    } else {
        for (int i = 0; i < ast->kid_count; i++)
            flatten(b, ast->kids[i], last);
    }
}

static struct value statement_value(struct builder *b, const struct ast *ast) {
    struct value last = no_value;
    b->node->opaque = true;
    b->has_effects = true;
    b->conditional++;
    for (int i = 0; i < ast->kid_count; i++)
        flatten(b, ast->kids[i], &last);
    b->conditional--;
    return last;
}

static struct lvalue state(struct builder *b, const char *name) {
    struct object *object = names_get(b->program->names, "state", name);
    if (object == NULL) {
        object = build_new_object(b, OBJECT_STATE, name, NULL);
        names_put(b->program->names, "state", name, object);
    }
    return (struct lvalue){.object = object->id, .pointer = -1};
}

/* MPI_IN_PLACE, MPI_BOTTOM and the like: an address that is no memory of the program. */
static struct value constant_address(struct builder *b) {
    return build_address(b, state(b, "constant address"), false);
}

/* Reads the list and moves it on; gives any argument that the program passes beyond parameters. */
static struct value next_argument(struct builder *b, const struct ast *ast) {
    struct lvalue list = {.object = -1, .stride_bytes = 1, .class = CLASS_ANY};
    struct lvalue passed = state(b, PROGRAM_VARIABLE_ARGUMENTS);
    list.pointer = all_kids(b, ast).variable;
    if (list.pointer >= 0) {
        vec_push(b->uses, list);
        build_define(b, list);
    }
    if (ast->type->kind == TYPE_RECORD)
        return (struct value){.variable = -1, .is_aggregate = true, .lvalue = passed};
    return load(b, passed, ast);
}

/* Without a constant value it is the size of an array of variable length (C11, 6.5.3.4). */
static struct value sizeof_value(struct builder *b, const struct ast *ast) {
    if (ast->has_value)
        build_names(b, b->addresses, ast);
    else
        all_kids(b, ast);
    return no_value;
}

void build_dimensions(struct builder *b, const struct ast *cast) {
    for (int i = 0; i + 1 < cast->kid_count; i++)
        if (type_is_variably_modified(cast->type))
            build_value(b, cast->kids[i]);
        else
            build_names(b, b->addresses, cast->kids[i]);
}

static struct value cast_value(struct builder *b, const struct ast *ast) {
    if (ast->kid_count == 0)
        return no_value;
    const struct ast *inner = ast->kids[ast->kid_count - 1];
    build_dimensions(b, ast);
    if (ast->type->kind == TYPE_POINTER && inner->has_value && inner->value != 0)
        return constant_address(b);
    return build_value(b, inner);
}

/* Reads and writes what each pointer among its operands points to; what is stored may come from any
 * of them. */
static struct value atomic_value(struct builder *b, const struct ast *ast) {
    struct lvalue changed = {.object = -1, .pointer = -1, .stride_bytes = 1, .class = CLASS_ANY};
    struct value result = no_value;
    for (int i = 0; i < ast->kid_count; i++) {
        enum type_kind kind = ast->kids[i]->type->kind;
        struct value value = build_value(b, ast->kids[i]);
        if (value.variable < 0)
            continue;
        if (changed.pointer >= 0)
            build_constrain(b, (struct constraint){.kind = CONSTRAINT_STORE,
                                                   .from = value.variable,
                                                   .lvalue = changed});
        if (kind != TYPE_POINTER && kind != TYPE_ARRAY)
            continue;
        struct lvalue lvalue = {.object = -1, .stride_bytes = 1, .class = CLASS_ANY};
        lvalue.pointer = value.variable;
        vec_push(b->uses, lvalue);
        build_define(b, lvalue);
        result.variable = build_join(b, result.variable, load(b, lvalue, ast).variable);
        changed = changed.pointer < 0 ? lvalue : changed;
    }
    return result;
}

struct value build_value(struct builder *b, const struct ast *ast) {
    switch (ast->kind) {
    case AST_CONSTANT:
        return no_value;
    case AST_REFERENCE:
        return function_value(b, ast);
    case AST_STRING:
    case AST_MEMBER:
    case AST_SUBSCRIPT:
    case AST_COMPOUND_LITERAL:
    case AST_CONSTRUCTED:
        return lvalue_value(b, ast);
    case AST_UNARY:
        return unary_value(b, ast);
    case AST_BINARY:
        return binary_value(b, ast);
    case AST_COMPOUND_ASSIGN:
        return compound_assign(b, ast);
    case AST_CONDITIONAL:
        return conditional_value(b, ast);
    case AST_CAST:
        return cast_value(b, ast);
    case AST_CALL:
        return build_call(b, ast);
    case AST_CONSTRUCT:
        return build_construct(b, ast);
    case AST_SIZEOF:
        return sizeof_value(b, ast);
    case AST_STATEMENT_EXPR:
        return statement_value(b, ast);
    case AST_NEXT_ARGUMENT:
        return next_argument(b, ast);
    case AST_ATOMIC:
        return atomic_value(b, ast);
    case AST_LIBRARY:
        return build_library(b, ast);
    case AST_DESIGNATED:
        build_names(b, b->addresses, ast->named);
        return build_value(b, ast->kids[0]);
    default:
        return all_kids(b, ast);
    }
}
