/* SPDX-License-Identifier: Apache-2.0
 *
 * The files are named by the bundle that they come from, if it is another one, so that they replace
 * themselves when they are taken again; the store knows runs by their id and takes each once.
 */
#include "cli/fit/fit_steps.h"

#include "base/file.h"
#include "base/str.h"
#include "model/samples/sample.h"
#include "model/samples/translate.h"

#include <glob.h>
#include <string.h>

#define PLACES_TOLD 3

struct fit_with_transfer {
    struct arena *arena;
    const char *bundle;
    const struct regions *now;
    struct regions old;
    int *map;
    int found, runs;
};

static int take_file(struct fit_with_transfer *transfer, const char *path, struct error *error) {
    size_t count = 0;
    bool is_same = strcmp(transfer->old.bundle, transfer->now->bundle) == 0;
    const char *directory = path_join(transfer->arena, transfer->bundle, "samples");
    const char *name = path_base(path);
    if (!is_same)
        name = arena_printf(transfer->arena, "%s-%s", transfer->old.bundle, name);
    const char *to = path_join(transfer->arena, directory, name);
    if (is_same && file_exists(to)) {
        transfer->runs++;
        return 0;
    }
    if (directory_make(directory, error) != 0 ||
        samples_translate(&count, to, path, &transfer->old, transfer->now, transfer->map, error) !=
            0)
        return -1;
    transfer->runs += count > 0;
    return 0;
}

static int take_files(struct fit_with_transfer *transfer, const char *other, struct error *error) {
    glob_t files = {0};
    int result = 0;
    if (glob(samples_pattern(transfer->arena, other), 0, NULL, &files) != 0)
        return error_set(error, "%s has no samples to take; run `%s%s/profile ARGUMENTS` first",
                         other, regions_launcher(&transfer->old), other);
    for (size_t i = 0; i < files.gl_pathc && result == 0; i++)
        result = take_file(transfer, files.gl_pathv[i], error);
    globfree(&files);
    return result;
}

/* What is at the place of a region for which nothing was found; NULL: nothing of its kind. */
static const struct region *find_there(const struct fit_with_transfer *transfer,
                                       const struct region *region) {
    bool is_value = region->value != VALUE_NONE;
    for (int i = 0; i < transfer->old.count; i++) {
        const struct region *there = &transfer->old.items[i];
        if (transfer->map[i] < 0 && (there->value != VALUE_NONE) == is_value &&
            there->line == region->line && strcmp(there->file, region->file) == 0)
            return there;
    }
    return NULL;
}

static void add_features(struct str *out, const struct region *region) {
    for (int i = 0; i < region->feature_count; i++)
        str_printf(out, "%s%s", i > 0 ? ", " : "", region->features[i].expression);
    if (region->feature_count == 0)
        str_printf(out, "none");
}

static void tell_of_missing(const struct fit_with_transfer *transfer, const struct region *region,
                            const char *other) {
    const struct region *there = find_there(transfer, region);
    const char *what = region->value != VALUE_NONE ? "value" : "computation";
    struct str why = {0};
    if (there == NULL) {
        str_printf(&why, "there is no such %s there", what);
    } else if (there->value != region->value) {
        str_printf(&why, "it is another kind of value there (%s, here %s)",
                   value_kind_name(there->value), value_kind_name(region->value));
    } else if (regions_have_same_features(there, region, SAME_FAMILY)) {
        str_printf(&why, "its code, or for which calls it is, differs");
    } else {
        str_printf(&why, "its features differ: there ");
        add_features(&why, there);
        str_printf(&why, "; here ");
        add_features(&why, region);
    }
    note("%s: nothing is taken for the %s at %s:%d: %s", other, what, region->file, region->line,
         why.text);
    str_dispose(&why);
}

/* A value that is wrong changes the calls, a latency only their times. */
static int tell_of_kind(const struct fit_with_transfer *transfer, const bool *found, bool values,
                        const char *other) {
    int missing = 0;
    for (int i = 0; i < transfer->now->count; i++) {
        const struct region *region = &transfer->now->items[i];
        if (found[i] || region->hint != NULL || (region->value != VALUE_NONE) != values)
            continue;
        if (missing++ < PLACES_TOLD)
            tell_of_missing(transfer, region, other);
    }
    if (missing > PLACES_TOLD)
        note("%s: nor for %d more %ss", other, missing - PLACES_TOLD,
             values ? "value" : "computation");
    return missing;
}

static void tell(const struct fit_with_transfer *transfer, const char *other) {
    bool *found = ARENA_ARRAY(transfer->arena, bool, (size_t)transfer->now->count + 1);
    for (int i = 0; i < transfer->old.count; i++)
        if (transfer->map[i] >= 0)
            found[transfer->map[i]] = true;
    note("%s: %d profiling run%s taken; %d of its %d regions are the same here but for constants",
         other, transfer->runs, text_plural(transfer->runs), transfer->found, transfer->old.count);
    if (tell_of_kind(transfer, found, true, other) + tell_of_kind(transfer, found, false, other) >
        0)
        note("what is not taken is known from other runs only: profile this build as well, `mpirun "
             "-np 2 %s/profile ARGUMENTS`, or generate %s again with the same options",
             transfer->bundle, other);
}

static int take(struct fit_with_transfer *transfer, const char *other, struct error *error) {
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
    struct fit_with_transfer transfer = {.arena = arena, .bundle = bundle, .now = now};
    if (regions_read_bundle(&transfer.old, other, error) != 0)
        return -1;
    int result = take(&transfer, other, error);
    regions_dispose(&transfer.old);
    return result;
}
