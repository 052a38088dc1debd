/* SPDX-License-Identifier: Apache-2.0
 *
 * Looks for the word __attribute__ in the text of the project's files, and at the macro calls that
 * the frontend has noted.
 */
#include "skeletonizer/text/attribute_names.h"

#include <ctype.h>
#include <string.h>

static bool is_of_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

static void add_words(struct hash_table *out, const char *text, size_t begin, size_t end) {
    for (size_t at = begin, length; at < end; at += length > 0 ? length : 1) {
        for (length = 0; at + length < end && is_of_word(text[at + length]); length++)
            ;
        char name[256];
        if (length == 0 || length >= sizeof name)
            continue;
        memcpy(name, text + at, length);
        name[length] = '\0';
        hash_table_add_text(out, name, 1);
    }
}

static size_t behind_parentheses(const char *text, size_t at, size_t length) {
    int depth = 0;
    for (at += strspn(text + at, " \t\n"); at < length; at++) {
        depth += (text[at] == '(') - (text[at] == ')');
        if (depth == 0)
            return at;
    }
    return length;
}

static bool is_in_function(const struct program *program, struct range range) {
    for (size_t i = 0; i < program->functions.count; i++) {
        const struct range body = program->functions.items[i]->tree->ast->range;
        if (body.file == range.file && body.begin <= range.begin && range.end <= body.end)
            return true;
    }
    return false;
}

void attribute_names_find(struct hash_table *out, const struct program *program) {
    static const char word[] = "__attribute";
    for (size_t i = 0; i < program->files.count; i++) {
        const struct source_file *file = program->files.items[i];
        if (!file->in_project)
            continue;
        for (const char *at = file->text; (at = strstr(at, word)) != NULL;) {
            at += strlen(word);
            at += strspn(at, "_");
            size_t begin = (size_t)(at - file->text);
            add_words(out, file->text, begin, behind_parentheses(file->text, begin, file->length));
        }
        for (size_t k = 0; k < file->macros.count; k++) {
            const struct range range = file->macros.items[k];
            if (memchr(file->text + range.begin, '(', range.end - range.begin) != NULL &&
                !is_in_function(program, range))
                add_words(out, file->text, range.begin, range.end);
        }
    }
}
