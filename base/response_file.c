/* SPDX-License-Identifier: Apache-2.0
 *
 * See response_file.h. Files that name each other end at a depth that no build reaches.
 */
#include "base/response_file.h"

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

void response_file_expand(path_list *out, struct arena *arena, const char *directory,
                          const char *word) {
    expand(out, arena, directory, word, 0);
}
