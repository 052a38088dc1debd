/* SPDX-License-Identifier: Apache-2.0
 *
 * See recorded_words.h. A wrapper is asked with -show what it calls, in the build's own environment
 * and with the words of the command: which of its words are in front, behind or left out differs
 * between wrappers. What it prints is split at blanks, so that a word with a blank goes in under
 * another name. A wrapper that is found as capture would find it, and whose environment says
 * nothing, stays as it is.
 *
 * Not handled: wrappers that do not know -show; they are recorded by their path.
 */
#include "cli/capture/recorded_words.h"

#include "base/build_words.h"
#include "base/file.h"
#include "base/process.h"
#include "base/str.h"
#include "runtime/builds/build_tools.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Which program ---- */

static const char *found_on(struct arena *arena, const char *path, const char *name) {
    char *mine = xstrdup(getenv("PATH") != NULL ? getenv("PATH") : "/usr/bin:/bin");
    setenv("PATH", path, 1);
    const char *found = program_find(arena, name);
    setenv("PATH", mine, 1);
    free(mine);
    return found;
}

/* Where a name without a slash leads in this command. */
static const char *path_of(struct arena *arena, const char *word) {
    const char *found = strchr(word, '/') == NULL ? program_find(arena, word) : word;
    return found != NULL ? path_absolute(arena, path_current(arena), found) : NULL;
}

/* By its name where the PATH of capture leads to it, else by its path. */
static const char *program_name(struct arena *arena, const char *word) {
    const char *path = path_of(arena, word), *outside = getenv("MPISKEL_CAPTURE_PATH");
    if (path == NULL)
        return word;
    const char *found = outside != NULL ? found_on(arena, outside, path_base(word))
                                        : program_find(arena, path_base(word));
    return found != NULL && strcmp(found, path) == 0 ? path_base(word) : path;
}

/* ---- Wrappers ---- */

/* That wrappers of Open MPI, MPICH and Intel MPI read. */
static bool environment_says_something(void) {
    static const char *const names[] = {
        "OMPI_CC",      "OMPI_CPPFLAGS", "OMPI_CFLAGS", "OMPI_LDFLAGS",        "OMPI_LIBS",
        "OMPI_FC",      "OMPI_FCFLAGS",  "OMPI_MPICC",  "OPAL_PREFIX",         "I_MPI_CC",
        "I_MPI_CFLAGS", "I_MPI_LDFLAGS", "I_MPI_ROOT",  "I_MPI_MPICC_PROFILE", "MPICH_CC",
        "MPICH_FC",     "MPICC_PROFILE"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (getenv(names[i]) != NULL)
            return true;
    for (char **one = environ; *one != NULL; one++)
        if (text_has_prefix(*one, "MPICH_MPI"))
            return true;
    return false;
}

/* Of the wrapper and of what it calls. */
static bool is_found_as_outside(struct arena *arena, const char *word) {
    const char *outside = getenv("MPISKEL_CAPTURE_PATH"), *inside = getenv("PATH");
    return program_name(arena, word) == path_base(word) &&
           (outside == NULL || inside == NULL || strcmp(outside, inside) == 0);
}

static const char *placeholder(struct arena *arena, size_t k) {
    return arena_printf(arena, "-DMPISKEL_WORD_%zu_", k);
}

static const char *word_behind(struct arena *arena, const struct build_command *command,
                               const char *shown) {
    for (size_t k = 1; k < command->words.count; k++)
        if (strcmp(shown, placeholder(arena, k)) == 0)
            return command->words.items[k];
    return shown;
}

/* What it prints; NULL: it does not know -show. */
static char *show(struct arena *arena, const struct build_command *command, const char *scratch) {
    path_list words = {0};
    struct process_result result;
    struct error ignored = {0};
    const char *inside[] = {"MPISKEL_CAPTURE_INSIDE=1", NULL};
    struct process_options options = {.directory = command->directory,
                                      .stdout_file = scratch,
                                      .stderr_file = "/dev/null",
                                      .extra_environment = inside};
    char *text = NULL;
    vec_push(&words, path_of(arena, command->words.items[0]));
    vec_push(&words, "-show");
    for (size_t k = 1; k < command->words.count; k++)
        vec_push(&words, strpbrk(command->words.items[k], " \t\n\"'\\$`") == NULL
                             ? command->words.items[k]
                             : placeholder(arena, k));
    vec_push(&words, NULL);
    if (words.items[0] == NULL || process_run(&result, words.items, &options, &ignored) != 0 ||
        result.exit_code != 0 || file_read(&text, NULL, scratch, &ignored) != 0)
        text = NULL;
    unlink(scratch);
    vec_dispose(&words);
    return text;
}

/* What the wrapper calls; no words: it stays. */
static path_list unwrapped(struct arena *arena, const struct build_command *command,
                           const char *scratch) {
    const char *name = command->words.items[0];
    path_list out = {0};
    bool stays = strstr(path_base(name), "mpi") == NULL ||
                 (!environment_says_something() && is_found_as_outside(arena, name));
    char *rest = NULL, *text = stays ? NULL : show(arena, command, scratch);
    for (char *word = text != NULL ? strtok_r(text, " \t\r\n", &rest) : NULL; word != NULL;
         word = strtok_r(NULL, " \t\r\n", &rest))
        vec_push(&out, word_behind(arena, command, arena_strdup(arena, word)));
    free(text);
    return out;
}

/* ---- What compilers read themselves ---- */

/* Behind those of the command; an empty one is the current directory (GCC's manual, "Environment
 * Variables"). */
static void add_directories(path_list *out, struct arena *arena, const char *variable,
                            const char *option) {
    const char *at = getenv(variable);
    while (at != NULL && getenv(variable)[0] != '\0') {
        size_t length = strcspn(at, ":");
        vec_push(out, option);
        vec_push(out, length == 0 ? "." : arena_strndup(arena, at, length));
        at = at[length] == ':' ? at + length + 1 : NULL;
    }
}

static void add_environment(struct build_command *command, struct arena *arena) {
    const char *name = path_base(command->words.items[0]);
    bool is_compiler =
        build_tools_has_c(name) || build_tools_has_cxx(name) || build_tools_has_fortran(name);
    if (command->sources.count > 0) {
        add_directories(&command->words, arena, "CPATH", "-I");
        bool is_cxx = build_tools_has_cxx(name) || build_words_is_cxx(command->sources.items[0]);
        add_directories(&command->words, arena, is_cxx ? "CPLUS_INCLUDE_PATH" : "C_INCLUDE_PATH",
                        "-isystem");
    }
    if (!command->compiles_only && is_compiler)
        add_directories(&command->words, arena, "LIBRARY_PATH", "-L");
}

void recorded_words_take(struct build_command *command, struct arena *arena, const char *scratch) {
    path_list shown = unwrapped(arena, command, scratch);
    if (shown.count > 0) { /* OMPI_CC may be `ccache gcc` */
        struct build_command called = {0};
        build_command_read(&called, arena, command->directory, (int)shown.count,
                           (char *const *)shown.items);
        build_command_dispose(command);
        *command = called;
    }
    vec_dispose(&shown);
    if (command->words.count == 0)
        return;
    add_environment(command, arena);
    command->words.items[0] = program_name(arena, command->words.items[0]);
    build_words_join_libraries(&command->words, arena);
    command->sources.count = command->files.count = 0;
    build_command_classify(command);
}

json_t *recorded_environment(void) {
    static const char *const names[] = {"GCC_EXEC_PREFIX", "COMPILER_PATH", "CCC_OVERRIDE_OPTIONS",
                                        "SOURCE_DATE_EPOCH"};
    json_t *list = json_array();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (getenv(names[i]) != NULL)
            json_array_append_new(list, json_sprintf("%s=%s", names[i], getenv(names[i])));
    return list;
}
