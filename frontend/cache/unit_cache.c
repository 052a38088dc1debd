/* SPDX-License-Identifier: Apache-2.0
 *
 * A tree can be taken from the cache when the arguments of the parser, the parser and this program
 * are the same, and so are all files that the unit consists of and which directory each name in
 * them is found in (dependencies.c). What parsing does to the program beyond the tree is replayed,
 * so that everything behind it, down to the numbers of files, is as if it had been parsed.
 *
 * Measured with libclang 19: loading a translation unit that libclang itself has saved, and reading
 * our tree from it, takes five to eight tenths of the time of parsing and reading it, and saving it
 * takes nearly as long again (docs/results/performance.md has the numbers).
 */
#include "frontend/cache/unit_cache.h"

#include "base/file.h"
#include "base/hash.h"
#include "frontend/clang/clang.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define UNIT_VERSION "9"

/* Another build of this program may make other trees. */
static unsigned long long hash_program(struct arena *arena) {
    struct stat info;
    unsigned long long hash = hash_text(HASH_SEED, UNIT_VERSION);
    hash = hash_text(hash, clang_parser_version(arena));
    if (stat(path_executable(arena), &info) == 0) {
        hash = hash_bytes(hash, &info.st_size, sizeof info.st_size);
        hash = hash_bytes(hash, &info.st_mtim, sizeof info.st_mtim);
    }
    return hash;
}

static unsigned long long hash_arguments(struct program *program,
                                         const struct compile_command *command,
                                         const struct compile_arguments *arguments) {
    struct arena *arena = &program->arena;
    unsigned long long hash = hash_text(hash_program(arena), path_current(arena));
    hash = hash_text(hash_text(hash, program->root), command->file);
    for (int i = 0; i < arguments->count; i++)
        hash = hash_text(hash, arguments->items[i]);
    return hash;
}

/* Directories that come from the environment are not among those that are looked at. */
static bool can_be_kept(void) {
    return getenv("CPATH") == NULL && getenv("C_INCLUDE_PATH") == NULL &&
           getenv("CPLUS_INCLUDE_PATH") == NULL;
}

static const char *entry_name(struct program *program, const struct compile_command *command) {
    unsigned long long hash = hash_text(HASH_SEED, command->output != NULL ? command->output : "");
    return arena_printf(&program->arena, "%s.%016llx.unit", path_base(command->file),
                        hash_text(hash, command->file));
}

/* Where the parser looks: the directories of its options, its own (found through what it found
 * there), and what lies above each file. */
static void find_directories(path_list *out, struct arena *arena,
                             const struct compile_arguments *arguments, const path_list *files) {
    for (int i = 0; i < arguments->count; i++) {
        const char *word = arguments->items[i];
        if (text_has_prefix(word, "-I") && word[2] == '/')
            vec_push(out, word + 2);
        else if (word[0] == '/')
            vec_push(out, word);
    }
    vec_push(out, "/usr/local/include");
    const char *last = "";
    for (size_t i = 0; i < files->count; i++) {
        const char *directory = path_directory(arena, files->items[i]);
        if (strcmp(directory, last) == 0)
            continue;
        last = directory;
        while (strcmp(directory, "/") != 0 && strcmp(directory, ".") != 0) {
            vec_push(out, directory);
            directory = path_directory(arena, directory);
        }
    }
}

static bool fingerprint(unsigned long long *out, struct unit_cache *cache, struct arena *arena,
                        const struct compile_arguments *arguments, const path_list *files) {
    path_list directories = {0};
    find_directories(&directories, arena, arguments, files);
    bool known = dependencies_fingerprint(out, cache->dependencies, files, &directories, NULL);
    vec_dispose(&directories);
    return known;
}

static void remember(struct unit_cache *cache, const char *name, const char *bytes, size_t length) {
    struct unit_entry entry = {.name = name};
    str_addn(&entry.bytes, bytes, length);
    vec_push(&cache->entries, entry);
}

static bool take_lines(path_list *out, struct cache_reader *reader, struct arena *arena,
                       const char *word) {
    unsigned long long count;
    bool is_there = cache_take_number(&count, reader, word);
    for (; is_there && count > 0; count--) {
        const char *line = NULL;
        is_there = cache_take_line(&line, reader, arena);
        vec_push(out, line);
    }
    return is_there;
}

static void add_line(struct str *out, const char *text) {
    str_printf(out, "%s\n", text);
}

/* Arguments, fingerprint and files are as they were. */
static bool is_current(struct unit_cache *cache, struct program *program,
                       const struct compile_command *command,
                       const struct compile_arguments *arguments, struct cache_reader *reader) {
    unsigned long long then_arguments, then, now;
    path_list files = {0};
    bool current = cache_take_number(&then_arguments, reader, "arguments") &&
                   cache_take_number(&then, reader, "fingerprint") &&
                   then_arguments == hash_arguments(program, command, arguments) &&
                   take_lines(&files, reader, &program->arena, "files") &&
                   fingerprint(&now, cache, &program->arena, arguments, &files) && now == then;
    vec_dispose(&files);
    return current;
}

struct unit *unit_cache_take(struct unit_cache *cache, struct program *program,
                             const struct compile_command *command,
                             const struct compile_arguments *arguments) {
    const char *name = entry_name(program, command);
    char *bytes = NULL;
    size_t length = 0;
    cache->parsed++;
    if (!can_be_kept() || !cache_get(&bytes, &length, &cache->cache, name))
        return NULL;
    struct cache_reader reader = {bytes, bytes + length};
    if (!is_current(cache, program, command, arguments, &reader))
        return NULL;
    path_list files = {0};
    struct unit *unit = take_lines(&files, &reader, &program->arena, "record")
                            ? unit_read(program, command->file, &files, &reader)
                            : NULL;
    vec_dispose(&files);
    if (unit == NULL)
        return NULL;
    remember(cache, name, bytes, length);
    cache->parsed--;
    return unit;
}

void unit_cache_keep(struct unit_cache *cache, struct program *program,
                     const struct compile_command *command,
                     const struct compile_arguments *arguments, const struct unit *unit,
                     const struct unit_record *record) {
    unsigned long long now;
    struct str out = {0};
    if (!can_be_kept() || cache->cache.current == NULL ||
        !fingerprint(&now, cache, &program->arena, arguments, &record->inclusions))
        return;
    str_printf(&out, "arguments %llu\nfingerprint %llu\nfiles %zu\n",
               hash_arguments(program, command, arguments), now, record->inclusions.count);
    for (size_t i = 0; i < record->inclusions.count; i++)
        add_line(&out, record->inclusions.items[i]);
    str_printf(&out, "record %zu\n", record->files.count);
    for (size_t i = 0; i < record->files.count; i++)
        add_line(&out, program->files.items[record->files.items[i]]->path);
    if (unit_write(&out, program, unit, record))
        remember(cache, entry_name(program, command), out.text, out.length);
    str_dispose(&out);
}

int unit_cache_write(struct unit_cache *cache, struct error *error) {
    for (size_t i = 0; i < cache->entries.count; i++) {
        const struct unit_entry *entry = &cache->entries.items[i];
        if (cache_put(&cache->cache, entry->name, entry->bytes.text, entry->bytes.length, error) !=
            0)
            return -1;
    }
    return 0;
}

void unit_cache_dispose(struct unit_cache *cache) {
    for (size_t i = 0; i < cache->entries.count; i++)
        str_dispose(&cache->entries.items[i].bytes);
    vec_dispose(&cache->entries);
}
