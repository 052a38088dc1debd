/* SPDX-License-Identifier: Apache-2.0
 *
 * Messages in clang's form.
 */
#include "analysis/events/syntax/script.h"

#include <stdarg.h>
#include <string.h>

#define MOST_MESSAGES 10 /* a screen; those behind the first are often its consequences */

void script_init(struct script *script, const char *path, const char *text, size_t length) {
    *script = (struct script){.path = path, .text = text, .length = length};
}

void script_dispose(struct script *script) {
    str_dispose(&script->messages);
}

static const char *line_begin(const struct script *script, int line) {
    const char *at = script->text, *end = script->text + script->length;
    for (int i = 1; i < line; i++) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        if (newline == NULL)
            return end;
        at = newline + 1;
    }
    return at;
}

const char *script_at(const struct script *script, struct script_place place) {
    const char *begin = line_begin(script, place.line), *end = script->text + script->length;
    return end - begin < place.column - 1 ? end : begin + (place.column - 1);
}

static size_t line_length(const struct script *script, const char *begin) {
    size_t rest = script->length - (size_t)(begin - script->text);
    const char *end = memchr(begin, '\n', rest);
    size_t length = end == NULL ? rest : (size_t)(end - begin);
    return length > 0 && begin[length - 1] == '\r' ? length - 1 : length;
}

static void add_caret(struct script *script, struct script_place place) {
    const char *begin = line_begin(script, place.line);
    size_t length = line_length(script, begin);
    str_addn(&script->messages, begin, length);
    str_addc(&script->messages, '\n');
    for (size_t i = 0; i + 1 < (size_t)place.column; i++)
        str_addc(&script->messages, i < length && begin[i] == '\t' ? '\t' : ' ');
    str_add(&script->messages, "^\n");
}

static void add(struct script *script, struct script_place place, const char *severity,
                const char *format, va_list args) {
    if (script->errors + script->warnings > MOST_MESSAGES)
        return;
    str_printf(&script->messages, "%s:%d:%d: %s: ", script->path, place.line, place.column,
               severity);
    str_vprintf(&script->messages, format, args);
    str_addc(&script->messages, '\n');
    add_caret(script, place);
}

int script_fail(struct script *script, struct script_place place, const char *format, ...) {
    va_list args;
    va_start(args, format);
    script->errors++;
    add(script, place, "error", format, args);
    va_end(args);
    return -1;
}

void script_warn(struct script *script, struct script_place place, const char *format, ...) {
    va_list args;
    va_start(args, format);
    script->warnings++;
    add(script, place, "warning", format, args);
    va_end(args);
}
