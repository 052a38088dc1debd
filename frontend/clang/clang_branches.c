/* SPDX-License-Identifier: Apache-2.0
 *
 * A condition asks if it names __has_... or a macro whose body does. In a chain of #if, #elif and
 * #else with such a condition, the branch of which gcc took a line is the one; that of a chain
 * without any holds nothing that matters. Only these chains are decided, so that what is included
 * several times under different names goes on doing so.
 *
 * Not handled: chains that a unit takes in different ways, and files with #line: errors. Files
 * under /usr are read with clang's answers, since that is who has to understand them.
 */
#include "frontend/clang/clang_branches.h"

#include "base/str.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct branches_directive {
    unsigned begin, end; /* from the # to its last byte, or to a comment */
    unsigned word;       /* where its name begins */
    int line;
};

struct branches_file {
    char *path; /* absolute */
    char *text;
    size_t length;
    VEC(struct branches_directive) directives;
};

typedef VEC(struct branches_file) file_list;

typedef VEC(char *) name_list;

/* Directives of a file */

static size_t skip_quoted(const char *text, size_t at, size_t length) {
    char quote = text[at++];
    while (at < length && text[at] != quote && text[at] != '\n')
        at += text[at] == '\\' ? 2 : 1;
    return at < length ? at + 1 : length;
}

static size_t skip_comment(const char *text, size_t at, size_t length) {
    const char *end = memmem(text + at + 2, length - at - 2, "*/", 2);
    return end != NULL ? (size_t)(end - text) + 2 : length;
}

static bool is_comment(const char *text, size_t at) {
    return text[at] == '/' && (text[at + 1] == '*' || text[at + 1] == '/');
}

/* To the end of the line that no backslash continues, or to a comment. */
static size_t directive_end(const char *text, size_t at, size_t length) {
    while (at < length && text[at] != '\n' && !is_comment(text, at))
        if (text[at] == '\\')
            at += 2;
        else
            at = text[at] == '"' || text[at] == '\'' ? skip_quoted(text, at, length) : at + 1;
    return at < length ? at : length;
}

static void find_directives(struct branches_file *file) {
    const char *text = file->text;
    bool at_begin = true;
    int line = 1;
    for (size_t at = 0, next; at < file->length; at = next) {
        next = at + 1;
        if (at_begin && text[at] == '#') {
            size_t word = at + 1 + strspn(text + at + 1, " \t");
            next = directive_end(text, word, file->length);
            vec_push(&file->directives, (struct branches_directive){(unsigned)at, (unsigned)next,
                                                                    (unsigned)word, line});
        } else if (text[at] == '/' && text[at + 1] == '*') {
            next = skip_comment(text, at, file->length);
        } else if (text[at] == '/' && text[at + 1] == '/') {
            next = at + strcspn(text + at, "\n");
        } else if (text[at] == '"' || text[at] == '\'') {
            next = skip_quoted(text, at, file->length);
        }
        at_begin = text[at] == '\n' || (at_begin && (isspace((unsigned char)text[at]) ||
                                                     (text[at] == '/' && text[at + 1] == '*')));
        for (size_t i = at; i < next; i++)
            line += text[i] == '\n';
    }
}

static bool is_named(const struct branches_file *file, const struct branches_directive *directive,
                     const char *name) {
    size_t length = strlen(name);
    const char *word = file->text + directive->word;
    return strncmp(word, name, length) == 0 && !isalnum((unsigned char)word[length]);
}

/* Questions */

static bool is_question(const char *word, size_t length, const name_list *macros) {
    static const char *const words[] = {"__has_", "__is_", "__building_module"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strncmp(word, words[i], strlen(words[i])) == 0)
            return true;
    for (size_t i = 0; i < macros->count; i++)
        if (strlen(macros->items[i]) == length && strncmp(word, macros->items[i], length) == 0)
            return true;
    return false;
}

static size_t word_length(const char *text) {
    size_t length = 0;
    while (isalnum((unsigned char)text[length]) || text[length] == '_')
        length++;
    return length;
}

/* The text between holds a word that asks. */
static bool asks(const char *text, size_t at, size_t end, const name_list *macros) {
    while (at < end) {
        size_t length = word_length(text + at);
        if (length > 0 && is_question(text + at, length, macros))
            return true;
        at += length > 0 ? length : 1;
    }
    return false;
}

/* The macro that the directive defines, if its body asks. */
static void add_macro(name_list *macros, const struct branches_file *file,
                      const struct branches_directive *directive) {
    size_t at = directive->word + strlen("define");
    at += strspn(file->text + at, " \t");
    size_t length = word_length(file->text + at);
    if (length == 0 || is_question(file->text + at, length, macros) ||
        !asks(file->text, at + length, directive->end, macros))
        return;
    vec_push(macros, strndup(file->text + at, length));
}

static void find_macros(name_list *macros, const file_list *files) {
    size_t before;
    do {
        before = macros->count;
        for (size_t i = 0; i < files->count; i++)
            for (size_t k = 0; k < files->items[i].directives.count; k++)
                if (is_named(&files->items[i], &files->items[i].directives.items[k], "define"))
                    add_macro(macros, &files->items[i], &files->items[i].directives.items[k]);
    } while (macros->count > before);
}

/* Chains */

static bool opens(const struct branches_file *file, const struct branches_directive *directive) {
    return is_named(file, directive, "if") || is_named(file, directive, "ifdef") ||
           is_named(file, directive, "ifndef");
}

static bool continues(const struct branches_file *file,
                      const struct branches_directive *directive) {
    return strncmp(file->text + directive->word, "el", 2) == 0;
}

/* The next directive of the chain; `count`: there is none. */
static size_t next_of_chain(const struct branches_file *file, size_t k) {
    size_t count = file->directives.count;
    int depth = 0;
    for (k++; k < count; k++) {
        const struct branches_directive *directive = &file->directives.items[k];
        bool ends = is_named(file, directive, "endif");
        if (depth == 0 && (ends || continues(file, directive)))
            return k;
        depth += opens(file, directive) - ends;
    }
    return count;
}

static bool chain_asks(const struct branches_file *file, size_t first, const name_list *macros) {
    size_t count = file->directives.count;
    for (size_t k = first; k < count; k = next_of_chain(file, k)) {
        const struct branches_directive *directive = &file->directives.items[k];
        if (asks(file->text, directive->word, directive->end, macros))
            return true;
    }
    return false;
}

static void write_condition(struct branches_file *file, const struct branches_directive *directive,
                            bool value) {
    char *text = file->text + directive->begin;
    const char *word = opens(file, directive) ? "#if" : "#elif";
    for (unsigned i = 0; i < directive->end - directive->begin; i++)
        text[i] = text[i] == '\n' ? '\n' : ' ';
    memcpy(text, word, strlen(word));
    text[strlen(word) + 1] = value ? '1' : '0';
}

static void report(const struct clang_branches *branches, const struct branches_file *file,
                   const struct branches_directive *directive, const char *what) {
    int index = program_file(branches->program, file->path);
    program_report(branches->program, (struct range){index, directive->begin, directive->begin},
                   "error", "%s", what);
}

static bool has_line_directive(const struct branches_file *file) {
    for (size_t k = 0; k < file->directives.count; k++)
        if (is_named(file, &file->directives.items[k], "line"))
            return true;
    return false;
}

static void decide_chain(struct clang_branches *branches, struct branches_file *file,
                         size_t first) {
    size_t count = file->directives.count, next;
    bool is_taken = false;
    for (size_t k = first; k < count; k = next) {
        struct branches_directive *directive = &file->directives.items[k];
        next = next_of_chain(file, k);
        int end = next < count ? file->directives.items[next].line : directive->line;
        bool value = taken_lines_any(&branches->taken, file->path, directive->line + 1, end);
        if (value && is_taken)
            report(branches, file, directive,
                   "the compiler is asked what it can do, and takes both branches in this unit, "
                   "which mpiskel does not follow: ask once, in a file that is included once");
        is_taken = is_taken || value;
        if (!is_named(file, directive, "else") && !is_named(file, directive, "endif"))
            write_condition(file, directive, value);
    }
}

static bool ask(struct clang_branches *branches) {
    const struct parse_task *task = branches->task;
    if (!branches->is_asked)
        branches->is_answered = taken_lines_ask(&branches->taken, &branches->program->arena,
                                                task->command, &task->arguments) == 0;
    branches->is_asked = true;
    return branches->is_answered;
}

static bool decide_file(struct clang_branches *branches, struct branches_file *file,
                        const name_list *macros) {
    bool changed = false;
    for (size_t k = 0; k < file->directives.count; k++) {
        const struct branches_directive *directive = &file->directives.items[k];
        if (!opens(file, directive) || !chain_asks(file, k, macros))
            continue;
        if (!ask(branches) || has_line_directive(file)) {
            report(branches, file, directive,
                   "what the build's compiler answers here is not known: "
                   "it does not preprocess the file for mpiskel, or #line hides which lines it "
                   "takes; let the build decide this, by -D");
            return false;
        }
        decide_chain(branches, file, k);
        changed = true;
    }
    return changed;
}

/* All files */

struct branches_search {
    struct clang_branches *branches;
    CXTranslationUnit unit;
    file_list files;
};

static void add_file(CXFile from, CXSourceLocation *stack, unsigned depth, CXClientData data) {
    struct branches_search *search = data;
    struct branches_file file = {0};
    (void)stack, (void)depth;
    CXString name = clang_getFileName(from);
    const char *path = path_absolute(&search->branches->program->arena, "", clang_getCString(name));
    const char *text = clang_getFileContents(search->unit, from, &file.length);
    clang_disposeString(name);
    if (text == NULL || program_is_of_system(search->branches->program, path))
        return;
    file.path = strdup(path);
    file.text = xmalloc(file.length + 2);
    memcpy(file.text, text, file.length);
    memset(file.text + file.length, '\0', 2); /* one may look behind the last byte */
    find_directives(&file);
    vec_push(&search->files, file);
}

static void dispose_file(struct branches_file *file) {
    vec_dispose(&file->directives);
    free(file->path);
    free(file->text);
}

/* A file of an earlier round gives way: what it had decided is in the new text. */
static void replace_file(struct clang_branches *branches, const struct branches_file *file) {
    struct CXUnsavedFile new = {file->path, file->text, file->length}, *old = NULL;
    for (size_t i = 0; i < branches->files.count; i++)
        if (strcmp(branches->files.items[i].Filename, file->path) == 0)
            old = &branches->files.items[i];
    if (old == NULL) {
        vec_push(&branches->files, new);
        return;
    }
    free((char *)(size_t)old->Filename);
    free((char *)(size_t)old->Contents);
    *old = new;
}

bool branches_decide(struct clang_branches *branches, CXTranslationUnit unit) {
    struct branches_search search = {.branches = branches, .unit = unit};
    name_list macros = {0};
    bool changed = false;
    clang_getInclusions(unit, add_file, &search);
    find_macros(&macros, &search.files);
    for (size_t i = 0; i < search.files.count; i++) {
        struct branches_file *file = &search.files.items[i];
        if (!decide_file(branches, file, &macros)) {
            dispose_file(file);
            continue;
        }
        vec_dispose(&file->directives);
        replace_file(branches, file);
        changed = true;
    }
    for (size_t i = 0; i < macros.count; i++)
        free(macros.items[i]);
    vec_dispose(&macros);
    vec_dispose(&search.files);
    return changed;
}

void branches_dispose(struct clang_branches *branches) {
    for (size_t i = 0; i < branches->files.count; i++) {
        free((char *)(size_t)branches->files.items[i].Filename);
        free((char *)(size_t)branches->files.items[i].Contents);
    }
    vec_dispose(&branches->files);
    taken_lines_dispose(&branches->taken);
}
