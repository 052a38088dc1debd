/* SPDX-License-Identifier: Apache-2.0
 *
 * Command lines as text that a shell reads back as the same words, and the other way round.
 */
#pragma once

#include "base/arena.h"
#include "base/error.h"
#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>

/* Adds the word, quoted where a shell needs that, behind a blank if there is something before. */
void words_add(struct str *out, const char *word);

/* All of them. */
char *words_text(struct arena *arena, const char *const *words, size_t count);

/* The words of a JSON array of texts (struct run's arguments), from the arena; others count as "".
 */
const char *const *words_of_json(size_t *out_count, struct arena *arena, const char *json);

/* Splits a text at blanks as a shell does: quotes and backslashes, but nothing is expanded. */
int words_split(const char *const **out, size_t *out_count, struct arena *arena, const char *text,
                struct error *error);

/* Of a list that ends with NULL. */
size_t words_count(const char *const *words);

bool words_contain(const char *const *words, size_t count, const char *word);
