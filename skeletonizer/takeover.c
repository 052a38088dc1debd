/* SPDX-License-Identifier: Apache-2.0
 *
 * Samples are of the regions of one bundle. Where the new bundle has other regions, the samples of
 * those whose code is the same are written again for it, and the files as they were go to
 * samples/BUNDLE/, named by the id of their bundle: when an edit is taken back, that bundle comes
 * back, and they with it. A file that cannot be read is taken along as it is; `fit` tells.
 *
 * Files are linked or copied, never moved: until the new bundle has taken its place the old one is
 * whole.
 */
#include "skeletonizer/takeover.h"

#include "base/file.h"
#include "base/str.h"
#include "model/samples/translate.h"

#include <errno.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int take_file(const char *from, const char *to, struct error *error) {
    char *text = NULL;
    size_t length = 0;
    unlink(to);
    if (link(from, to) == 0)
        return 0;
    if (file_read(&text, &length, from, error) != 0)
        return -1;
    int result = file_write(to, text, length, error);
    free(text);
    return result;
}

/* Paths below a directory that match; the caller frees with globfree. */
static void list(glob_t *out, struct arena *arena, const char *directory, const char *pattern) {
    struct str text = {0};
    for (const char *at = directory; *at != '\0'; at++) {
        if (strchr("*?[\\", *at) != NULL)
            str_addc(&text, '\\');
        str_addc(&text, *at);
    }
    str_printf(&text, "/%s", pattern);
    *out = (glob_t){0};
    if (glob(arena_strdup(arena, str_text(&text)), 0, NULL, out) != 0)
        out->gl_pathc = 0;
    str_dispose(&text);
}

static int take_files(struct arena *arena, const char *from, const char *pattern, const char *to,
                      struct error *error) {
    glob_t files;
    int result = 0;
    list(&files, arena, from, pattern);
    if (files.gl_pathc > 0)
        result = directory_make(to, error);
    for (size_t i = 0; i < files.gl_pathc && result == 0; i++)
        if (file_exists(files.gl_pathv[i]))
            result = take_file(files.gl_pathv[i],
                               path_join(arena, to, path_base(files.gl_pathv[i])), error);
    globfree(&files);
    return result;
}

/* Samples */

struct takeover_transfer {
    struct arena *arena;
    const char *directory; /* of the new bundle */
    struct regions old, now;
    int *map;
    int regions, runs, runs_without;
};

static int take_samples_file(struct takeover_transfer *transfer, const char *path,
                             struct error *error) {
    struct error unreadable = {0};
    struct arena *arena = transfer->arena;
    const char *name = path_base(path);
    const char *samples = path_join(arena, transfer->directory, "samples");
    const char *aside = path_join(arena, samples, transfer->old.bundle);
    size_t count = 0;
    if (samples_translate(&count, path_join(arena, samples, name), path, &transfer->old,
                          &transfer->now, transfer->map, &unreadable) != 0)
        return take_file(path, path_join(arena, samples, name), error);
    transfer->runs += count > 0;
    transfer->runs_without += count == 0;
    if (directory_make(aside, error) != 0)
        return -1;
    return take_file(path, path_join(arena, aside, name), error);
}

static int take_changed(struct takeover_transfer *transfer, const char *samples,
                        struct error *error) {
    glob_t files;
    int result = 0;
    list(&files, transfer->arena, samples, "*.samples");
    for (size_t i = 0; i < files.gl_pathc && result == 0; i++)
        result = take_samples_file(transfer, files.gl_pathv[i], error);
    globfree(&files);
    if (transfer->runs + transfer->runs_without > 0)
        note("note: the code of %d of %d regions is as it was: their samples from %d profiling "
             "run%s are taken over; for the others run the profiling build again",
             transfer->regions, transfer->now.count, transfer->runs + transfer->runs_without,
             text_plural(transfer->runs + transfer->runs_without));
    return result;
}

/* Those of earlier bundles, each in a directory of its own; of this very bundle they count again.
 */
static int take_earlier(const struct takeover_transfer *transfer, const char *samples,
                        struct error *error) {
    struct arena *arena = transfer->arena;
    glob_t directories;
    int result = 0;
    const char *to = path_join(arena, transfer->directory, "samples");
    list(&directories, arena, samples, "????????????????");
    for (size_t i = 0; i < directories.gl_pathc && result == 0; i++) {
        const char *path = directories.gl_pathv[i], *bundle = path_base(path);
        if (!directory_exists(path))
            continue;
        bool is_this = strcmp(bundle, transfer->now.bundle) == 0;
        result = take_files(arena, path, "*.samples", is_this ? to : path_join(arena, to, bundle),
                            error);
    }
    globfree(&directories);
    return result;
}

static int take_samples(struct arena *arena, const char *directory, const char *old,
                        struct error *error) {
    struct takeover_transfer transfer = {.arena = arena, .directory = directory};
    struct error unreadable = {0};
    const char *samples = path_join(arena, old, "samples");
    const char *to = path_join(arena, directory, "samples");
    int result;
    if (regions_read(&transfer.now, path_join(arena, directory, "regions.json"), error) != 0)
        return -1;
    if (regions_read_any_version(&transfer.old, path_join(arena, old, "regions.json"),
                                 &unreadable) != 0 ||
        strcmp(transfer.old.bundle, transfer.now.bundle) == 0) {
        result = take_files(arena, samples, "*.samples", to, error);
    } else {
        transfer.map = ARENA_ARRAY(arena, int, (size_t)transfer.old.count + 1);
        transfer.regions = regions_map(transfer.map, &transfer.old, &transfer.now, SAME_CODE);
        result = take_changed(&transfer, samples, error);
    }
    if (result == 0)
        result = take_earlier(&transfer, samples, error);
    regions_dispose(&transfer.old);
    regions_dispose(&transfer.now);
    return result;
}

/* Models */

static bool is_same(struct arena *arena, const char *name, const char *one, const char *other) {
    char *texts[2] = {NULL, NULL};
    size_t lengths[2];
    struct error unreadable = {0};
    bool is = file_read(&texts[0], &lengths[0], path_join(arena, one, name), &unreadable) == 0 &&
              file_read(&texts[1], &lengths[1], path_join(arena, other, name), &unreadable) == 0 &&
              lengths[0] == lengths[1] && memcmp(texts[0], texts[1], lengths[0]) == 0;
    free(texts[0]);
    free(texts[1]);
    return is;
}

static bool has_same_sources(struct arena *arena, const char *one, const char *other) {
    struct regions regions;
    struct error unreadable = {0};
    if (regions_read(&regions, path_join(arena, one, "regions.json"), &unreadable) != 0)
        return false;
    bool has = true;
    for (size_t i = 0; i < regions.sources.count && has; i++)
        has = is_same(arena, path_join(arena, "src", regions.sources.items[i].file), one, other);
    regions_dispose(&regions);
    return has;
}

/* Whether the skeleton, which need not be there yet, comes out as it did: its sources, the
 * commands, and, for headers that are elsewhere, a program that was built now. */
static bool has_same_skeleton(struct arena *arena, const char *one, const char *other) {
    static const char *const names[] = {"regions.json", "profile", "commands/skeleton"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!is_same(arena, names[i], one, other))
            return false;
    return has_same_sources(arena, one, other);
}

/* They and what was found of them hold for the very same skeleton. */
static int take_models(struct arena *arena, const char *directory, const char *old,
                       struct error *error) {
    static const char *const names[] = {"model.bsim", "verdict.json", "varied.json"};
    if (!has_same_skeleton(arena, directory, old))
        return 0;
    int result = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names && result == 0; i++)
        result = take_files(arena, old, names[i], directory, error);
    return result;
}

int takeover(struct arena *arena, const char *directory, const char *old, bool with_cache,
             struct error *error) {
    const char *cache = path_join(arena, old, "cache");
    if (take_samples(arena, directory, old, error) != 0 ||
        take_files(arena, old, "store.db", directory, error) != 0 ||
        take_models(arena, directory, old, error) != 0)
        return -1;
    if (!with_cache)
        return 0;
    return take_files(arena, cache, "*", path_join(arena, directory, "cache"), error);
}
