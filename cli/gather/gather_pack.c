/* SPDX-License-Identifier: Apache-2.0
 *
 * From a bundle to its case.
 *
 * 1. How it was made: generate.json, with the compile database that its words name.
 * 2. Which files that took: the bundle's cache lists them for each unit. What is installed, below
 * /usr, and what is of mpiskel stays out.
 * 3. The root: the directory that the database's directories, the sources, and where generate ran
 * have in common. Files outside of it are named, and left out.
 * 4. A staging folder of all that, of which tar makes the archive.
 */
#include "base/words.h"
#include "cli/gather/gather.h"

#include "base/json.h"
#include "base/str.h"
#include "cli/common/made_by.h"
#include "cli/common/opened.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct gather {
    struct arena *arena;
    const struct gather_options *options;
    const char *bundle; /* absolute */
    struct made_by made_by;
    const char *database, *root, *staging;
    path_list files; /* absolute, each once */
};

/* ---- What the bundle is made of ---- */

static const char *option_value(const struct made_by *made_by, const char *shorter,
                                const char *longer) {
    const char *value = NULL;
    for (size_t i = 0; i < made_by->word_count; i++) {
        const char *word = made_by->words[i];
        const char *next = i + 1 < made_by->word_count ? made_by->words[i + 1] : NULL;
        size_t length = strlen(longer);
        if (strcmp(word, shorter) == 0 || strcmp(word, longer) == 0)
            value = next;
        else if (strncmp(word, longer, length) == 0 && word[length] == '=')
            value = word + length + 1;
        else if (text_has_prefix(word, shorter) && word[1] != '-')
            value = word + strlen(shorter);
    }
    return value;
}

static void add_file(struct gather *gather, const char *path) {
    if (file_exists(path) && !words_contain(gather->files.items, gather->files.count, path))
        vec_push(&gather->files, path);
}

static void find_database(struct gather *gather) {
    struct arena *arena = gather->arena;
    const char *named = option_value(&gather->made_by, "-p", "-p");
    gather->database = path_absolute(arena, gather->made_by.directory,
                                     named != NULL ? named : "compile_commands.json");
    if (directory_exists(gather->database))
        gather->database = path_join(arena, gather->database, "compile_commands.json");
}

static bool is_of_project(const struct gather *gather, const char *path) {
    return path[0] == '/' && !path_inside("/usr", path) && !path_inside(gather->bundle, path) &&
           !path_inside(path_of_library(gather->arena, ""), path);
}

/* A file of the cache: "files N" and so many paths, behind three lines at most. */
static void read_cached(struct gather *gather, const char *text) {
    long count = -1;
    for (const char *line = text; line != NULL && count != 0; line = strchr(line, '\n')) {
        line += line != text;
        size_t length = strcspn(line, "\n");
        if (count < 0 && sscanf(line, "files %ld", &count) == 1)
            continue;
        if (count < 0)
            continue;
        count--;
        const char *path = arena_strndup(gather->arena, line, length);
        if (is_of_project(gather, path))
            add_file(gather, path);
    }
}

static int read_cache(struct gather *gather, struct error *error) {
    glob_t units;
    int result = 0;
    const char *pattern = path_join(gather->arena, gather->bundle, "cache/*.unit");
    if (glob(pattern, 0, NULL, &units) != 0)
        return error_set(error, "%s does not tell which files it was made of; generate it again",
                         gather->bundle);
    for (size_t i = 0; i < units.gl_pathc && result == 0; i++) {
        char *text = NULL;
        result = file_read(&text, NULL, units.gl_pathv[i], error);
        if (result == 0)
            read_cached(gather, text);
        free(text);
    }
    globfree(&units);
    return result;
}

/* ---- The root ---- */

static void widen(struct gather *gather, const char *path) {
    if (gather->root == NULL)
        gather->root = path;
    while (!path_inside(gather->root, path) && strcmp(gather->root, "/") != 0)
        gather->root = path_directory(gather->arena, gather->root);
}

static int find_root(struct gather *gather, struct error *error) {
    struct arena *arena = gather->arena;
    json_t *entries = NULL, *entry;
    size_t i;
    if (json_read(&entries, gather->database, error) != 0)
        return -1;
    widen(gather, gather->made_by.directory);
    widen(gather, path_directory(arena, gather->database));
    json_array_foreach(entries, i, entry) {
        const char *directory = json_get_text(entry, "directory"),
                   *file = json_get_text(entry, "file");
        if (directory == NULL || file == NULL)
            continue;
        directory = path_absolute(arena, "", directory);
        widen(gather, directory);
        widen(gather, path_directory(arena, path_absolute(arena, directory, file)));
    }
    json_decref(entries);
    return strcmp(gather->root, "/") != 0
               ? 0
               : error_set(error, "the build's directories have nothing in common but /; build "
                                  "below one directory");
}

/* ---- The case ---- */

static const char *in_case(const struct gather *gather, const char *folder, const char *name) {
    return path_join(gather->arena, path_join(gather->arena, gather->staging, folder), name);
}

/* What says how to link, beside the database or of CMake; hints. */
static void add_build_files(struct gather *gather) {
    static const char *const patterns[] = {"link_commands.json",
                                           "build.ninja",
                                           "CMakeFiles/rules.ninja",
                                           "CMakeCache.txt",
                                           "CMakeFiles/TargetDirectories.txt",
                                           "CMakeFiles/*/link.txt",
                                           "*/CMakeFiles/*/link.txt"};
    struct arena *arena = gather->arena;
    const char *directory = path_directory(arena, gather->database);
    const char *hints = option_value(&gather->made_by, "--hints", "--hints");
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        glob_t found;
        if (glob(path_join(arena, directory, patterns[i]), 0, NULL, &found) == 0)
            for (size_t k = 0; k < found.gl_pathc; k++)
                add_file(gather, arena_strdup(arena, found.gl_pathv[k]));
        globfree(&found);
    }
    if (hints != NULL)
        add_file(gather, path_absolute(arena, gather->made_by.directory, hints));
    add_file(gather, gather->database);
}

static int copy_tree(struct gather *gather, struct error *error) {
    struct arena *arena = gather->arena;
    for (size_t i = 0; i < gather->files.count; i++) {
        const char *path = gather->files.items[i];
        if (!path_inside(gather->root, path))
            note("warning: %s is outside of %s and not in the archive", path, gather->root);
        else if (gather_rewrite(arena,
                                in_case(gather, "tree", path_relative(arena, gather->root, path)),
                                path, gather->root, GATHER_ROOT, error) != 0)
            return -1;
    }
    return 0;
}

/* The head of a samples file names host, processor and directory. */
static int make_anonymous(struct gather *gather, const char *path, struct error *error) {
    char *text = NULL;
    size_t length = 0;
    json_error_t wrong;
    if (file_read(&text, &length, path, error) != 0)
        return -1;
    json_t *head = json_loads(text, JSON_DISABLE_EOF_CHECK, &wrong);
    const char *rest = strchr(text, '\n');
    struct str out = {0};
    if (head != NULL && rest != NULL) {
        json_object_set_new(head, "host", json_string("host"));
        json_object_del(head, "directory");
        char *line = json_dumps(head, JSON_COMPACT);
        str_printf(&out, "%s%s", line, rest);
        free(line);
    }
    int result = file_write(path, str_text(&out), out.length, error);
    json_decref(head);
    str_dispose(&out);
    free(text);
    (void)gather;
    return result;
}

static int copy_bundle(struct gather *gather, struct error *error) {
    static const char *const names[] = {"samples/*.samples", "regions.json", "counts.json",
                                        "untold.json"};
    struct arena *arena = gather->arena;
    int result = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names && result == 0; i++) {
        glob_t found;
        if (glob(path_join(arena, gather->bundle, names[i]), 0, NULL, &found) == 0)
            for (size_t k = 0; k < found.gl_pathc && result == 0; k++) {
                const char *path = found.gl_pathv[k];
                const char *copy =
                    in_case(gather, "bundle", path_relative(arena, gather->bundle, path));
                result = gather_rewrite(arena, copy, path, gather->root, GATHER_ROOT, error);
                if (result == 0 && i == 0 && gather->options->is_anonymous)
                    result = make_anonymous(gather, copy, error);
            }
        globfree(&found);
    }
    return result;
}

static int write_manifest(struct gather *gather, struct error *error) {
    struct arena *arena = gather->arena;
    json_t *words = json_array(), *files = json_array();
    for (size_t i = 0; i < gather->made_by.word_count; i++)
        json_array_append_new(words, json_any_text(gather->made_by.words[i]));
    for (size_t i = 0; i < gather->files.count; i++)
        if (path_inside(gather->root, gather->files.items[i]))
            json_array_append_new(
                files, json_any_text(path_relative(arena, gather->root, gather->files.items[i])));
    json_t *root = json_pack(
        "{s:s, s:i, s:s, s:o, s:o, s:o, s:o, s:o}", "format", GATHER_FORMAT, "version", 1,
        "made_by", gather_version(arena), "bundle",
        json_any_text(gather->options->is_anonymous ? "app.skel" : path_base(gather->bundle)),
        "directory", json_any_text(path_relative(arena, gather->root, gather->made_by.directory)),
        "database", json_any_text(path_relative(arena, gather->root, gather->database)), "words",
        words, "files", files);
    const char *path = path_join(arena, gather->staging, "gather.json");
    int result = json_write(root, path, error);
    json_decref(root);
    return result == 0 ? gather_rewrite(arena, path, path, gather->root, GATHER_ROOT, error) : -1;
}

static const char *archive_of(const struct gather *gather) {
    const char *name = path_base(gather->bundle);
    size_t length = strlen(name) - (text_has_suffix(name, ".skel") ? strlen(".skel") : 0);
    return gather->options->output != NULL
               ? gather->options->output
               : arena_printf(gather->arena, "%.*s.tar.zst", (int)length, name);
}

/* Made beside what is in it, and then written as any output is: through links, into devices. */
static int write_archive(struct gather *gather, struct error *error) {
    const char *output = archive_of(gather), *suffix = strstr(path_base(output), ".tar");
    const char *made = arena_printf(gather->arena, "%s/archive%s", gather->staging,
                                    suffix != NULL ? suffix : ".tar.zst");
    const char *const words[] = {"tar",  "--owner=0", "--group=0", "--numeric-owner", "--sort=name",
                                 "-acf", made,        "-C",        gather->staging,   "gather.json",
                                 "tree", "bundle",    NULL};
    char *text = NULL;
    size_t length = 0;
    if (gather_run(gather->arena, words, NULL, error) != 0 ||
        file_read(&text, &length, made, error) != 0)
        return -1;
    int result = file_write(output, text, length, error);
    free(text);
    if (result != 0)
        return -1;
    printf("%s: %zu files of the project below %s, and the samples of %s\n", output,
           gather->files.count, gather->root, gather->options->bundle);
    return output_finish(error);
}

static int pack(struct gather *gather, struct error *error) {
    if (made_by_read(&gather->made_by, gather->arena, gather->bundle, error) != 0)
        return -1;
    find_database(gather);
    if (read_cache(gather, error) != 0 || find_root(gather, error) != 0)
        return -1;
    add_build_files(gather);
    if (copy_tree(gather, error) != 0 || copy_bundle(gather, error) != 0 ||
        write_manifest(gather, error) != 0)
        return -1;
    return write_archive(gather, error);
}

int gather_pack(struct arena *arena, const struct gather_options *options, struct error *error) {
    struct gather gather = {.arena = arena, .options = options};
    struct error ignored = {0};
    gather.bundle = path_absolute(arena, "", options->bundle);
    gather.staging = directory_temporary(arena, "mpiskel-gather", error);
    int result = gather.staging != NULL ? pack(&gather, error) : -1;
    if (gather.staging != NULL)
        directory_remove(gather.staging, &ignored);
    vec_dispose(&gather.files);
    return result;
}
