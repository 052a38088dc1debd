/* SPDX-License-Identifier: Apache-2.0
 *
 * From a case to its bundle: unpack, put the new place where the root was, generate with the same
 * words, and compare the ids of the two bundles. Samples are copied into the new one.
 *
 * Generating runs the compilers and linkers that the case's databases name. Nothing of the case is
 * run otherwise.
 */
#include "cli/gather/gather.h"

#include "base/json.h"
#include "base/str.h"
#include "cli/common/opened.h"

#include <ftw.h>
#include <glob.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

struct replay {
    struct arena *arena;
    const char *directory, *tree, *bundle;
    json_t *manifest;
};

static int unpack(struct replay *replay, const char *archive, struct error *error) {
    const char *const words[] = {
        "tar", "--no-same-owner", "-xf", path_absolute(replay->arena, "", archive),
        "-C",  replay->directory, NULL};
    if (file_exists(replay->directory) || directory_exists(replay->directory))
        return error_set(error, "%s is there; choose another directory with -o", replay->directory);
    if (!file_exists(archive))
        return error_set(error, "no archive %s", archive);
    return directory_make(replay->directory, error) == 0
               ? gather_run(replay->arena, words, NULL, error)
               : -1;
}

static int refuse_link(const char *path, const struct stat *status, int type, struct FTW *where) {
    (void)path, (void)where;
    return type == FTW_D || (type == FTW_F && S_ISREG(status->st_mode)) ? 0 : 1;
}

/* What is written through a link would be outside of the new directory. */
static int check_contents(const struct replay *replay, struct error *error) {
    return nftw(replay->directory, refuse_link, 16, FTW_PHYS) == 0
               ? 0
               : error_set(
                     error,
                     "the archive has links or devices in it, which `mpiskel gather` never writes");
}

static const char *text_of(const struct replay *replay, const char *member) {
    const char *text = json_get_text(replay->manifest, member);
    return text != NULL ? text : "";
}

static int read_manifest(struct replay *replay, const char *archive, struct error *error) {
    const char *path = path_join(replay->arena, replay->directory, "gather.json");
    if (!file_exists(path))
        return error_set(error, "%s is no archive of `mpiskel gather`: it has no gather.json",
                         archive);
    if (gather_rewrite(replay->arena, path, path, GATHER_ROOT, replay->tree, error) != 0 ||
        json_read(&replay->manifest, path, error) != 0)
        return -1;
    bool is_known = strcmp(text_of(replay, "format"), GATHER_FORMAT) == 0 &&
                    json_get_integer(replay->manifest, "version", -1) == 1;
    bool is_inside =
        path_inside(replay->tree,
                    path_absolute(replay->arena, replay->tree, text_of(replay, "directory"))) &&
        strchr(text_of(replay, "bundle"), '/') == NULL && text_of(replay, "bundle")[0] != '.';
    if (!is_known || !is_inside || !json_is_array(json_object_get(replay->manifest, "words")))
        return error_set(error, "%s:1:1: error: this is no case of `mpiskel gather`, version 1",
                         path);
    return 0;
}

/* Texts with the root in them: all that was gathered. */
static int put_root(struct replay *replay, struct error *error) {
    struct arena *arena = replay->arena;
    json_t *name;
    size_t i;
    json_array_foreach(json_object_get(replay->manifest, "files"), i, name) {
        const char *path =
            path_absolute(arena, replay->tree, json_is_string(name) ? json_string_value(name) : "");
        if (!path_inside(replay->tree, path) ||
            gather_rewrite(arena, path, path, GATHER_ROOT, replay->tree, error) != 0)
            return error_set(error, "%s is named by the archive, and is outside of it", path);
    }
    return 0;
}

static int generate(struct replay *replay, struct error *error) {
    struct arena *arena = replay->arena;
    const json_t *list = json_object_get(replay->manifest, "words");
    size_t count = 0, i;
    json_t *word;
    const char **words = ARENA_ARRAY(arena, const char *, json_array_size(list) + 6);
    words[count++] = path_executable(arena);
    words[count++] = "generate";
    json_array_foreach(list, i, word) {
        if (json_is_string(word))
            words[count++] = json_string_value(word);
    }
    words[count++] = "-o";
    words[count++] = replay->bundle;
    return gather_run(arena, words,
                      path_absolute(arena, replay->tree, text_of(replay, "directory")), error);
}

static int copy_samples(struct replay *replay, struct error *error) {
    struct arena *arena = replay->arena;
    glob_t found;
    int result = 0;
    if (glob(path_join(arena, replay->directory, "bundle/samples/*.samples"), 0, NULL, &found) == 0)
        for (size_t i = 0; i < found.gl_pathc && result == 0; i++) {
            const char *name = path_base(found.gl_pathv[i]);
            result = gather_rewrite(
                arena, path_join(arena, path_join(arena, replay->bundle, "samples"), name),
                found.gl_pathv[i], GATHER_ROOT, replay->tree, error);
        }
    globfree(&found);
    return result;
}

static const char *id_of(struct replay *replay, const char *directory) {
    json_t *regions = NULL;
    struct error unreadable = {0};
    const char *id = "";
    if (json_read(&regions, path_join(replay->arena, directory, "regions.json"), &unreadable) ==
            0 &&
        json_get_text(regions, "bundle") != NULL)
        id = arena_strdup(replay->arena, json_get_text(regions, "bundle"));
    json_decref(regions);
    return id;
}

static int report(struct replay *replay, struct error *error) {
    const char *was = id_of(replay, path_join(replay->arena, replay->directory, "bundle"));
    const char *is = id_of(replay, replay->bundle), *here = gather_version(replay->arena);
    const char *current = path_current(replay->arena), *name = replay->bundle;
    if (path_inside(current, name))
        name = path_relative(replay->arena, current, name);
    bool is_same = was[0] != '\0' && strcmp(was, is) == 0;
    printf("%s: %s\n", name,
           is_same ? "the same regions as where it was gathered"
                   : "other regions than where it was gathered");
    if (strcmp(text_of(replay, "made_by"), here) != 0)
        printf("gathered by %s, replayed by %s\n", text_of(replay, "made_by"), here);
    printf("next: mpiskel verify %s -np 4 -- ARGUMENTS, or mpiskel fit %s\n", name, name);
    return output_finish(error) != 0 ? -1 : is_same ? EXIT_FINE : EXIT_MISSED;
}

static const char *directory_for(struct arena *arena, const struct gather_options *options) {
    const char *name = path_base(options->bundle), *end = strstr(name, ".tar");
    if (options->output != NULL)
        return options->output;
    return arena_strndup(arena, name,
                         end != NULL && end > name ? (size_t)(end - name) : strlen(name));
}

int gather_replay(struct arena *arena, const struct gather_options *options, struct error *error) {
    struct replay replay = {.arena = arena};
    replay.directory = path_absolute(arena, "", directory_for(arena, options));
    replay.tree = path_join(arena, replay.directory, "tree");
    int result = unpack(&replay, options->bundle, error);
    if (result == 0)
        result = check_contents(&replay, error);
    if (result == 0)
        result = read_manifest(&replay, options->bundle, error);
    if (result == 0) {
        replay.bundle = path_join(arena, replay.directory, text_of(&replay, "bundle"));
        result = put_root(&replay, error) != 0 || generate(&replay, error) != 0 ||
                         copy_samples(&replay, error) != 0
                     ? -1
                     : report(&replay, error);
    }
    json_decref(replay.manifest);
    return result;
}
