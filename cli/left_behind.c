/* SPDX-License-Identifier: Apache-2.0
 *
 * See left_behind.h.
 */
#include "cli/left_behind.h"

#include "base/str.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#define NAMES_TOLD 3

static bool is_listed(const char *list, const char *name) {
    struct str line = {0};
    str_printf(&line, "\n%s\n", name);
    bool found = strstr(list, str_text(&line)) != NULL;
    str_dispose(&line);
    return found;
}

const char *left_behind_list(struct arena *arena) {
    struct str list = {0};
    DIR *directory = opendir(".");
    struct dirent *entry;
    str_addc(&list, '\n');
    while (directory != NULL && (entry = readdir(directory)) != NULL)
        str_printf(&list, "%s\n", entry->d_name);
    if (directory != NULL)
        closedir(directory);
    const char *copy = arena_strdup(arena, str_text(&list));
    str_dispose(&list);
    return copy;
}

const char *left_behind_since(struct arena *arena, const char *before) {
    struct dirent **entries = NULL;
    struct str text = {0};
    int count = scandir(".", &entries, NULL, alphasort), told = 0, more = 0;
    for (int i = 0; i < count; i++) {
        bool is_new = !is_listed(before, entries[i]->d_name);
        if (is_new && told == NAMES_TOLD)
            more++;
        else if (is_new)
            str_printf(&text, "%s%s", told++ > 0 ? ", " : "", entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    if (more > 0)
        str_printf(&text, " and %d more", more);
    const char *copy = told > 0 ? arena_strdup(arena, str_text(&text)) : NULL;
    str_dispose(&text);
    return copy;
}
