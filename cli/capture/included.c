/* SPDX-License-Identifier: Apache-2.0
 *
 * See included.h. Names are looked for as the compiler does: beside the file that includes them,
 * where they stand in quotes, then in the directories in the order of the command.
 */
#include "cli/capture/included.h"

#include "base/str.h"

#include <stdlib.h>
#include <string.h>

struct included {
    struct arena *arena;
    const struct build_command *command;
    path_list *files;
    path_list directories;
};

static void find_directories(struct included *in) {
    static const char *const options[] = {"-iquote", "-I", "-isystem", "-idirafter"};
    const path_list *words = &in->command->words;
    for (size_t o = 0; o < sizeof options / sizeof *options; o++)
        for (size_t i = 1; i < words->count; i++) {
            if (!text_has_prefix(words->items[i], options[o]))
                continue;
            const char *directory = words->items[i] + strlen(options[o]);
            if (directory[0] == '\0' && i + 1 < words->count)
                directory = words->items[i + 1];
            vec_push(&in->directories, path_absolute(in->arena, in->command->directory, directory));
        }
}

static void add(struct included *in, const char *path) {
    for (size_t i = 0; i < in->files->count; i++)
        if (strcmp(in->files->items[i], path) == 0)
            return;
    vec_push(in->files, path);
}

/* No build writes there what it removes. */
static bool is_installed(const char *path) {
    return path_inside("/usr/include", path) || path_inside("/usr/lib", path) ||
           path_inside("/usr/local", path);
}

static void find(struct included *in, const char *beside, const char *name) {
    const char *path = beside != NULL ? path_absolute(in->arena, beside, name) : NULL;
    for (size_t i = 0; i < in->directories.count && (path == NULL || !file_exists(path)); i++)
        path = path_absolute(in->arena, in->directories.items[i], name);
    if (path != NULL && file_exists(path) && !is_installed(path))
        add(in, path);
}

/* `#include "name"` or `<name>` at the begin of a line. */
static void read_line(struct included *in, const char *from, const char *line) {
    line += strspn(line, " \t");
    if (*line != '#')
        return;
    line += 1 + strspn(line + 1, " \t");
    if (!text_has_prefix(line, "include"))
        return;
    line += strspn(line, "include_next");
    line += strspn(line, " \t");
    size_t length = *line == '"' || *line == '<' ? strcspn(line + 1, ">\"\n") : 0;
    if (length > 0)
        find(in, *line == '"' ? from : NULL, arena_strndup(in->arena, line + 1, length));
}

static void read_file(struct included *in, const char *path) {
    struct error ignored = {0};
    char *text = NULL;
    if (file_read(&text, NULL, path, &ignored) != 0)
        return;
    const char *from = path_directory(in->arena, path);
    for (const char *line = text; line != NULL; line = strchr(line, '\n')) {
        line += *line == '\n';
        read_line(in, from, line);
    }
    free(text);
}

/* `-include NAME`, looked for in the working directory first. */
static void find_forced(struct included *in) {
    const path_list *words = &in->command->words;
    for (size_t i = 1; i + 1 < words->count; i++)
        if (strcmp(words->items[i], "-include") == 0 || strcmp(words->items[i], "-imacros") == 0)
            find(in, in->command->directory, words->items[i + 1]);
}

void included_add(path_list *out, struct arena *arena, const struct build_command *command,
                  const char *source) {
    struct included in = {.arena = arena, .command = command, .files = out};
    find_directories(&in);
    size_t begin = out->count;
    add(&in, path_absolute(arena, command->directory, source));
    find_forced(&in);
    for (size_t i = begin; i < out->count; i++)
        read_file(&in, out->items[i]);
    vec_dispose(&in.directories);
}
