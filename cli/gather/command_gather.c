/* SPDX-License-Identifier: Apache-2.0
 *
 * `mpiskel gather APP.skel -o case.tar.zst` packs what a bundle is made of; `mpiskel gather
 * --replay case.tar.zst` makes it again from that.
 */
#include "cli/gather/gather.h"

#include "base/process.h"
#include "base/str.h"
#include "cli/common/command_syntax.h"
#include "cli/common/commands.h"

#include <stdlib.h>
#include <string.h>

#define OPTIONS struct gather_options

static const struct command_option rows[] = {
    {OPTION_ON("anonymous", is_anonymous),
     .help = "Leave out what names this machine and its user: host, directories, the bundle's "
             "name; sources stay as they are"},
    {COMMON_OUTPUT(output),
     .help = "The archive, such as case.tar.zst or case.tar.gz (default: NAME.tar.zst); with "
             "--replay the new directory (default: the archive's name without .tar...)"},
    {OPTION_ON("replay", is_replay),
     .help = "Unpack an archive and generate its bundle again: starts the compilers that it names"},
    {0}};

static const struct command_syntax syntax = {
    .name = "mpiskel gather",
    .usage = "APP.skel -o CASE.tar.zst\n--replay CASE.tar.zst",
    .about =
        "Pack all that a bundle is made of, to carry it to another machine or to report a bug, and "
        "make it "
        "again from that.\v"
        "In the archive are the compile and link commands, the project's sources that they need, "
        "samples, "
        "and versions. Installed software is not, and has to be where it is replayed "
        "(docs/how-to/report-a-bug.md).\n\n"
        "Examples: mpiskel gather heat3d.skel -o case.tar.zst\n"
        "          mpiskel gather --replay case.tar.zst\n\n"
        "Exit code: 0 fine; 1 failed; 2 of --replay, if the bundle came out differently; 64 usage.",
    .options = {rows, NULL},
    BUNDLE_AT(bundle),
};

const char *gather_version(struct arena *arena) {
    const char *const words[] = {path_executable(arena), "--version", NULL};
    struct process_result result;
    struct error ignored = {0};
    char *text = NULL;
    const char *version = "";
    if (process_capture(&result, &text, words, false, &ignored) == 0)
        version = arena_strndup(arena, text, strcspn(text, "\n"));
    free(text);
    return version;
}

static bool ends_path(char byte) {
    return strchr("/\"' \\:;,\n", byte) != NULL; /* the zero as well */
}

int gather_rewrite(struct arena *arena, const char *out, const char *in, const char *from,
                   const char *to, struct error *error) {
    char *text = NULL;
    struct str made = {0};
    size_t length = strlen(from);
    if (file_read(&text, NULL, in, error) != 0 ||
        directory_make(path_directory(arena, out), error) != 0) {
        free(text);
        return -1;
    }
    for (const char *at = text; *at != '\0';) {
        bool is_path = strncmp(at, from, length) == 0 && ends_path(at[length]);
        if (is_path)
            str_add(&made, to);
        else
            str_addc(&made, *at);
        at += is_path ? length : 1;
    }
    int result = file_write(out, str_text(&made), made.length, error);
    str_dispose(&made);
    free(text);
    return result;
}

static const char *last_line(struct arena *arena, const char *log) {
    char *text = NULL;
    size_t length = 0;
    struct error ignored = {0};
    if (file_read(&text, &length, log, &ignored) != 0)
        return "";
    while (length > 0 && text[length - 1] == '\n')
        text[--length] = '\0';
    const char *newline = strrchr(text, '\n');
    const char *line = arena_strdup(arena, newline != NULL ? newline + 1 : text);
    free(text);
    return line;
}

int gather_run(struct arena *arena, const char *const words[], const char *directory,
               struct error *error) {
    const char *scratch = directory_temporary(arena, "mpiskel-gather", error);
    struct process_result child;
    struct error ignored = {0};
    if (scratch == NULL)
        return -1;
    const char *log = path_join(arena, scratch, "log");
    struct process_options options = {
        .directory = directory, .stdout_file = log, .stderr_file = log};
    int result = process_run(&child, words, &options, error);
    if (result == 0 && child.exit_code != 0)
        result = error_set(error, "%s fails: %s", words[0], last_line(arena, log));
    directory_remove(scratch, &ignored);
    return result;
}

int command_gather(int argc, char **argv) {
    struct gather_options options = {0};
    struct arena arena = {0};
    struct error error = {0};
    command_syntax_parse(&syntax, &options, argc, argv);
    int result = options.is_replay ? gather_replay(&arena, &options, &error)
                                   : gather_pack(&arena, &options, &error);
    if (error.set)
        error_print(&error);
    arena_dispose(&arena);
    return result < 0 ? EXIT_FAILED : result;
}
