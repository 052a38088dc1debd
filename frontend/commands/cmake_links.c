/* SPDX-License-Identifier: Apache-2.0
 *
 * For make each target has CMakeFiles/TARGET.dir/link.txt, with a command a line; Ninja tells all
 * commands by itself (`ninja -t compdb`). Of these, link commands are those that make something of
 * objects or libraries. Not handled: other generators.
 */
#include "frontend/commands/cmake_links.h"

#include "base/build_words.h"
#include "base/file.h"
#include "base/json.h"
#include "base/process.h"
#include "base/str.h"
#include "base/words.h"

#include <stdlib.h>
#include <string.h>

static const char folder[] = "/CMakeFiles/";

/* What one command makes; NULL: it links nothing. */
static const char *linked(const path_list *words) {
    const char *output = NULL;
    bool has_objects = false, is_archive = false;
    for (size_t i = 1; i < words->count; i++) {
        const char *word = words->items[i];
        if (strcmp(word, "-c") == 0)
            return NULL;
        if (strcmp(word, "-o") == 0 && i + 1 < words->count)
            output = words->items[++i];
        else
            has_objects = has_objects || text_has_suffix(word, ".o") || path_is_library(word);
        is_archive = is_archive || (i == 2 && text_has_suffix(word, ".a") && word[0] != '-');
    }
    if (is_archive && output == NULL && words->count > 3) /* ar qc libx.a x.o */
        output = words->items[2];
    return has_objects ? output : NULL;
}

static void add_link(struct commands *out, const char *directory, path_list *words) {
    const char *output = linked(words);
    if (output == NULL)
        return;
    struct link_command link = {.directory = arena_strdup(&out->arena, directory)};
    link.output = path_absolute(&out->arena, directory, output);
    build_words_join_libraries(words, &out->arena);
    for (size_t i = 0; i < words->count; i++)
        vec_push(&link.arguments, words->items[i]);
    vec_push(&out->links, link);
}

/* `: && cmake -E rm -f lib/libx.a && ar qc lib/libx.a x.o && :` */
static void add_commands(struct commands *out, const char *directory, const char *text) {
    struct error ignored = {0};
    const char *const *words;
    size_t count;
    path_list command = {0};
    if (words_split(&words, &count, &out->arena, text, &ignored) != 0)
        return;
    for (size_t i = 0; i <= count; i++) {
        if (i < count && strcmp(words[i], "&&") != 0) {
            build_words_expand(&command, &out->arena, directory, words[i]);
            continue;
        }
        add_link(out, directory, &command);
        command.count = 0;
    }
    vec_dispose(&command);
}

/* Make: beside the objects of each target. */

static void read_link_file(struct commands *out, const char *directory, const char *path) {
    struct error ignored = {0};
    char *text = NULL, *state = NULL;
    if (!file_exists(path) || file_read(&text, NULL, path, &ignored) != 0)
        return;
    for (char *line = strtok_r(text, "\n", &state); line != NULL;
         line = strtok_r(NULL, "\n", &state))
        add_commands(out, directory, line);
    free(text);
}

/* CMake lists the directories of all targets, those without sources of their own as well. */
static void read_link_files(struct commands *out, const char *directory) {
    struct error ignored = {0};
    char *text = NULL, *state = NULL;
    const char *list = path_join(&out->arena, directory, "CMakeFiles/TargetDirectories.txt");
    if (!file_exists(list) || file_read(&text, NULL, list, &ignored) != 0)
        return;
    for (char *line = strtok_r(text, "\n", &state); line != NULL;
         line = strtok_r(NULL, "\n", &state)) {
        const char *at = strstr(line, folder);
        const char *path = path_join(&out->arena, line, "link.txt");
        if (at != NULL)
            read_link_file(out, arena_strndup(&out->arena, line, (size_t)(at - line)), path);
    }
    free(text);
}

/* Ninja */

static int ask_ninja(struct commands *out, const char *ninja, const char *directory,
                     const char *file, struct error *error) {
    const char *const argv[] = {ninja, "-C", directory, "-f", file, "-t", "compdb", "-x", NULL};
    struct process_result result;
    char *text = NULL;
    const json_t *entry;
    size_t i;
    if (process_capture(&result, &text, argv, false, error) != 0)
        return -1;
    const char *begin = result.exit_code == 0 ? strchr(text, '[') : NULL;
    json_t *list = begin != NULL ? json_loads(begin, 0, NULL) : NULL;
    free(text);
    if (list == NULL)
        return error_set(error, "%s/%s: `%s -t compdb` does not tell its commands", directory, file,
                         ninja);
    json_array_foreach(list, i, entry) {
        const char *command = json_get_text(entry, "command");
        if (command != NULL)
            add_commands(out, directory, command);
    }
    json_decref(list);
    return 0;
}

/* NAME:TYPE=VALUE of CMakeCache.txt; NULL: it is not there. */
static const char *cached(struct arena *arena, const char *cache, const char *name) {
    const char *key = arena_printf(arena, "\n%s:", name);
    const char *found = strstr(cache, key);
    found = found != NULL ? strchr(found, '=') : NULL;
    return found != NULL ? arena_strndup(arena, found + 1, strcspn(found + 1, "\r\n")) : NULL;
}

/* One file for all, or one for each configuration. */
static int read_ninja(struct commands *out, const char *directory, const char *cache,
                      struct error *error) {
    struct arena *arena = &out->arena;
    const char *ninja = cached(arena, cache, "CMAKE_MAKE_PROGRAM");
    const char *types = cached(arena, cache, "CMAKE_CONFIGURATION_TYPES");
    int result = 0;
    ninja = ninja != NULL ? ninja : "ninja";
    if (file_exists(path_join(arena, directory, "build.ninja")) && types == NULL)
        return ask_ninja(out, ninja, directory, "build.ninja", error);
    char *rest = arena_strdup(arena, types != NULL ? types : ""), *state = NULL;
    for (char *type = strtok_r(rest, ";", &state); type != NULL && result == 0;
         type = strtok_r(NULL, ";", &state))
        result =
            ask_ninja(out, ninja, directory, arena_printf(arena, "build-%s.ninja", type), error);
    return result;
}

int cmake_links_read(struct commands *out, struct error *error) {
    const char *directory = path_directory(&out->arena, out->path);
    const char *path = path_join(&out->arena, directory, "CMakeCache.txt");
    char *cache = NULL;
    if (!file_exists(path))
        return 0;
    if (file_read(&cache, NULL, path, error) != 0)
        return -1;
    const char *generator = cached(&out->arena, cache, "CMAKE_GENERATOR");
    int result = 0;
    if (generator != NULL && text_has_prefix(generator, "Ninja"))
        result = read_ninja(out, directory, cache, error);
    else
        read_link_files(out, directory);
    free(cache);
    return result;
}
