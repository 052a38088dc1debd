/* SPDX-License-Identifier: Apache-2.0
 *
 * See warnings.h.
 */
#include "cli/capture/warnings.h"

#include "base/file.h"
#include "base/str.h"

#include <string.h>

/* How many of them there are, and how one is called. */
struct missing {
    size_t count, of;
    const char *first;
};

static void count(struct missing *out, bool is_missing, const char *name) {
    out->of++;
    out->count += is_missing;
    if (is_missing && out->first == NULL)
        out->first = name;
}

/* The file that word k of a link command names by that suffix; NULL: it names none. */
static const char *linked_file(struct arena *arena, const json_t *link, size_t k,
                               const char *suffix) {
    const char *word = json_string_value(json_array_get(json_object_get(link, "arguments"), k));
    return word != NULL && text_has_suffix(word, suffix) ? databases_input(arena, link, k) : NULL;
}

static void count_members(struct missing *out, struct arena *arena, const json_t *link) {
    size_t unknown = (size_t)json_get_integer(link, "unknown", 0);
    for (size_t i = 0; i < unknown; i++)
        count(out, true, arena_printf(arena, "in %s", json_get_text(link, "output")));
}

/* Objects that were up to date, most likely: their units would be missing in the program. */
static void tell_missing(struct arena *arena, const struct databases *d) {
    struct missing objects = {0};
    const json_t *link, *word;
    size_t i, k;
    json_array_foreach(d->links, i, link) {
        count_members(&objects, arena, link);
        json_array_foreach(json_object_get(link, "arguments"), k, word) {
            const char *path = linked_file(arena, link, k, ".o");
            if (path != NULL && !path_inside("/usr", path) &&
                !databases_has_output(arena, d->links, path))
                count(&objects, !databases_has_output(arena, d->compiles, path),
                      json_string_value(word));
        }
    }
    if (objects.count > 0)
        note("warning: %zu of the %zu objects that were linked were not compiled in this build "
             "(%s%s): if they come of C files, let it build all anew (`make clean`, or `mpiskel "
             "capture -- make -B`)",
             objects.count, objects.of, objects.first, objects.count > 1 ? ", ..." : "");
}

/* Made in this build, most likely, by a compiler that was called by its path. */
static void tell_unknown_archives(struct arena *arena, const struct databases *d,
                                  const char *output) {
    struct missing archives = {0};
    const json_t *link, *word;
    size_t i, k;
    json_array_foreach(d->links, i, link) {
        json_array_foreach(json_object_get(link, "arguments"), k, word) {
            const char *path = linked_file(arena, link, k, ".a");
            if (path != NULL && path_inside(path_directory(arena, output), path))
                count(&archives, !databases_has_output(arena, d->links, path),
                      json_string_value(word));
        }
    }
    if (archives.count > 0)
        note(
            "warning: of what %s%s holds, which was linked, nothing was compiled in this build: "
            "if it comes of C files of the project, build all anew, with a compiler of a name that "
            "capture knows (CC=mpicc)",
            archives.first, archives.count > 1 ? " and others" : "");
}

void warnings_tell(struct arena *arena, const struct databases *d, const char *output,
                   const char *changed) {
    tell_missing(arena, d);
    tell_unknown_archives(arena, d, output);
    if (d->changed != NULL)
        note("warning: %s was changed after the build had made it, by a program that capture does "
             "not know; it is taken as it was made",
             d->changed);
    if (changed != NULL)
        note("warning: %s is another file now than the one that the build compiled; it is taken as "
             "it is now",
             changed);
}
