/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files clang*.c share; the only ones that include libclang's headers.
 */
#pragma once

#include "base/hash_table.h"
#include "frontend/program/unit_record.h"

#include <clang-c/Index.h>

/* A place in C++ that cannot be read; what: "this ...". */
struct clang_refusal {
    struct range range;
    const char *what;
};

struct clang_reader {
    struct program *program;
    CXTranslationUnit unit;
    struct name_table *types;        /* by address of the canonical type */
    struct name_table *declarations; /* by hash of the canonical cursor */
    struct hash_table texts;         /* texts of the tree, each once -> where they are */
    struct arena scratch;            /* what nobody needs once the unit is read */
    CXFile last_file;
    int last_file_index;
    struct unit_record *record;                 /* NULL: nothing is recorded */
    bool is_cxx, returns_reference;             /* a unit in C++; the function that is being read */
    const struct declaration *object_parameter; /* of the method that is being read; or NULL */
    VEC(struct clang_refusal) refusals;         /* of a unit in C++ (clang_cxx.h) */
    VEC(CXCursor) instances;                    /* of templates, that the unit uses */
    bool has_base_records;                      /* plan9's extension of gcc: see clang_dialect.c */
};

struct cursors {
    CXCursor *items;
    int count;
};

void reader_dispose(struct clang_reader *reader);

/* Children until the unit is read, in order. */
struct cursors reader_children(struct clang_reader *reader, CXCursor cursor);
const char *reader_text(struct clang_reader *reader, CXString text);

const struct type *reader_type(struct clang_reader *reader, CXType type);
struct declaration *reader_declaration(struct clang_reader *reader, CXCursor cursor);
struct range reader_name_range(struct clang_reader *reader, CXCursor cursor, const char *name,
                               int *line);

/* Notes that the file is of the unit; its index, -1: it cannot be read. */
int reader_record(struct clang_reader *reader, const char *path);

/* Index of the file that a location lies in (program_file), -1: none. */
int reader_file(struct clang_reader *reader, CXFile file);
struct range reader_range(struct clang_reader *reader, CXCursor cursor, struct ast *out);

/* The application's own headers are no system's, whichever option says where they are (-isystem,
 * -idirafter, CMake's SYSTEM). */
bool reader_is_in_system_header(struct clang_reader *reader, CXSourceLocation location);

/* Below /usr, in a system header, or in no file. */
bool reader_is_of_the_system(CXCursor cursor);

/* It is written in a file that we may rewrite. */
bool reader_is_in_project(struct clang_reader *reader, CXCursor cursor);

/* The argument of an attribute of the declaration, also of those before it, and of its asm label
 * ("asm"); "" if it has none. NULL: it has no such attribute. */
const char *reader_attribute(struct clang_reader *reader, CXCursor declaration, const char *word);

/* Of a variable with the attribute cleanup: the call of its function. NULL: there is none. */
struct ast *reader_cleanup(struct clang_reader *reader, CXCursor variable);

/* Declarations of the unit that are other names (out->aliases). */
void reader_aliases(struct clang_reader *reader, struct cursors top, struct unit *out);

/* Inline assembly; NULL: it may do more than its operands tell. */
struct ast *reader_asm(struct clang_reader *reader, CXCursor cursor, struct cursors kids);

/* The file's text from where the statement is written on, in the definition of a macro if it comes
 * out of one; `length` of it is left. NULL: that is not known. */
const char *reader_written_at(CXCursor cursor, size_t *length);

/* After a quote: the offset behind the closing one. */
size_t reader_skip_quoted(const char *text, size_t at, size_t length);

struct ast *reader_statement(struct clang_reader *reader, CXCursor cursor);
struct ast *reader_expression(struct clang_reader *reader, CXCursor cursor);
/* As C has it, also in C++; what is in it as reader_expression. */
struct ast *reader_c_expression(struct clang_reader *reader, CXCursor cursor);
/* The inner expression with the outer range: `(x)` is x, written with parentheses. */
struct ast *reader_wrapped(struct clang_reader *reader, CXCursor outer, CXCursor inner);
struct ast *reader_variable(struct clang_reader *reader, CXCursor cursor);

/* A typedef of variable length (struct declaration, is_type). */
bool reader_is_sized_type(struct clang_reader *reader, CXCursor cursor);
/* An expression, or the name of such a typedef; NULL: another part of a declaration or type. */
struct ast *reader_dimension(struct clang_reader *reader, CXCursor cursor);

/* All names of variables and functions within these cursors, as AST_SIZEOF; NULL: none. */
struct ast *reader_named(struct clang_reader *reader, const CXCursor *cursors, int count);

/* `static MPI_Comm world = MPI_COMM_WORLD;` is fine with other MPIs. The first: a diagnostic tells
 * that an initialiser is no constant; the second: that of a variable with static storage, which
 * names MPI_COMM_WORLD (skeletonizer/rewrite/static_worlds.h). */
bool worlds_are_concerned(CXDiagnostic diagnostic);
bool worlds_initialise(CXTranslationUnit unit, CXDiagnostic diagnostic);

/* Prints what clang found; the number of errors. */
int reader_diagnostics(struct program *program, CXTranslationUnit unit, bool has_base_records);

/* What gcc has and clang takes for something else: errors, by name (clang_dialect.c). */
void reader_check_file_scope(struct clang_reader *reader, CXCursor declaration);
void reader_check_conversion(struct clang_reader *reader, CXCursor outer, CXCursor inner);

struct ast *reader_new(struct clang_reader *reader, enum ast_kind kind, CXCursor cursor);
void reader_kids(struct clang_reader *reader, struct ast *ast, int count);
