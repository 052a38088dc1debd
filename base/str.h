/* SPDX-License-Identifier: Apache-2.0
 *
 * A growing string. struct str of zeroes is the empty string; str_text never returns NULL.
 */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct arena;

struct str {
    char *text; /* zero-terminated once anything was added */
    size_t length, capacity;
};

void str_dispose(struct str *str);
void str_add(struct str *str, const char *text);
void str_addn(struct str *str, const char *text, size_t length);
void str_addc(struct str *str, char character);
void str_printf(struct str *str, const char *format, ...) __attribute__((format(printf, 2, 3)));
void str_vprintf(struct str *str, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));

/* Borrowed until the next change. */
const char *str_text(const struct str *str);

/* The text, from the arena; the string is disposed of. */
char *str_into(struct arena *arena, struct str *str);

bool text_has_prefix(const char *text, const char *prefix);
bool text_has_suffix(const char *text, const char *suffix);

/* "", or "s" of anything but one. */
const char *text_plural(long long count);

/* Columns of a terminal: characters of UTF-8, none of which is taken to be wide. */
size_t text_columns(const char *text);

/* The list ends with NULL. */
bool text_is_one_of(const char *text, const char *const *list);
