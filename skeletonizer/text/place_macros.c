/* SPDX-License-Identifier: Apache-2.0
 *
 * A macro names its line if its body does, or holds another one that does; likewise for counting.
 * Bodies are found in the text of the files that the frontend has read: of macros of the C library
 * only assert is known. A file names its lines if one of these words stands outside of definitions.
 */
#include "skeletonizer/text/place_macros.h"

#include "base/hash_table.h"

#include <ctype.h>
#include <string.h>

enum place_kind { PLACE_NONE, PLACE_LINE = 1, PLACE_COUNTER = 2, PLACE_FUNCTION = 4 };

struct place_scan {
    struct hash_table kinds; /* by name: enum place_kind, several may be set */
    bool has_grown;
};

static bool is_of_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

static size_t behind_quoted(const char *text, size_t at) {
    char quote = text[at++];
    while (text[at] != '\0' && text[at] != quote && text[at] != '\n')
        at += text[at] == '\\' && text[at + 1] != '\0' ? 2 : 1;
    return text[at] == quote ? at + 1 : at;
}

static size_t behind_comment(const char *text, size_t at) {
    const char *end = text[at + 1] == '/' ? strchr(text + at, '\n') : strstr(text + at + 2, "*/");
    if (end == NULL)
        return at + strlen(text + at);
    return (size_t)(end - text) + (*end == '\n' ? 0 : 2);
}

/* The next word from `at` on, outside of comments and quotes; its end, 0: there is none. At the end
 * of a line that no backslash continues *ends_line is set. */
static size_t next_word(const char *text, size_t *at, bool *ends_line) {
    size_t i = *at;
    while (text[i] != '\0' && !is_of_word(text[i])) {
        if (text[i] == '\n')
            *ends_line = true;
        if (text[i] == '"' || text[i] == '\'')
            i = behind_quoted(text, i);
        else if (text[i] == '/' && (text[i + 1] == '/' || text[i + 1] == '*'))
            i = behind_comment(text, i);
        else
            i += text[i] == '\\' && text[i + 1] == '\n' ? 2 : 1;
    }
    *at = i;
    while (is_of_word(text[i]))
        i++;
    return text[*at] == '\0' ? 0 : i;
}

static unsigned char *kind_of(const struct place_scan *scan, const char *text, size_t begin,
                              size_t end) {
    char name[128];
    if (end - begin >= sizeof name)
        return NULL;
    memcpy(name, text + begin, end - begin);
    name[end - begin] = '\0';
    return hash_table_find_text(&scan->kinds, name);
}

static void add_kind(struct place_scan *scan, const char *name, unsigned char kind) {
    unsigned char *known = hash_table_add_text(&scan->kinds, name, 1);
    scan->has_grown = scan->has_grown || (*known | kind) != *known;
    *known |= kind;
}

static bool is_define(const char *text, size_t begin, size_t end) {
    size_t at = begin;
    while (at > 0 && (text[at - 1] == ' ' || text[at - 1] == '\t'))
        at--;
    return end - begin == strlen("define") && strncmp(text + begin, "define", end - begin) == 0 &&
           at > 0 && text[at - 1] == '#';
}

/* Kinds of the words of a text that stand outside of definitions; those inside go to `scan`. */
static unsigned char scan_text(struct place_scan *scan, const char *text) {
    char macro[128] = "";
    bool is_defining = false, is_name = false;
    unsigned char outside = PLACE_NONE;
    size_t at = 0, end;
    for (bool ends_line = false; (end = next_word(text, &at, &ends_line)) != 0; at = end) {
        is_defining = is_defining && !ends_line;
        ends_line = false;
        const unsigned char *kind = kind_of(scan, text, at, end);
        if (is_name && is_defining && end - at < sizeof macro) {
            memcpy(macro, text + at, end - at);
            macro[end - at] = '\0';
        } else if (kind != NULL && is_defining) {
            add_kind(scan, macro, *kind);
        } else if (kind != NULL) {
            outside |= *kind;
        }
        is_name = is_define(text, at, end);
        is_defining = is_defining || is_name;
    }
    return outside;
}

static void find_kinds(struct place_scan *scan, const struct program *program) {
    add_kind(scan, "__LINE__", PLACE_LINE);
    add_kind(scan, "__builtin_LINE", PLACE_LINE);
    add_kind(scan, "assert", PLACE_LINE | PLACE_FUNCTION);
    add_kind(scan, "__func__", PLACE_FUNCTION);
    add_kind(scan, "__FUNCTION__", PLACE_FUNCTION);
    add_kind(scan, "__PRETTY_FUNCTION__", PLACE_FUNCTION);
    add_kind(scan, "__COUNTER__", PLACE_COUNTER);
    for (scan->has_grown = true; scan->has_grown;) {
        scan->has_grown = false;
        for (size_t i = 0; i < program->files.count; i++)
            scan_text(scan, program->files.items[i]->text);
    }
}

static void find_counting(const struct place_scan *scan, struct source_file *file) {
    for (size_t i = 0; i < file->macros.count; i++) {
        const struct range call = file->macros.items[i];
        size_t at = call.begin, end;
        bool ends_line, counts = false;
        while ((end = next_word(file->text, &at, &ends_line)) != 0 && at < call.end) {
            const unsigned char *kind = kind_of(scan, file->text, at, end);
            counts = counts || (kind != NULL && (*kind & PLACE_COUNTER) != 0);
            at = end;
        }
        if (counts)
            vec_push(&file->counting, call);
    }
}

void place_macros_find(struct program *program) {
    struct place_scan scan = {0};
    find_kinds(&scan, program);
    for (size_t i = 0; i < program->files.count; i++) {
        struct source_file *file = program->files.items[i];
        unsigned char kinds = scan_text(&scan, file->text);
        file->names_lines = (kinds & PLACE_LINE) != 0;
        file->names_functions = (kinds & PLACE_FUNCTION) != 0;
        find_counting(&scan, file);
    }
    hash_table_dispose(&scan.kinds);
}
