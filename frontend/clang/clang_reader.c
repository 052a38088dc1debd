/* SPDX-License-Identifier: Apache-2.0
 *
 * What all readers of cursors need: texts, children, and files.
 */
#include "frontend/clang/clang_reader.h"

#include "base/file.h"
#include "base/str.h"
#include "frontend/program/names.h"

#include <string.h>

void reader_dispose(struct clang_reader *reader) {
    names_free(reader->types);
    names_free(reader->declarations);
    hash_table_dispose(&reader->texts);
    vec_dispose(&reader->instances);
    arena_dispose(&reader->scratch);
}

const char *reader_text(struct clang_reader *reader, CXString text) {
    const char *borrowed = clang_getCString(text);
    borrowed = borrowed != NULL ? borrowed : "";
    const char **copy = hash_table_add_text(&reader->texts, borrowed, sizeof *copy);
    if (*copy == NULL)
        *copy = arena_strdup(&reader->program->arena, borrowed);
    clang_disposeString(text);
    return *copy;
}

typedef VEC(CXCursor) cursor_vector;

static enum CXChildVisitResult collect(CXCursor cursor, CXCursor parent, CXClientData data) {
    (void)parent;
    cursor_vector *cursors = data;
    vec_push(cursors, cursor);
    return CXChildVisit_Continue;
}

struct cursors reader_children(struct clang_reader *reader, CXCursor cursor) {
    cursor_vector found = {0};
    clang_visitChildren(cursor, collect, &found);
    struct cursors out = {.count = (int)found.count};
    out.items = ARENA_ARRAY(&reader->scratch, CXCursor, found.count);
    if (found.count > 0)
        memcpy(out.items, found.items, found.count * sizeof(CXCursor));
    vec_dispose(&found);
    return out;
}

int reader_record(struct clang_reader *reader, const char *path) {
    int file = program_file(reader->program, path);
    if (reader->record != NULL && file >= 0)
        vec_push_new(&reader->record->files, file);
    return file;
}

int reader_file(struct clang_reader *reader, CXFile file) {
    if (file == NULL)
        return -1;
    if (reader->last_file != NULL && clang_File_isEqual(file, reader->last_file))
        return reader->last_file_index;
    CXString name = clang_getFileName(file);
    reader->last_file = file;
    reader->last_file_index =
        reader_record(reader, path_absolute(&reader->scratch, "", clang_getCString(name)));
    clang_disposeString(name);
    return reader->last_file_index;
}

bool reader_is_in_system_header(struct clang_reader *reader, CXSourceLocation location) {
    CXFile file = NULL;
    if (!clang_Location_isInSystemHeader(location))
        return false;
    clang_getFileLocation(location, &file, NULL, NULL, NULL);
    CXString name = clang_getFileName(file);
    const char *path = file != NULL ? clang_getCString(name) : NULL;
    bool is_own = path != NULL && path[0] == '/' && !path_inside("/usr", path) &&
                  path_inside(reader->program->root, path);
    clang_disposeString(name);
    return !is_own;
}

bool reader_is_of_the_system(CXCursor cursor) {
    CXFile file = NULL;
    clang_getFileLocation(clang_getCursorLocation(cursor), &file, NULL, NULL, NULL);
    CXString name = clang_getFileName(file);
    bool found = file == NULL || text_has_prefix(clang_getCString(name), "/usr/") ||
                 clang_Location_isInSystemHeader(clang_getCursorLocation(cursor));
    clang_disposeString(name);
    return found;
}

bool reader_is_in_project(struct clang_reader *reader, CXCursor cursor) {
    if (reader_is_in_system_header(reader, clang_getCursorLocation(cursor)))
        return false;
    CXFile file = NULL;
    clang_getFileLocation(clang_getCursorLocation(cursor), &file, NULL, NULL, NULL);
    int index = reader_file(reader, file);
    return index >= 0 && reader->program->files.items[index]->in_project;
}

struct range reader_name_range(struct clang_reader *reader, CXCursor cursor, const char *name,
                               int *line) {
    CXFile file = NULL;
    unsigned row = 0, offset = 0;
    clang_getFileLocation(clang_getCursorLocation(cursor), &file, &row, NULL, &offset);
    *line = (int)row;
    return (struct range){reader_file(reader, file), offset, offset + (unsigned)strlen(name)};
}

const char *reader_written_at(CXCursor cursor, size_t *length) {
    CXFile file;
    unsigned begin;
    clang_getSpellingLocation(clang_getCursorLocation(cursor), &file, NULL, NULL, &begin);
    const char *text =
        file != NULL ? clang_getFileContents(clang_Cursor_getTranslationUnit(cursor), file, length)
                     : NULL;
    if (text == NULL || begin > *length)
        return NULL;
    *length -= begin;
    return text + begin;
}

size_t reader_skip_quoted(const char *text, size_t at, size_t length) {
    char quote = text[at++];
    while (at < length && text[at] != quote)
        at += text[at] == '\\' ? 2 : 1;
    return at + 1;
}

struct ast *reader_new(struct clang_reader *reader, enum ast_kind kind, CXCursor cursor) {
    struct ast *ast = ARENA_NEW(&reader->program->arena, struct ast);
    ast->kind = kind;
    ast->range = reader_range(reader, cursor, ast);
    return ast;
}

void reader_kids(struct clang_reader *reader, struct ast *ast, int count) {
    ast->kid_count = count;
    ast->kids =
        count > 0 ? ARENA_ARRAY(&reader->program->arena, struct ast *, (size_t)count) : NULL;
}
