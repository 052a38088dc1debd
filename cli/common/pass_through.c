/* SPDX-License-Identifier: Apache-2.0
 *
 * Word by word; see pass_through.h.
 */
#include "cli/common/pass_through.h"

#include <stdbool.h>
#include <string.h>

/* Those that argp adds to every table. */
static bool is_help(const char *word) {
    return strcmp(word, "--help") == 0 || strcmp(word, "-?") == 0 || strcmp(word, "--usage") == 0;
}

static bool is_long(const struct argp_option *option, const char *word) {
    size_t length = option->name != NULL ? strlen(option->name) : 0;
    return length > 0 && strncmp(word, "--", 2) == 0 &&
           strncmp(word + 2, option->name, length) == 0 &&
           (word[2 + length] == '\0' || word[2 + length] == '=');
}

static bool is_short(const struct argp_option *option, const char *word) {
    bool has_short = option->key > ' ' && option->key < 0x7f;
    return has_short && word[0] == '-' && word[1] == option->key &&
           (word[2] == '\0' || option->arg != NULL);
}

static const struct argp_option *find(const struct argp_option *table, const char *word) {
    for (; table->name != NULL || table->key != 0; table++)
        if (is_long(table, word) || is_short(table, word))
            return table;
    return NULL;
}

/* Is the value a word of its own? */
static bool takes_next(const struct argp_option *option, const char *word) {
    bool has_value = strncmp(word, "--", 2) == 0 ? strchr(word, '=') != NULL : word[2] != '\0';
    return option->arg != NULL && (option->flags & OPTION_ARG_OPTIONAL) == 0 && !has_value;
}

void pass_through_divide(struct pass_through *out, int argc, char **argv,
                         const struct argp_option *table) {
    *out = (struct pass_through){0};
    vec_push(&out->own, argv[0]);
    for (int i = 1; i < argc; i++) {
        const struct argp_option *option = find(table, argv[i]);
        if (option == NULL && !is_help(argv[i])) {
            vec_push(&out->others, argv[i]);
            continue;
        }
        vec_push(&out->own, argv[i]);
        if (option != NULL && takes_next(option, argv[i]) && i + 1 < argc)
            vec_push(&out->own, argv[++i]);
    }
    vec_push(&out->own, NULL);
    out->own.count--;
}

void pass_through_dispose(struct pass_through *divided) {
    vec_dispose(&divided->own);
    vec_dispose(&divided->others);
}
