/* SPDX-License-Identifier: Apache-2.0
 *
 * Opens a translation unit, prints its diagnostics, collects the macro calls of each project file,
 * and reads the definitions in it: functions with their bodies, variables at file scope.
 *
 * Definitions in files outside the project (system headers) are left out: calls to them are calls
 * of functions without source.
 */
#include "frontend/clang/clang.h"

#include "base/file.h"
#include "base/str.h"
#include "frontend/clang/clang_branches.h"
#include "frontend/clang/clang_cxx.h"
#include "frontend/clang/clang_reader.h"
#include "frontend/commands/compile_commands.h"
#include "frontend/program/names.h"

#include <stdio.h>
#include <string.h>

typedef VEC(CXCursor) cursor_vector;

static void note_macro(struct clang_reader *reader, CXCursor cursor) {
    CXFile file = NULL;
    struct range range = {0};
    CXSourceRange extent = clang_getCursorExtent(cursor);
    if (reader_is_in_system_header(reader, clang_getRangeStart(extent)))
        return;
    clang_getFileLocation(clang_getRangeStart(extent), &file, NULL, NULL, &range.begin);
    clang_getFileLocation(clang_getRangeEnd(extent), NULL, NULL, NULL, &range.end);
    range.file = reader_file(reader, file);
    if (range.file < 0)
        return;
    const char *name = reader_text(reader, clang_getCursorSpelling(cursor));
    vec_push(&reader->record->macros, (struct unit_macro){range, name});
    program_add_macro(reader->program, range, name);
}

static bool begins_statement(const char *word) {
    static const char *const words[] = {";", "for", "{", NULL};
    return text_is_one_of(word, words);
}

/* A macro that is made of _Pragma, or of such macros, and holds no statement: words in parentheses
 * are the pragma's, such as `omp parallel for`. */
static void note_definition(struct clang_reader *reader, CXCursor cursor) {
    CXToken *tokens = NULL;
    unsigned count = 0;
    int depth = 0;
    bool pragma = false, statement = false;
    if (reader_is_in_system_header(reader, clang_getCursorLocation(cursor)))
        return;
    clang_tokenize(reader->unit, clang_getCursorExtent(cursor), &tokens, &count);
    for (unsigned i = 1; i < count; i++) {
        CXString spelling = clang_getTokenSpelling(reader->unit, tokens[i]);
        const char *word = clang_getCString(spelling);
        pragma = pragma || strcmp(word, "_Pragma") == 0 || program_is_pragma(reader->program, word);
        depth += (strcmp(word, "(") == 0) - (strcmp(word, ")") == 0);
        statement = statement || (depth == 0 && begins_statement(word));
        clang_disposeString(spelling);
    }
    if (pragma && !statement) {
        const char *name = reader_text(reader, clang_getCursorSpelling(cursor));
        vec_push(&reader->record->macros, (struct unit_macro){{-1, 0, 0}, name});
        program_add_pragma(reader->program, name);
    }
    clang_disposeTokens(reader->unit, tokens, count);
}

/* In C++: what its statements go by, and the parameter that is not written. */
static void begin_function(struct clang_reader *reader, CXCursor cursor, struct definition *out,
                           int has_object) {
    cxx_check_function(reader, cursor);
    reader->returns_reference = cxx_is_reference(clang_getCursorResultType(cursor));
    reader->object_parameter = has_object ? cxx_object_parameter(reader, cursor) : NULL;
    if (!has_object)
        return;
    struct ast *variable = reader_new(reader, AST_VARIABLE, cursor);
    variable->range.end = variable->range.begin;
    variable->declaration = reader->object_parameter;
    variable->name = variable->declaration->name;
    variable->name_range = variable->declaration->name_range;
    variable->type = variable->declaration->type;
    reader_kids(reader, variable, 1);
    out->parameters[0] = reader->object_parameter;
    out->parameter_variables[0] = variable;
}

static void end_function(struct clang_reader *reader, CXCursor cursor, struct definition *out) {
    out->stays_defined = clang_getCursorKind(cursor) == CXCursor_Destructor ||
                         (cxx_is_method(cursor) && clang_CXXMethod_isVirtual(cursor));
    if (out->body != NULL)
        cxx_complete_body(reader, cursor, out->body);
    else if (clang_isCursorDefinition(cursor))
        cxx_refuse(reader, cursor, "this body");
}

static void read_function(struct clang_reader *reader, CXCursor cursor, struct definition *out) {
    struct arena *arena = &reader->program->arena;
    int count = clang_Cursor_getNumArguments(cursor);
    int first = reader->is_cxx && cxx_has_object(cursor) ? 1 : 0;
    out->parameter_count = (count > 0 ? count : 0) + first;
    out->parameters = ARENA_ARRAY(arena, const struct declaration *, (size_t)out->parameter_count);
    out->parameter_variables = ARENA_ARRAY(arena, struct ast *, (size_t)out->parameter_count);
    if (reader->is_cxx)
        begin_function(reader, cursor, out, first);
    for (int i = first; i < out->parameter_count; i++) {
        CXCursor parameter = clang_Cursor_getArgument(cursor, (unsigned)(i - first));
        out->parameters[i] = reader_declaration(reader, parameter);
        out->parameter_variables[i] = reader_variable(reader, parameter);
    }
    out->result = reader_type(reader, clang_getCursorResultType(cursor));
    struct cursors kids = reader_children(reader, cursor);
    int expressions = 0; /* in front of all else */
    while (expressions < kids.count &&
           clang_isExpression(clang_getCursorKind(kids.items[expressions])))
        expressions++;
    out->named = reader_named(reader, kids.items, expressions);
    for (int i = 0; i < kids.count; i++) {
        enum CXCursorKind kind = clang_getCursorKind(kids.items[i]);
        if (kind == CXCursor_CompoundStmt)
            out->body = reader_statement(reader, kids.items[i]);
    }
    if (reader->is_cxx)
        end_function(reader, cursor, out);
    out->is_constructor = reader_attribute(reader, cursor, "constructor") != NULL;
    out->is_destructor = reader_attribute(reader, cursor, "destructor") != NULL;
}

static bool wanted(struct clang_reader *reader, CXCursor cursor) {
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    if (cxx_is_method(cursor))
        return clang_isCursorDefinition(cursor) && cxx_is_own(cursor) &&
               cxx_is_read(reader, cursor);
    if ((kind != CXCursor_FunctionDecl && kind != CXCursor_VarDecl) ||
        !reader_is_in_project(reader, cursor))
        return false;
    /* Prototypes of static functions go when their functions go. */
    return kind == CXCursor_VarDecl || clang_isCursorDefinition(cursor) ||
           clang_getCursorLinkage(cursor) == CXLinkage_Internal;
}

static void read_variable(struct clang_reader *reader, CXCursor cursor, struct definition *out) {
    out->variable = reader_variable(reader, cursor);
    out->is_extern =
        (clang_Cursor_getStorageClass(cursor) == CX_SC_Extern && out->variable->kids[0] == NULL) ||
        (reader->is_cxx && !clang_isCursorDefinition(cursor));
}

/* Types, assertions and prototypes; what a definition names is noted with it. */
static struct ast *read_named(struct clang_reader *reader, struct cursors top) {
    cursor_vector stay = {0};
    for (int i = 0; i < top.count; i++) {
        enum CXCursorKind kind = clang_getCursorKind(top.items[i]);
        bool defines = kind == CXCursor_VarDecl ||
                       (kind == CXCursor_FunctionDecl && clang_isCursorDefinition(top.items[i]));
        if (clang_isDeclaration(kind) && !defines && reader_is_in_project(reader, top.items[i]))
            vec_push(&stay, top.items[i]);
    }
    struct ast *named = reader_named(reader, stay.items, (int)stay.count);
    vec_dispose(&stay);
    return named;
}

/* Headers without definitions belong to the bundle as well; those of others may ask for the time.
 */
static void note_inclusion(CXFile file, CXSourceLocation *stack, unsigned depth,
                           CXClientData data) {
    struct clang_reader *reader = data;
    (void)stack, (void)depth;
    CXString name = clang_getFileName(file);
    char *path = path_absolute(&reader->program->arena, "", clang_getCString(name));
    clang_disposeString(name);
    vec_push(&reader->record->inclusions, path);
    if (!program_is_of_system(reader->program, path))
        reader_record(reader, path);
}

/* Those that others use come behind them. */
static void read_instances(struct clang_reader *reader, struct unit *unit) {
    VEC(struct definition) found = {0};
    for (size_t i = 0; i < reader->instances.count; i++) {
        CXCursor cursor = reader->instances.items[i];
        struct definition definition = {.declaration = reader_declaration(reader, cursor),
                                        .is_instance = true};
        CXCursor template = clang_getCursorDefinition(clang_getSpecializedCursorTemplate(cursor));
        definition.range = reader_range(reader, template, NULL);
        read_function(reader, cursor, &definition);
        vec_push(&found, definition);
    }
    struct definition *all = ARENA_ARRAY(&reader->program->arena, struct definition,
                                         (size_t)unit->definition_count + found.count);
    for (int i = 0; i < unit->definition_count; i++)
        all[i] = unit->definitions[i];
    for (size_t i = 0; i < found.count; i++)
        all[unit->definition_count++] = found.items[i];
    unit->definitions = all;
    vec_dispose(&found);
}

static struct unit *read_unit(struct clang_reader *reader, const char *path) {
    struct arena *arena = &reader->program->arena;
    struct cursors top = reader_children(reader, clang_getTranslationUnitCursor(reader->unit));
    if (reader->is_cxx)
        top = cxx_flat(reader, top);
    struct unit *unit = ARENA_NEW(arena, struct unit);
    unit->path = arena_strdup(arena, path);
    unit->is_cxx = reader->is_cxx;
    int count = top.count + (reader->is_cxx ? cxx_count_virtual(reader, top) + top.count : 0);
    unit->definitions = ARENA_ARRAY(arena, struct definition, (size_t)count);
    clang_getInclusions(reader->unit, note_inclusion, reader);
    for (int i = 0; i < top.count; i++)
        if (clang_getCursorKind(top.items[i]) == CXCursor_MacroExpansion)
            note_macro(reader, top.items[i]);
        else if (clang_getCursorKind(top.items[i]) == CXCursor_MacroDefinition)
            note_definition(reader, top.items[i]);
    for (int i = 0; i < top.count; i++) {
        CXCursor cursor = top.items[i];
        if (clang_getCursorKind(cursor) == CXCursor_UnexposedDecl)
            reader_check_file_scope(reader, cursor);
        if (!wanted(reader, cursor))
            continue;
        struct definition *definition = &unit->definitions[unit->definition_count++];
        definition->declaration = reader_declaration(reader, cursor);
        definition->range = reader_range(reader, cursor, NULL);
        if (definition->declaration->kind == DECLARATION_FUNCTION)
            read_function(reader, cursor, definition);
        else
            read_variable(reader, cursor, definition);
    }
    if (reader->is_cxx) {
        cxx_make_early(reader, unit);
        cxx_add_virtual(reader, top, unit);
        read_instances(reader, unit);
    }
    unit->named = read_named(reader, top);
    reader_aliases(reader, top, unit);
    return unit;
}

static enum CXErrorCode parse(CXTranslationUnit *out, CXIndex index, const char *path,
                              const struct compile_arguments *arguments,
                              struct clang_branches *branches) {
    return clang_parseTranslationUnit2(
        index, path, arguments->items, arguments->count, branches->files.items,
        (unsigned)branches->files.count,
        CXTranslationUnit_DetailedPreprocessingRecord | CXTranslationUnit_KeepGoing, out);
}

/* Headers that gcc has beside its own ones, omp.h also without -fopenmp. */
static bool lacks_header_of_gcc(CXTranslationUnit unit) {
    static const char *const messages[] = {"'omp.h' file not found", "'quadmath.h' file not found"};
    bool lacks = false;
    for (unsigned i = 0; i < clang_getNumDiagnostics(unit) && !lacks; i++) {
        CXDiagnostic diagnostic = clang_getDiagnostic(unit, i);
        CXString text = clang_getDiagnosticSpelling(diagnostic);
        for (size_t k = 0; k < sizeof messages / sizeof *messages; k++)
            lacks = lacks || strcmp(clang_getCString(text), messages[k]) == 0;
        clang_disposeString(text);
        clang_disposeDiagnostic(diagnostic);
    }
    return lacks;
}

/* What the first parse shows: it needs other headers, or asks what the compiler can do. */
static bool parses_otherwise(struct compile_arguments *arguments, struct clang_branches *branches,
                             CXTranslationUnit unit) {
    const struct parse_task *task = branches->task;
    if (lacks_header_of_gcc(unit) && arguments->items == task->arguments.items) {
        commands_with_compiler_headers(arguments, &branches->program->arena, arguments->items,
                                       arguments->count);
        return true;
    }
    return task->is_for_gcc && branches_decide(branches, unit);
}

struct unit *clang_parse(struct program *program, const struct parse_task *task,
                         struct unit_record *record) {
    const char *path = task->command->file;
    bool has_base_records = commands_have(task->command, "-fplan9-extensions");
    struct compile_arguments arguments = task->arguments;
    struct clang_branches branches = {.program = program, .task = task};
    CXIndex index = clang_createIndex(0, 0);
    CXTranslationUnit unit = NULL;
    enum CXErrorCode code;
    do {
        if (unit != NULL)
            clang_disposeTranslationUnit(unit);
        unit = NULL;
        code = parse(&unit, index, path, &arguments, &branches);
    } while (code == CXError_Success && unit != NULL &&
             parses_otherwise(&arguments, &branches, unit));
    struct unit *out = NULL;
    if (code != CXError_Success || unit == NULL) {
        program_report(program, (struct range){-1, 0, 0}, "error",
                       "%s: clang cannot parse it (code %d); is the file readable?", path, code);
    } else if (reader_diagnostics(program, unit, has_base_records) == 0) {
        struct clang_reader reader = {.program = program, .unit = unit, .last_file_index = -1};
        reader.record = record;
        reader.types = names_new();
        reader.declarations = names_new();
        reader.has_base_records = has_base_records;
        reader.is_cxx = task->command->is_cxx;
        out = read_unit(&reader, path);
        if (reader.is_cxx && !cxx_conclude(&reader, out))
            out = NULL;
        reader_dispose(&reader);
    }
    if (unit != NULL)
        clang_disposeTranslationUnit(unit);
    branches_dispose(&branches);
    clang_disposeIndex(index);
    return out;
}

const char *clang_parser_version(struct arena *arena) {
    CXString version = clang_getClangVersion();
    const char *copy = arena_strdup(arena, clang_getCString(version));
    clang_disposeString(version);
    return copy;
}
