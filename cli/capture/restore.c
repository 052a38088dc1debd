/* SPDX-License-Identifier: Apache-2.0
 *
 * See restore.h. Copies lie beside the log, by path and contents.
 */
#include "cli/capture/restore.h"

#include "base/file.h"
#include "base/hash_table.h"
#include "cli/capture/capture.h"
#include "cli/capture/contents.h"

#include <stdlib.h>
#include <string.h>

#define MAX_DEPTH 8 /* of libraries and partly linked objects in each other */

/* A file that commands read. */
struct source_version {
    const char *now;   /* its contents; NULL: it is not there */
    const char *first; /* those that the first command read */
    bool differs;      /* another command read others */
};

static const char *source_of(struct arena *arena, const json_t *compile) {
    return path_absolute(arena, json_get_text(compile, "directory"),
                         json_get_text(compile, "file"));
}

static bool names(struct arena *arena, const json_t *link, const char *output) {
    size_t count = json_array_size(json_object_get(link, "arguments"));
    for (size_t k = 1; k < count; k++) {
        const char *path = databases_input(arena, link, k);
        if (path != NULL && strcmp(path, output) == 0)
            return true;
    }
    return false;
}

static bool is_of_what_is_there(struct databases *d, const json_t *link) {
    const json_t *compile;
    size_t i;
    json_array_foreach(d->compiles, i, compile) {
        if (file_exists(source_of(&d->arena, compile)) &&
            names(&d->arena, link, databases_output(&d->arena, compile)))
            return true;
    }
    return false;
}

/* It is there, or something that was made of it. */
static bool is_left(struct databases *d, const char *output, int depth) {
    const json_t *link;
    size_t i;
    if (file_exists(output))
        return true;
    json_array_foreach(d->links, i, link) {
        const char *made = databases_output(&d->arena, link);
        if (depth > 0 && strcmp(made, output) != 0 && names(&d->arena, link, output) &&
            (is_of_what_is_there(d, link) || is_left(d, made, depth - 1)))
            return true;
    }
    return false;
}

static void leave_out_what_is_gone(struct databases *d) {
    for (size_t i = json_array_size(d->compiles); i-- > 0;) {
        const json_t *compile = json_array_get(d->compiles, i);
        if (!file_exists(source_of(&d->arena, compile)) &&
            !is_left(d, databases_output(&d->arena, compile), MAX_DEPTH))
            json_array_remove(d->compiles, i);
    }
}

static bool has_units(struct databases *d, const json_t *link) {
    const json_t *compile;
    size_t i;
    json_array_foreach(d->compiles, i, compile) {
        if (names(&d->arena, link, databases_output(&d->arena, compile)))
            return true;
    }
    return false;
}

static void leave_out_links_of_nothing(struct databases *d) {
    for (size_t i = json_array_size(d->links); i-- > 0;) {
        const json_t *link = json_array_get(d->links, i);
        const char *output = databases_output(&d->arena, link);
        if (!is_left(d, output, MAX_DEPTH) && !has_units(d, link))
            json_array_remove(d->links, i);
    }
}

static int put_back(struct databases *d, const json_t *file, struct error *error) {
    const char *path = json_get_text(file, "path");
    const char *kept =
        capture_kept_source(&d->arena, d->log, path, json_get_text(file, "contents"));
    char *text = NULL;
    size_t length;
    if (file_exists(path) || !file_exists(kept))
        return 0;
    if (file_read(&text, &length, kept, error) != 0)
        return -1;
    int result = directory_make(path_directory(&d->arena, path), error);
    if (result == 0)
        result = file_write(path, text, length, error);
    if (result == 0)
        note("put back %s, which the build had compiled and removed", path);
    free(text);
    return result;
}

static const char *contents_now(struct arena *arena, const char *path) {
    struct error ignored = {0};
    char *text = NULL;
    size_t length;
    if (file_read(&text, &length, path, &ignored) != 0)
        return NULL;
    const char *contents = contents_of_text(arena, text, length);
    free(text);
    return contents;
}

static void add_version(struct databases *d, struct hash_table *versions, const json_t *file) {
    const char *path = json_get_text(file, "path"), *contents = json_get_text(file, "contents");
    struct source_version *version = hash_table_add_text(versions, path, sizeof *version);
    if (version->first == NULL) {
        version->now = contents_now(&d->arena, path);
        version->first = arena_strdup(&d->arena, contents);
    }
    version->differs = version->differs || strcmp(version->first, contents) != 0;
}

static void tell_versions(const char **out_changed, struct databases *d, json_t *compile,
                          const struct hash_table *versions) {
    const json_t *file;
    size_t i;
    json_array_foreach(json_object_get(compile, "read"), i, file) {
        const char *path = json_get_text(file, "path");
        const struct source_version *version = hash_table_find_text(versions, path);
        if (version->now == NULL || strcmp(version->now, json_get_text(file, "contents")) == 0)
            continue;
        if (version->differs)
            json_object_set_new(compile, "overwritten", json_string(path));
        else
            *out_changed = arena_strdup(&d->arena, path);
    }
}

int restore_sources(const char **out_changed, struct databases *d, struct error *error) {
    struct hash_table versions = {0};
    json_t *compile;
    const json_t *file;
    size_t i, k;
    int result = 0;
    *out_changed = NULL;
    leave_out_what_is_gone(d);
    leave_out_links_of_nothing(d);
    json_array_foreach(d->compiles, i, compile) {
        json_array_foreach(json_object_get(compile, "read"), k, file) {
            if (result == 0)
                result = put_back(d, file, error);
            add_version(d, &versions, file);
        }
    }
    json_array_foreach(d->compiles, i, compile) {
        tell_versions(out_changed, d, compile, &versions);
        json_object_del(compile, "read");
    }
    hash_table_dispose(&versions);
    return result;
}
