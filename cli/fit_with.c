/* SPDX-License-Identifier: Apache-2.0
 *
 * The files are named by the bundle that they come from, if it is another one, so that they replace
 * themselves when they are taken again; the store knows runs by their id and takes each once.
 */
#include "cli/fit_with.h"

#include "base/file.h"
#include "base/str.h"
#include "model/sample.h"
#include "model/translate.h"

#include <glob.h>
#include <string.h>

#define PLACES_TOLD 3

struct transfer {
    struct arena *arena;
    const char *bundle;
    const struct regions *now;
    struct regions old;
    int *map;
    int found, runs;
};

static int take_file(struct transfer *transfer, const char *path, struct error *error) {
    size_t count = 0;
    bool is_same = strcmp(transfer->old.bundle, transfer->now->bundle) == 0;
    const char *directory = path_join(transfer->arena, transfer->bundle, "samples");
    const char *name = path_base(path);
    if (!is_same)
        name = arena_printf(transfer->arena, "%s-%s", transfer->old.bundle, name);
    const char *to = path_join(transfer->arena, directory, name);
    transfer->runs++;
    if (is_same && file_exists(to))
        return 0;
    if (directory_make(directory, error) != 0)
        return -1;
    return samples_translate(&count, to, path, &transfer->old, transfer->now, transfer->map, error);
}

static int take_files(struct transfer *transfer, const char *other, struct error *error) {
    glob_t files = {0};
    int result = 0;
    if (glob(samples_pattern(transfer->arena, other), 0, NULL, &files) != 0)
        return error_set(error,
                         "%s has no samples to take; run `mpirun -np 2 %s/profile ARGUMENTS` first",
                         other, other);
    for (size_t i = 0; i < files.gl_pathc && result == 0; i++)
        result = take_file(transfer, files.gl_pathv[i], error);
    globfree(&files);
    return result;
}

static void tell(const struct transfer *transfer, const char *other) {
    struct str places = {0};
    int missing = 0;
    for (int i = 0; i < transfer->old.count; i++) {
        const struct region *region = &transfer->old.items[i];
        if (transfer->map[i] < 0 && missing++ < PLACES_TOLD)
            str_printf(&places, "%s%s:%d", places.length > 0 ? ", " : "; not ", region->file,
                       region->line);
    }
    note("%s: %d profiling run%s taken; %d of its %d regions are the same here but for "
         "constants%s%s",
         other, transfer->runs, transfer->runs == 1 ? "" : "s", transfer->found,
         transfer->old.count, str_text(&places), missing > PLACES_TOLD ? ", ..." : "");
    str_dispose(&places);
}

static bool has_families(const struct regions *regions) {
    for (int i = 0; i < regions->count; i++)
        if (regions->items[i].family[0] == '\0')
            return false;
    return true;
}

static int take(struct transfer *transfer, const char *other, struct error *error) {
    bool known = has_families(transfer->now);
    if (!known || !has_families(&transfer->old))
        return error_set(error, "%s was made by an older mpiskel; generate it again to use --with",
                         known ? other : transfer->bundle);
    transfer->map = ARENA_ARRAY(transfer->arena, int, (size_t)transfer->old.count + 1);
    transfer->found = regions_map(transfer->map, &transfer->old, transfer->now, SAME_FAMILY);
    if (transfer->found == 0)
        return error_set(
            error,
            "no region of %s is the same in %s but for constants: --with takes runs of "
            "another build of the same source, made with the same options",
            other, transfer->bundle);
    if (take_files(transfer, other, error) != 0)
        return -1;
    tell(transfer, other);
    return 0;
}

int fit_take_runs(struct arena *arena, const char *bundle, const struct regions *now,
                  const char *other, struct error *error) {
    struct transfer transfer = {.arena = arena, .bundle = bundle, .now = now};
    if (regions_read_bundle(&transfer.old, other, error) != 0)
        return -1;
    int result = take(&transfer, other, error);
    regions_dispose(&transfer.old);
    return result;
}
