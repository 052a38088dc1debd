/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files build*.c share: the state while syntax trees become the program model.
 */
#pragma once

#include "frontend/program/names.h"
#include "frontend/program/program.h"

/* An edge of the control-flow graph whose target is not known yet. */
struct loose_edge {
    struct node *from;
    bool pseudo;
};

typedef VEC(struct loose_edge) edge_list;

struct jump_scope {
    struct jump_scope *outer;
    edge_list breaks, continues;
    bool is_switch, has_default;
    struct node *switch_node;
};

struct pending_goto {
    struct node *node;
    const char *label;
};

struct builder {
    struct program *program;
    struct function *function; /* NULL: at file scope */
    struct node *node;
    struct jump_scope *scope;
    VEC(struct pending_goto) gotos;
    struct name_table *labels; /* of the function: name -> node */
    /* Where reads are listed: in the node, or in the argument that is being looked at. */
    lvalue_list *uses;
    object_list *addresses;
    call_list *calls;
    struct argument *argument;
    int conditional; /* depth of &&, || and ?: around the expression */
    bool has_effects;
    struct lvalue constructed; /* the object that C++ makes, in its steps */
};

/* The value of an expression: what it may point to, or where the record lies. */
struct value {
    int variable; /* -1: never a pointer */
    bool is_aggregate;
    struct lvalue lvalue;
};

int build_unit(struct builder *b, const struct unit *unit, int index);

/* Once all units are there: the targets of aliases have objects, and what functions that share
 * their text call has objects, of which it can be told that they have to be declared. */
void build_callees(struct builder *b);

/* Two definitions in one text are alike, but for what they refer to in texts of their own. */
bool build_is_same(const struct definition *left, const struct definition *right);

/* Changes keys in the unit; before build_unit. */
void build_keys(struct builder *b, const struct unit *unit, int index);

/* What a pointer to the function points to: itself, or its forwarder. */
const struct declaration *build_pointed_to(struct builder *b, const struct ast *reference);
/* Once all units are there: the forwarders that they point to; and calls of functions of MPI that
 * the program defines itself are none of MPI's. */
void build_forwarders(struct builder *b);
void build_own_mpi(struct builder *b);
/* Reports functions of MPI that go by other names (renamed_mpi.c). */
void build_check_names(struct builder *b);
/* The row of a function of MPI that the program does not define itself; NULL: there is none. */
const struct mpi_call *build_mpi_call(const struct builder *b,
                                      const struct declaration *declaration, const char *name);

void build_function(struct builder *b, const struct definition *definition, int unit);
struct object *build_object(struct builder *b, const struct declaration *declaration);
struct object *build_new_object(struct builder *b, enum object_kind kind, const char *name,
                                const struct type *type);
struct node *build_new_node(struct builder *b, enum node_kind kind, const struct ast *ast);

struct value build_value(struct builder *b, const struct ast *ast);
/* Adds what is named in it, which is not evaluated but has to be declared. */
void build_names(struct builder *b, object_list *out, const struct ast *ast);
/* What the type of a declared variable names; dimensions of variable length are evaluated. */
void build_sizes(struct builder *b, object_list *out, const struct ast *variable);
/* The dimensions in the type of a cast or compound literal: all kids but the last. */
void build_dimensions(struct builder *b, const struct ast *cast);
bool build_lvalue(struct builder *b, const struct ast *ast, struct lvalue *out);
struct value build_construct(struct builder *b, const struct ast *ast);
struct value build_call(struct builder *b, const struct ast *ast);
struct value build_library(struct builder *b, const struct ast *ast);
void build_initialise(struct builder *b, const struct ast *ast, struct lvalue to,
                      const struct type *type);
/* to = value, as an assignment of the type does. */
void build_store(struct builder *b, struct lvalue to, struct value value, const struct type *type);
/* Notes that the node writes the lvalue. */
void build_define(struct builder *b, struct lvalue lvalue);
/* Narrows the lvalue of an array to that of its elements. */
void build_element(const struct builder *b, struct lvalue *lvalue, const struct type *array);
int build_variable(struct builder *b);
/* A new variable that follows from another one. */
int build_derive(struct builder *b, enum constraint_kind kind, int from, long long bytes,
                 long long length);
int build_join(struct builder *b, int one, int other);
void build_constrain(struct builder *b, struct constraint constraint);

struct tree *build_body(struct builder *b, const struct definition *definition);
