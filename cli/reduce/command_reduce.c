/* SPDX-License-Identifier: Apache-2.0
 *
 * `mpiskel reduce --case CASE FILE.c...`: a program with which mpiskel goes wrong, made small by
 * creduce or cvise.
 *
 * Steps: copy the files into a new directory; write the script `judge` there, which asks oracle.sh
 * whether a variant still goes wrong in the same way; ask it about the program as it is; start the
 * reducer, which changes the copies; say how much is left.
 *
 * Not handled: programs with files of the same name in several builds, or that need data files.
 */
#include "base/file.h"
#include "base/process.h"
#include "base/str.h"
#include "base/words.h"
#include "cli/common/command_syntax.h"
#include "cli/common/commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define DEFAULT_LIMIT_S                                                                            \
    20 /* verify takes one or two; a hang has to be told from a busy machine                       \
        */

struct reduce_options {
    const char *kind, *text, *flags, *output;
    size_t ranks;
    double limit_s;
    option_texts files;
    char **arguments;
    size_t argument_count;
};

#define OPTIONS struct reduce_options

/* The judge copies files below its own directory, and their names stand between blanks. */
static int take_file(void *input, const char *text, struct error *error) {
    struct reduce_options *options = input;
    if (text[0] == '/' || strstr(text, "..") != NULL || strpbrk(text, " '\"\\\n") != NULL)
        return error_set(error,
                         "%s: start in the directory of the program, and name its files below it, "
                         "without blanks and quotes",
                         text);
    vec_push(&options->files, text);
    return 0;
}

static int check(void *input, struct error *error) {
    const struct reduce_options *options = input;
    if (options->files.count == 0)
        return error_set(error, "which program? Give its source files, and its own headers");
    if (options->kind == NULL)
        return error_set(error, "what goes wrong? Give --case different, crash, refusal or hang");
    if (strcmp(options->kind, "refusal") == 0 && options->text[0] == '\0')
        return error_set(error, "which refusal? Give a part of the message: --text TEXT");
    return 0;
}

static const struct command_option rows[] = {
    {OPTION_TEXT("flags", "FLAGS", flags), .help = "What the compiler gets, such as '-DN=3 -Iinc'"},
    {OPTION_WORD("case", "different|crash|refusal|hang", kind),
     .help = "The fault: other MPI calls, a crash of mpiskel or the skeleton, a refusal by "
             "generate, no end of either"},
    {OPTION_SECONDS("limit", 1, 1e6, limit_s),
     .help = "What takes longer hangs (default: 20 seconds); each step of each variant"},
    {COMMON_OUTPUT(output), .help = "The new directory (default: reduced)"},
    {COMMON_RANKS(ranks), .help = "Ranks that the program runs on (default: 2)"},
    {OPTION_TEXT("text", "TEXT", text), .help = "A part of the message that has to stay"},
    {0}};

static const struct command_syntax syntax = {
    .name = "mpiskel reduce",
    .usage = "--case CASE FILE.c... [-- ARGUMENTS]",
    .about = "Make a program with which mpiskel goes wrong small, by creduce or cvise.\v"
             "Example: mpiskel reduce --case different -np 2 main.c halo.c halo.h -- 16 10\n\n"
             "Exit code: 0 fine; 1 failed, also where the program does not go wrong in this way; "
             "64 usage.",
    .options = {rows, check},
    .take = take_file,
};

/* ---- The directory ---- */

static int copy_file(struct arena *arena, const char *directory, const char *name,
                     struct error *error) {
    const char *copy = path_join(arena, directory, name);
    char *text = NULL;
    size_t length = 0;
    int result = file_read(&text, &length, name, error);
    if (result == 0)
        result = directory_make(path_directory(arena, copy), error);
    if (result == 0)
        result = file_write(copy, text, length, error);
    free(text);
    return result;
}

/* A script without arguments, as reducers want to have it. */
static int write_judge(struct arena *arena, const char *path, const struct reduce_options *options,
                       struct error *error) {
    struct str script = {0}, files = {0};
    for (size_t i = 0; i < options->files.count; i++)
        str_printf(&files, "%s%s", i > 0 ? " " : "", options->files.items[i]);
    const char *const words[] = {"exec",
                                 "sh",
                                 path_of_library(arena, "oracle.sh"),
                                 options->kind,
                                 path_executable(arena),
                                 arena_printf(arena, "%zu", options->ranks),
                                 arena_printf(arena, "%g", options->limit_s),
                                 options->text,
                                 options->flags,
                                 str_text(&files)};
    str_add(&script, "#!/bin/sh\n# 0: the program here still goes wrong in the same way.\n");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        words_add(&script, words[i]);
    for (size_t i = 0; i < options->argument_count; i++)
        words_add(&script, options->arguments[i]);
    str_addc(&script, '\n');
    int result = file_write(path, script.text, script.length, error);
    if (result == 0 && chmod(path, 0755) != 0)
        result = error_set(error, "%s cannot be made executable", path);
    str_dispose(&script);
    str_dispose(&files);
    return result;
}

static size_t count_lines(struct arena *arena, const char *directory, const option_texts *files) {
    size_t lines = 0;
    for (size_t i = 0; i < files->count; i++) {
        struct error ignored = {0};
        char *text = NULL;
        if (file_read(&text, NULL, path_join(arena, directory, files->items[i]), &ignored) == 0)
            for (const char *at = text; (at = strchr(at, '\n')) != NULL; at++)
                lines++;
        free(text);
    }
    return lines;
}

/* ---- Steps ---- */

static int ask_judge(const char *judge, const struct reduce_options *options, struct error *error) {
    const char *const words[] = {judge, NULL};
    struct process_result result;
    char *text = NULL;
    if (process_capture(&result, &text, words, true, error) != 0)
        return -1;
    if (result.exit_code != 0)
        error_set(error, "the program as it is is no case of '%s': %s", options->kind, text);
    free(text);
    return result.exit_code == 0 ? 0 : -1;
}

static int start_reducer(struct arena *arena, const char *reducer, const char *judge,
                         const struct reduce_options *options, struct error *error) {
    VEC(const char *) words = {0};
    struct process_result result;
    const char *log =
        path_absolute(arena, path_current(arena), path_join(arena, options->output, "log"));
    struct process_options process = {
        .directory = options->output, .stdout_file = log, .stderr_file = log};
    note("%s works for minutes to hours, and writes to %s; what is in %s is right at any time",
         reducer, log, options->output);
    vec_push(&words, reducer);
    vec_push(&words, "--tidy");
    vec_push(&words, path_absolute(arena, path_current(arena), judge));
    for (size_t i = 0; i < options->files.count; i++)
        vec_push(&words, options->files.items[i]);
    vec_push(&words, NULL);
    int status = process_run(&result, words.items, &process, error);
    if (status == 0 && result.exit_code != 0)
        status =
            error_set(error, "%s ends with exit code %d; see %s", reducer, result.exit_code, log);
    vec_dispose(&words);
    return status;
}

static int reduce(struct arena *arena, const struct reduce_options *options, struct error *error) {
    const char *reducer = program_find(arena, "cvise");
    const char *judge = path_join(arena, options->output, "judge");
    if (reducer == NULL)
        reducer = program_find(arena, "creduce");
    if (reducer == NULL)
        return error_set(error, "neither cvise nor creduce is on the PATH; apt install cvise");
    if (file_exists(options->output) || directory_exists(options->output))
        return error_set(error, "%s is there already; remove it, or choose another one with -o",
                         options->output);
    for (size_t i = 0; i < options->files.count; i++)
        if (copy_file(arena, options->output, options->files.items[i], error) != 0)
            return -1;
    if (write_judge(arena, judge, options, error) != 0 || ask_judge(judge, options, error) != 0 ||
        start_reducer(arena, reducer, judge, options, error) != 0)
        return -1;
    printf("%s: %zu lines of %zu; %s says whether it still goes wrong\n", options->output,
           count_lines(arena, options->output, &options->files),
           count_lines(arena, ".", &options->files), judge);
    return 0;
}

int command_reduce(int argc, char **argv) {
    struct reduce_options options = {
        .text = "", .flags = "", .output = "reduced", .ranks = 2, .limit_s = DEFAULT_LIMIT_S};
    struct arena arena = {0};
    struct error error = {0};
    command_syntax_split(&argc, argv, &options.arguments, &options.argument_count);
    command_syntax_parse(&syntax, &options, argc, argv);
    int result = reduce(&arena, &options, &error);
    if (result != 0)
        error_print(&error);
    vec_dispose(&options.files);
    arena_dispose(&arena);
    return result == 0 ? EXIT_FINE : EXIT_FAILED;
}
