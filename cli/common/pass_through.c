/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/common/pass_through.h"

#include "cli/common/command_syntax.h"

#include <stdbool.h>
#include <string.h>

static bool is_long(const struct command_option *option, const char *word) {
    size_t length = option->name != NULL ? strlen(option->name) : 0;
    return length > 0 && strncmp(word, "--", 2) == 0 &&
           strncmp(word + 2, option->name, length) == 0 &&
           (word[2 + length] == '\0' || word[2 + length] == '=');
}

static bool is_short(const struct command_option *option, const char *word) {
    return option->letter != '\0' && word[0] == '-' && word[1] == option->letter &&
           (word[2] == '\0' || option->value != NULL);
}

static bool is_opposite(const struct command_option *option, const char *word) {
    struct arena arena = {0};
    struct command_option opposite;
    bool is = command_option_opposite(&opposite, &arena, option) && is_long(&opposite, word);
    arena_dispose(&arena);
    return is;
}

static bool find(struct command_option *out, const struct command_option *rows, const char *word) {
    for (; !command_option_is_end(rows); rows++) {
        *out = command_option_complete(rows);
        if (is_long(out, word) || is_short(out, word) || is_opposite(out, word))
            return true;
    }
    return false;
}

/* Is the value a word of its own? */
static bool takes_next(const struct command_option *option, const char *word) {
    bool has_value = strncmp(word, "--", 2) == 0 ? strchr(word, '=') != NULL : word[2] != '\0';
    return option->value != NULL && !option->value_may_lack && !has_value;
}

void pass_through_divide(struct pass_through *out, int argc, char **argv,
                         const struct command_option *rows) {
    *out = (struct pass_through){0};
    vec_push(&out->own, argv[0]);
    for (int i = 1; i < argc; i++) {
        struct command_option option;
        bool is_own = find(&option, rows, argv[i]);
        if (!is_own && !command_syntax_is_of_all(argv[i])) {
            vec_push(&out->others, argv[i]);
            continue;
        }
        vec_push(&out->own, argv[i]);
        if (is_own && takes_next(&option, argv[i]) && i + 1 < argc)
            vec_push(&out->own, argv[++i]);
    }
    vec_push(&out->own, NULL);
    out->own.count--;
}

void pass_through_dispose(struct pass_through *divided) {
    vec_dispose(&divided->own);
    vec_dispose(&divided->others);
}
