/* SPDX-License-Identifier: Apache-2.0 */
#include "simulator/changes/region_name.h"

#include "base/str.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* One of the paths is the other, or its end. */
static bool is_end_of(const char *end, size_t end_length, const char *path, size_t length) {
    return length >= end_length && memcmp(path + length - end_length, end, end_length) == 0 &&
           (length == end_length || path[length - end_length - 1] == '/');
}

/* The file part of a name, not terminated: as the report has it, or as the build named it, from
 * somewhere farther outside. */
static bool is_file(const char *path, const char *wanted, size_t length) {
    size_t path_length = strlen(path);
    return length > 0 && path_length > 0 &&
           (is_end_of(wanted, length, path, path_length) ||
            is_end_of(path, path_length, wanted, length));
}

/* FILE:LINE; *line is 0 where there is no line. */
static size_t split_line(long *line, const char *name) {
    const char *colon = strrchr(name, ':');
    char *end = NULL;
    *line = colon != NULL ? strtol(colon + 1, &end, 10) : 0;
    if (colon == NULL || end == colon + 1 || *end != '\0' || *line <= 0) {
        *line = 0;
        return strlen(name);
    }
    return (size_t)(colon - name);
}

/* How many lines of the region are around this one: 0: it begins there, -1: it is elsewhere. */
static int lines_around(const struct region *region, long line) {
    if (region->line == line)
        return 0;
    bool inside = region->line < line && line <= region->end_line;
    return inside ? region->end_line - region->line : -1;
}

static bool is_region(const struct region *region) {
    return region->value == VALUE_NONE;
}

static int mark_line(bool *out, const char *file, size_t length, long line,
                     const struct regions *regions) {
    int least = INT_MAX, found = 0;
    for (int i = 0; i < regions->count; i++) {
        const struct region *region = &regions->items[i];
        int around = is_region(region) && is_file(region->file, file, length)
                         ? lines_around(region, line)
                         : -1;
        if (around >= 0 && around < least)
            least = around;
    }
    for (int i = 0; i < regions->count && least < INT_MAX; i++) {
        const struct region *region = &regions->items[i];
        out[i] = is_region(region) && is_file(region->file, file, length) &&
                 lines_around(region, line) == least;
        found += out[i];
    }
    return found;
}

static bool has_name(const struct region *region, const char *name) {
    return strcmp(name, "all") == 0 || strcmp(region->id, name) == 0 ||
           strcmp(region->function, name) == 0 || strcmp(region->kernel, name) == 0 ||
           is_file(region->file, name, strlen(name));
}

static int mark_name(bool *out, const char *name, const struct regions *regions) {
    int found = 0;
    for (int i = 0; i < regions->count; i++) {
        out[i] = is_region(&regions->items[i]) && has_name(&regions->items[i], name);
        found += out[i];
    }
    return found;
}

static bool begins_with_any(const char *text, const char *const *prefixes) {
    while (*prefixes != NULL && !text_has_prefix(text, *prefixes))
        prefixes++;
    return *prefixes != NULL;
}

/* Regions that stand for operations have these functions. */
static int mark_operations(bool *out, const char *name, const struct regions *regions) {
    static const char *const executed[] = {"kernel ", "fill", "copy within", NULL};
    static const char *const copied[] = {"copy to", "copy from", NULL};
    const char *const *prefixes = strcmp(name, "devices") == 0 ? executed
                                  : strcmp(name, "links") == 0 ? copied
                                                               : NULL;
    int found = 0;
    for (int i = 0; i < regions->count && prefixes != NULL; i++) {
        out[i] = is_region(&regions->items[i]) && regions->items[i].is_operation &&
                 begins_with_any(regions->items[i].function, prefixes);
        found += out[i];
    }
    return found;
}

static int fail(const char *name, const struct regions *regions, struct error *error) {
    struct str functions = {0};
    const char *latest = "";
    int named = 0;
    for (int i = 0; i < regions->count; i++) {
        const char *function = regions->items[i].function;
        if (!is_region(&regions->items[i]) || strcmp(function, latest) == 0)
            continue;
        if (named++ < 8)
            str_printf(&functions, "%s%s", named > 1 ? ", " : "", function);
        latest = function;
    }
    error_set(error,
              "no region is called '%s'; give all, FILE:LINE, FILE, a region's id, or a function "
              "(there are regions in %s%s)",
              name, named > 0 ? str_text(&functions) : "none", named > 8 ? ", ..." : "");
    str_dispose(&functions);
    return -1;
}

int region_name_find(bool *out, const char *name, const struct regions *regions,
                     struct error *error) {
    long line = 0;
    size_t length = split_line(&line, name);
    memset(out, 0, (size_t)regions->count * sizeof *out);
    int found = line > 0 ? mark_line(out, name, length, line, regions) : 0;
    if (found == 0 && name[0] != '\0')
        found = mark_name(out, name, regions);
    if (found == 0)
        found = mark_operations(out, name, regions);
    return found > 0 ? 0 : fail(name, regions, error);
}
