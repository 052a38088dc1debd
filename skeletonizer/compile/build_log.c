/* SPDX-License-Identifier: Apache-2.0
 *
 * Joins the compilers' messages; see build_log.h.
 */
#include "skeletonizer/compile/build_log.h"

#include "base/file.h"
#include "base/str.h"

#include <stdlib.h>
#include <string.h>

static int count_of(const char *text, const char *word) {
    int count = 0;
    for (const char *at = text; (at = strstr(at, word)) != NULL; at++)
        count++;
    return count;
}

static void add_without(struct str *out, const char *text, const char *prefix) {
    for (const char *next; text != NULL && *text != '\0'; text = next) {
        next = strstr(text, prefix);
        str_addn(out, text, next != NULL ? (size_t)(next - text) : strlen(text));
        if (next != NULL)
            next += strlen(prefix);
    }
}

void build_log_write(struct arena *arena, const char *directory, const char *output,
                     const char *const *logs, size_t count) {
    struct str messages = {0};
    struct error ignored = {0};
    const char *prefix = arena_printf(arena, "%s/", directory);
    for (size_t i = 0; i < count; i++) {
        char *text = NULL;
        if (file_read(&text, NULL, logs[i], &ignored) == 0)
            add_without(&messages, text, prefix);
        free(text);
    }
    int warnings = count_of(str_text(&messages), "warning:");
    if (warnings > 0 && file_write(path_join(arena, directory, "build.log"), messages.text,
                                   messages.length, &ignored) == 0)
        note("note: the skeleton compiles with %d warning%s, see %s/build.log", warnings,
             text_plural(warnings), output);
    str_dispose(&messages);
}
