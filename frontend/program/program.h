/* SPDX-License-Identifier: Apache-2.0
 *
 * The program model: all translation units that are linked into one executable.
 *
 * What comes out of the frontend: files with their text, functions with a statement tree and a
 * control-flow graph, objects (variables, heap blocks, strings), calls, and the constraints that
 * points-to analysis solves. Statements are split into *nodes*: one for each expression statement,
 * initialised declarator, condition, step and jump. A node lists what it reads and writes; what the
 * arguments of a call read belongs to the call, since a call can be kept without its statement.
 *
 * Everything lies in program.arena or in its vectors and dies with program_dispose.
 */
#pragma once

#include "base/vec.h"
#include "frontend/program/ast.h"
#include "mpi/calls.h"
#include "mpi/externs.h"

struct source_file {
    const char *path; /* absolute */
    const char *text;
    size_t length;
    VEC(unsigned) lines;       /* offset at which each line begins */
    VEC(struct range) macros;  /* outermost macro calls, in order */
    VEC(struct range) pragmas; /* those of them that are nothing but _Pragma */
    bool in_project;
    VEC(struct range)
    mentions; /* of the text of forwarders: for each line, what took the address */
    /* Of what the text says about its places; set by skeletonizer/text/place_macros. */
    bool names_lines;           /* __LINE__: rewritten text has the same lines */
    bool names_functions;       /* __func__: copies have the same name there */
    VEC(struct range) counting; /* macro calls that count by __COUNTER__, in order */
};

/* Under strict aliasing a double is never read as an int: objects used for both are kept apart. */
enum value_class { CLASS_ANY, CLASS_INTEGER, CLASS_FLOATING, CLASS_POINTER, CLASS_COUNT };

enum object_kind {
    OBJECT_VARIABLE,
    OBJECT_FUNCTION,
    OBJECT_HEAP,
    OBJECT_STRING,
    OBJECT_RESULT,      /* what a function returns */
    OBJECT_CALL_RESULT, /* what one call returned */
    OBJECT_STATE,       /* hidden state of a library (rand, strtok, stdin), argv, the outside */
};

/* The hidden object that holds what calls pass beyond the parameters of functions. */
#define PROGRAM_VARIABLE_ARGUMENTS "variable arguments"

typedef VEC(struct object *) object_list;

struct object {
    int id;
    enum object_kind kind;
    const char *name;
    struct function *function; /* whose local it is; NULL: static or heap */
    const struct type *type;   /* NULL: not known */
    const struct declaration *declaration;
    struct call *call;        /* of a call result, or where a heap block was allocated */
    int parameter;            /* index, or -1 */
    bool is_defined;          /* of variables at file scope: somewhere in the program */
    bool in_memory;           /* address taken, an aggregate, or static: tracked without flow */
    struct node *declared_by; /* the node that sizes it (a variable-length array), or NULL */
    struct tree *declared_in; /* the declaration statement, or NULL */
    object_list named;        /* what its declaration names */
    /* Another one at file scope that is declared in the same text, a ring of all of them; NULL:
     * none. */
    struct object *same_text;
};

/* What an expression designates: bytes of an object (object >= 0), or of whatever `pointer` points
 * to. */
struct lvalue {
    int object;
    int pointer;
    long long offset_bytes, length_bytes; /* 0: to the end */
    long long stride_bytes;               /* of the array that was indexed, 0: none; 1: anywhere */
    enum value_class class;
    bool range; /* the length is that of a whole array: its elements' members are not told apart */
    bool untyped;          /* a member of a union, which may be read as another: its class is any */
    bool conditional;      /* of a write: behind `&&`, `||`, `?`, it may not happen */
    const struct ast *ast; /* of a read: the expression */
};

enum constraint_kind {
    CONSTRAINT_ADDRESS, /* to = &lvalue */
    CONSTRAINT_COPY,    /* to = from */
    CONSTRAINT_OFFSET,  /* to = &from->member */
    CONSTRAINT_INDEX,   /* to = from + i */
    CONSTRAINT_LOAD,    /* to = lvalue */
    CONSTRAINT_STORE,   /* lvalue = from */
    CONSTRAINT_MOVE,    /* lvalue = other (records, memcpy) */
    CONSTRAINT_FRESH,   /* lvalue = other, with blocks of their own for call `from` */
};

struct constraint {
    enum constraint_kind kind;
    int to, from;
    long long bytes;  /* OFFSET: of the member; INDEX: size of an element, 1: anywhere */
    long long length; /* OFFSET: of the member when it is an array, else 0 */
    struct lvalue lvalue, other;
    int function; /* of whose code it is: its id + 1; 0: of none */
};

enum node_kind {
    NODE_ENTRY,
    NODE_EXIT,
    NODE_EXPRESSION,
    NODE_DECLARE,
    NODE_CONDITION, /* of an if */
    NODE_LOOP,      /* the condition of a loop; ast NULL: for (;;) */
    NODE_SWITCH,
    NODE_JUMP, /* break, continue, goto */
    NODE_RETURN,
    NODE_JOIN,       /* a label, the head of a do loop */
    NODE_INITIALISE, /* of a static object: has no place in a function */
    NODE_UNKNOWN,
};

struct move {
    struct lvalue to, from;
};

typedef VEC(struct lvalue) lvalue_list;
typedef VEC(struct call *) call_list;
typedef VEC(struct node *) node_list;

struct node {
    int id, index; /* in the program, in its function */
    enum node_kind kind;
    struct function *function;
    const struct ast *ast;
    struct range range;
    int line;
    struct tree *tree;
    struct object *declares; /* NODE_DECLARE, NODE_INITIALISE */
    lvalue_list uses, defines;
    VEC(struct move) moves;
    object_list addresses;       /* objects whose declaration is needed, though not their value */
    call_list calls;             /* innermost first */
    node_list next, pseudo_next; /* pseudo: what would follow if the jump were not there */
    bool opaque;                 /* statements inside an expression: kept or dropped whole */
    bool ends_abnormally; /* every way on ends in an error exit that is assumed not to happen */
    bool is_unguarded;    /* ends abnormally, and is come to otherwise than as a branch of an if */
};

struct argument {
    const struct ast *ast;
    const struct argument *passed; /* the caller's, where it is a parameter of an only call */
    const struct type *type;
    int value;               /* points-to variable, -1: never a pointer */
    struct lvalue aggregate; /* a record passed by value */
    bool is_aggregate, has_effects;
    lvalue_list uses;
    object_list addresses;
    call_list calls;
};

struct call {
    int id;
    struct node *node;
    const struct ast *ast;
    const char *name; /* NULL: through a pointer */
    const char *key;  /* of the declaration; NULL: through a pointer */
    int callee;       /* points-to variable of the pointer, -1: direct */
    lvalue_list callee_uses;
    VEC(struct argument) arguments;
    VEC(struct function *) targets;   /* functions of the program; filled by points-to */
    VEC(struct function *) callbacks; /* that code without source may call; likewise */
    const struct mpi_call *mpi;
    const struct extern_function *library;
    struct object *result;
    int value; /* points-to variable of the result */
    const struct type *type;
    bool never_made;   /* through a pointer that no code sets to a function; by points-to */
    bool is_usual_end; /* with a status other than 0, but main ends there in any case (exits.c) */
    bool conditional;  /* under &&, || or ?:, or in a condition: cannot be moved out */
    struct argument *within; /* the argument that it is part of, NULL: none */
};

/* `get(k)` in `get(k)(x)`: what it returns tells what the other one calls. */
static inline bool call_is_in_callee(const struct call *inner, const struct call *outer) {
    const struct range callee = outer->ast->kids[0]->range, range = inner->ast->range;
    return inner != outer && outer->callee >= 0 && range.file == callee.file &&
           range.begin >= callee.begin && range.end <= callee.end;
}

/* The first argument is memory that the call gives back, or may move. */
static inline bool call_frees(const struct call *call) {
    if (call->mpi != NULL)
        return mpi_call_parameter(call->mpi, MPI_ROLE_FREED) == 0;
    return call->library != NULL && call->library->parameter_count > 0 &&
           call->library->parameters[0].effect == EXTERN_FREED;
}

/* The statement tree, as written. */
struct tree {
    const struct ast *ast;
    const struct function *function;
    struct tree *parent;
    VEC(struct tree *) kids;
    node_list nodes;
    object_list named; /* by types and prototypes that are declared here without a variable */
    /* AST_FOR: */
    struct tree *init, *step;
    struct node *condition;
};

static inline bool tree_is_within(const struct tree *tree, const struct tree *outer) {
    while (tree != NULL && tree != outer)
        tree = tree->parent;
    return tree != NULL && outer != NULL;
}

static inline bool tree_is_loop(const struct tree *tree) {
    enum ast_kind kind = tree->ast != NULL ? tree->ast->kind : AST_COMPOUND;
    return kind == AST_FOR || kind == AST_WHILE || kind == AST_DO;
}

/* It is a loop, or within one of the same function. */
static inline bool tree_is_in_loop(const struct tree *tree) {
    while (tree != NULL && !tree_is_loop(tree))
        tree = tree->parent;
    return tree != NULL;
}

struct function {
    int id;
    const char *name, *key;
    const struct declaration *declaration;
    struct range range;
    const struct ast *body;
    struct tree *tree;
    object_list parameters;
    object_list locals;
    struct object *result;
    const struct type *result_type;
    node_list nodes;
    struct node *entry, *exit;
    int unit;
    int line;
    const struct definition *definition;
    /* An instance is the function once more, for one of its calls: nodes, calls and locals of its
     * own, the same syntax tree, all in the same order. */
    struct function *origin;        /* of an instance; NULL: as written */
    struct function *next_instance; /* a list that begins with the function as written */
    const char *suffix; /* where names of its locals are also others'; NULL: they are its own */
    /* Another function as written at the same place, in a file that is included more than once; a
     * ring of all of them. NULL: it has its text for itself. */
    struct function *same_text;
    bool is_live;    /* main may get there (skeletonizer/pointsto/live.h) */
    bool is_entered; /* main, a constructor or the like, not an instance of it */
    /* A forwarder: what a pointer to a function of MPI, or to a clock, points to. It calls that
     * function with its own arguments, and none of its text is the program's
     * (build_forwarders.c). */
    bool forwards;
};

/* A function of MPI, or a clock, of which the program takes the address there. */
struct pointed_to {
    const struct declaration *declaration, *forwarder;
    struct range mention;
    int unit;
};

struct section;

struct program {
    struct arena arena;
    const char *root; /* the directory that holds all project files */
    VEC(struct source_file *) files;
    VEC(struct unit *) units;
    VEC(struct function *) functions;
    VEC(struct object *) objects;
    struct object *literals; /* all string literals: nothing is ever stored in one; NULL: none */
    VEC(struct node *) nodes;
    VEC(struct call *) calls;
    VEC(struct constraint) constraints;
    int variable_count;                      /* points-to variables */
    VEC(const struct declaration *) externs; /* functions without source that are called */
    object_list named;                       /* by types and prototypes at file scope */
    bool has_aliases;                        /* names of the kind "alias" */
    VEC(struct section *) sections;          /* that variables are put into (sections.h) */
    VEC(const struct declaration *) targets; /* of aliases in the text: they stay defined there */
    VEC(struct pointed_to) pointed_to;
    struct name_table *names;
    struct externs *libraries;
    int unit_being_read;
    int error_count;
};

void program_dispose(struct program *program);

/* True if the unit of the function sees the complete record type (or the global variable). */
bool program_sees(const struct program *program, const struct function *function, const char *name);

/* True if the variable that is named in this range of a macro's argument is used by the macro's
 * body more than once. */
bool program_spelled_again(const struct program *program, struct range range);

/* The first macro call of the file that ends behind the place (macros.count: none does). */
size_t source_macro_behind(const struct source_file *source, unsigned place);

/* What reading a unit notes: a macro call (those inside another one, and those that an earlier unit
 * has seen, are passed over); that the unit sees a record or a global variable; that a
 * variable is named in a macro's argument; that a macro is nothing but _Pragma. */
void program_add_macro(struct program *program, struct range range, const char *name);
void program_add_pragma(struct program *program, const char *name);
bool program_is_pragma(const struct program *program, const char *name);
void program_note_seen(struct program *program, const char *name);
void program_count_spelling(struct program *program, struct range range);

/* What the declaration with this key stands for: its target, if it is an alias; NULL: itself. */
const struct declaration *program_alias(const struct program *program, const char *key);

struct function *program_function(const struct program *program, const char *key);

/* A literal of the program is the name of a function of MPI. */
bool program_names_mpi(struct program *program);
/* An error: what is there has the name of a function of MPI, and is none. */
void program_report_taken_name(struct program *program, struct range range, const char *name);

/* As written, and by the name of a function of MPI. */
bool program_is_own_mpi(const struct function *function);

/* The argument as written; where it is a parameter that has one caller, the caller's. NULL: there
 * is none. */
const struct ast *program_argument(const struct call *call, int index);

/* The function as written, of which this may be an instance. */
/* Makes an object of C++ at file scope, before main begins: no text is its own. */
static inline bool program_makes_object(const struct function *function) {
    return function->definition->is_constructor && function->declaration->is_cxx;
}

static inline const struct function *program_origin(const struct function *function) {
    return function->origin != NULL ? function->origin : function;
}

/* The variable as the function (or its instance) sees it; NULL if it was never used. */
struct object *program_object(const struct program *program, const struct function *function,
                              const struct declaration *declaration);

/* A new instance of a function as written. */
struct function *program_instantiate(struct program *program, struct function *origin);

/* In /usr, and not a part of the project: a header of the system or of a package. */
bool program_is_of_system(const struct program *program, const char *path);

/* The file's index, reading it on first use; -1 if it cannot be read. */
int program_file(struct program *program, const char *path);
/* A file that is not there, of lines that stand for others of the program. */
struct source_file *program_add_file(struct program *program, const char *name, const char *text);
void program_position(const struct program *program, struct range range, int *line, int *column);

/* Prints path:line:col: severity: text, the source line and a caret, and counts errors. */
void program_report(struct program *program, struct range range, const char *severity,
                    const char *format, ...) __attribute__((format(printf, 4, 5)));

/* A path as seen from the program's root, in its arena. */
char *program_relative(struct program *program, const char *path);

/* The text of a range, in the program's arena. */
char *program_text(struct program *program, struct range range);

enum value_class type_class(const struct type *type);
