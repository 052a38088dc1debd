/* SPDX-License-Identifier: Apache-2.0
 *
 * Quoting as POSIX shells understand it; see words.h.
 */
#include "base/words.h"

#include "base/json.h"
#include "base/vec.h"

#include <ctype.h>
#include <string.h>

static bool is_plain(const char *word) {
    for (const char *at = word; *at != '\0'; at++)
        if (!isalnum((unsigned char)*at) && strchr("@%_+=:,./-", *at) == NULL)
            return false;
    return word[0] != '\0';
}

void words_add(struct str *out, const char *word) {
    if (out->length > 0)
        str_addc(out, ' ');
    if (is_plain(word)) {
        str_add(out, word);
        return;
    }
    str_addc(out, '\'');
    for (const char *at = word; *at != '\0'; at++) {
        if (*at == '\'')
            str_add(out, "'\\''");
        else
            str_addc(out, *at);
    }
    str_addc(out, '\'');
}

char *words_text(struct arena *arena, const char *const *words, size_t count) {
    struct str text = {0};
    for (size_t i = 0; i < count; i++)
        words_add(&text, words[i]);
    return str_into(arena, &text);
}

const char *const *words_of_json(size_t *out_count, struct arena *arena, const char *json) {
    json_t *list = json_loads(json, 0, NULL);
    *out_count = json_array_size(list);
    const char **words = ARENA_ARRAY(arena, const char *, *out_count + 1);
    for (size_t i = 0; i < *out_count; i++) {
        const char *text = json_string_value(json_array_get(list, i));
        words[i] = arena_strdup(arena, text != NULL ? text : "");
    }
    json_decref(list);
    return words;
}

/* Adds what is quoted or escaped at *at and moves behind it; false: it has no end. */
static bool add_quoted(struct str *word, const char **at) {
    char quote = *(*at)++;
    if (quote == '\\') {
        if (**at == '\0')
            return false;
        str_addc(word, *(*at)++);
        return true;
    }
    for (; **at != quote; ++*at) {
        if (**at == '\\' && quote == '"' && ((*at)[1] == '"' || (*at)[1] == '\\'))
            ++*at;
        if (**at == '\0')
            return false;
        str_addc(word, **at);
    }
    ++*at;
    return true;
}

static bool take_word(struct str *word, const char **at) {
    while (**at != '\0' && !isspace((unsigned char)**at)) {
        if (strchr("'\"\\", **at) == NULL)
            str_addc(word, *(*at)++);
        else if (!add_quoted(word, at))
            return false;
    }
    return true;
}

int words_split(const char *const **out, size_t *out_count, struct arena *arena, const char *text,
                struct error *error) {
    VEC(const char *) words = {0};
    bool fine = true;
    const char *at = text + strspn(text, " \t\r\n");
    while (*at != '\0' && fine) {
        struct str word = {0};
        fine = take_word(&word, &at);
        vec_push(&words, arena_strdup(arena, str_text(&word)));
        str_dispose(&word);
        at += strspn(at, " \t\r\n");
    }
    const char **copy = ARENA_ARRAY(arena, const char *, words.count + 1);
    for (size_t i = 0; i < words.count; i++)
        copy[i] = words.items[i];
    *out = copy;
    *out_count = words.count;
    vec_dispose(&words);
    return fine ? 0 : error_set(error, "'%s': a quote has no end", text);
}

size_t words_count(const char *const *words) {
    size_t count = 0;
    while (words[count] != NULL)
        count++;
    return count;
}

bool words_contain(const char *const *words, size_t count, const char *word) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(words[i], word) == 0)
            return true;
    return false;
}
