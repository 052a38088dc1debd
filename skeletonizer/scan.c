/* SPDX-License-Identifier: Apache-2.0
 *
 * Plain text scanning; strings and character constants are skipped, line continuations joined.
 */
#include "skeletonizer/scan.h"

#include <ctype.h>
#include <string.h>

unsigned scan_skip_space(const struct source_file *file, unsigned at) {
    const char *text = file->text;
    for (;;) {
        while (at < file->length && isspace((unsigned char)text[at]))
            at++;
        if (text[at] == '\\' && text[at + 1] == '\n') {
            at += 2;
        } else if (text[at] == '/' && text[at + 1] == '*') {
            const char *end = strstr(text + at + 2, "*/");
            if (end == NULL)
                return (unsigned)file->length;
            at = (unsigned)(end - text) + 2;
        } else if (text[at] == '/' && text[at + 1] == '/') {
            while (at < file->length && text[at] != '\n')
                at++;
        } else {
            return at;
        }
    }
}

unsigned scan_semicolon(const struct source_file *file, unsigned at) {
    unsigned next = scan_skip_space(file, at);
    return next < file->length && file->text[next] == ';' ? next + 1 : at;
}

unsigned scan_statement_end(const struct program *program, const struct tree *tree) {
    const struct source_file *file = program->files.items[tree->ast->range.file];
    unsigned end = tree->ast->range.end;
    const struct tree *last = tree->kids.count > 0 ? tree->kids.items[tree->kids.count - 1] : NULL;
    switch (tree->ast->kind) {
    case AST_COMPOUND:
    case AST_DECLARE:
        return end;
    case AST_IF:
    case AST_WHILE:
    case AST_FOR:
    case AST_SWITCH:
    case AST_CASE:
    case AST_LABEL:
        if (last != NULL && last->ast->range.file == tree->ast->range.file) {
            unsigned inner = scan_statement_end(program, last);
            return inner > end ? inner : end;
        }
        return scan_semicolon(file, end);
    case AST_NULL:
        return file->text[end > 0 ? end - 1 : 0] == ';' ? end : scan_semicolon(file, end);
    default:
        return scan_semicolon(file, end);
    }
}

bool scan_is_line_start(const struct source_file *file, unsigned at) {
    while (at > 0 && (file->text[at - 1] == ' ' || file->text[at - 1] == '\t'))
        at--;
    return at == 0 || file->text[at - 1] == '\n';
}

unsigned scan_line_begin(const struct source_file *file, unsigned at) {
    while (at > 0 && file->text[at - 1] != '\n')
        at--;
    return at;
}

void scan_indent(struct str *out, const struct source_file *file, unsigned at) {
    const char *line = file->text + scan_line_begin(file, at);
    str_addn(out, line, strspn(line, " \t"));
}

struct range scan_whole_lines(const struct source_file *file, struct range range) {
    unsigned end = range.end + (unsigned)strspn(file->text + range.end, " \t");
    if (!scan_is_line_start(file, range.begin) || file->text[end] != '\n')
        return range;
    range.begin = scan_line_begin(file, range.begin);
    range.end = end + 1;
    return range;
}

unsigned scan_before_comment(const struct source_file *file, unsigned at) {
    unsigned begin = scan_line_begin(file, at);
    if (begin < 4 || strncmp(file->text + begin - 3, "*/\n", 3) != 0)
        return at;
    unsigned open = begin - 4;
    while (open > 0 && strncmp(file->text + open, "/*", 2) != 0)
        open--;
    return scan_is_line_start(file, open) && strncmp(file->text + open, "/*", 2) == 0 ? open : at;
}

static const struct range *macro_that_ends_at(const struct source_file *file, unsigned end) {
    size_t at = end > 0 ? source_macro_behind(file, end - 1) : file->macros.count;
    bool found = at < file->macros.count && file->macros.items[at].end == end;
    return found ? &file->macros.items[at] : NULL;
}

unsigned scan_before_macros(const struct source_file *file, unsigned at) {
    for (;;) {
        unsigned back = at;
        while (back > 0 && (file->text[back - 1] == ' ' || file->text[back - 1] == '\t'))
            back--;
        const struct range *macro = macro_that_ends_at(file, back);
        if (macro == NULL)
            return at;
        at = macro->begin;
    }
}

bool scan_is_behind_word(const struct source_file *file, unsigned at) {
    return at > 0 && (isalnum((unsigned char)file->text[at - 1]) || file->text[at - 1] == '_');
}
