/* SPDX-License-Identifier: Apache-2.0
 *
 * Where a cursor is written. An end that comes out of a macro's body is widened to the whole macro
 * call, since nothing inside can be edited; an end that is spelled among the arguments of a macro
 * call stays where it is spelled.
 *
 * libclang's trap: the end of a cursor whose last token is a macro argument has the position of the
 * argument as "file location", but that of the macro's name as "expansion location".
 */
#include "frontend/clang/clang_reader.h"

#include <ctype.h>

struct place_in_file {
    int file;
    unsigned offset;
    unsigned line;
    bool from_macro_body;
};

static struct place_in_file locate(struct clang_reader *reader, CXSourceLocation location) {
    struct place_in_file out = {0};
    CXFile file, spelled_file;
    unsigned spelled;
    clang_getFileLocation(location, &file, &out.line, NULL, &out.offset);
    clang_getSpellingLocation(location, &spelled_file, NULL, NULL, &spelled);
    out.file = reader_file(reader, file);
    out.from_macro_body =
        spelled != out.offset || spelled_file == NULL || !clang_File_isEqual(file, spelled_file);
    return out;
}

/* The outermost macro call that holds the byte, or NULL. */
static const struct range *macro_around(const struct program *program, int file, unsigned offset) {
    const struct source_file *source = program->files.items[file];
    size_t at = source_macro_behind(source, offset);
    if (at == source->macros.count || source->macros.items[at].begin > offset)
        return NULL;
    return &source->macros.items[at];
}

/* A declaration that begins with a macro which stands for a type (`real x = f();`): all of its text
 * is written here, and what it declares is none of the macro's. */
static bool begins_with_type(const struct program *program, CXCursor cursor,
                             const struct range *first, const struct range *last, unsigned end) {
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    if ((kind != CXCursor_DeclStmt && kind != CXCursor_VarDecl) || first == NULL || last != NULL ||
        end <= first->end)
        return false;
    const char *text = program->files.items[first->file]->text;
    for (unsigned at = first->begin; at < first->end; at++)
        if (!isalnum((unsigned char)text[at]) && text[at] != '_')
            return false;
    return true;
}

struct range reader_range(struct clang_reader *reader, CXCursor cursor, struct ast *out) {
    CXSourceRange extent = clang_getCursorExtent(cursor);
    struct place_in_file begin = locate(reader, clang_getRangeStart(extent));
    struct place_in_file end = locate(reader, clang_getRangeEnd(extent));
    struct range range = {begin.file, begin.offset, end.offset};
    if (begin.file < 0 || end.file != begin.file)
        return (struct range){begin.file, begin.offset, begin.offset};
    const struct range *first = macro_around(reader->program, begin.file, begin.offset);
    const struct range *last =
        end.offset > 0 ? macro_around(reader->program, end.file, end.offset - 1) : NULL;
    /* What ends with an argument of a call in a macro's body (`#define ZERO CONSTANT(0.0)`) ends
     * for libclang where the outermost call begins. */
    const struct range *around =
        end.from_macro_body ? macro_around(reader->program, end.file, end.offset) : NULL;
    if (around != NULL && around->begin == end.offset) {
        last = around;
        end.offset = range.end = around->end;
    }
    /* A whole macro call is editable text; the inside of one is not. */
    bool whole =
        first != NULL && first == last && begin.offset == first->begin && end.offset == first->end;
    /* An argument ends before the parenthesis that ends the call: what ends with the call ends in
     * the body. */
    bool from_body =
        begin.from_macro_body || (first != NULL && first == last && end.offset == first->end);
    bool mixed = first != last || (first != NULL && !whole && from_body);
    bool spelled_inside = first != NULL && first == last && !whole && !begin.from_macro_body &&
                          end.offset > begin.offset;
    if (mixed || (whole && begin.from_macro_body) || end.offset <= begin.offset) {
        if (first != NULL)
            range.begin = first->begin;
        if (last != NULL && last->end > range.end)
            range.end = last->end;
        if (end.offset <= begin.offset && first != NULL)
            range.end = first->end;
    }
    if (out != NULL) {
        out->line = (int)begin.line;
        out->from_macro = !begins_with_type(reader->program, cursor, first, last, end.offset) &&
                          (begin.from_macro_body || (mixed && first != NULL));
        out->in_macro_arg = spelled_inside;
    }
    return range;
}
