/* SPDX-License-Identifier: Apache-2.0
 *
 * Looks at the files that a command names, before and after the real program runs, and appends one
 * line of JSON to the log that capture named in the environment. Compiler wrappers call further
 * compilers: those see MPISKEL_CAPTURE_INSIDE and only pass on.
 */
#include "base/build_words.h"
#include "base/file.h"
#include "base/json.h"
#include "base/process.h"
#include "base/str.h"
#include "base/words.h"
#include "cli/capture/build_command.h"
#include "cli/capture/capture.h"
#include "cli/capture/contents.h"
#include "cli/capture/unnamed_sources.h"
#include "runtime/builds/build_tools.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* A command as it would be without the environment of the build, which generate does not have: what
 * the environment says to MPI's wrapper and to the compiler stands among the words, the compiler is
 * called by its path where the PATH of capture leads to another one. The rest, which no option
 * says, comes as NAME=value.
 * A wrapper is asked with -show what it calls, in the build's own environment
 * and with the words of the command: which of its words are in front, behind or left out differs
 * between wrappers. What it prints is split at blanks, so that a word with a blank goes in under
 * another name. A wrapper that is found as capture would find it, and whose environment says
 * nothing, stays as it is.
 *
 * Not handled: wrappers that do not know -show; they are recorded by their path. */

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

/* `scratch`: a file that does not exist yet. */
static void recorded_words_take(struct build_command *command, struct arena *arena,
                                const char *scratch) {
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

/* A new list of texts. */
static json_t *recorded_environment(void) {
    static const char *const names[] = {"GCC_EXEC_PREFIX", "COMPILER_PATH", "CCC_OVERRIDE_OPTIONS",
                                        "SOURCE_DATE_EPOCH"};
    json_t *list = json_array();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (getenv(names[i]) != NULL)
            json_array_append_new(list, json_sprintf("%s=%s", names[i], getenv(names[i])));
    return list;
}

/* ---- Included ---- */

/*
 * What a source includes, found in its text while the compiler is about to read it: builds write
 * headers and remove or replace them.
 *
 * In: a source, and the directories that the command gives. Out: the sources of the build that are
 * read: this one and all that it may include. Conditions are not looked at, so there may be more.
 * Not handled: names that are macros, directories that the environment gives (CPATH). Installed
 * headers are left out.
 * Names are looked for as the compiler does: beside the file that includes them,
 * where they stand in quotes, then in the directories in the order of the command.
 */

struct included {
    struct arena *arena;
    const struct build_command *command;
    path_list *files;
    path_list directories;
};

static void find_directories(struct included *in) {
    static const char *const options[] = {"-iquote", "-I", "-isystem", "-idirafter"};
    const path_list *words = &in->command->words;
    for (size_t o = 0; o < sizeof options / sizeof *options; o++)
        for (size_t i = 1; i < words->count; i++) {
            if (!text_has_prefix(words->items[i], options[o]))
                continue;
            const char *directory = words->items[i] + strlen(options[o]);
            if (directory[0] == '\0' && i + 1 < words->count)
                directory = words->items[i + 1];
            vec_push(&in->directories, path_absolute(in->arena, in->command->directory, directory));
        }
}

static void add(struct included *in, const char *path) {
    if (!words_contain(in->files->items, in->files->count, path))
        vec_push(in->files, path);
}

/* No build writes there what it removes. */
static bool is_installed(const char *path) {
    return path_inside("/usr/include", path) || path_inside("/usr/lib", path) ||
           path_inside("/usr/local", path);
}

static void find(struct included *in, const char *beside, const char *name) {
    const char *path = beside != NULL ? path_absolute(in->arena, beside, name) : NULL;
    for (size_t i = 0; i < in->directories.count && (path == NULL || !file_exists(path)); i++)
        path = path_absolute(in->arena, in->directories.items[i], name);
    if (path != NULL && file_exists(path) && !is_installed(path))
        add(in, path);
}

/* `#include "name"` or `<name>` at the begin of a line. */
static void read_line(struct included *in, const char *from, const char *line) {
    line += strspn(line, " \t");
    if (*line != '#')
        return;
    line += 1 + strspn(line + 1, " \t");
    if (!text_has_prefix(line, "include"))
        return;
    line += strspn(line, "include_next");
    line += strspn(line, " \t");
    size_t length = *line == '"' || *line == '<' ? strcspn(line + 1, ">\"\n") : 0;
    if (length > 0)
        find(in, *line == '"' ? from : NULL, arena_strndup(in->arena, line + 1, length));
}

static void read_file(struct included *in, const char *path) {
    struct error ignored = {0};
    char *text = NULL;
    if (file_read(&text, NULL, path, &ignored) != 0)
        return;
    const char *from = path_directory(in->arena, path);
    for (const char *line = text; line != NULL; line = strchr(line, '\n')) {
        line += *line == '\n';
        read_line(in, from, line);
    }
    free(text);
}

/* `-include NAME`, looked for in the working directory first. */
static void find_forced(struct included *in) {
    const path_list *words = &in->command->words;
    for (size_t i = 1; i + 1 < words->count; i++)
        if (strcmp(words->items[i], "-include") == 0 || strcmp(words->items[i], "-imacros") == 0)
            find(in, in->command->directory, words->items[i + 1]);
}

/* Adds absolute paths, from the arena, each once. */
static void included_add(path_list *out, struct arena *arena, const struct build_command *command,
                         const char *source) {
    struct included in = {.arena = arena, .command = command, .files = out};
    find_directories(&in);
    size_t begin = out->count;
    add(&in, path_absolute(arena, command->directory, source));
    find_forced(&in);
    for (size_t i = begin; i < out->count; i++)
        read_file(&in, out->items[i]);
    vec_dispose(&in.directories);
}

/* ---- Stand in ---- */

#define NOT_FOUND 127 /* as shells say it */
#define NOT_STARTED 126

bool capture_is_stand_in(void) {
    return getenv("MPISKEL_CAPTURE_PROGRAM") != NULL && getenv("MPISKEL_CAPTURE_LOG") != NULL;
}

char *capture_kept_source(struct arena *arena, const char *log, const char *source,
                          const char *contents) {
    const char *name = contents_of_text(arena, source, strlen(source));
    return arena_printf(arena, "%s.%s.%s", log, name, contents);
}

static void keep_source(struct arena *arena, json_t *out, const char *path) {
    struct error ignored = {0};
    char *text = NULL;
    size_t length;
    if (file_read(&text, &length, path, &ignored) != 0)
        return; /* the compiler tells */
    const char *contents = contents_of_text(arena, text, length);
    const char *kept = capture_kept_source(arena, getenv("MPISKEL_CAPTURE_LOG"), path, contents);
    if (!file_exists(kept))
        file_write(kept, text, length, &ignored);
    json_array_append_new(out, json_pack("{s:s, s:s}", "path", path, "contents", contents));
    free(text);
}

static json_t *keep_sources(struct arena *arena, const struct build_command *command) {
    path_list files = {0};
    json_t *out = json_array();
    for (size_t i = 0; i < command->sources.count; i++)
        included_add(&files, arena, command, command->sources.items[i]);
    for (size_t i = 0; i < files.count; i++)
        keep_source(arena, out, files.items[i]);
    vec_dispose(&files);
    return out;
}

static void add_contents(json_t *out, const char *path, const char *word) {
    json_t *file = path != NULL ? contents_of_file(path) : NULL;
    if (file != NULL && word != NULL)
        json_object_set_new(file, "word", json_string(word));
    if (file != NULL)
        json_array_append_new(out, file);
}

static json_t *taken(struct arena *arena, const struct build_command *command) {
    json_t *out = json_array();
    bool compiles = command->compiles_only && command->sources.count > 0;
    for (size_t i = 0; i < command->files.count && !compiles; i++) {
        const char *word = command->files.items[i];
        add_contents(out, build_command_file(arena, command, word), word);
    }
    return out;
}

static json_t *made(struct arena *arena, const struct build_command *command) {
    json_t *out = json_array();
    path_list files = build_command_outputs(arena, command);
    for (size_t i = 0; i < files.count; i++)
        add_contents(out, files.items[i], NULL);
    vec_dispose(&files);
    return out;
}

/* As they would be without the environment, which generate does not have. */
static void take_environment(struct arena *arena, struct build_command *command) {
    recorded_words_take(
        command, arena,
        arena_printf(arena, "%s.%d.show", getenv("MPISKEL_CAPTURE_LOG"), (int)getpid()));
}

static json_t *words_of(const struct build_command *command) {
    json_t *list = json_array();
    for (size_t i = 0; i < command->words.count; i++)
        json_array_append_new(list, json_any_text(command->words.items[i]));
    return list;
}

static void append(const json_t *entry, const char *name) {
    char *line = json_dumps(entry, JSON_COMPACT);
    int fd = open(getenv("MPISKEL_CAPTURE_LOG"), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (line == NULL || fd < 0)
        fprintf(stderr, "mpiskel: capture cannot record a call of %s\n", name);
    else
        dprintf(fd, "%s\n", line);
    if (fd >= 0)
        close(fd);
    free(line);
}

static void become(char **argv) {
    const char *program = getenv("MPISKEL_CAPTURE_PROGRAM");
    char *name = xstrdup(program);
    setenv("MPISKEL_CAPTURE_INSIDE", "1", 1);
    unsetenv("MPISKEL_CAPTURE_PROGRAM");
    execvp(name, argv);
    int reason = errno;
    fprintf(stderr, "mpiskel: capture cannot start %s: %s\n", name, strerror(reason));
    _exit(reason == ENOENT ? NOT_FOUND : NOT_STARTED);
}

/* Its wait status. */
static int run(char **argv) {
    fflush(NULL);
    pid_t pid = fork();
    int status = NOT_FOUND << 8;
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGTERM); /* a build that is ended ends compilers */
        become(argv);
    }
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    return status;
}

static int end_as(int status) {
    if (WIFSIGNALED(status)) {
        signal(WTERMSIG(status), SIG_DFL);
        raise(WTERMSIG(status));
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : NOT_FOUND;
}

static int run_and_record(struct arena *arena, struct build_command *command, char **argv) {
    const char *written;
    unnamed_sources_find(&written, arena, command, getenv("MPISKEL_CAPTURE_LOG"));
    take_environment(arena, command);
    json_t *entry = json_pack("{s:s, s:o, s:o, s:o, s:o}", "directory", command->directory,
                              "arguments", words_of(command), "environment", recorded_environment(),
                              "read", keep_sources(arena, command), "took", taken(arena, command));
    int status = run(argv);
    json_object_set_new(entry, "made", made(arena, command));
    if (status == 0)
        append(entry, argv[0]);
    if (written != NULL)
        remove(written);
    json_decref(entry);
    return end_as(status);
}

/* For what is compiled of it (unnamed_sources.h). */
static void record_preprocessing(struct arena *arena, struct build_command *command,
                                 const char *name) {
    take_environment(arena, command);
    json_t *entry =
        json_pack("{s:s, s:o}", "directory", command->directory, "arguments", words_of(command));
    if (command->sources.count > 0)
        append(entry, name);
    json_decref(entry);
}

int capture_stand_in(int argc, char **argv) {
    struct arena arena = {0};
    struct build_command command = {0};
    int result = 0;
    if (getenv("MPISKEL_CAPTURE_INSIDE") == NULL)
        build_command_read(&command, &arena, path_current(&arena), argc, argv);
    if (command.preprocesses)
        record_preprocessing(&arena, &command, argv[0]);
    if (command.words.count == 0 || command.preprocesses)
        become(argv);
    else
        result = run_and_record(&arena, &command, argv);
    build_command_dispose(&command);
    arena_dispose(&arena);
    return result;
}
