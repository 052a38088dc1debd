/* SPDX-License-Identifier: Apache-2.0
 *
 * Standard input (`-x c -`) is copied to a file in the working directory, where the compiler would
 * look for what it includes; capture puts it back there like a source that a build removes.
 *
 * A preprocessed file (ring.i, or ring.2.cpp that a makefile has written) begins with the name of
 * its source. Headers of the MPI library are in it, so it is no source for a skeleton; the source
 * is, if the preprocessor, called once more as the build called it, makes the same text of it.
 */
#include "cli/capture/unnamed_sources.h"

#include "base/build_words.h"
#include "base/json.h"
#include "base/process.h"
#include "base/str.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What -x says of the word k; "": nothing. */
static const char *language_of(const path_list *words, size_t k) {
    const char *language = "";
    for (size_t i = 1; i < k; i++)
        if (text_has_prefix(words->items[i], "-x"))
            language = words->items[i][2] != '\0' ? words->items[i] + 2 : words->items[i + 1];
    return language;
}

/* ---- Preprocessed files ---- */

/* The words of one call of the preprocessor, but for those that say what comes out where. */
static path_list options_of(struct arena *arena, const json_t *entry) {
    path_list out = {0};
    const json_t *words = json_object_get(entry, "arguments");
    for (size_t i = 0; i < json_array_size(words); i++) {
        const char *word = arena_strdup(arena, json_string_value(json_array_get(words, i)));
        if (strcmp(word, "-o") == 0)
            i++;
        else if (strcmp(word, "-E") != 0)
            vec_push(&out, word);
    }
    return out;
}

static bool preprocesses(struct arena *arena, const path_list *words, const char *directory,
                         const char *source) {
    for (size_t i = 1; i < words->count; i++)
        if (strcmp(path_absolute(arena, directory, words->items[i]), source) == 0)
            return true;
    return false;
}

static bool makes_text(const path_list *words, const char *directory, const char *text,
                       const char *scratch) {
    path_list command = {0};
    struct process_result result;
    struct error ignored = {0};
    const char *inside[] = {"MPISKEL_CAPTURE_INSIDE=1", NULL};
    struct process_options options = {
        .directory = directory, .stdout_file = scratch, .extra_environment = inside};
    char *made = NULL;
    for (size_t i = 0; i < words->count; i++)
        vec_push(&command, words->items[i]);
    vec_push(&command, "-E");
    vec_push(&command, NULL);
    bool is = process_run(&result, command.items, &options, &ignored) == 0 &&
              result.exit_code == 0 && file_read(&made, NULL, scratch, &ignored) == 0 &&
              strcmp(made, text) == 0;
    unlink(scratch);
    free(made);
    vec_dispose(&command);
    return is;
}

/* The call of the preprocessor that makes this text of the source; no words: there was none. */
static path_list preprocessor_of(struct arena *arena, const char *log, const char *directory,
                                 const char *source, const char *made) {
    path_list out = {0};
    struct error ignored = {0};
    char *text = NULL, *state = NULL;
    const char *scratch = arena_printf(arena, "%s.%d.i", log, (int)getpid());
    if (file_read(&text, NULL, log, &ignored) != 0)
        return out;
    for (char *line = strtok_r(text, "\n", &state); line != NULL && out.count == 0;
         line = strtok_r(NULL, "\n", &state)) {
        json_t *entry = strstr(line, "\"-E\"") != NULL ? json_loads(line, 0, NULL) : NULL;
        const char *here = json_get_text(entry, "directory");
        path_list words = options_of(arena, entry);
        if (here != NULL && strcmp(here, directory) == 0 &&
            preprocesses(arena, &words, directory, source) &&
            makes_text(&words, directory, made, scratch))
            out = words;
        else
            vec_dispose(&words);
        json_decref(entry);
    }
    free(text);
    return out;
}

/* `# 0 "ring.c"`, or `# 1 "ring.c"`; NULL: it does not begin so. */
static const char *source_named(struct arena *arena, const char *text) {
    const char *name = strncmp(text, "# 0 \"", 5) == 0 || strncmp(text, "# 1 \"", 5) == 0
                           ? arena_strndup(arena, text + 5, strcspn(text + 5, "\"\n"))
                           : "";
    return text_has_suffix(name, ".c") || build_words_is_cxx(name) ? name : NULL;
}

/* The command compiles the source, with the options that it was preprocessed with, too. */
static void name_source(struct build_command *command, size_t k, const char *source,
                        const path_list *preprocessor, const char *path, struct arena *arena) {
    for (size_t i = 1; i < k; i++)
        if (text_has_suffix(command->words.items[i], "cpp-output"))
            command->words.items[i] = command->words.items[i][0] == '-' ? "-xc" : "c";
    command->words.items[k] = source;
    for (size_t i = 1; i < preprocessor->count; i++)
        if (strcmp(path_absolute(arena, command->directory, preprocessor->items[i]), path) != 0)
            vec_push(&command->words, preprocessor->items[i]);
}

static void find_preprocessed(struct arena *arena, struct build_command *command, size_t k,
                              const char *text, const char *log) {
    const char *word = command->words.items[k], *source = source_named(arena, text);
    const char *path = source != NULL ? path_absolute(arena, command->directory, source) : NULL;
    path_list words = {0};
    if (path != NULL)
        words = preprocessor_of(arena, log, command->directory, path, text);
    if (words.count > 0)
        name_source(command, k, source, &words, path, arena);
    else
        fprintf(stderr,
                "mpiskel: warning: %s, which is compiled, is preprocessed, with the headers of the "
                "MPI library in it, and is not what the build's preprocessor makes of %s: compile "
                "the source instead\n",
                strcmp(word, "-") == 0 ? "standard input" : word,
                source != NULL ? source : "a C file");
    vec_dispose(&words);
}

/* ---- Standard input ---- */

static char *read_input(void) {
    struct str text = {0};
    char block[4096];
    for (size_t n; (n = fread(block, 1, sizeof block, stdin)) > 0;)
        str_addn(&text, block, n);
    char *copy = xstrdup(str_text(&text));
    str_dispose(&text);
    return copy;
}

/* obj/second.o -> obj-second.from-stdin.c */
static const char *name_for(struct arena *arena, const struct build_command *command) {
    const char *output = command->output != NULL ? command->output : "a";
    char *name =
        arena_printf(arena, "%.*s.from-stdin.c",
                     (int)(strlen(output) - (text_has_suffix(output, ".o") ? 2 : 0)), output);
    for (char *at = name; *at != '\0'; at++)
        *at = *at == '/' ? '-' : *at;
    return name;
}

static void find_input(const char **written, struct arena *arena, struct build_command *command,
                       size_t k, const char *log) {
    const char *language = language_of(&command->words, k), *name = name_for(arena, command);
    bool is_preprocessed = strcmp(language, "cpp-output") == 0;
    struct error ignored = {0};
    if (strcmp(language, "c") != 0 && !is_preprocessed)
        return;
    char *text = read_input();
    const char *path = path_absolute(arena, command->directory, name);
    int fd = file_write(path, text, strlen(text), &ignored) == 0 ? open(path, O_RDONLY) : -1;
    *written = path;
    if (fd < 0 || dup2(fd, STDIN_FILENO) < 0)
        fprintf(stderr, "mpiskel: error: capture cannot write %s: make its folder writable\n",
                path);
    if (fd > STDIN_FILENO)
        close(fd);
    if (is_preprocessed)
        find_preprocessed(arena, command, k, text, log);
    else
        command->words.items[k] = name;
    free(text);
}

static void find_file(struct arena *arena, struct build_command *command, size_t k,
                      const char *log) {
    struct error ignored = {0};
    char *text = NULL;
    const char *word = command->words.items[k];
    const char *path = path_absolute(arena, command->directory, word);
    bool is_source = build_words_source_suffix(word) > 0; /* of its kind, unless its text says */
    if (file_read(&text, NULL, path, &ignored) == 0 && (!is_source || source_named(arena, text)))
        find_preprocessed(arena, command, k, text, log);
    free(text);
}

void unnamed_sources_find(const char **written, struct arena *arena, struct build_command *command,
                          const char *log) {
    size_t count = command->copies ? 0 : command->words.count;
    *written = NULL;
    for (size_t k = 1; k < count; k++) {
        const char *word = command->words.items[k];
        if (strcmp(word, "-o") == 0)
            k++;
        else if (strcmp(word, "-") == 0 && *written == NULL)
            find_input(written, arena, command, k, log);
        else if (word[0] != '-' && (text_has_suffix(word, ".i") || text_has_suffix(word, ".ii") ||
                                    build_words_source_suffix(word) > 0))
            find_file(arena, command, k, log);
    }
    command->sources.count = command->files.count = 0;
    build_command_classify(command);
}
