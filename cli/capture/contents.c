/* SPDX-License-Identifier: Apache-2.0
 *
 * See contents.h. The format of archives is that of System V's ar (`man 5 ar`), and GNU's thin
 * archives, which have the names of their members instead, in the table of long names: "/N" is the
 * name at byte N of it. A member of a thin archive that came out of an archive ("/N:M") counts as
 * all that this one holds.
 */
#include "cli/capture/contents.h"

#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define MAGIC "!<arch>\n"
#define THIN_MAGIC "!<thin>\n"
#define MAGIC_LENGTH 8
#define HEADER_LENGTH 60
#define SIZE_AT 48
#define SIZE_LENGTH 10
#define MAX_DEPTH 4 /* of thin archives in thin archives */

struct archive {
    const char *path, *text, *long_names;
    size_t length, long_names_length;
    int depth;
    json_t *members;
};

char *contents_of_text(struct arena *arena, const char *text, size_t length) {
    return arena_printf(arena, "%016llx", hash_bytes(HASH_SEED, text, length));
}

static size_t size_of_member(const char *header) {
    char digits[SIZE_LENGTH + 1] = {0};
    memcpy(digits, header + SIZE_AT, SIZE_LENGTH);
    return (size_t)strtoull(digits, NULL, 10);
}

/* The table of symbols and that of long names; of a thin archive only these have contents. */
static bool is_table(const char *name) {
    return name[0] == '/' && !(name[1] >= '0' && name[1] <= '9');
}

static void add_text(struct archive *archive, const char *text, size_t length) {
    struct arena arena = {0};
    json_array_append_new(archive->members, json_string(contents_of_text(&arena, text, length)));
    arena_dispose(&arena);
}

static void read_file(json_t **out_members, struct arena *arena, json_t *out, const char *path,
                      int depth);

/* Relative to the archive's own place. */
static void add_named(struct archive *archive, const char *header) {
    size_t at = (size_t)strtoull(header + 1, NULL, 10);
    struct arena arena = {0};
    json_t *members = NULL, *file = json_object();
    if (archive->long_names != NULL && at < archive->long_names_length) {
        const char *name = archive->long_names + at;
        const char *end = memchr(name, '\n', archive->long_names_length - at);
        size_t length = end != NULL && end > name ? (size_t)(end - name) - 1 : 0;
        const char *path = path_absolute(&arena, path_directory(&arena, archive->path),
                                         arena_strndup(&arena, name, length));
        read_file(&members, &arena, file, path, archive->depth + 1);
    }
    const char *contents = json_get_text(file, "contents");
    if (members != NULL)
        json_array_extend(archive->members, members);
    else if (contents != NULL)
        json_array_append_new(archive->members, json_string(contents));
    json_decref(members);
    json_decref(file);
    arena_dispose(&arena);
}

static void read_members(struct archive *archive, bool is_thin) {
    size_t at = MAGIC_LENGTH;
    while (archive->length - at >= HEADER_LENGTH) {
        const char *header = archive->text + at;
        size_t size = size_of_member(header);
        at += HEADER_LENGTH;
        if (is_thin && !is_table(header)) {
            add_named(archive, header);
            continue;
        }
        if (size > archive->length - at)
            return;
        if (memcmp(header, "// ", 3) == 0) {
            archive->long_names = archive->text + at;
            archive->long_names_length = size;
        } else if (!is_table(header)) {
            add_text(archive, archive->text + at, size);
        }
        at += size;
        if (at < archive->length)
            at += size % 2;
    }
}

static void read_file(json_t **out_members, struct arena *arena, json_t *out, const char *path,
                      int depth) {
    struct error ignored = {0};
    char *text = NULL;
    size_t length;
    *out_members = NULL;
    if (file_read(&text, &length, path, &ignored) != 0)
        return;
    json_object_set_new(out, "contents", json_string(contents_of_text(arena, text, length)));
    bool is_thin = length >= MAGIC_LENGTH && memcmp(text, THIN_MAGIC, MAGIC_LENGTH) == 0;
    bool is_archive = is_thin || (length >= MAGIC_LENGTH && memcmp(text, MAGIC, MAGIC_LENGTH) == 0);
    if (is_archive && depth < MAX_DEPTH) {
        struct archive archive = {
            .path = path, .text = text, .length = length, .depth = depth, .members = json_array()};
        read_members(&archive, is_thin);
        *out_members = archive.members;
    }
    free(text);
}

json_t *contents_of_file(const char *path) {
    struct arena arena = {0};
    json_t *members = NULL, *out = json_pack("{s:s}", "path", path);
    read_file(&members, &arena, out, path, 0);
    bool is_read = json_get_text(out, "contents") != NULL;
    if (members != NULL)
        json_object_set_new(out, "members", members);
    arena_dispose(&arena);
    if (!is_read)
        json_decref(out);
    return is_read ? out : NULL;
}
