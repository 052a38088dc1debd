/* SPDX-License-Identifier: Apache-2.0
 *
 * Which statements and declarations of C++ are read, as those of C are.
 */
#include "frontend/clang/clang_cxx.h"

#include <string.h>

/* `if (int n = f())`, `switch (init; n)`. */
static bool declares_in_head(struct cursors kids) {
    CXCursor first = kids.count > 0 ? kids.items[0] : clang_getNullCursor();
    return !clang_isExpression(clang_getCursorKind(first));
}

void cxx_check_statement(struct clang_reader *reader, CXCursor cursor, struct cursors kids) {
    switch (clang_getCursorKind(cursor)) {
    case CXCursor_IfStmt:
    case CXCursor_WhileStmt:
    case CXCursor_SwitchStmt:
        if (declares_in_head(kids))
            cxx_refuse(reader, cursor, "this declaration in the head of a statement");
        return;
    case CXCursor_ForStmt:
        for (int i = 0; i + 1 < kids.count; i++)
            if (clang_getCursorKind(kids.items[i]) == CXCursor_VarDecl)
                cxx_refuse(reader, cursor, "this declaration in the head of a statement");
        return;
    case CXCursor_CompoundStmt:
    case CXCursor_DeclStmt:
    case CXCursor_DoStmt:
    case CXCursor_CaseStmt:
    case CXCursor_DefaultStmt:
    case CXCursor_LabelStmt:
    case CXCursor_GotoStmt:
    case CXCursor_BreakStmt:
    case CXCursor_ContinueStmt:
    case CXCursor_ReturnStmt:
    case CXCursor_NullStmt:
    case CXCursor_UnexposedStmt:
        return;
    case CXCursor_CXXForRangeStmt:
        return;
    case CXCursor_CXXTryStmt:
    case CXCursor_CXXCatchStmt:
        cxx_refuse(reader, cursor, "this try");
        return;
    default:
        if (!clang_isExpression(clang_getCursorKind(cursor)))
            cxx_refuse(reader, cursor, "this statement");
    }
}

void cxx_check_declarations(struct clang_reader *reader, struct cursors kids) {
    for (int i = 0; i < kids.count; i++)
        switch (clang_getCursorKind(kids.items[i])) {
        case CXCursor_VarDecl:
        case CXCursor_TypedefDecl:
        case CXCursor_TypeAliasDecl:
        case CXCursor_EnumDecl:
        case CXCursor_UsingDirective:
        case CXCursor_UsingDeclaration:
        case CXCursor_NamespaceAlias:
        case CXCursor_StaticAssert:
        case CXCursor_FunctionDecl:
            break;
        case CXCursor_StructDecl:
        case CXCursor_ClassDecl:
        case CXCursor_UnionDecl: {
            struct cursors members = reader_children(reader, kids.items[i]);
            for (int k = 0; k < members.count; k++)
                if (cxx_is_method(members.items[k]))
                    cxx_refuse(reader, members.items[k], "this method of a class in a function");
            break;
        }
        default:
            cxx_refuse(reader, kids.items[i], "this declaration");
        }
}

void cxx_check_type(struct clang_reader *reader, CXCursor at, CXType type) {
    if (cxx_is_class(reader, type) && !cxx_is_value(reader, type))
        cxx_refuse(reader, at, "this object, which is copied or ends by code of its class,");
    else if (!cxx_is_value(reader, type))
        cxx_refuse(reader, at,
                   clang_getCanonicalType(type).kind == CXType_Record
                       ? "this object, whose class is none of those that are followed,"
                       : "this type");
}

const struct declaration *cxx_object_parameter(struct clang_reader *reader, CXCursor method) {
    struct declaration *out = ARENA_NEW(&reader->program->arena, struct declaration);
    const struct declaration *of = reader_declaration(reader, method);
    const struct type *record =
        reader_type(reader, clang_getCursorType(clang_getCursorSemanticParent(method)));
    struct type *type = ARENA_NEW(&reader->program->arena, struct type);
    *type = (struct type){.kind = TYPE_POINTER,
                          .size_bytes = (long long)sizeof(void *),
                          .element = record,
                          .name = arena_printf(&reader->program->arena, "%s *", record->name)};
    out->kind = DECLARATION_VARIABLE;
    out->name = "this";
    out->parameter = true;
    out->type = type;
    out->line = of->line;
    out->in_project = of->in_project;
    out->name_range = reader_range(reader, method, NULL);
    out->name_range.end = out->name_range.begin;
    out->key = arena_printf(&reader->program->arena, "%d:%u:this", out->name_range.file,
                            out->name_range.begin);
    return out;
}

void cxx_check_function(struct clang_reader *reader, CXCursor function) {
    int count = clang_Cursor_getNumArguments(function);
    CXType result = clang_getCursorResultType(function);
    if (!cxx_is_reference(result))
        cxx_check_type(reader, function, result);
    for (int i = 0; i < count; i++) {
        CXCursor parameter = clang_Cursor_getArgument(function, (unsigned)i);
        if (!cxx_is_reference(clang_getCursorType(parameter)))
            cxx_check_type(reader, parameter, clang_getCursorType(parameter));
    }
}

static bool is_constant(const struct ast *ast) {
    if (ast == NULL)
        return true;
    switch (ast->kind) {
    case AST_REFERENCE:
        return ast->declaration->kind != DECLARATION_VARIABLE || ast->declaration->is_constant ||
               ast->type->kind == TYPE_ARRAY;
    case AST_CONSTANT:
    case AST_STRING:
    case AST_SIZEOF:
        return true;
    case AST_UNARY:
        if (strcmp(ast->op, "&") == 0)
            return ast->kids[0]->kind == AST_REFERENCE || is_constant(ast->kids[0]);
        if (strstr(ast->op, "++") != NULL || strstr(ast->op, "--") != NULL)
            return false;
        break;
    case AST_BINARY:
        if (ast_is_assignment(ast))
            return false;
        break;
    case AST_CAST:
    case AST_CONDITIONAL:
    case AST_INIT_LIST:
    case AST_DESIGNATED:
    case AST_SUBSCRIPT:
    case AST_MEMBER:
        break;
    default:
        return false;
    }
    for (int i = 0; i < ast->kid_count; i++)
        if (!is_constant(ast->kids[i]))
            return false;
    return true;
}

struct ast *cxx_initialiser(struct clang_reader *reader, CXCursor variable, CXCursor initialiser) {
    CXType type = clang_getCursorType(variable);
    if (cxx_is_reference(type))
        return cxx_bind(reader, initialiser, clang_getCanonicalType(type));
    if (cxx_is_class(reader, type) && !cxx_is_plain(reader, type))
        return cxx_constructed(reader, variable, type, initialiser,
                               reader_declaration(reader, variable)->global);
    cxx_check_type(reader, variable, type);
    struct ast *ast = reader_expression(reader, initialiser);
    bool is_nothing = ast->kind == AST_INIT_LIST && ast->is_unwritten && ast->kid_count == 0;
    bool is_early = reader_declaration(reader, variable)->global && cxx_holds_library(type);
    if (is_early && !is_constant(ast))
        return cxx_given(reader, variable, type, ast);
    return is_nothing ? NULL : ast;
}

void cxx_check_static(struct clang_reader *reader, CXCursor variable, const struct ast *value) {
    bool is_early = value != NULL && value->kind == AST_CONSTRUCT &&
                    reader_declaration(reader, variable)->global;
    if (!is_early && !is_constant(value))
        cxx_refuse(reader, variable,
                   "this initialiser, which is worked out while the program runs,");
}

void cxx_close_variable(struct clang_reader *reader, struct ast *variable) {
    struct range *range = &variable->range;
    if (variable->from_macro || range->file < 0 || variable->name_range.file != range->file)
        return;
    const struct source_file *file = reader->program->files.items[range->file];
    size_t at = variable->name_range.end;
    while (at < file->length && strchr(" \t\n", file->text[at]) != NULL)
        at++;
    for (int depth = 0; at < file->length && (depth > 0 || file->text[at] == '('); at++) {
        char c = file->text[at];
        if (c == '"' || c == '\'') {
            at = reader_skip_quoted(file->text, at, file->length) - 1;
            continue;
        }
        depth += (c == '(') - (c == ')');
        if (depth == 0) {
            range->end = at + 1 > range->end ? (unsigned)at + 1 : range->end;
            return;
        }
    }
}

/* Where the elements of a range are, a pointer; NULL: it is no container and no array. */
static struct ast *elements_of(struct clang_reader *reader, struct ast *range) {
    const struct type *type = range->type;
    if (type->kind == TYPE_ARRAY || !type_is_container(type))
        return type->kind == TYPE_ARRAY ? range : NULL;
    struct ast *data = cxx_make(reader, AST_MEMBER, range, type->fields[0].type, 1);
    data->kids[0] = range;
    data->name = type->fields[0].name;
    return data;
}

/* `for (T x : range)` is a loop whose condition gives x any of the elements, and reads how many
 * there are: its text is written nowhere. */
struct ast *cxx_range_loop(struct clang_reader *reader, CXCursor cursor, struct cursors kids) {
    struct ast *loop = reader_new(reader, AST_WHILE, cursor);
    bool is_known = kids.count == 3 && clang_getCursorKind(kids.items[0]) == CXCursor_VarDecl;
    struct ast *range = is_known ? reader_expression(reader, kids.items[1]) : loop;
    struct ast *elements = is_known && cxx_is_place(range) ? elements_of(reader, range) : NULL;
    reader_kids(reader, loop, 2);
    if (elements == NULL) {
        cxx_refuse(reader, cursor, "this loop over a range");
        loop->kids[0] = cxx_make(reader, AST_OTHER, loop, cxx_size_type(reader), 0);
        loop->kids[1] = cxx_make(reader, AST_NULL, loop, NULL, 0);
        return loop;
    }
    CXType type = clang_getCursorType(kids.items[0]);
    const struct declaration *declaration = reader_declaration(reader, kids.items[0]);
    struct ast *element = cxx_make(reader, AST_SUBSCRIPT, range, elements->type->element, 2);
    struct ast *variable = cxx_make(reader, AST_REFERENCE, range, declaration->type, 0);
    struct ast *given = cxx_make(reader, AST_BINARY, range, declaration->type, 2);
    element->kids[0] = elements;
    element->kids[1] = cxx_make(reader, AST_OTHER, range, cxx_size_type(reader), 0);
    variable->declaration = declaration;
    variable->name = declaration->name;
    given->op = "=";
    given->kids[0] = variable;
    given->kids[1] = cxx_is_reference(type) ? cxx_address_of(reader, element) : element;
    if (!cxx_is_reference(type))
        cxx_check_type(reader, kids.items[0], type);
    struct ast *condition = cxx_make(reader, AST_BINARY, range, cxx_size_type(reader), 2);
    condition->op = ",";
    condition->kids[0] = given;
    condition->kids[1] = range->type->kind == TYPE_ARRAY
                             ? cxx_make(reader, AST_OTHER, range, cxx_size_type(reader), 0)
                             : cxx_make(reader, AST_MEMBER, range, range->type->fields[1].type, 1);
    if (range->type->kind != TYPE_ARRAY) {
        condition->kids[1]->kids[0] = range;
        condition->kids[1]->name = range->type->fields[1].name;
        condition->kids[1]->member_offset_bytes = range->type->fields[1].offset_bytes;
    }
    condition->is_unwritten = true;
    loop->kids[0] = condition;
    CXCursor body = kids.items[2];
    loop->kids[1] = clang_isExpression(clang_getCursorKind(body)) ? reader_expression(reader, body)
                                                                  : reader_statement(reader, body);
    return loop;
}

/* ---- What objects of the library begin with where nothing is said of it ---- */

struct default_fields {
    struct clang_reader *reader;
    const struct ast *like;
    VEC(struct ast *) kids;
};

static enum CXVisitorResult add_default(CXCursor field, CXClientData data) {
    struct default_fields *fields = data;
    CXType type = clang_getCursorType(field);
    if (!cxx_holds_library(type))
        return CXVisit_Continue;
    struct ast *value = cxx_library_default(fields->reader, fields->like, type);
    struct ast *ast = cxx_make(fields->reader, AST_DESIGNATED, value, value->type, 1);
    ast->name = reader_text(fields->reader, clang_getCursorSpelling(field));
    ast->kids[0] = value;
    ast->is_unwritten = true;
    vec_push(&fields->kids, ast);
    return CXVisit_Continue;
}

static struct ast *default_parts(struct clang_reader *reader, const struct ast *like, CXType type) {
    struct default_fields fields = {.reader = reader, .like = like};
    struct ast *ast = cxx_make(reader, AST_INIT_LIST, like, reader_type(reader, type), 0);
    clang_Type_visitFields(type, add_default, &fields);
    reader_kids(reader, ast, (int)fields.kids.count);
    for (size_t i = 0; i < fields.kids.count; i++)
        ast->kids[i] = fields.kids.items[i];
    vec_dispose(&fields.kids);
    return ast;
}

struct ast *cxx_library_default(struct clang_reader *reader, const struct ast *like, CXType type) {
    CXType element = clang_getUnqualifiedType(clang_getCanonicalType(type));
    while (clang_getArrayElementType(element).kind != CXType_Invalid)
        element =
            clang_getUnqualifiedType(clang_getCanonicalType(clang_getArrayElementType(element)));
    const struct library_class *class = cxx_library_class(element);
    bool is_container = class != NULL && class->shape <= LIBRARY_SHAPE_STREAM;
    struct ast *ast = cxx_make(reader, is_container ? AST_LIBRARY : AST_COMPOUND_LITERAL, like,
                               reader_type(reader, element), is_container ? 0 : 1);
    ast->range.begin = ast->range.end;
    ast->is_unwritten = true;
    ast->op = "";
    ast->name = "new";
    if (!is_container)
        ast->kids[0] = default_parts(reader, ast, element);
    return ast;
}

/* Of an array the list of its elements. */
struct ast *cxx_library_objects(struct clang_reader *reader, const struct ast *like, CXType type) {
    CXType element = clang_getArrayElementType(clang_getCanonicalType(type));
    if (element.kind == CXType_Invalid)
        return cxx_library_default(reader, like, type);
    struct ast *list = cxx_make(reader, AST_INIT_LIST, like, reader_type(reader, type), 1);
    list->range.begin = list->range.end;
    list->is_unwritten = true;
    list->kids[0] = cxx_library_objects(reader, like, element);
    return list;
}
