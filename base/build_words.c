/* SPDX-License-Identifier: Apache-2.0
 *
 * See build_words.h. Files that name each other end at a depth that no build reaches.
 */
#include "base/build_words.h"

#include "base/str.h"

#include <stdlib.h>
#include <string.h>

#define MAX_DEPTH 16

static const char *const blanks = " \t\r\n\f\v";

/* One word from `at`, without its quotes; returns what stands behind it. */
static const char *read_word(struct str *out, const char *at) {
    char quote = '\0';
    for (; *at != '\0' && (quote != '\0' || strchr(blanks, *at) == NULL); at++) {
        if (*at == '\\' && quote != '\'' && at[1] != '\0')
            str_addc(out, *++at);
        else if (quote == '\0' && (*at == '\'' || *at == '"'))
            quote = *at;
        else if (*at == quote)
            quote = '\0';
        else
            str_addc(out, *at);
    }
    return at;
}

static void expand(path_list *out, struct arena *arena, const char *directory, const char *word,
                   int depth) {
    struct error ignored = {0};
    char *text = NULL;
    if (word[0] != '@' || depth == MAX_DEPTH ||
        file_read(&text, NULL, path_absolute(arena, directory, word + 1), &ignored) != 0) {
        vec_push(out, arena_strdup(arena, word));
        return;
    }
    for (const char *at = text + strspn(text, blanks); *at != '\0'; at += strspn(at, blanks)) {
        struct str one = {0};
        at = read_word(&one, at);
        expand(out, arena, directory, str_text(&one), depth + 1);
        str_dispose(&one);
    }
    free(text);
}

void build_words_expand(path_list *out, struct arena *arena, const char *directory,
                        const char *word) {
    expand(out, arena, directory, word, 0);
}

void build_words_join_libraries(path_list *words, struct arena *arena) {
    size_t count = 0;
    for (size_t i = 0; i < words->count; i++) {
        bool is_apart = strcmp(words->items[i], "-l") == 0 && i + 1 < words->count;
        words->items[count++] =
            is_apart ? arena_printf(arena, "-l%s", words->items[i + 1]) : words->items[i];
        i += is_apart;
    }
    words->count = count;
}

/* The directory of word i, -LDIR or `-L DIR`; NULL: it is another word. */
static const char *searched_directory(const char *const *words, size_t count, size_t i) {
    if (!text_has_prefix(words[i], "-L"))
        return NULL;
    return words[i][2] == '\0' && i + 1 < count ? words[i + 1] : words[i] + 2;
}

const char *build_words_library(struct arena *arena, const char *const *words, size_t count,
                                const char *directory, const char *name) {
    const char *first = ".so";
    for (size_t i = 1; i < count; i++)
        first = strcmp(words[i], "-static") == 0 ? ".a" : first;
    const char *const suffixes[] = {first, ".a"};
    for (size_t i = 1; i < count; i++) {
        const char *searched = searched_directory(words, count, i);
        for (size_t s = 0; searched != NULL && s < sizeof suffixes / sizeof *suffixes; s++) {
            const char *file =
                name[0] == ':' ? name + 1 : arena_printf(arena, "lib%s%s", name, suffixes[s]);
            const char *path = path_absolute(arena, directory, path_join(arena, searched, file));
            if (file_exists(path))
                return path;
        }
    }
    return NULL;
}

static const char *const cxx_suffixes[] = {".cc", ".cpp", ".cxx", ".c++", ".cp", ".C", ".CPP"};

static size_t cxx_suffix(const char *word) {
    for (size_t i = 0; i < sizeof cxx_suffixes / sizeof *cxx_suffixes; i++)
        if (text_has_suffix(word, cxx_suffixes[i]))
            return strlen(cxx_suffixes[i]);
    return 0;
}

bool build_words_is_cxx(const char *word) {
    return cxx_suffix(word) > 0;
}

size_t build_words_source_suffix(const char *word) {
    return text_has_suffix(word, ".c") ? strlen(".c") : cxx_suffix(word);
}
