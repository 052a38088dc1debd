/* SPDX-License-Identifier: Apache-2.0
 *
 * GCC's inline assembly -> an AST_ATOMIC, which reads and writes each operand, and what pointers
 * among them point to. libclang shows the operands only, so the text is looked into for where
 * outputs end and whether memory is clobbered (GCC manual, 6.47.2: what is neither an operand nor
 * clobbered stays as it is). Refused is what could do more: jump, call, make a pointer, follow a
 * pointer to another one.
 *
 * `asm goto` is an AST_GOTO with that as its kid: control goes on behind it, or to one of its
 * labels.
 */
#include "frontend/clang/clang_reader.h"

#include <string.h>

#define SECTIONS 5 /* template, outputs, inputs, clobbers, labels */

struct asm_text {
    const char *begin; /* of the parentheses */
    size_t length;
    bool has_labels;                    /* asm goto */
    const char *sections[SECTIONS + 1]; /* where each begins; behind the last one: its end */
};

static bool is_word(const char *text, size_t length, const char *word) {
    return memmem(text, length, word, strlen(word)) != NULL;
}

/* False: it is not written where the statement is, but by several macros. */
static bool find_text(struct asm_text *out, CXCursor cursor) {
    size_t length = 0, at = 0;
    int depth = 0, section = 0;
    const char *text = reader_written_at(cursor, &length);
    while (text != NULL && at < length && text[at] != '(')
        at++;
    if (text == NULL || at == length || !is_word(text, at, "asm"))
        return false;
    *out = (struct asm_text){
        .begin = text + at, .sections = {text + at + 1}, .has_labels = is_word(text, at, "goto")};
    while (at < length) {
        char c = text[at];
        if (c == '"') {
            at = reader_skip_quoted(text, at, length);
            continue;
        }
        depth += (c == '(' || c == '[') - (c == ')' || c == ']');
        if (depth == 0)
            break;
        if (c == ':' && depth == 1 && ++section < SECTIONS)
            out->sections[section] = text + at + 1;
        at++;
    }
    out->length = at < length ? (size_t)(text + at - out->begin) : 0;
    for (int i = section + 1; i <= SECTIONS; i++)
        out->sections[i] = text + at;
    return at < length && (section == SECTIONS - 1) == out->has_labels;
}

/* Operands begin with their constraint, a string; names in brackets may stand before it. */
static int operand_count(const char *begin, const char *end) {
    int count = 0, depth = 0;
    for (size_t at = 0, length = (size_t)(end - begin); at < length;) {
        if (begin[at] == '"') {
            count += depth == 0;
            at = reader_skip_quoted(begin, at, length);
            while (at < length && strchr(" \t\n\\", begin[at]) != NULL)
                at++;
            continue;
        }
        depth += (begin[at] == '(') - (begin[at] == ')');
        at++;
    }
    return count;
}

static const struct type *element_of(const struct type *type) {
    return type->kind == TYPE_POINTER || type->kind == TYPE_ARRAY ? type->element : NULL;
}

static bool holds_only_numbers(const struct type *type) {
    while (type != NULL && type->kind == TYPE_ARRAY)
        type = type->element;
    return type != NULL && (type->kind == TYPE_INTEGER || type->kind == TYPE_FLOATING ||
                            type->kind == TYPE_CHARACTER);
}

static bool is_function(const struct type *type) {
    const struct type *element = element_of(type);
    return type->kind == TYPE_FUNCTION || (element != NULL && element->kind == TYPE_FUNCTION);
}

static bool is_plain_operand(const struct type *type, bool is_output, bool clobbers) {
    bool points = type->kind == TYPE_POINTER || type->kind == TYPE_ARRAY;
    if (is_function(type))
        return false;
    if (is_output && !holds_only_numbers(type))
        return false;
    return !clobbers || !points || holds_only_numbers(element_of(type));
}

static struct ast *wrapped(struct clang_reader *reader, enum ast_kind kind, struct ast *inner) {
    struct ast *ast = ARENA_NEW(&reader->program->arena, struct ast);
    struct type *pointer = ARENA_NEW(&reader->program->arena, struct type);
    *pointer = (struct type){.kind = TYPE_POINTER,
                             .size_bytes = sizeof(void *),
                             .element = kind == AST_UNARY ? inner->type : NULL,
                             .parameter_count = -1,
                             .name = "void *"};
    ast->kind = kind;
    ast->range = inner->range;
    ast->line = inner->line;
    ast->from_macro = inner->from_macro;
    ast->in_macro_arg = inner->in_macro_arg;
    ast->op = "&";
    ast->type = pointer;
    reader_kids(reader, ast, 1);
    ast->kids[0] = inner;
    return ast;
}

static bool is_lvalue(const struct ast *ast) {
    return (ast->kind == AST_REFERENCE && ast->declaration->kind == DECLARATION_VARIABLE) ||
           ast->kind == AST_MEMBER || ast->kind == AST_SUBSCRIPT ||
           (ast->kind == AST_UNARY && strcmp(ast->op, "*") == 0);
}

static bool may_jump(const struct asm_text *text) {
    return is_word(text->begin, text->length, "call") ||
           (!text->has_labels && is_word(text->begin, text->length, "jmp"));
}

/* Their names between blanks. NULL: it comes out of a macro, which may write others. */
static struct ast *with_labels(struct clang_reader *reader, CXCursor cursor, struct ast *assembly,
                               const struct asm_text *text) {
    struct ast *ast = reader_new(reader, AST_GOTO, cursor);
    char *names = arena_strndup(&reader->program->arena, text->sections[4],
                                (size_t)(text->sections[5] - text->sections[4]));
    for (char *at = names; *at != '\0'; at++)
        *at = strchr(",\n\t\\", *at) != NULL ? ' ' : *at;
    ast->name = names;
    reader_kids(reader, ast, 1);
    ast->kids[0] = assembly;
    return ast->from_macro ? NULL : ast;
}

struct ast *reader_asm(struct clang_reader *reader, CXCursor cursor, struct cursors kids) {
    struct asm_text text;
    struct ast *ast = reader_new(reader, AST_ATOMIC, cursor);
    struct type *number = ARENA_NEW(&reader->program->arena, struct type);
    if (!find_text(&text, cursor) || may_jump(&text))
        return NULL;
    bool clobbers =
        is_word(text.sections[3], (size_t)(text.sections[4] - text.sections[3]), "\"memory\"");
    int outputs = operand_count(text.sections[1], text.sections[2]);
    if (outputs + operand_count(text.sections[2], text.sections[3]) != kids.count)
        return NULL;
    *number =
        (struct type){.kind = TYPE_INTEGER, .size_bytes = 8, .parameter_count = -1, .name = "long"};
    ast->type = number;
    reader_kids(reader, ast, 3 * kids.count);
    ast->kid_count = 0;
    for (int i = 0; i < kids.count; i++) {
        struct ast *operand = reader_expression(reader, kids.items[i]);
        if (!is_plain_operand(operand->type, i < outputs, clobbers))
            return NULL;
        ast->kids[ast->kid_count++] = operand;
        if (is_lvalue(operand) && operand->type->kind != TYPE_ARRAY)
            ast->kids[ast->kid_count++] = wrapped(reader, AST_UNARY, operand);
        if (clobbers && operand->type->kind == TYPE_INTEGER && operand->type->size_bytes == 8)
            ast->kids[ast->kid_count++] = wrapped(reader, AST_CAST, operand); /* an address */
    }
    return text.has_labels ? with_labels(reader, cursor, ast, &text) : ast;
}
