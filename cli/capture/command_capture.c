/* SPDX-License-Identifier: Apache-2.0
 *
 * `mpiskel capture -- make ...`: runs a build with recording stand-ins in place of all C compilers
 * and linkers (runtime/builds), and writes compile_commands.json and, beside it,
 * link_commands.json: which objects and libraries make which executable, which compile databases do
 * not tell.
 */
#include "base/arena.h"
#include "base/build_words.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/process.h"
#include "base/str.h"
#include "cli/capture/databases.h"
#include "cli/capture/restore.h"
#include "cli/common/command_syntax.h"
#include "cli/common/commands.h"
#include "runtime/builds/build_tools.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What a build compiles in languages that mpiskel does not read: Fortran, and C files that a C++
 * driver takes for C++.
 * Sources that are gone were those of a test, as configure compiles them. Objects of Fortran stay
 * in the link; whether they can is checked when the skeleton is made (skeletonizer/check_objects).
 */

struct other_sources {
    size_t count;
    const char *first, *driver;
};

struct other_languages {
    struct arena *arena;
    struct other_sources fortran, c_as_cxx;
};

static bool is_fortran_source(const char *word) {
    static const char *const suffixes[] = {".f",   ".F",   ".for", ".f77", ".f90",
                                           ".F90", ".f95", ".F95", ".f03", ".f08"};
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
        if (text_has_suffix(word, suffixes[i]))
            return true;
    return false;
}

static void note_source(struct other_languages *o, struct other_sources *sources,
                        const char *directory, const char *driver, const char *word) {
    if (!file_exists(path_absolute(o->arena, directory, word)) || sources->count++ > 0)
        return;
    sources->first = arena_strdup(o->arena, word);
    sources->driver = arena_strdup(o->arena, driver);
}

static void look_at(struct other_languages *o, const json_t *entry) {
    static const char *const no_compilation[] = {"-E", "-M", "-MM", NULL};
    const json_t *words = json_object_get(entry, "arguments"), *word;
    const char *directory = json_get_text(entry, "directory");
    const char *first = json_string_value(json_array_get(words, 0));
    const char *driver = first != NULL ? path_base(first) : "";
    size_t i;
    json_array_foreach(words, i, word) {
        if (text_is_one_of(json_string_value(word), no_compilation))
            return;
    }
    json_array_foreach(words, i, word) {
        const char *text = json_string_value(word);
        if (text[0] == '-' || i == 0)
            continue;
        if (is_fortran_source(text))
            note_source(o, &o->fortran, directory, driver, text);
        else if (text_has_suffix(text, ".c") && build_tools_has_cxx(driver))
            note_source(o, &o->c_as_cxx, directory, driver, text);
    }
}

static const char *named(struct arena *arena, const struct other_sources *sources) {
    return arena_printf(arena, "%s%s", sources->first, sources->count > 1 ? ", ..." : "");
}

static int refuse(const struct other_languages *o, struct error *error) {
    const struct other_sources *c = &o->c_as_cxx, *fortran = &o->fortran;
    if (c->count > 0)
        return error_set(
            error,
            "the build compiled %zu C file%s as C++ (%s, by %s): let it compile C by a "
            "C compiler (CC=mpicc), and link as before",
            c->count, c->count > 1 ? "s" : "", named(o->arena, c), c->driver);
    return error_set(error,
                     "the build compiled %zu Fortran file%s (%s) and none in C or C++, which are "
                     "what mpiskel reads: predict the program from small runs of it instead, with "
                     "`mpiskel record` and `mpiskel synthesize`",
                     fortran->count, fortran->count > 1 ? "s" : "", named(o->arena, fortran));
}

static void warn(const struct other_languages *o) {
    const struct other_sources *c = &o->c_as_cxx;
    if (c->count > 0)
        note("warning: %zu C file%s compiled as C++ (%s, by %s) and left out: let the build "
             "compile C by a C compiler (CC=mpicc), and link as before",
             c->count, c->count > 1 ? "s were" : " was", named(o->arena, c), c->driver);
}

/* -1: nothing was compiled but such files; warns if only some were. `log`: of the build's commands;
 * `compiles`: those that mpiskel reads. */
static int other_languages_check(struct arena *arena, const char *log, const json_t *compiles,
                                 struct error *error) {
    struct other_languages o = {.arena = arena};
    char *text = NULL, *state = NULL;
    if (!file_exists(log))
        return 0;
    if (file_read(&text, NULL, log, error) != 0)
        return -1;
    for (char *line = strtok_r(text, "\n", &state); line != NULL;
         line = strtok_r(NULL, "\n", &state)) {
        json_t *entry = json_loads(line, 0, NULL);
        if (entry != NULL)
            look_at(&o, entry);
        json_decref(entry);
    }
    free(text);
    if (o.c_as_cxx.count + o.fortran.count > 0 && json_array_size(compiles) == 0)
        return refuse(&o, error);
    warn(&o);
    return 0;
}

/* ---- Warnings ---- */

/*
 * What a build did that may leave something out of a skeleton.
 */

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

/* Notes on stderr. `output`: the compile database; `changed`: of restore_sources, or NULL. */
static void warnings_tell(struct arena *arena, const struct databases *d, const char *output,
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

/* ---- Capture ---- */

/* ---- Cxx links ---- */

/*
 * Links by C++ drivers. In: the commands of a build that has ended. Out: without shared libraries
 * of C++, which stay as the build made them, like those of the system, and without executables of
 * C++ that no MPI library is linked to: tools of the build.
 * Libraries that the build made count by what they were made of.
 */

#define MAX_DEPTH 4 /* of libraries that are made of others */

static bool is_source(const char *word) {
    static const char *const suffixes[] = {".cc", ".cpp", ".cxx", ".c++", ".C",
                                           ".cu", ".f",   ".f90", ".F90", ".F"};
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
        if (text_has_suffix(word, suffixes[i]))
            return true;
    return false;
}

struct cxx_links_build {
    struct arena *arena;
    const json_t *compiles, *links;
};

static bool is_of_c(const struct cxx_links_build *build, const json_t *link, int depth);

static bool is_object_of_c(const struct cxx_links_build *build, const char *path) {
    const json_t *compile;
    size_t i;
    json_array_foreach(build->compiles, i, compile) {
        if (strcmp(databases_output(build->arena, compile), path) == 0)
            return !build_words_is_cxx(json_get_text(compile, "file"));
    }
    return false;
}

static bool library_is_of_c(const struct cxx_links_build *build, const char *path, int depth) {
    const json_t *link;
    size_t i;
    json_array_foreach(build->links, i, link) {
        if (strcmp(databases_output(build->arena, link), path) == 0 &&
            (depth == 0 || !is_of_c(build, link, depth - 1)))
            return false;
    }
    return true;
}

/* All of its objects were compiled in this build, by the recorded commands. */
static bool is_of_c(const struct cxx_links_build *build, const json_t *link, int depth) {
    const char *output = databases_output(build->arena, link);
    const json_t *word;
    size_t i;
    json_array_foreach(json_object_get(link, "arguments"), i, word) {
        const char *text = json_string_value(word);
        const char *path = databases_input(build->arena, link, i);
        if (path == NULL || text == NULL || strcmp(path, output) == 0)
            continue;
        if (is_source(text) ||
            (text_has_suffix(text, ".o") && !is_object_of_c(build, path) &&
             !databases_has_output(build->arena, build->links, path)) ||
            ((path_is_library(text) || text_has_suffix(text, ".o")) &&
             !library_is_of_c(build, path, depth)))
            return false;
    }
    return true;
}

/* A shared library, or an executable without an MPI library. */
static bool is_no_program(const json_t *link) {
    bool names_mpi = false, is_shared = false;
    const json_t *word;
    size_t i;
    json_array_foreach(json_object_get(link, "arguments"), i, word) {
        const char *text = json_string_value(word);
        is_shared = is_shared || strcmp(text, "-shared") == 0;
        names_mpi = names_mpi || strstr(i == 0 || text[0] == '/' ? path_base(text) : text, "mpi");
    }
    return is_shared || !names_mpi;
}

/* After objects that were moved have been found. */
static void cxx_links_leave_out(struct arena *arena, const json_t *compiles, json_t *links) {
    struct cxx_links_build build = {arena, compiles, links};
    for (size_t i = json_array_size(links); i-- > 0;) {
        const json_t *link = json_array_get(links, i);
        const char *driver =
            json_string_value(json_array_get(json_object_get(link, "arguments"), 0));
        if (driver != NULL && build_tools_has_cxx(path_base(driver)) && is_no_program(link) &&
            !is_of_c(&build, link, MAX_DEPTH))
            json_array_remove(links, i);
    }
}

/* ---- Capture ---- */

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
             "The build has to compile everything: clean it first.",
    .options = {rows, NULL},
};

/* A database of somebody else's, such as CMake's, is moved aside. */
static int keep_other(struct arena *arena, const char *path, struct error *error) {
    if (!file_exists(path) || output_file_is_kept(path))
        return 0;
    const char *output = output_target(arena, path, error);
    const char *kept = arena_printf(arena, "%s.before", output);
    for (int i = 2; file_exists(kept); i++)
        kept = arena_printf(arena, "%s.before%d", output, i);
    if (rename(output, kept) != 0)
        return error_set(error, "cannot move %s to %s: %s", output, kept, strerror(errno));
    note("%s was there, and is not of capture: it is %s now", output, path_base(kept));
    return 0;
}

static const char *links_beside(struct arena *arena, const char *output) {
    return path_join(arena, path_directory(arena, output), "link_commands.json");
}

static bool is_of_capture(const char *output) {
    struct error ignored = {0};
    json_t *list = NULL;
    if (json_read(&list, output, &ignored) != 0)
        return false;
    bool is = json_get_text(json_array_get(list, 0), "contents") != NULL;
    json_decref(list);
    return is;
}

/* What an earlier build left would be taken for this one's, if this one fails. */
static void remove_earlier(struct arena *arena, const char *output) {
    struct error ignored = {0};
    if (output_file_is_kept(output))
        return;
    remove(links_beside(arena, output));
    if (is_of_capture(output))
        remove(output_target(arena, output, &ignored));
}

static int write_databases(struct arena *arena, const struct databases *databases,
                           const char *output, struct error *error) {
    if (directory_make(path_directory(arena, output), error) != 0 ||
        keep_other(arena, output, error) != 0 ||
        json_write(databases->compiles, output, error) != 0)
        return -1;
    if (output_file_is_kept(output)) {
        note("warning: link_commands.json is left out: nothing lies beside %s", output);
        return 0;
    }
    return json_write(databases->links, links_beside(arena, output), error);
}

static int write_results(struct arena *arena, const struct capture_options *options,
                         const char *log, struct error *error) {
    struct databases databases;
    const char *output = path_absolute(arena, "", options->output), *changed = NULL;
    int result = databases_read(&databases, log, error);
    if (result == 0)
        result = restore_sources(&changed, &databases, error);
    if (result == 0)
        result = other_languages_check(arena, log, databases.compiles, error);
    if (result == 0 && json_array_size(databases.compiles) == 0)
        result = error_set(error,
                           "the build compiled no C or C++ file by a compiler that capture knows: "
                           "clean it first (`make clean`, or `mpiskel capture -- make "
                           "-B`), and name the target where the default one builds nothing "
                           "(`make -B TARGET`)");
    if (result == 0) {
        cxx_links_leave_out(arena, databases.compiles, databases.links);
        warnings_tell(arena, &databases, output, changed);
        result = write_databases(arena, &databases, output, error);
    }
    if (result == 0)
        note("recorded %zu compile and %zu link commands in %s",
             json_array_size(databases.compiles), json_array_size(databases.links),
             options->output);
    databases_dispose(&databases);
    return result;
}

/* Under a path without blanks, which would part the names of several libraries. */
static const char *preloaded(struct arena *arena, const char *directory) {
    const char *library = path_join(arena, directory, "libbsim_builds.so");
    const char *others = getenv("LD_PRELOAD");
    if (symlink(path_of_library(arena, "libbsim_builds.so"), library) != 0)
        note("cannot make %s: %s", library, strerror(errno));
    return arena_printf(arena, "LD_PRELOAD=%s%s%s", library, others != NULL ? ":" : "",
                        others != NULL ? others : "");
}

/* A program with AddressSanitizer refuses to start behind another library. */
static const char *sanitizer_options(struct arena *arena) {
    const char *others = getenv("ASAN_OPTIONS");
    return arena_printf(arena, "ASAN_OPTIONS=%s%sverify_asan_link_order=0",
                        others != NULL ? others : "", others != NULL ? ":" : "");
}

/* A compiler as the command itself is started by a process that looks out for it, too. */
static const char *const *build_words(struct arena *arena, char **command) {
    size_t count = 0;
    while (command[count] != NULL)
        count++;
    const char **words = ARENA_ARRAY(arena, const char *, count + 2);
    words[0] = "env";
    memcpy(words + 1, command, count * sizeof *words);
    const char *name = path_base(command[0]);
    bool is_tool = build_tools_has(name) || build_tools_has_launcher(name);
    return is_tool ? words : words + 1;
}

static const char *search_path(void) {
    return getenv("PATH") != NULL ? getenv("PATH") : "/usr/bin:/bin";
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
        const char *environment[] = {
            arena_printf(&arena, "MPISKEL_CAPTURE_LOG=%s", log),
            arena_printf(&arena, "MPISKEL_CAPTURE_TOOL=%s", path_executable(&arena)),
            arena_printf(&arena, "MPISKEL_CAPTURE_PATH=%s", search_path()),
            preloaded(&arena, directory),
            sanitizer_options(&arena),
            NULL};
        struct process_options process = {.extra_environment = environment};
        remove_earlier(&arena, path_absolute(&arena, "", options.output));
        result = process_run(&child, build_words(&arena, options.command), &process, &error);
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
