/* SPDX-License-Identifier: Apache-2.0
 *
 * Plain text scanning; strings and character constants are skipped, line continuations joined.
 */
#include "skeletonizer/text/scan.h"

#include "base/hash.h"

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

static size_t index_in(const struct tree *parent, const struct tree *tree) {
    size_t i = 0;
    while (i < parent->kids.count && parent->kids.items[i] != tree)
        i++;
    return i;
}

static bool is_apart(const struct tree *tree, int file, const struct range *macro) {
    const struct range range = tree->ast->range;
    return range.file != file || range.end <= macro->begin || range.begin >= macro->end;
}

/* The macro call that holds the byte, but neither all of the block nor its kid `neighbour`. */
static const struct range *macro_of_statement(const struct source_file *file, int id, unsigned at,
                                              const struct tree *parent, size_t neighbour) {
    size_t found = source_macro_behind(file, at);
    if (parent == NULL || found == file->macros.count || file->macros.items[found].begin > at)
        return NULL;
    const struct range *macro = &file->macros.items[found];
    bool around = parent->ast->range.file == id && parent->ast->range.begin >= macro->begin;
    bool shared =
        neighbour < parent->kids.count && !is_apart(parent->kids.items[neighbour], id, macro);
    return around || shared ? NULL : macro;
}

struct range scan_statements(const struct program *program, struct tree *const *trees,
                             size_t count) {
    struct range range = trees[0]->ast->range;
    const struct source_file *file = program->files.items[range.file];
    const struct tree *parent = trees[0]->parent;
    range.end = scan_statement_end(program, trees[count - 1]);
    if (parent == NULL || range.end <= range.begin)
        return range;
    size_t first = index_in(parent, trees[0]), last = index_in(parent, trees[count - 1]);
    const struct range *begin =
        macro_of_statement(file, range.file, range.begin, parent, first - 1);
    const struct range *end = macro_of_statement(file, range.file, range.end - 1, parent, last + 1);
    if (begin != NULL)
        range.begin = begin->begin;
    if (end != NULL && end->end > range.end)
        range.end = scan_semicolon(file, end->end);
    return range;
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

unsigned long long scan_hash(unsigned long long hash, const struct source_file *file,
                             unsigned begin, unsigned end) {
    unsigned at = begin;
    while (at < end && (at = scan_skip_space(file, at)) < end)
        hash = hash_bytes(hash, file->text + at++, 1);
    return hash;
}
