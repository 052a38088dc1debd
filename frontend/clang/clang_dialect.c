/* SPDX-License-Identifier: Apache-2.0
 *
 * What gcc has, and what clang parses without a word but takes for something else, or for nothing:
 * - assembly at file scope, which may define functions and change variables: refused, but for
 *   versions of symbols and notes, which do neither;
 * - pointers to a record that are handed on as pointers to a record inside of it
 *   (-fplan9-extensions): right where the inner one comes first, refused elsewhere.
 */
#include "frontend/clang/clang_reader.h"

#include "base/str.h"

#include <ctype.h>
#include <string.h>

static void report(struct clang_reader *reader, CXCursor cursor, const char *text) {
    struct range range = reader_range(reader, cursor, NULL);
    program_report(reader->program, range, "error", "%s", text);
}

/* Assembly at file scope */

/* Statements of an assembler; `text` as it is written in C, with its escapes. */
static bool is_harmless(const char *text) {
    static const char *const names[] = {".symver", ".ident", ".section .note", ".previous", NULL};
    while (*text != '\0') {
        if (isspace((unsigned char)*text) || *text == ';' || *text == '\\') {
            text += *text == '\\' ? 2 : 1;
            continue;
        }
        size_t i = 0, length = strcspn(text, ";\\\n");
        while (names[i] != NULL && !text_has_prefix(text, names[i]))
            i++;
        if (names[i] == NULL || memchr(text, ':', length) != NULL)
            return false;
        text += length;
    }
    return true;
}

void reader_check_file_scope(struct clang_reader *reader, CXCursor declaration) {
    CXToken *tokens = NULL;
    unsigned count = 0;
    struct str text = {0};
    size_t length = 0;
    const char *written = reader_written_at(declaration, &length);
    if ((clang_Location_isInSystemHeader(clang_getCursorLocation(declaration)) &&
         !reader_is_in_project(reader, declaration)) ||
        written == NULL || (strncmp(written, "asm", 3) != 0 && strncmp(written, "__asm", 5) != 0))
        return;
    clang_tokenize(reader->unit, clang_getCursorExtent(declaration), &tokens, &count);
    for (unsigned i = 0; i < count; i++) {
        const char *word = reader_text(reader, clang_getTokenSpelling(reader->unit, tokens[i]));
        if (word[0] == '"')
            str_addn(&text, word + 1, strlen(word) - 2);
        else if (clang_getTokenKind(tokens[i]) == CXToken_Identifier)
            str_add(&text, word); /* of a macro: nobody knows what is in it */
    }
    if (!is_harmless(str_text(&text)))
        report(reader, declaration,
               "assembly at file scope, which mpiskel does not look into, may define functions and "
               "change variables: write it in C, or link it from a library of its own");
    str_dispose(&text);
    clang_disposeTokens(reader->unit, tokens, count);
}

/* Records in records */

struct dialect_search {
    CXType wanted;
    long long offset_bits; /* of the unnamed field of that type; -1: there is none */
};

static enum CXVisitorResult look_for_base(CXCursor cursor, CXClientData data) {
    struct dialect_search *search = data;
    CXType type = clang_getUnqualifiedType(clang_getCanonicalType(clang_getCursorType(cursor)));
    CXString name = clang_getCursorSpelling(cursor);
    bool is_unnamed =
        clang_getCString(name)[0] == '\0' || strchr(clang_getCString(name), '(') != NULL;
    clang_disposeString(name);
    if (is_unnamed && type.kind == CXType_Record) {
        struct dialect_search inner = {search->wanted, -1};
        long long offset = clang_Cursor_getOffsetOfField(cursor);
        if (clang_equalTypes(type, search->wanted))
            inner.offset_bits = 0;
        else
            clang_Type_visitFields(type, look_for_base, &inner);
        if (inner.offset_bits >= 0)
            search->offset_bits = offset + inner.offset_bits;
    }
    return search->offset_bits >= 0 ? CXVisit_Break : CXVisit_Continue;
}

static bool points_to_record(CXType *out, CXCursor expression) {
    CXType type = clang_getCanonicalType(clang_getCursorType(expression));
    if (type.kind != CXType_Pointer)
        return false;
    *out = clang_getCanonicalType(clang_getPointeeType(type));
    if (out->kind == CXType_Record)
        *out = clang_getUnqualifiedType(*out);
    return out->kind == CXType_Record;
}

void reader_check_conversion(struct clang_reader *reader, CXCursor outer, CXCursor inner) {
    struct dialect_search search = {.offset_bits = -1};
    CXType from;
    if (!reader->has_base_records || !points_to_record(&from, inner) ||
        !points_to_record(&search.wanted, outer) || clang_equalTypes(from, search.wanted))
        return;
    clang_Type_visitFields(from, look_for_base, &search);
    if (search.offset_bits > 0)
        report(reader, inner,
               "with -fplan9-extensions this points to the record inside, which is not the first "
               "member; mpiskel's parser, clang, does not follow that: give the member a name, or "
               "put it first");
}
