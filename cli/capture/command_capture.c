/* SPDX-License-Identifier: Apache-2.0
 *
 * `mpiskel capture -- make ...`: runs a build with recording stand-ins in place of all C compilers
 * and linkers (runtime/builds), and writes compile_commands.json and, beside it,
 * link_commands.json: which objects and libraries make which executable, which compile databases do
 * not tell.
 */
#include "cli/capture/capture.h"

#include "base/file.h"
#include "base/json.h"
#include "base/process.h"
#include "base/str.h"
#include "cli/capture/cxx_links.h"
#include "cli/capture/databases.h"
#include "cli/capture/other_languages.h"
#include "cli/capture/restore.h"
#include "cli/capture/warnings.h"
#include "cli/common/command_syntax.h"
#include "cli/common/commands.h"
#include "runtime/builds/build_tools.h"

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
