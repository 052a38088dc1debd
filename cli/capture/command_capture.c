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
#include "cli/capture/build_command.h"
#include "cli/capture/capture_cxx.h"
#include "cli/capture/cxx_sources.h"
#include "cli/capture/databases.h"
#include "cli/capture/restore.h"
#include "cli/capture/warnings.h"
#include "cli/common/command_syntax.h"
#include "cli/common/commands.h"

#include <dirent.h>
#include <errno.h>
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

static void link_directory(struct arena *arena, const char *directory, const char *into,
                           const char *self) {
    DIR *list = opendir(directory);
    struct dirent *entry;
    while (list != NULL && (entry = readdir(list)) != NULL)
        if ((build_command_is_tool(entry->d_name) || build_command_is_launcher(entry->d_name)) &&
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

/* A database of somebody else's, such as CMake's, is moved aside. */
static int keep_other(struct arena *arena, const char *output, struct error *error) {
    const char *kept = arena_printf(arena, "%s.before", output);
    if (!file_exists(output))
        return 0;
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
    remove(links_beside(arena, output));
    if (is_of_capture(output))
        remove(output);
}

static int write_databases(struct arena *arena, const struct databases *databases,
                           const char *output, struct error *error) {
    if (directory_make(path_directory(arena, output), error) != 0 ||
        keep_other(arena, output, error) != 0 ||
        json_write(databases->compiles, output, error) != 0)
        return -1;
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
        result = cxx_sources_check(arena, log, databases.compiles, error);
    if (result == 0 && json_array_size(databases.compiles) == 0)
        result = error_set(error, "the build compiled no C file: clean it first, and let it call "
                                  "its compiler by name (CC=mpicc, or with CMake "
                                  "-DCMAKE_C_COMPILER=mpicc), not by an absolute path");
    if (result == 0) {
        capture_leave_out_cxx(arena, databases.compiles, databases.links);
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
        remove_earlier(&arena, path_absolute(&arena, "", options.output));
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
