/* SPDX-License-Identifier: Apache-2.0
 *
 * `mpiskel capture -- make ...`: runs a build with recording stand-ins for all C compilers and `ar`
 * on the PATH, and writes compile_commands.json and, beside it, link_commands.json: which objects
 * and libraries make which executable, which compile databases do not tell.
 *
 * Compilers that the build calls by an absolute path are not seen, unless they call one by name, as
 * mpicc does; archives that an `ar` made that was not seen are looked into.
 */
#include "cli/capture/capture.h"

#include "base/file.h"
#include "base/json.h"
#include "base/process.h"
#include "base/str.h"
#include "base/vec.h"
#include "cli/capture/capture_archives.h"
#include "cli/capture/capture_cxx.h"
#include "cli/capture/capture_moved.h"
#include "cli/common/command_syntax.h"
#include "cli/common/commands.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct capture_options {
    const char *output;
    char **command;
};

#define OPTIONS struct capture_options

static const struct command_option rows[] = {
    {COMMON_OUTPUT(output), .help = "Where to write (default: compile_commands.json)"}, {0}};

static const struct command_syntax syntax = {
    .name = "mpiskel capture",
    .usage = "[-- ] COMMAND [ARGUMENT...]",
    .takes_rest = true,
    .rest = OPTION_AT(char **, command),
    .missing = "no build command; for example: mpiskel capture -- make",
    .about = "Record the compile and link commands of a build.\v"
             "The build has to compile everything: clean it first. Compilers have to be called by "
             "name (CC=mpicc), not by an absolute path.",
    .options = {rows, NULL},
};

/* Stand-ins */

static bool is_compiler(const char *name) {
    static const char *const patterns[] = {
        "cc",    "gcc",  "clang",   "c89",     "c99",    "icc",          "icx",         "tcc",
        "pgcc",  "nvc",  "ar",      "mpicc",   "mpiicc", "mpixlc",       "mpigcc",      "mpiclang",
        "gcc-*", "cc-*", "mpicc.*", "mpicc-*", "*-gcc",  "*-gcc-[0-9]*", "clang-[0-9]*"};
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
        if (fnmatch(patterns[i], name, 0) == 0)
            return strstr(name, "gcc-ar") == NULL && strstr(name, "gcc-nm") == NULL &&
                   strstr(name, "gcc-ranlib") == NULL;
    return false;
}

static void link_directory(struct arena *arena, const char *directory, const char *into,
                           const char *self) {
    DIR *list = opendir(directory);
    struct dirent *entry;
    while (list != NULL && (entry = readdir(list)) != NULL)
        if ((is_compiler(entry->d_name) || capture_is_cxx(entry->d_name)) &&
            symlink(self, path_join(arena, into, entry->d_name)) != 0 && errno != EEXIST)
            note("cannot make a stand-in for %s: %s", entry->d_name, strerror(errno));
    if (list != NULL)
        closedir(list);
}

static void make_stand_ins(struct arena *arena, const char *into) {
    const char *self = path_executable(arena);
    const char *path = getenv("PATH");
    while (path != NULL && *path != '\0') {
        size_t length = strcspn(path, ":");
        if (length > 0)
            link_directory(arena, arena_strndup(arena, path, length), into, self);
        path += length + (path[length] == ':');
    }
}

/* From recorded commands to compile and link commands */

struct recorded {
    const char *directory;
    VEC(const char *) words;
    VEC(const char *) sources;
    const char *output;
    bool compiles_only, preprocesses, has_inputs;
};

static bool has_object_suffix(const char *word) {
    return text_has_suffix(word, ".o") || text_has_suffix(word, ".a") ||
           text_has_suffix(word, ".lo") || strstr(word, ".so") != NULL;
}

static void classify(struct recorded *out) {
    for (size_t i = 1; i < out->words.count; i++) {
        const char *word = out->words.items[i];
        if (strcmp(word, "-o") == 0 && i + 1 < out->words.count) {
            out->output = out->words.items[++i];
        } else if (text_has_prefix(word, "-o") && word[2] != '\0') {
            out->output = word + 2;
        } else if (strcmp(word, "-c") == 0 || strcmp(word, "-S") == 0) {
            out->compiles_only = true;
        } else if (strcmp(word, "-E") == 0 || strcmp(word, "-M") == 0 || strcmp(word, "-MM") == 0) {
            out->preprocesses = true;
        } else if (word[0] != '-' && text_has_suffix(word, ".c")) {
            vec_push(&out->sources, word);
            out->has_inputs = true;
        } else if (word[0] != '-' && has_object_suffix(word)) {
            out->has_inputs = true;
        }
    }
}

static json_t *words_of(const struct recorded *recorded) {
    json_t *list = json_array();
    for (size_t i = 0; i < recorded->words.count; i++)
        json_array_append_new(list, json_string(recorded->words.items[i]));
    return list;
}

static const char *object_of(struct arena *arena, const struct recorded *recorded,
                             const char *source) {
    if (recorded->compiles_only && recorded->output != NULL)
        return recorded->output;
    const char *base = path_base(source);
    return arena_printf(arena, "%.*s.o", (int)strlen(base) - 2, base);
}

/* The source is there, or was: a build that removes what it generated (make's intermediate files)
 * leaves what it made of it, where a test program of configure goes with all that came of it. */
static int find_source(struct arena *arena, const struct recorded *recorded, const char *log,
                       const char *source, bool *out, struct error *error) {
    const char *path = path_absolute(arena, recorded->directory, source);
    const char *kept = capture_kept_source(arena, log, path);
    const char *made = recorded->compiles_only ? object_of(arena, recorded, source)
                       : recorded->output      ? recorded->output
                                               : "a.out";
    char *text = NULL;
    size_t length;
    *out = file_exists(path);
    if (*out || !file_exists(path_absolute(arena, recorded->directory, made)) || !file_exists(kept))
        return 0;
    if (file_read(&text, &length, kept, error) != 0)
        return -1;
    int result = directory_make(path_directory(arena, path), error);
    if (result == 0)
        result = file_write(path, text, length, error);
    if (result == 0)
        note("put back %s, which the build had compiled and removed", path);
    free(text);
    *out = result == 0;
    return result;
}

/* The compiler hands what has a suffix that it does not know to the linker. */
static bool names_object(struct arena *arena, const struct recorded *recorded,
                         const json_t *compiles) {
    for (size_t i = 1; i < recorded->words.count; i++) {
        const char *path = path_absolute(arena, recorded->directory, recorded->words.items[i]);
        if (recorded->words.items[i][0] != '-' && capture_is_output(arena, compiles, path))
            return true;
    }
    return false;
}

static int add_commands(struct arena *arena, struct recorded *recorded, const char *log,
                        json_t *compiles, json_t *links, struct error *error) {
    if (strcmp(recorded->words.items[0], "ar") == 0) {
        for (size_t i = 1; i < recorded->words.count; i++)
            if (text_has_suffix(recorded->words.items[i], ".a")) {
                json_array_append_new(
                    links, json_pack("{s:s, s:s, s:o}", "directory", recorded->directory, "output",
                                     recorded->words.items[i], "arguments", words_of(recorded)));
                return 0;
            }
        return 0;
    }
    bool is_cxx = capture_is_cxx(recorded->words.items[0]);
    if (recorded->preprocesses || (is_cxx && recorded->sources.count > 0))
        return 0;
    for (size_t i = 0; i < recorded->sources.count; i++) {
        const char *source = recorded->sources.items[i];
        bool is_there;
        if (find_source(arena, recorded, log, source, &is_there, error) != 0)
            return -1;
        if (!is_there)
            continue;
        json_array_append_new(compiles, json_pack("{s:s, s:s, s:s, s:o}", "directory",
                                                  recorded->directory, "file", source, "output",
                                                  object_of(arena, recorded, source), "arguments",
                                                  words_of(recorded)));
    }
    bool is_probe = recorded->output != NULL && strcmp(recorded->output, "/dev/null") == 0;
    if (!recorded->compiles_only && !is_probe &&
        (recorded->has_inputs || names_object(arena, recorded, compiles)))
        json_array_append_new(
            links, json_pack("{s:s, s:s, s:o}", "directory", recorded->directory, "output",
                             recorded->output != NULL ? recorded->output : "a.out", "arguments",
                             words_of(recorded)));
    return 0;
}

static int read_log(struct arena *arena, const char *path, json_t *compiles, json_t *links,
                    struct error *error) {
    char *text = NULL;
    if (!file_exists(path))
        return 0;
    if (file_read(&text, NULL, path, error) != 0)
        return -1;
    char *state = NULL;
    int result = 0;
    for (char *line = strtok_r(text, "\n", &state); line != NULL && result == 0;
         line = strtok_r(NULL, "\n", &state)) {
        json_t *entry = json_loads(line, 0, NULL), *word;
        size_t i;
        struct recorded recorded = {0};
        if (entry == NULL)
            continue;
        recorded.directory = json_get_text(entry, "directory");
        json_array_foreach(json_object_get(entry, "arguments"), i, word)
            vec_push(&recorded.words, json_string_value(word));
        classify(&recorded);
        if (recorded.words.count > 0)
            result = add_commands(arena, &recorded, path, compiles, links, error);
        vec_dispose(&recorded.words);
        vec_dispose(&recorded.sources);
        json_decref(entry);
    }
    free(text);
    return result;
}

/* The file with that suffix that word k of a link command names; NULL: it names none. */
static const char *linked_file(struct arena *arena, const json_t *link, size_t k,
                               const char *suffix) {
    const char *word = json_string_value(json_array_get(json_object_get(link, "arguments"), k));
    if (k == 0 || word == NULL || word[0] == '-' || !text_has_suffix(word, suffix))
        return NULL;
    return path_absolute(arena, json_get_text(link, "directory"), word);
}

/* Objects that were up to date, most likely: their units would be missing in the program. */
static void tell_missing(struct arena *arena, const json_t *compiles, const json_t *links) {
    const json_t *link, *word;
    const char *first = NULL;
    size_t i, k, objects = 0, missing = 0;
    json_array_foreach(links, i, link) {
        json_array_foreach(json_object_get(link, "arguments"), k, word) {
            const char *path = linked_file(arena, link, k, ".o");
            if (path == NULL || path_inside("/usr", path) || capture_is_output(arena, links, path))
                continue;
            objects++;
            if (capture_is_output(arena, compiles, path))
                continue;
            missing++;
            first = first != NULL ? first : json_string_value(word);
        }
    }
    if (missing > 0)
        note("warning: %zu of the %zu objects that were linked were not compiled in this build "
             "(%s%s): "
             "if they come of C files, let it build all anew (`make clean`, or `mpiskel capture -- "
             "make -B`)",
             missing, objects, first, missing > 1 ? ", ..." : "");
}

/* Made in this build, most likely, by a compiler that was called by its path. */
static void tell_unknown_archives(struct arena *arena, const char *output, const json_t *links) {
    const json_t *link, *word;
    const char *first = NULL;
    size_t i, k, unknown = 0;
    json_array_foreach(links, i, link) {
        json_array_foreach(json_object_get(link, "arguments"), k, word) {
            const char *path = linked_file(arena, link, k, ".a");
            if (path == NULL || !path_inside(path_directory(arena, output), path) ||
                capture_is_output(arena, links, path))
                continue;
            unknown++;
            first = first != NULL ? first : json_string_value(word);
        }
    }
    if (unknown > 0)
        note(
            "warning: of what %s%s holds, which was linked, nothing was compiled in this build: if "
            "it comes of C files of the project, let the build call its compiler by name "
            "(CC=mpicc, or -DCMAKE_C_COMPILER=mpicc), not by a path, and build all anew",
            first, unknown > 1 ? " and others" : "");
}

static int write_results(struct arena *arena, const struct capture_options *options,
                         const char *log, struct error *error) {
    json_t *compiles = json_array(), *links = json_array();
    int result = read_log(arena, log, compiles, links, error);
    if (result == 0 && json_array_size(compiles) == 0)
        result = error_set(error, "the build compiled no C file: clean it first, and let it call "
                                  "its compiler by name (CC=mpicc), not by an absolute path");
    if (result == 0)
        capture_find_moved(arena, compiles, links);
    if (result == 0)
        capture_leave_out_cxx(arena, compiles, links);
    if (result == 0)
        tell_missing(arena, compiles, links);
    if (result == 0)
        capture_add_archives(arena, compiles, links);
    const char *output = path_absolute(arena, "", options->output);
    if (result == 0)
        tell_unknown_archives(arena, output, links);
    const char *beside = path_join(arena, path_directory(arena, output), "link_commands.json");
    if (result == 0)
        result = directory_make(path_directory(arena, output), error);
    if (result == 0)
        result = json_write(compiles, output, error);
    if (result == 0)
        result = json_write(links, beside, error);
    if (result == 0)
        note("recorded %zu compile and %zu link commands in %s", json_array_size(compiles),
             json_array_size(links), options->output);
    json_decref(compiles);
    json_decref(links);
    return result;
}

int command_capture(int argc, char **argv) {
    struct capture_options options = {.output = "compile_commands.json"};
    struct arena arena = {0};
    struct error error = {0}, ignored = {0};
    struct process_result child = {0};
    command_syntax_parse(&syntax, &options, argc, argv);
    char *directory = directory_temporary(&arena, "mpiskel-capture", &error);
    int result = directory == NULL ? -1 : 0;
    if (result == 0) {
        const char *log = path_join(&arena, directory, "log");
        const char *bin = path_join(&arena, directory, "bin");
        const char *path = getenv("PATH");
        const char *environment[] = {arena_printf(&arena, "MPISKEL_CAPTURE_LOG=%s", log),
                                     arena_printf(&arena, "MPISKEL_CAPTURE_PATH=%s", path),
                                     arena_printf(&arena, "PATH=%s:%s", bin, path), NULL};
        struct process_options process = {.extra_environment = environment};
        result = directory_make(bin, &error);
        make_stand_ins(&arena, bin);
        if (result == 0)
            result = process_run(&child, (const char *const *)options.command, &process, &error);
        if (result == 0 && child.exit_code == 0)
            result = write_results(&arena, &options, log, &error);
        directory_remove(directory, &ignored);
    }
    if (error.set)
        error_print(&error);
    else if (child.exit_code != 0)
        note("the build ended with exit code %d; nothing was written", child.exit_code);
    arena_dispose(&arena);
    return result != 0 ? EXIT_FAILED : child.exit_code;
}
