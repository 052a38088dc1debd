/* SPDX-License-Identifier: Apache-2.0
 *
 * Looks at the files that a command names, before and after the real program runs, and appends one
 * line of JSON to the log that capture named in the environment. Compiler wrappers call further
 * compilers: those see MPISKEL_CAPTURE_INSIDE and only pass on.
 */
#include "cli/capture/capture.h"

#include "base/file.h"
#include "base/json.h"
#include "base/str.h"
#include "cli/capture/build_command.h"
#include "cli/capture/contents.h"
#include "cli/capture/included.h"
#include "cli/capture/recorded_words.h"
#include "cli/capture/unnamed_sources.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

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
