/* SPDX-License-Identifier: Apache-2.0
 *
 * See capture_archives.h. The format is that of System V's ar (`man 5 ar`), and GNU's thin
 * archives, which have the names of their members instead.
 */
#include "cli/capture/capture_archives.h"

#include "base/error.h"
#include "base/file.h"
#include "base/str.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MAGIC "!<arch>\n"
#define THIN_MAGIC "!<thin>\n"
#define MAGIC_LENGTH 8
#define HEADER_LENGTH 60
#define SIZE_AT 48
#define SIZE_LENGTH 10

struct bytes {
    const char *begin;
    size_t length;
};

typedef VEC(struct bytes) member_list;

struct archive {
    char *text;
    size_t length;
    bool is_thin;
    member_list members; /* contents */
};

static size_t size_of_member(const char *header) {
    char digits[SIZE_LENGTH + 1] = {0};
    memcpy(digits, header + SIZE_AT, SIZE_LENGTH);
    return (size_t)strtoull(digits, NULL, 10);
}

/* The table of symbols and that of long names; of a thin archive only these have contents. */
static bool is_table(const char *name) {
    return name[0] == '/' && !(name[1] >= '0' && name[1] <= '9');
}

static void read_members(struct archive *out) {
    size_t at = MAGIC_LENGTH;
    while (out->length - at >= HEADER_LENGTH) {
        const char *header = out->text + at;
        size_t size = size_of_member(header);
        at += HEADER_LENGTH;
        if (out->is_thin && !is_table(header)) {
            vec_push(&out->members, (struct bytes){NULL, size});
            continue;
        }
        if (size > out->length - at)
            return;
        if (!is_table(header))
            vec_push(&out->members, (struct bytes){out->text + at, size});
        at += size;
        if (at < out->length)
            at += size % 2;
    }
}

static bool archive_read(struct archive *out, const char *path) {
    struct error ignored = {0};
    *out = (struct archive){0};
    if (file_read(&out->text, &out->length, path, &ignored) != 0)
        return false;
    if (out->length < MAGIC_LENGTH)
        return false;
    out->is_thin = memcmp(out->text, THIN_MAGIC, MAGIC_LENGTH) == 0;
    if (!out->is_thin && memcmp(out->text, MAGIC, MAGIC_LENGTH) != 0)
        return false;
    read_members(out);
    return true;
}

static void archive_dispose(struct archive *archive) {
    free(archive->text);
    vec_dispose(&archive->members);
}

/* A thin archive has the objects' paths, relative to its own place or not, each before a slash. */
static bool is_named(struct arena *arena, const struct archive *archive, const char *object) {
    const char *name = arena_printf(arena, "%s/", path_base(object));
    return memmem(archive->text, archive->length, name, strlen(name)) != NULL;
}

static bool has_size(const struct archive *archive, size_t length) {
    for (size_t i = 0; i < archive->members.count; i++)
        if (archive->members.items[i].length == length)
            return true;
    return false;
}

static bool holds(struct arena *arena, const struct archive *archive, const char *object) {
    struct error ignored = {0};
    struct stat status;
    char *text = NULL;
    size_t length;
    bool found = false;
    if (stat(object, &status) != 0 || !has_size(archive, (size_t)status.st_size))
        return false;
    if (archive->is_thin)
        return is_named(arena, archive, object);
    if (file_read(&text, &length, object, &ignored) != 0)
        return false;
    for (size_t i = 0; i < archive->members.count && !found; i++)
        found = archive->members.items[i].length == length &&
                memcmp(archive->members.items[i].begin, text, length) == 0;
    free(text);
    return found;
}

const char *capture_output(struct arena *arena, const json_t *command) {
    return path_absolute(arena, json_get_text(command, "directory"),
                         json_get_text(command, "output"));
}

bool capture_is_output(struct arena *arena, const json_t *commands, const char *path) {
    const json_t *command;
    size_t i;
    json_array_foreach(commands, i, command) {
        if (strcmp(capture_output(arena, command), path) == 0)
            return true;
    }
    return false;
}

static void add_archive(struct arena *arena, const json_t *compiles, json_t *links,
                        const char *path) {
    struct archive archive;
    const json_t *compile;
    size_t i;
    json_t *arguments = json_pack("[s, s, s]", "ar", "qc", path);
    if (archive_read(&archive, path))
        json_array_foreach(compiles, i, compile) {
            const char *object = capture_output(arena, compile);
            if (holds(arena, &archive, object))
                json_array_append_new(arguments, json_string(object));
        }
    archive_dispose(&archive);
    if (json_array_size(arguments) > 3)
        json_array_append_new(links,
                              json_pack("{s:s, s:s, s:O}", "directory", path_directory(arena, path),
                                        "output", path, "arguments", arguments));
    json_decref(arguments);
}

/* lib/libNAME.a for -lNAME behind -Llib; NULL: it is elsewhere. */
static const char *find_library(struct arena *arena, const json_t *link, const char *name) {
    const json_t *arguments = json_object_get(link, "arguments"), *word;
    size_t i;
    json_array_foreach(arguments, i, word) {
        const char *directory = json_string_value(word);
        if (directory == NULL || !text_has_prefix(directory, "-L"))
            continue;
        directory += strlen("-L");
        if (directory[0] == '\0')
            directory = json_string_value(json_array_get(arguments, i + 1));
        if (directory == NULL)
            continue;
        const char *path = path_absolute(arena, json_get_text(link, "directory"),
                                         arena_printf(arena, "%s/lib%s.a", directory, name));
        if (file_exists(path))
            return path;
    }
    return NULL;
}

static const char *archive_of(struct arena *arena, const json_t *link, const char *word) {
    if (word != NULL && text_has_prefix(word, "-l"))
        return find_library(arena, link, word + strlen("-l"));
    if (word == NULL || word[0] == '-' || !text_has_suffix(word, ".a"))
        return NULL;
    return path_absolute(arena, json_get_text(link, "directory"), word);
}

void capture_add_archives(struct arena *arena, const json_t *compiles, json_t *links) {
    size_t count = json_array_size(links); /* archives themselves name none */
    for (size_t i = 0; i < count; i++) {
        const json_t *link = json_array_get(links, i), *word;
        size_t k;
        json_array_foreach(json_object_get(link, "arguments"), k, word) {
            const char *path = archive_of(arena, link, json_string_value(word));
            if (path != NULL && !capture_is_output(arena, links, path))
                add_archive(arena, compiles, links, path);
        }
    }
}
