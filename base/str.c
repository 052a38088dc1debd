/* SPDX-License-Identifier: Apache-2.0
 *
 * Growing strings, doubled when full, and the few string questions that the tool asks often.
 */
#include "base/str.h"

#include "base/arena.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void str_dispose(struct str *str) {
    free(str->text);
    *str = (struct str){0};
}

static void reserve(struct str *str, size_t more) {
    if (str->length + more + 1 <= str->capacity)
        return;
    str->capacity = (str->length + more + 1) * 2;
    str->text = xrealloc(str->text, str->capacity);
}

void str_addn(struct str *str, const char *text, size_t length) {
    reserve(str, length);
    if (length > 0)
        memcpy(str->text + str->length, text, length);
    str->length += length;
    str->text[str->length] = '\0';
}

void str_add(struct str *str, const char *text) {
    str_addn(str, text, strlen(text));
}

void str_addc(struct str *str, char character) {
    str_addn(str, &character, 1);
}

void str_vprintf(struct str *str, const char *format, va_list args) {
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    reserve(str, (size_t)length);
    vsnprintf(str->text + str->length, (size_t)length + 1, format, again);
    va_end(again);
    str->length += (size_t)length;
}

void str_printf(struct str *str, const char *format, ...) {
    va_list args;
    va_start(args, format);
    str_vprintf(str, format, args);
    va_end(args);
}

const char *str_text(const struct str *str) {
    return str->text != NULL ? str->text : "";
}

char *str_into(struct arena *arena, struct str *str) {
    char *text = arena_strdup(arena, str_text(str));
    str_dispose(str);
    return text;
}

bool text_is_one_of(const char *text, const char *const *list) {
    while (*list != NULL && strcmp(text, *list) != 0)
        list++;
    return *list != NULL;
}

bool text_has_prefix(const char *text, const char *prefix) {
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

bool text_has_suffix(const char *text, const char *suffix) {
    size_t length = strlen(text), tail = strlen(suffix);
    return length >= tail && strcmp(text + length - tail, suffix) == 0;
}

const char *text_plural(long long count) {
    return count == 1 ? "" : "s";
}

size_t text_columns(const char *text) {
    size_t columns = 0;
    for (; *text != '\0'; text++)
        columns += ((unsigned char)*text & 0xc0) != 0x80;
    return columns;
}
