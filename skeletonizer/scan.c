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

/* Behind the line of `at`, continuations included. */
static unsigned line_end(const struct source_file *file, unsigned at) {
    while (at < file->length && !(file->text[at] == '\n' && file->text[at - 1] != '\\'))
        at++;
    return at < file->length ? at + 1 : at;
}

static bool starts_with_word(const char *text, const char *word) {
    size_t length = strlen(word);
    return strncmp(text, word, length) == 0 && !isalnum((unsigned char)text[length]);
}

static bool has_to_stay(const char *directive) {
    static const char *const words[] = {"if",    "ifdef",  "ifndef", "elif",   "else",
                                        "endif", "define", "undef",  "include"};
    directive++;
    directive += strspn(directive, " \t");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (starts_with_word(directive, words[i]))
            return true;
    return false;
}

void scan_directives(struct str *out, const struct source_file *file, unsigned begin,
                     unsigned end) {
    unsigned at = begin;
    while (at < end) {
        unsigned first = at + (unsigned)strspn(file->text + at, " \t");
        unsigned next = line_end(file, first);
        bool line_start = at == 0 || file->text[at - 1] == '\n';
        if (line_start && file->text[first] == '#' && first < end &&
            has_to_stay(file->text + first)) {
            str_addn(out, file->text + at, next - at);
            if (next > 0 && file->text[next - 1] != '\n')
                str_addc(out, '\n');
        }
        at = next;
    }
}

bool scan_is_line_start(const struct source_file *file, unsigned at) {
    while (at > 0 && (file->text[at - 1] == ' ' || file->text[at - 1] == '\t'))
        at--;
    return at == 0 || file->text[at - 1] == '\n';
}

static unsigned line_begin(const struct source_file *file, unsigned at) {
    while (at > 0 && file->text[at - 1] != '\n')
        at--;
    return at;
}

unsigned scan_before_pragmas(const struct source_file *file, unsigned at) {
    unsigned result = at;
    unsigned begin = line_begin(file, at);
    if (!scan_is_line_start(file, at))
        return at;
    while (begin > 0) {
        unsigned previous = line_begin(file, begin - 1);
        while (previous > 1 && file->text[previous - 2] == '\\')
            previous = line_begin(file, previous - 1);
        const char *text = file->text + previous;
        text += strspn(text, " \t");
        if (*text != '#')
            break;
        text++;
        text += strspn(text, " \t");
        if (!starts_with_word(text, "pragma"))
            break;
        result = begin = previous;
    }
    return result;
}

void scan_indent(struct str *out, const struct source_file *file, unsigned at) {
    const char *line = file->text + line_begin(file, at);
    str_addn(out, line, strspn(line, " \t"));
}

struct range scan_whole_lines(const struct source_file *file, struct range range) {
    unsigned end = range.end + (unsigned)strspn(file->text + range.end, " \t");
    if (!scan_is_line_start(file, range.begin) || file->text[end] != '\n')
        return range;
    range.begin = line_begin(file, range.begin);
    range.end = end + 1;
    return range;
}

unsigned scan_before_comment(const struct source_file *file, unsigned at) {
    unsigned begin = line_begin(file, at);
    if (begin < 4 || strncmp(file->text + begin - 3, "*/\n", 3) != 0)
        return at;
    unsigned open = begin - 4;
    while (open > 0 && strncmp(file->text + open, "/*", 2) != 0)
        open--;
    return scan_is_line_start(file, open) && strncmp(file->text + open, "/*", 2) == 0 ? open : at;
}
