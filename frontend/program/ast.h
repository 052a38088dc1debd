/* SPDX-License-Identifier: Apache-2.0
 *
 * The syntax tree of one translation unit, as the rest of the tool sees it.
 *
 * frontend/clang/clang.c makes it from libclang's cursors; nothing else knows libclang. Parentheses
 * and implicit casts are gone (a node's range includes its parentheses), omitted parts of `for` are
 * NULL, types are canonical. Everything lies in the arena of the program.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Bytes [begin, end) of the original text of a file. */
struct range {
    int file; /* index into program.files; -1: nowhere */
    unsigned begin, end;
};

enum type_kind {
    TYPE_VOID,
    TYPE_CHARACTER, /* char, signed char, unsigned char: may alias anything */
    TYPE_INTEGER,   /* also _Bool and enumerations */
    TYPE_FLOATING,  /* also complex */
    TYPE_POINTER,
    TYPE_ARRAY,
    TYPE_RECORD,
    TYPE_FUNCTION,
    TYPE_OTHER,
};

struct type {
    enum type_kind kind;
    long long size_bytes;       /* 0: incomplete, or known at run time only */
    const struct type *element; /* of an array or pointer; NULL: not known */
    bool variable_length;       /* an array whose size is an expression */
    bool is_union;
    bool is_scoped; /* an enum class: no number for C++ */
    int field_count;
    struct field *fields;
    int parameter_count; /* of a function with a prototype, else -1 */
    const struct type **parameters;
    const char *name; /* as C spells it */
};

/* A container of the C++ library is a record of these two, which are written as such. */
#define TYPE_CONTAINER_DATA "data()"
#define TYPE_CONTAINER_SIZE "size()"
bool type_is_container(const struct type *type);
/* A record that is no container and has one somewhere in it: a copy of any bytes is none of it. */
bool type_has_container(const struct type *type);

/* C11, 6.7.6: an array of variable length, or a pointer to one; its sizes are those that the
 * dimensions had where the declaration was reached. */
bool type_is_variably_modified(const struct type *type);

struct field {
    const char *name;
    long long offset_bytes;
    const struct type *type;
};

enum declaration_kind { DECLARATION_VARIABLE, DECLARATION_FUNCTION, DECLARATION_CONSTANT };

struct declaration {
    enum declaration_kind kind;
    const char *name;
    const char *key;    /* the same for the same entity in all units: a name, or file:offset:name */
    const char *symbol; /* what an asm label says, or C++ makes of it; NULL: the linker knows it by
                         * its name */
    const char *overridden_by; /* the key of the definition that the linker takes; NULL: this */
    const char *section; /* of the linker, that an attribute puts a variable into; NULL: none */
    const struct type *type;
    bool external_linkage, static_storage, parameter, global, thread_local_storage;
    bool is_constant; /* const, as are its elements */
    bool in_project;  /* written in a file that we may rewrite */
    bool variadic;    /* a function */
    /* A typedef of variable length, whose dimensions are worked out where it is declared, as those
     * of a variable are; what names it has it among its dimensions. */
    bool is_type;
    /* A function with a body outside of the project, which works on variables of the program. */
    bool has_hidden_body;
    bool is_cxx; /* a function whose symbol C++ has made, or a method; its name has its scopes */
    int line;
    struct range name_range; /* of the declared name itself */
};

enum ast_kind {
    AST_COMPOUND,
    AST_DECLARE, /* kids: AST_VARIABLE; others are left out but for what they name (named) */
    AST_IF,      /* kids: condition, then, else or NULL */
    AST_WHILE,   /* kids: condition, body */
    AST_DO,      /* kids: body, condition */
    AST_FOR,     /* kids: init, condition, step, body; the first three may be NULL */
    AST_SWITCH,  /* kids: value, body */
    AST_CASE,    /* kids: statement; also default (is_default) */
    AST_LABEL,   /* kids: statement */
    AST_GOTO,    /* name: the label; `asm goto`: labels, between blanks; kids: AST_ATOMIC */
    AST_BREAK,
    AST_CONTINUE,
    AST_RETURN, /* kids: value or none */
    AST_NULL,
    AST_UNKNOWN_STATEMENT, /* inline assembly and the like; text says what */
    AST_LAST_STATEMENT = AST_UNKNOWN_STATEMENT,

    AST_VARIABLE, /* one declarator; kids: initialiser or NULL, then array dimensions */
    AST_CONSTANT, /* literals, sizeof of types, enumeration constants */
    AST_STRING,   /* name: the literal with its quotes */
    AST_REFERENCE,
    AST_MEMBER,    /* kids: base; arrow tells -> */
    AST_SUBSCRIPT, /* kids: base, index */
    AST_UNARY,     /* op: one of "p++" "p--" "++" "--" "&" "*" "+" "-" "~" "!" "extension" ... */
    AST_BINARY,    /* op as in C, "," and "=" included */
    AST_COMPOUND_ASSIGN,
    AST_CONDITIONAL,
    AST_CAST,
    AST_CALL, /* kids: callee, then arguments */
    AST_INIT_LIST,
    AST_DESIGNATED, /* one element of an initialiser list; kids: value; name: the field or NULL */
    AST_COMPOUND_LITERAL,
    AST_SIZEOF,         /* kids are not evaluated */
    AST_STATEMENT_EXPR, /* kids: compound */
    AST_NEXT_ARGUMENT,  /* va_arg; kids: the list */
    AST_ATOMIC,         /* an atomic operation; kids: a pointer to what it changes, operands */
    /* What the C++ library does; kids: its object, if there is one, then arguments; op: what
     * becomes of each (mpi/library.def: v, r, w, c, x). Its value is a pointer into the object, or
     * to what a kid points to, a new object, or a number: as its type says. */
    AST_LIBRARY,
    /* C++: the steps in which an object is made or ends; as an initialiser, of what is initialised;
     * op "new", "new[]": of what the first kid points to, which is the value */
    AST_CONSTRUCT,
    AST_CONSTRUCTED, /* in these steps: the object */
    AST_OTHER,       /* kids are evaluated, nothing more is known */
};

struct ast {
    enum ast_kind kind;
    struct range range; /* whole macro calls: an end inside a macro's expansion is widened */
    int line;
    bool from_macro;   /* begins or ends inside the body of a macro: its text cannot be edited */
    bool in_macro_arg; /* spelled in the file, but between the parentheses of a macro call */
    bool is_default, arrow, braces;
    /* AST_VARIABLE: there is none of it without its initialiser (__auto_type; in C++ references and
     * constants as well) */
    bool is_deduced;
    /* C++: it is not written here, as an argument that is left out, which has the text of its
     * declaration. Nothing can be edited. */
    bool is_unwritten;
    bool has_value; /* an integer constant expression */
    int pinned; /* AST_CALL in C++: so many of its first arguments, such as the object of a method,
                 * are written where nothing else can stand */
    const char *op;
    const char *name;
    const struct type *type;
    const struct declaration *declaration;
    struct range name_range; /* AST_VARIABLE: of the name in this declaration */
    int kid_count;
    struct ast **kids;
    /* AST_SIZEOF: what is named without being evaluated, in the types of declarations (but for
     * dimensions, which are kids of the AST_VARIABLE), in values of a case, in designators; NULL:
     * nothing. Of a variable also an AST_CALL, of the function that its attribute cleanup names, or
     * an AST_CONSTRUCT, of the destructors of C++. */
    struct ast *named;
    long long value;               /* has_value */
    long long member_offset_bytes; /* AST_MEMBER; -1: not known */
};

/* NULL stays NULL. */
static inline const struct ast *ast_without_casts(const struct ast *ast) {
    while (ast != NULL && ast->kind == AST_CAST && ast->kid_count > 0)
        ast = ast->kids[ast->kid_count - 1];
    return ast;
}

/* It may go on behind it, too. */
static inline bool ast_is_asm_goto(const struct ast *ast) {
    return ast->kind == AST_GOTO && ast->kid_count > 0;
}

/* The call that an attribute, or C++, makes where the variable's scope is left; NULL: none. */
static inline const struct ast *ast_cleanup(const struct ast *variable) {
    const struct ast *named = variable->named;
    int last = named != NULL ? named->kid_count - 1 : -1;
    return last >= 0 &&
                   (named->kids[last]->kind == AST_CALL || named->kids[last]->kind == AST_CONSTRUCT)
               ? named->kids[last]
               : NULL;
}

/* `left = right`; not `+=` and the like. NULL is none. */
static inline bool ast_is_assignment(const struct ast *ast) {
    return ast != NULL && ast->kind == AST_BINARY && strcmp(ast->op, "=") == 0;
}

/* The one is the other, or stands somewhere in it. NULL holds nothing. */
static inline bool ast_holds(const struct ast *ast, const struct ast *wanted) {
    for (int i = 0; ast != NULL && ast != wanted && i < ast->kid_count; i++)
        if (ast_holds(ast->kids[i], wanted))
            return true;
    return ast != NULL && ast == wanted;
}

/* A function definition or a variable at file scope, in the order of the unit. */
struct definition {
    struct declaration *declaration;
    struct range range;
    struct ast *body; /* a function */
    int parameter_count;
    const struct declaration **parameters;
    struct ast **parameter_variables; /* AST_VARIABLE, for the dimensions in their types */
    const struct type *result;
    struct ast *named;    /* as in struct ast: what the type of a function's result names */
    struct ast *variable; /* AST_VARIABLE, when it is one */
    bool is_extern;       /* a variable that is defined elsewhere, perhaps in a library */
    bool is_instance;     /* of a template: others have the same text in the same unit */
    bool stays_defined;   /* a destructor or virtual method, which what stays may name */
    bool is_constructor;  /* a function that runs before main */
    bool is_destructor;   /* a function that runs when the program has ended */
};

/* `void f(void) __attribute__((alias("g")));`: a declaration that is another name of g. */
struct alias {
    const struct declaration *declaration, *target; /* target NULL: this unit declares none */
    const char *symbol;                             /* what the attribute says */
    struct range range;
    bool is_resolved;  /* ifunc: the symbol is a function that chooses the target */
    bool is_reference; /* weakref: there may be no target at all */
};

struct unit {
    const char *path;
    bool is_cxx;
    /* C++ that cannot be read, and that makes no MPI call: no definition of it is here, and its
     * functions are such as have no source. */
    bool stays_whole;
    int definition_count;
    struct definition *definitions;
    int alias_count;
    struct alias *aliases;
    struct ast *named; /* as in struct ast: in types and prototypes at file scope, which all stay */
};
