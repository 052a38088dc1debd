/* SPDX-License-Identifier: Apache-2.0
 *
 * In: compile commands, the units' text. Out: the root. A directory of headers is the project's own
 * if it lies in the directory above the units, in that which holds the compile database, in the one
 * that CMake was given, or in the checkout of the units; or if the command or an #include line
 * names it from where it stands (`../../include`), as nobody does with what is installed. What has
 * an mpi.h, and all of /usr, is a library's.
 *
 * Not handled: `../` in headers; what CMake was given where its cache is gone.
 */
#include "frontend/commands/project_root.h"

#include "base/file.h"
#include "base/str.h"

#include <stdlib.h>
#include <string.h>

struct project_root_search {
    struct arena *arena;
    const char *root; /* as found so far */
    path_list tops;   /* what lies in one of these is the project's own */
};

static char *common_directory(struct arena *arena, const char *one, const char *other) {
    char *directory = arena_strdup(arena, one);
    while (!path_inside(directory, other))
        directory = path_directory(arena, directory);
    return directory;
}

static bool is_deep(const char *directory) { /* not /home or / */
    return strchr(directory, '/') != strrchr(directory, '/');
}

static bool is_in_a_top(const struct project_root_search *search, const char *directory) {
    for (size_t i = 0; i < search->tops.count; i++)
        if (is_deep(search->tops.items[i]) && path_inside(search->tops.items[i], directory))
            return true;
    return false;
}

/* `is_relative`: it is named from the directory of a unit or of its command. */
static void take_headers(struct project_root_search *search, const char *directory,
                         bool is_relative) {
    char *common = common_directory(search->arena, search->root, directory);
    if ((is_relative || is_in_a_top(search, directory)) && is_deep(common) &&
        !text_has_prefix(directory, "/usr/") && directory_exists(directory) &&
        !file_exists(path_join(search->arena, directory, "mpi.h")))
        search->root = common;
}

/* `-I../include`, `-I ..`, `-iquote ../../include`, `-include ../config.h` */
static void take_options(struct project_root_search *search, const struct compile_command *unit) {
    static const char *const options[] = {"-I", "-iquote", "-include"};
    for (size_t i = 1; i < unit->arguments.count; i++)
        for (size_t k = 0; k < sizeof options / sizeof *options; k++) {
            const char *word = unit->arguments.items[i];
            if (!text_has_prefix(word, options[k]))
                continue;
            const char *path = word + strlen(options[k]);
            if (*path == '\0' && i + 1 < unit->arguments.count)
                path = unit->arguments.items[++i];
            const char *absolute = path_absolute(search->arena, unit->directory, path);
            take_headers(search, k < 2 ? absolute : path_directory(search->arena, absolute),
                         path[0] != '/');
            break;
        }
}

/* `#include "../include/grid.h"`: what stands behind the quote, up to the next; NULL: the line is
 * none. */
static const char *included_above(struct arena *arena, const char *line) {
    line += strspn(line, " \t");
    if (*line != '#')
        return NULL;
    line += 1 + strspn(line + 1, " \t");
    if (!text_has_prefix(line, "include"))
        return NULL;
    line += strlen("include");
    line += strspn(line, " \t");
    return text_has_prefix(line, "\"../")
               ? arena_strndup(arena, line + 1, strcspn(line + 1, "\"\n"))
               : NULL;
}

static void take_includes(struct project_root_search *search, const char *path) {
    struct error ignored = {0}; /* who parses the file tells what is wrong with it */
    char *text = NULL;
    size_t length;
    if (file_read(&text, &length, path, &ignored) != 0)
        return;
    for (const char *line = text; line != NULL; line += line != NULL) {
        const char *name = included_above(search->arena, line);
        const char *beside = path_directory(search->arena, path);
        char *header = name != NULL ? realpath(path_join(search->arena, beside, name), NULL) : NULL;
        if (header != NULL)
            take_headers(search, path_directory(search->arena, header), true);
        free(header);
        line = strchr(line, '\n');
    }
    free(text);
}

/* The directory of its CMakeLists.txt, if the database is one of CMake's. */
static void add_cmake(struct project_root_search *search, const char *database) {
    static const char key[] = "\nCMAKE_HOME_DIRECTORY:INTERNAL=";
    const char *directory = path_directory(search->arena, database);
    const char *cache = path_join(search->arena, directory, "CMakeCache.txt");
    struct error ignored = {0};
    char *text = NULL;
    size_t length;
    if (!file_exists(cache) || file_read(&text, &length, cache, &ignored) != 0)
        return;
    const char *found = strstr(text, key);
    if (found != NULL) {
        found += strlen(key);
        vec_push(&search->tops, arena_strndup(search->arena, found, strcspn(found, "\r\n")));
    }
    free(text);
}

static void add_checkout(struct project_root_search *search, const char *sources) {
    static const char *const marks[] = {".git", ".hg", ".svn"};
    for (const char *at = sources; is_deep(at); at = path_directory(search->arena, at))
        for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
            const char *mark = path_join(search->arena, at, marks[i]);
            if (directory_exists(mark) || file_exists(mark)) {
                vec_push(&search->tops, at);
                return;
            }
        }
}

char *project_root(struct arena *arena, const struct commands *commands) {
    char *sources = commands_sources(arena, commands);
    struct project_root_search search = {.arena = arena, .root = sources};
    vec_push(&search.tops, path_directory(arena, sources));
    vec_push(&search.tops, path_directory(arena, path_absolute(arena, "", commands->path)));
    add_cmake(&search, path_absolute(arena, "", commands->path));
    add_checkout(&search, sources);
    for (size_t i = 0; i < commands->compiles.count; i++) {
        take_options(&search, &commands->compiles.items[i]);
        take_includes(&search, commands->compiles.items[i].file);
    }
    vec_dispose(&search.tops);
    return arena_strdup(arena, search.root);
}
