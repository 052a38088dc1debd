/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions of the library that call what is handed to them. In: the call. Out: for a function of
 * the program which row of mpi/externs.def the call is one of, as qsort has one; for a lambda what
 * it names of the variables around it, and what it does to them.
 *
 * Not handled, and refused: objects with an operator (), lambdas that call functions of the
 * program or what has a state of its own, throw, allocate, use the object that they are in, name
 * what has pointers in it, change where a pointer points, or capture by parentheses.
 */
#include "frontend/clang/clang_cxx.h"

#include "base/str.h"

#include <string.h>

/* One letter an argument, as in library.def: the ranges, and `f`, what is called; `e`: elements
 * that only what is called may change. */
struct callables_row {
    const char *names, *effects, *row;
};

static const struct callables_row rows[] = {
    {" sort stable_sort generate ", "wwf", "cxx$applies"},
    {" for_each ", "eef", "cxx$applies"},
    {" generate_n ", "wvf", "cxx$applies"},
    {" count_if any_of all_of none_of is_sorted ", "rrf", "cxx$counts"},
    {" find_if find_if_not max_element min_element ", "rrf", "cxx$finds"},
    {" transform copy_if ", "rrwf", "cxx$transforms"},
};

static const struct callables_row *row_of(const char *name, int count) {
    size_t length = strlen(name);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *at = strstr(rows[i].names, name);
        if (at != NULL && at[-1] == ' ' && at[length] == ' ' &&
            (int)strlen(rows[i].effects) == count)
            return &rows[i];
    }
    return NULL;
}

CXCursor cxx_unwrapped(struct clang_reader *reader, CXCursor cursor) {
    for (;;) {
        struct cursors kids = reader_children(reader, cursor);
        enum CXCursorKind kind = clang_getCursorKind(cursor);
        bool copies =
            kind == CXCursor_CallExpr &&
            clang_getCursorKind(clang_getCursorReferenced(cursor)) == CXCursor_Constructor;
        if (kids.count != 1 ||
            (kind != CXCursor_UnexposedExpr && kind != CXCursor_ParenExpr && !copies))
            return cursor;
        cursor = kids.items[0];
    }
}

static bool is_function(CXCursor cursor) {
    CXCursor named = clang_getCursorReferenced(cursor);
    return clang_getCursorKind(cursor) == CXCursor_DeclRefExpr &&
           clang_getCursorKind(named) == CXCursor_FunctionDecl && !reader_is_of_the_system(named);
}

/* ---- Lambdas ---- */

struct callables_lambda {
    struct clang_reader *reader;
    CXCursor cursor;
    unsigned begin, end; /* of its text */
    bool is_refused;
    VEC(CXCursor) names; /* of variables around it, each once */
    VEC(char) effects;   /* on these */
};

static unsigned offset_of(CXSourceLocation location) {
    unsigned offset = 0;
    clang_getFileLocation(location, NULL, NULL, NULL, &offset);
    return offset;
}

static bool is_inside(const struct callables_lambda *lambda, CXCursor variable) {
    CXFile one = NULL, other = NULL;
    CXSourceLocation place = clang_getCursorLocation(variable);
    clang_getFileLocation(place, &one, NULL, NULL, NULL);
    clang_getFileLocation(clang_getCursorLocation(lambda->cursor), &other, NULL, NULL, NULL);
    return clang_File_isEqual(one, other) && offset_of(place) >= lambda->begin &&
           offset_of(place) < lambda->end;
}

static CXType plain_type(CXType type) {
    CXType canonical = clang_getCanonicalType(type);
    if (cxx_is_reference(canonical))
        canonical = clang_getCanonicalType(clang_getPointeeType(canonical));
    return clang_getUnqualifiedType(canonical);
}

static bool is_number(CXType type) {
    return (type.kind >= CXType_Bool && type.kind <= CXType_LongDouble) || type.kind == CXType_Enum;
}

/* A container of numbers, or what gives them. */
static bool holds_numbers(CXType type) {
    const struct library_class *class = cxx_library_class(type);
    if (class == NULL || class->shape > LIBRARY_SHAPE_STATE)
        return false;
    return class->element == LIBRARY_ELEMENT_NONE ||
           (class->element >= 0 && is_number(plain_type(clang_Type_getTemplateArgumentAsType(
                                       type, (unsigned)class->element))));
}

/* '\0': it may reach more than is told. */
static char effect_on(CXCursor variable, bool is_read) {
    CXType type = plain_type(clang_getCursorType(variable));
    CXType to = clang_getCanonicalType(clang_getPointeeType(type));
    CXType element = clang_getCanonicalType(clang_getArrayElementType(type));
    bool points = to.kind != CXType_Invalid && is_number(clang_getUnqualifiedType(to));
    bool is_array = element.kind != CXType_Invalid && is_number(clang_getUnqualifiedType(element));
    bool is_constant =
        clang_isConstQualifiedType(clang_getCanonicalType(clang_getCursorType(variable)));
    if (is_number(type))
        return is_read || is_constant ? 'r' : 's';
    if (is_array)
        return 'w';
    if (points) /* where it points afterwards would not be known */
        return is_read || is_constant ? 'w' : '\0';
    return holds_numbers(type) ? 'k' : '\0';
}

static void add_name(struct callables_lambda *lambda, CXCursor cursor, bool is_read) {
    CXCursor variable = clang_getCursorReferenced(cursor);
    char effect = effect_on(variable, is_read);
    if (is_inside(lambda, variable))
        return;
    if (effect == '\0')
        lambda->is_refused = true;
    for (size_t i = 0; i < lambda->names.count; i++)
        if (clang_equalCursors(clang_getCursorReferenced(lambda->names.items[i]), variable) &&
            lambda->effects.items[i] == effect)
            return;
    vec_push(&lambda->names, cursor);
    vec_push(&lambda->effects, effect);
    if (effect == 's') /* what it had is read as well */
        add_name(lambda, cursor, true);
}

/* It has no state of its own, and comes back. */
static bool is_harmless(struct clang_reader *reader, CXCursor call) {
    static const char *const headers[] = {"cmath", "std_abs.h", "mathcalls.h", "math.h", NULL};
    CXCursor callee = clang_getCursorReferenced(call);
    CXFile file = NULL;
    if (clang_Cursor_isNull(callee) || !reader_is_of_the_system(callee))
        return false;
    clang_getFileLocation(clang_getCursorLocation(callee), &file, NULL, NULL, NULL);
    const char *path = reader_text(reader, clang_getFileName(file));
    const char *slash = strrchr(path, '/');
    const char *name = reader_text(reader, clang_getCursorSpelling(callee));
    if (text_is_one_of(slash != NULL ? slash + 1 : path, headers))
        return true;
    if (cxx_has_object(callee)) {
        CXType class = clang_getCursorType(clang_getCursorSemanticParent(callee));
        return holds_numbers(clang_getCanonicalType(class)) &&
               library_function(cxx_library_class(class), name) != NULL;
    }
    return strcmp(name, "min") == 0 || strcmp(name, "max") == 0;
}

/* What is around the name is the conversion to a value: it has the variable's own type, without
 * qualifiers. That of a reference with others has these, and arguments in parentheses have none. */
static bool is_read_by(CXCursor around, CXCursor variable) {
    CXType type = clang_getCanonicalType(clang_getCursorType(around));
    return clang_getCursorKind(around) == CXCursor_UnexposedExpr &&
           clang_equalTypes(type, plain_type(clang_getCursorType(variable)));
}

static enum CXChildVisitResult look(CXCursor cursor, CXCursor parent, CXClientData data) {
    struct callables_lambda *lambda = data;
    CXCursor named = clang_getCursorReferenced(cursor);
    enum CXCursorKind kind = clang_getCursorKind(cursor), target = clang_getCursorKind(named);
    switch (kind) {
    case CXCursor_CXXThrowExpr:
    case CXCursor_CXXTryStmt:
    case CXCursor_CXXThisExpr:
    case CXCursor_CXXNewExpr:
    case CXCursor_CXXDeleteExpr:
    case CXCursor_GotoStmt:
    case CXCursor_StmtExpr:
    case CXCursor_OverloadedDeclRef:
        lambda->is_refused = true;
        break;
    case CXCursor_MemberRefExpr:
        lambda->is_refused |= reader_children(lambda->reader, cursor).count == 0;
        break;
    case CXCursor_VarDecl:
        lambda->is_refused |= clang_Cursor_getStorageClass(cursor) == CX_SC_Static ||
                              plain_type(clang_getCursorType(cursor)).kind == CXType_Record;
        break;
    case CXCursor_CallExpr:
        lambda->is_refused |= !is_harmless(lambda->reader, cursor);
        break;
    case CXCursor_DeclRefExpr:
        if (target == CXCursor_VarDecl || target == CXCursor_ParmDecl)
            add_name(lambda, cursor, is_read_by(parent, named));
        else if (target != CXCursor_EnumConstantDecl && !reader_is_of_the_system(named))
            lambda->is_refused = true;
        break;
    default:
        break;
    }
    return lambda->is_refused ? CXChildVisit_Break : CXChildVisit_Recurse;
}

/* A parameter of it may be an element itself. */
static bool takes_places(struct clang_reader *reader, CXCursor lambda) {
    struct cursors kids = reader_children(reader, lambda);
    bool takes = false;
    for (int i = 0; i < kids.count; i++) {
        CXType type = clang_getCanonicalType(clang_getCursorType(kids.items[i]));
        if (clang_getCursorKind(kids.items[i]) == CXCursor_ParmDecl)
            takes = takes || !is_number(clang_getUnqualifiedType(type));
    }
    return takes;
}

/* `[&z(n)]`: what is done to z is not told of n. */
static bool captures_by_parentheses(CXCursor lambda) {
    size_t length = 0;
    const char *text = reader_written_at(lambda, &length);
    int depth = 0;
    if (text == NULL || length == 0 || text[0] != '[')
        return true;
    for (size_t i = 0; i < length; i++) {
        depth += (text[i] == '[') - (text[i] == ']');
        if (text[i] == '(' || text[i] == '{')
            return true;
        if (depth == 0)
            return false;
    }
    return true;
}

bool cxx_read_lambda(struct clang_reader *reader, CXCursor lambda_at, struct cxx_lambda *out) {
    CXSourceRange extent = clang_getCursorExtent(lambda_at);
    struct callables_lambda lambda = {.reader = reader,
                                      .cursor = lambda_at,
                                      .begin = offset_of(clang_getRangeStart(extent)),
                                      .end = offset_of(clang_getRangeEnd(extent))};
    clang_visitChildren(lambda_at, look, &lambda);
    out->count = (int)lambda.names.count;
    out->names = ARENA_ARRAY(&reader->program->arena, CXCursor, lambda.names.count + 1);
    out->effects = ARENA_ARRAY(&reader->program->arena, char, lambda.names.count + 1);
    for (int i = 0; i < out->count; i++) {
        out->names[i] = lambda.names.items[i];
        out->effects[i] = lambda.effects.items[i];
    }
    out->takes_places = takes_places(reader, lambda_at);
    vec_dispose(&lambda.names);
    vec_dispose(&lambda.effects);
    return !lambda.is_refused && !captures_by_parentheses(lambda_at);
}

bool cxx_read_callback(struct clang_reader *reader, CXCursor call, const char *name,
                       struct cxx_callback *out) {
    int count = clang_Cursor_getNumArguments(call);
    const struct callables_row *row = row_of(name, count);
    if (row == NULL)
        return false;
    out->effects = row->effects;
    out->row = row->row;
    out->count = count;
    out->called = cxx_unwrapped(reader, clang_Cursor_getArgument(call, (unsigned)count - 1));
    out->is_lambda = clang_getCursorKind(out->called) == CXCursor_LambdaExpr;
    return out->is_lambda || is_function(out->called);
}
