/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/common/left_behind.h"

#include "base/str.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#define NAMES_MOST 3

static int compare_names(const struct dirent **left, const struct dirent **right) {
    return strcmp((*left)->d_name, (*right)->d_name);
}

static int list(struct dirent ***out) {
    int count = scandir(".", out, NULL, compare_names);
    return count > 0 ? count : 0;
}

void left_behind_begin(struct left_behind *out) {
    out->before = NULL;
    out->count = list(&out->before);
}

static void dispose(struct dirent **entries, int count) {
    for (int i = 0; i < count; i++)
        free(entries[i]);
    free(entries);
}

const char *left_behind_end(struct left_behind *noted, struct arena *arena) {
    struct dirent **entries = NULL;
    struct str text = {0};
    int count = list(&entries), known = 0, named = 0, more = 0;
    for (int i = 0; i < count; i++) {
        const char *name = entries[i]->d_name;
        while (known < noted->count && strcmp(noted->before[known]->d_name, name) < 0)
            known++;
        if (known < noted->count && strcmp(noted->before[known]->d_name, name) == 0)
            continue;
        if (named == NAMES_MOST)
            more++;
        else
            str_printf(&text, "%s%s", named++ > 0 ? ", " : "", name);
    }
    if (more > 0)
        str_printf(&text, " and %d more", more);
    const char *copy = named > 0 ? arena_strdup(arena, str_text(&text)) : NULL;
    str_dispose(&text);
    dispose(entries, count);
    dispose(noted->before, noted->count);
    return copy;
}
