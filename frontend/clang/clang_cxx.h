/* SPDX-License-Identifier: Apache-2.0
 *
 * C++ becomes the syntax tree of C (docs/explanation/cxx.md): what the files clang_cxx_* share, and
 * what the readers of C call. Whatever is on no list here is refused at its place.
 */
#pragma once

#include "frontend/clang/clang_reader.h"
#include "mpi/library.h"

/* With what stands in namespaces, extern "C" and classes, behind each of these. */
struct cursors cxx_flat(struct clang_reader *reader, struct cursors top);

/* Notes that the unit has something that cannot be read; `what`: "this ... " */
void cxx_refuse(struct clang_reader *reader, CXCursor cursor, const char *what);

/* The end of a unit: without refusals it is read. With some it stays whole where that is sound
 * (clang_cxx_separate.c); else they become errors, and the result is false. */
bool cxx_conclude(struct clang_reader *reader, struct unit *out);

/* The unit makes no MPI call, uses nothing of other units, and keeps nothing between calls: what it
 * does is what a library without source does. */
bool cxx_is_separate(struct clang_reader *reader);

/* Names and types (clang_cxx_types.c) */

bool cxx_is_method(CXCursor function); /* also a constructor, a destructor, a conversion */
/* A definition has it beside what declares the method. */
bool cxx_is_of_body(CXCursor cursor, CXCursor parent);
bool cxx_has_object(CXCursor function); /* and not static */
/* The method is of a class whose objects are read. */
bool cxx_is_read(struct clang_reader *reader, CXCursor method);
/* With its namespaces and classes in front, as users write it. */
const char *cxx_qualified_name(struct clang_reader *reader, CXCursor cursor);
/* What the linker knows it by; NULL: its own name, as in C. */
const char *cxx_symbol(struct clang_reader *reader, CXCursor cursor);
bool cxx_is_reference(CXType type);
/* Copies of it are copies of its bytes, and nothing happens where it begins and ends. */
bool cxx_is_plain(struct clang_reader *reader, CXType type);
/* `T &(C::*)(int)`: a pointer to a function whose first parameter is the object. */
bool cxx_is_method_pointer(CXType type);
/* `int n = 3;` in a class. */
bool cxx_has_default(struct clang_reader *reader, CXCursor field);
/* Refuses what cannot be handed on by value. */
void cxx_check_type(struct clang_reader *reader, CXCursor at, CXType type);

/* The parameter that a method has in front of the others, in the definition that is being read. */
const struct declaration *cxx_object_parameter(struct clang_reader *reader, CXCursor method);

/* Classes of the library (clang_cxx_library_classes.c, clang_types.c, clang_cxx_containers.c) */

/* Its row; NULL: it is none, or none that is read. Objects of classes with a row are copied, moved
 * and assigned as records are (AST_BINARY with "=", AST_INIT_LIST); nothing happens where they end.
 * They begin with what cxx_library_construction gives. */
const struct library_class *cxx_library_class(CXType type);
/* Likewise, and its elements are plain (cxx_is_plain calls it). */
bool cxx_is_library_plain(struct clang_reader *reader, CXType type);
/* It has containers somewhere in it, so that it begins with a value. */
bool cxx_holds_library(CXType type);
/* A plain one without a row, such as MPI_Status. */
bool cxx_is_c_record(struct clang_reader *reader, CXType type);
/* Comparisons of such values are no calls of the program. */
bool cxx_is_compared_by_library(struct clang_reader *reader, CXType type);
/* Also one of the bases of such classes, as which it is read and written. */
bool cxx_is_stream(CXType type);
const struct type *cxx_size_type(struct clang_reader *reader);

/* What a constructor of the library, called at the cursor, makes: an initialiser of an object of
 * this type. Refused if it has no row. */
struct ast *cxx_library_construction(struct clang_reader *reader, CXCursor call);
/* The value of an object of the type, or of an element of an array, that nothing is said of:
 * containers in it are empty. The text is that of `like`, with nothing in it. The other one is an
 * initialiser of all of an array. */
struct ast *cxx_library_default(struct clang_reader *reader, const struct ast *like, CXType type);
struct ast *cxx_library_objects(struct clang_reader *reader, const struct ast *like, CXType type);
/* A call of a function or method of the library; NULL: it has no row. */
struct ast *cxx_library_call(struct clang_reader *reader, CXCursor call, CXCursor callee);

/* Functions that call what is handed to them (clang_cxx_callables.c). */
struct cxx_lambda { /* variables around it that it names, and as in library.def what it does to each
                     */
    CXCursor *names;
    char *effects;
    int count;
    bool takes_places; /* as parameters */
};
struct cxx_callback {
    CXCursor called;
    bool is_lambda;
    int count;           /* of the call's arguments, the last of which is called */
    const char *effects; /* on them, if it is a lambda; `e`: as the lambda changes its parameters */
    const char *row;     /* of externs.def, if it is a function */
};
/* What is handed on or printed, without copies, conversions and parentheses around it. */
CXCursor cxx_unwrapped(struct clang_reader *reader, CXCursor cursor);
/* False: the lambda does more than can be told. */
bool cxx_read_lambda(struct clang_reader *reader, CXCursor lambda, struct cxx_lambda *out);
bool cxx_read_callback(struct clang_reader *reader, CXCursor call, const char *name,
                       struct cxx_callback *out);
/* NULL: it is none. */
struct ast *cxx_library_callback(struct clang_reader *reader, CXCursor call, const char *name);

/* That of a method, or of a template with instances: a definition of its own. */
bool cxx_is_body(struct clang_reader *reader, CXCursor statement, CXCursor function);
/* The function is an instance of a template of the program. */
bool cxx_is_instance(CXCursor function);
/* It is used: its definition is read when those of the unit are. Refused if there is none. */
void cxx_use_instance(struct clang_reader *reader, CXCursor at, CXCursor function);
/* Classes (clang_cxx_classes.c); also of elements of an array, and none for other types */

CXCursor cxx_class(CXType type);                              /* its definition */
CXType cxx_base(struct clang_reader *reader, CXCursor class); /* CXType_Invalid: none */
bool cxx_is_own(CXCursor method);                             /* written in the program */
CXCursor cxx_default_constructor(struct clang_reader *reader, CXCursor class); /* own ones */
CXCursor cxx_copy_constructor(struct clang_reader *reader, CXCursor class);
CXCursor cxx_destructor(struct clang_reader *reader, CXCursor class);
bool cxx_ends_virtually(struct clang_reader *reader, CXCursor class);
bool cxx_has_end(struct clang_reader *reader, CXType type); /* a destructor does something */
bool cxx_copies_bytes(struct clang_reader *reader, CXType type);
bool cxx_assigns_bytes(struct clang_reader *reader, CXType type);
bool cxx_is_class(struct clang_reader *reader, CXType type); /* not plain, and followed */
/* Copies of it are copies of its bytes, and nothing happens where it ends. */
bool cxx_is_value(struct clang_reader *reader, CXType type);
bool cxx_inherits(struct clang_reader *reader, CXType type, CXType from);

/* Objects (clang_cxx_objects.c) */

typedef VEC(struct ast *) cxx_steps; /* what happens, in its order */

/* The object at `place` is made of `value`, or ends. */
void cxx_construct(struct clang_reader *reader, cxx_steps *out, struct ast *place, CXType type,
                   CXCursor value);
void cxx_destroy(struct clang_reader *reader, cxx_steps *out, struct ast *place, CXType type);
/* As AST_CONSTRUCT; frees the list. */
struct ast *cxx_steps_make(struct clang_reader *reader, const struct ast *like, cxx_steps *steps);
/* The object is made, the null cursor: of nothing, and ends in the same statement if `ends`. */
struct ast *cxx_constructed(struct clang_reader *reader, CXCursor at, CXType type, CXCursor value,
                            bool ends);
/* The object is given this value. */
struct ast *cxx_given(struct clang_reader *reader, CXCursor at, CXType type, struct ast *value);
/* What happens where the variable's scope is left; NULL: nothing. */
struct ast *cxx_end_of_variable(struct clang_reader *reader, CXCursor variable);
/* What a constructor does in front of its body, a destructor behind it. */
void cxx_complete_body(struct clang_reader *reader, CXCursor function, struct ast *body);
/* Something without text, in front of the cursor. */
struct ast *cxx_nowhere(struct clang_reader *reader, CXCursor at);
/* The base of an object. */
struct ast *cxx_as(struct clang_reader *reader, struct ast *place, CXType class);
/* Objects at file scope are made before main, each by a function that nobody wrote
 * (clang_cxx_early.c). */
void cxx_make_early(struct clang_reader *reader, struct unit *unit);

/* Virtual methods (clang_cxx_virtual.c) */

int cxx_count_virtual(struct clang_reader *reader, struct cursors top);
void cxx_add_virtual(struct clang_reader *reader, struct cursors top, struct unit *unit);
/* Any of those that it may be where the object is called. */
struct ast *cxx_virtual(struct clang_reader *reader, CXCursor method, CXCursor at);
CXCursor cxx_virtual_destructor(struct clang_reader *reader, CXCursor class);

/* Expressions (clang_cxx_expressions.c, clang_cxx_calls.c) */

/* New ones with the place of `like`; what is not written has no text. */
struct ast *cxx_make(struct clang_reader *reader, enum ast_kind kind, const struct ast *like,
                     const struct type *type, int kid_count);
struct ast *cxx_address_of(struct clang_reader *reader, struct ast *place);
struct ast *cxx_pointed_to(struct clang_reader *reader, struct ast *pointer);
struct ast *cxx_object(struct clang_reader *reader, CXCursor at);
bool cxx_is_place(const struct ast *ast);
bool cxx_is_left_out(CXCursor argument);

struct ast *cxx_expression(struct clang_reader *reader, CXCursor cursor);
struct ast *cxx_call(struct clang_reader *reader, CXCursor cursor);
struct ast *cxx_new(struct clang_reader *reader, CXCursor cursor);
struct ast *cxx_delete(struct clang_reader *reader, CXCursor cursor);
struct ast *cxx_throw(struct clang_reader *reader, CXCursor cursor);
struct ast *cxx_clock(struct clang_reader *reader, CXCursor cursor);
struct ast *cxx_output(struct clang_reader *reader, CXCursor cursor);
bool cxx_writes_stream(CXCursor call);
bool cxx_sets_stream(struct clang_reader *reader, CXCursor call); /* how it prints */
/* Calls that nobody wrote as such: of a constructor by `T(1)`, of a constructor or destructor
 * without arguments, of a copy constructor, of a virtual destructor. */
struct ast *cxx_constructor_call(struct clang_reader *reader, CXCursor written, CXCursor callee,
                                 struct ast *object);
struct ast *cxx_own_call(struct clang_reader *reader, CXCursor callee, struct ast *object);
struct ast *cxx_copy_call(struct clang_reader *reader, CXCursor callee, struct ast *object,
                          struct ast *from);
struct ast *cxx_virtual_end(struct clang_reader *reader, CXCursor at, CXCursor destructor,
                            struct ast *object);
/* The address that a reference to `wanted` is bound to. */
struct ast *cxx_bind(struct clang_reader *reader, CXCursor value, CXType wanted);

/* What a variable begins with; NULL: nothing. */
struct ast *cxx_initialiser(struct clang_reader *reader, CXCursor variable, CXCursor initialiser);
/* `n(1)`: for libclang it ends in front of the parenthesis. */
void cxx_close_variable(struct clang_reader *reader, struct ast *variable);
/* It runs when the program starts, or where it is reached first: refused unless it is constant. */
void cxx_check_static(struct clang_reader *reader, CXCursor variable, const struct ast *value);

/* Statements and declarations: those that are not on the lists are refused. */
void cxx_check_statement(struct clang_reader *reader, CXCursor cursor, struct cursors kids);
struct ast *cxx_range_loop(struct clang_reader *reader, CXCursor cursor, struct cursors kids);
void cxx_check_declarations(struct clang_reader *reader, struct cursors kids);
void cxx_check_function(struct clang_reader *reader, CXCursor function);
