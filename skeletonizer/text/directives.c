/* SPDX-License-Identifier: Apache-2.0
 *
 * Line by line, continuations joined. A pragma belongs to the statement behind it unless it stands
 * for itself, by its first words. Barriers are looked for outside of the braces in the range: what
 * is inside of them goes with its construct.
 */
#include "skeletonizer/text/directives.h"

#include "skeletonizer/text/scan.h"

#include <ctype.h>
#include <string.h>

/* Behind the line of `at`, continuations included. */
static unsigned line_end(const struct source_file *file, unsigned at) {
    while (at < file->length && !(file->text[at] == '\n' && file->text[at - 1] != '\\'))
        at++;
    return at < file->length ? at + 1 : at;
}

static bool is_word_character(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

static bool starts_with_word(const char *text, const char *word) {
    size_t length = strlen(word);
    return strncmp(text, word, length) == 0 && !is_word_character(text[length]);
}

/* Behind `#` and the first word, if it is this one; else NULL. */
static const char *behind(const char *directive, const char *word) {
    if (*directive != '#')
        return NULL;
    directive++;
    directive += strspn(directive, " \t");
    if (!starts_with_word(directive, word))
        return NULL;
    directive += strlen(word);
    return directive + strspn(directive, " \t");
}

static bool has_to_stay(const char *directive) {
    static const char *const words[] = {"if",    "ifdef",  "ifndef", "elif",   "else",
                                        "endif", "define", "undef",  "include"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (behind(directive, words[i]) != NULL)
            return true;
    return false;
}

bool directives_is_condition(const char *line) {
    static const char *const words[] = {"if", "ifdef", "ifndef", "elif"};
    line += strspn(line, " \t");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (behind(line, words[i]) != NULL)
            return true;
    return false;
}

size_t directives_count(const char *text, size_t length, const char *word) {
    size_t wanted = strlen(word), count = 0;
    for (size_t i = 0; i + wanted <= length; i++)
        count += strncmp(text + i, word, wanted) == 0 &&
                 (i == 0 || !is_word_character(text[i - 1])) &&
                 (i + wanted == length || !is_word_character(text[i + wanted]));
    return count;
}

bool directives_have(const char *text, size_t length, const char *word) {
    return directives_count(text, length, word) > 0;
}

static bool is_among(const char *const *words, size_t count, const char *text) {
    for (size_t i = 0; i < count; i++)
        if (starts_with_word(text, words[i]))
            return true;
    return false;
}

/* Behind `#pragma`: stands for itself. */
static bool stands_alone(const char *pragma) {
    static const char *const omp[] = {"barrier", "flush",         "taskwait", "taskyield",
                                      "cancel",  "threadprivate", "allocate", "requires",
                                      "declare", "begin",         "end",      "cancellation"};
    static const char *const others[] = {"once", "pack", "weak", "message", "comment", "STDC"};
    static const char *const gcc[] = {"diagnostic",    "poison", "push_options", "pop_options",
                                      "optimize",      "target", "visibility",   "warning",
                                      "system_header", "error",  "dependency"};
    if (starts_with_word(pragma, "omp"))
        return is_among(omp, sizeof omp / sizeof *omp, pragma + 3 + strspn(pragma + 3, " \t"));
    if (starts_with_word(pragma, "GCC") || starts_with_word(pragma, "clang"))
        return is_among(gcc, sizeof gcc / sizeof *gcc, strpbrk(pragma, " \t") + 1);
    return is_among(others, sizeof others / sizeof *others, pragma);
}

/* Barriers */

/* A pragma whose end all threads wait for: a barrier, or a construct that shares work. */
static const char *barrier_of(const char *pragma, size_t length) {
    static const char *const shares[] = {"for", "sections", "single", "workshare"};
    static const char *const waits[] = {"barrier", "taskwait", "flush"};
    if (!starts_with_word(pragma, "omp"))
        return NULL;
    const char *kind = pragma + 3 + strspn(pragma + 3, " \t");
    for (size_t i = 0; i < sizeof waits / sizeof *waits; i++)
        if (starts_with_word(kind, waits[i]))
            return waits[i];
    bool barrier = is_among(shares, sizeof shares / sizeof *shares, kind) &&
                   !directives_have(pragma, length, "nowait");
    return barrier ? "barrier" : NULL;
}

static void add_barrier(struct str *out, const struct source_file *file, unsigned first,
                        unsigned next) {
    const char *pragma = behind(file->text + first, "pragma");
    if (pragma == NULL)
        return;
    const char *barrier = barrier_of(pragma, (size_t)(file->text + next - pragma));
    if (barrier != NULL)
        str_printf(out, "#pragma omp %s\n", barrier);
}

/* Where a line begins. */
struct line_state {
    int depth; /* of braces */
    bool in_comment;
};

/* Up to the line's end; strings are passed over roughly. */
static void pass_line(struct line_state *state, const struct source_file *file, unsigned at,
                      unsigned next) {
    char quote = '\0';
    for (; at < next; at++) {
        const char *text = file->text + at;
        char c = *text;
        if (state->in_comment) {
            state->in_comment = strncmp(text, "*/", 2) != 0;
            at += !state->in_comment;
        } else if (quote != '\0') {
            at += c == '\\';
            quote = c == quote ? '\0' : quote;
        } else if (strncmp(text, "//", 2) == 0) {
            return;
        } else if (strncmp(text, "/*", 2) == 0) {
            state->in_comment = true;
            at++;
        } else if (c == '"' || c == '\'') {
            quote = c;
        } else {
            state->depth += (c == '{') - (c == '}');
        }
    }
}

/* A comment that begins behind it and ends on another line ends here, too. */
static void add_directive(struct str *out, struct line_state *state, const struct source_file *file,
                          unsigned at, unsigned next) {
    struct line_state behind_it = {0};
    pass_line(&behind_it, file, at, next);
    state->in_comment = behind_it.in_comment;
    str_addn(out, file->text + at, next - at - (next > at && file->text[next - 1] == '\n'));
    str_add(out, state->in_comment ? " */\n" : "\n");
}

void directives_left(struct str *out, const struct source_file *file, unsigned begin,
                     unsigned end) {
    struct line_state state = {0};
    for (unsigned at = begin, next; at < end; at = next) {
        unsigned first = at + (unsigned)strspn(file->text + at, " \t");
        bool line_start = at == 0 || file->text[at - 1] == '\n';
        next = line_end(file, first);
        if (!line_start || state.in_comment || file->text[first] != '#' || first >= end) {
            pass_line(&state, file, at, next);
        } else if (has_to_stay(file->text + first)) {
            add_directive(out, &state, file, at, next);
        } else if (state.depth == 0) {
            add_barrier(out, file, first, next);
        }
    }
}

/* Pragmas before a statement */

static unsigned behind_space(const struct source_file *file, unsigned at) {
    while (at > 0 && isspace((unsigned char)file->text[at - 1]))
        at--;
    return at;
}

/* The line before the one that begins there, continuations included. */
static unsigned previous_line(const struct source_file *file, unsigned begin) {
    unsigned previous = scan_line_begin(file, begin - 1);
    while (previous > 1 && file->text[previous - 2] == '\\')
        previous = scan_line_begin(file, previous - 1);
    return previous;
}

/* `at`, or the beginning of the pragma line before the line of `at`. */
static unsigned before_line(const struct source_file *file, unsigned at) {
    unsigned begin = scan_line_begin(file, at);
    if (!scan_is_line_start(file, at) || begin == 0)
        return at;
    unsigned previous = previous_line(file, begin);
    while (previous > 0 && file->text[previous + strspn(file->text + previous, " \t\r")] == '\n')
        previous = previous_line(file, previous); /* blank ones do not part them */
    const char *text = file->text + previous;
    const char *pragma = behind(text + strspn(text, " \t"), "pragma");
    return pragma != NULL && !stands_alone(pragma) ? previous : at;
}

/* `at`, or the beginning of a macro before it that is a pragma, or of a _Pragma of one line. */
static unsigned before_operator(const struct source_file *file, unsigned at) {
    unsigned end = behind_space(file, at);
    for (size_t i = 0; i < file->pragmas.count; i++)
        if (file->pragmas.items[i].end == end && end > 0)
            return file->pragmas.items[i].begin;
    unsigned line = scan_line_begin(file, end);
    line += (unsigned)strspn(file->text + line, " \t");
    return line < end && starts_with_word(file->text + line, "_Pragma") &&
                   file->text[end - 1] == ')'
               ? line
               : at;
}

/* `at`, or the beginning of a conditional before the line of `at` that holds nothing but
 * directives, among them a pragma of the statement: `#ifdef _OPENMP`, the pragma, `#endif`. */
static unsigned before_conditional(const struct source_file *file, unsigned at) {
    unsigned begin = scan_line_begin(file, at);
    int depth = 0;
    bool has_pragma = false;
    if (!scan_is_line_start(file, at))
        return at;
    while (begin > 0) {
        begin = previous_line(file, begin);
        const char *text = file->text + begin + strspn(file->text + begin, " \t");
        const char *pragma = behind(text, "pragma");
        if (*text != '\n' && *text != '#')
            return at;
        has_pragma = has_pragma || (pragma != NULL && !stands_alone(pragma));
        if (behind(text, "endif") != NULL)
            depth++;
        else if (behind(text, "elif") == NULL && directives_is_condition(text))
            depth--;
        else if (*text == '#' && depth == 0)
            return at;
        if (*text == '#' && depth == 0)
            return has_pragma ? begin : at;
    }
    return at;
}

unsigned directives_before(const struct source_file *file, unsigned at) {
    unsigned result = at, last;
    do {
        last = result;
        result = before_operator(file, last);
        if (result == last)
            result = before_line(file, last);
        if (result == last)
            result = before_conditional(file, last);
    } while (result < last);
    return result;
}
