/* SPDX-License-Identifier: Apache-2.0 */
#include "frontend/commands/included_sources.h"

#include "base/file.h"
#include "base/str.h"

#include <stdlib.h>
#include <string.h>

static char *common_directory(struct arena *arena, char *directory, const char *path) {
    while (!path_inside(directory, path))
        directory = path_directory(arena, directory);
    return directory;
}

char *included_sources_directory(struct arena *arena, char *directory, const char *path) {
    static const char begin[] = "#include \"/", end[] = ".c\"";
    struct error ignored = {0};
    char *text = NULL, *state = NULL;
    directory = common_directory(arena, directory, path);
    if (file_read(&text, NULL, path, &ignored) != 0)
        return directory;
    for (char *line = strtok_r(text, "\n", &state); line != NULL;
         line = strtok_r(NULL, "\n", &state))
        if (text_has_prefix(line, begin) && text_has_suffix(line, end)) {
            line[strlen(line) - 1] = '\0';
            directory = common_directory(arena, directory, strchr(line, '/'));
        }
    free(text);
    return directory;
}
