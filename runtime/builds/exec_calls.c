/* SPDX-License-Identifier: Apache-2.0
 *
 * Loaded into every process of a build that `mpiskel capture` runs: puts itself before the
 * functions that start programs. A compiler, linker or the like, by whatever path it is called, is
 * started as mpiskel with the same arguments, which is told the program by MPISKEL_CAPTURE_PROGRAM.
 * All other programs are started as they would be, with capture's variables, also where the caller
 * gives an environment of its own (env -i, SCons).
 *
 * Not handled: programs that are linked statically and start compilers themselves; execveat and
 * fexecve. Nothing is allocated on the heap: a child of vfork may be what calls.
 */
#include "runtime/builds/build_tools.h"

#include <alloca.h>
#include <dlfcn.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define CARRIED 6

extern char **environ;

/* As this process got them: NAME=value. */
static const char *const names[CARRIED] = {
    "LD_PRELOAD",           "MPISKEL_CAPTURE_LOG", "MPISKEL_CAPTURE_TOOL", "MPISKEL_CAPTURE_INSIDE",
    "MPISKEL_CAPTURE_PATH", "ASAN_OPTIONS"}; /* as capture sets them */
static char *carried[CARRIED];
static const char *tool;

static char *entry_of(char *const *environment, const char *name) {
    size_t length = strlen(name);
    for (; environment != NULL && *environment != NULL; environment++)
        if (strncmp(*environment, name, length) == 0 && (*environment)[length] == '=')
            return *environment;
    return NULL;
}

__attribute__((constructor)) static void remember(void) {
    for (int i = 0; i < CARRIED; i++) {
        const char *entry = entry_of(environ, names[i]);
        carried[i] = entry != NULL ? strdup(entry) : NULL;
    }
    tool = carried[2] != NULL ? strchr(carried[2], '=') + 1 : NULL;
}

static const char *base(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

/* Shells try one directory of the PATH after the other. */
static bool is_there(const char *file) {
    return strchr(file, '/') == NULL || access(file, X_OK) == 0;
}

static bool is_wanted(const char *file) {
    return file != NULL && is_there(file) && tool != NULL && carried[1] != NULL &&
           carried[3] == NULL &&
           (build_tools_has(base(file)) || build_tools_has_launcher(base(file)));
}

static size_t count(char *const *list) {
    size_t length = 0;
    while (list != NULL && list[length] != NULL)
        length++;
    return length;
}

/* Into `out`, which has room for all of them: those of `environment`, those that it lacks, and
 * `program`, which may be NULL. */
static void fill(char **out, char *const *environment, char *program) {
    size_t length = count(environment);
    for (size_t i = 0; i < length; i++)
        out[i] = environment[i];
    for (int i = 0; i < CARRIED; i++)
        if (carried[i] != NULL && entry_of(environment, names[i]) == NULL)
            out[length++] = carried[i];
    if (program != NULL)
        out[length++] = program;
    out[length] = NULL;
}

/* The next function of that name. */
#define NEXT(type, name)                                                                           \
    type next;                                                                                     \
    {                                                                                              \
        void *found = dlsym(RTLD_NEXT, name);                                                      \
        memcpy(&next, &found, sizeof next);                                                        \
    }

#define PROGRAM "MPISKEL_CAPTURE_PROGRAM="

/* `list` and `text`, on the caller's stack: the environment, and which program it is. */
#define PREPARE(list, file, environment)                                                           \
    bool wanted = is_wanted(file);                                                                 \
    char **list = alloca((count(environment) + CARRIED + 2) * sizeof *list);                       \
    char *text = wanted ? alloca(sizeof PROGRAM + strlen(file)) : NULL;                            \
    if (wanted)                                                                                    \
        strcat(strcpy(text, PROGRAM), file);                                                       \
    fill(list, environment, text)

typedef int (*exec_function)(const char *, char *const *, char *const *);
typedef int (*spawn_function)(pid_t *, const char *, const posix_spawn_file_actions_t *,
                              const posix_spawnattr_t *, char *const *, char *const *);

__attribute__((visibility("default"))) int execve(const char *path, char *const argv[],
                                                  char *const envp[]) {
    NEXT(exec_function, "execve")
    PREPARE(list, path, envp);
    return next(wanted ? tool : path, argv, list);
}

__attribute__((visibility("default"))) int execvpe(const char *file, char *const argv[],
                                                   char *const envp[]) {
    NEXT(exec_function, "execvpe")
    PREPARE(list, file, envp);
    return next(wanted ? tool : file, argv, list);
}

__attribute__((visibility("default"))) int execv(const char *path, char *const argv[]) {
    return execve(path, argv, environ);
}

__attribute__((visibility("default"))) int execvp(const char *file, char *const argv[]) {
    return execvpe(file, argv, environ);
}

__attribute__((visibility("default"))) int posix_spawn(pid_t *pid, const char *path,
                                                       const posix_spawn_file_actions_t *actions,
                                                       const posix_spawnattr_t *attributes,
                                                       char *const argv[], char *const envp[]) {
    NEXT(spawn_function, "posix_spawn")
    PREPARE(list, path, envp);
    return next(pid, wanted ? tool : path, actions, attributes, argv, list);
}

__attribute__((visibility("default"))) int posix_spawnp(pid_t *pid, const char *file,
                                                        const posix_spawn_file_actions_t *actions,
                                                        const posix_spawnattr_t *attributes,
                                                        char *const argv[], char *const envp[]) {
    NEXT(spawn_function, "posix_spawnp")
    PREPARE(list, file, envp);
    return next(pid, wanted ? tool : file, actions, attributes, argv, list);
}

/* The words of execl and its kin, from `first` to the NULL behind them. */
#define COLLECT(list, first, arguments)                                                            \
    va_list arguments;                                                                             \
    size_t length = 1;                                                                             \
    va_start(arguments, first);                                                                    \
    while (va_arg(arguments, char *) != NULL)                                                      \
        length++;                                                                                  \
    va_end(arguments);                                                                             \
    char **list = alloca((length + 1) * sizeof *list);                                             \
    va_start(arguments, first);                                                                    \
    list[0] = (char *)first;                                                                       \
    for (size_t i = 1; i <= length; i++)                                                           \
    list[i] = va_arg(arguments, char *)

__attribute__((visibility("default"))) int execl(const char *path, const char *first, ...) {
    COLLECT(list, first, arguments);
    va_end(arguments);
    return execve(path, list, environ);
}

__attribute__((visibility("default"))) int execlp(const char *file, const char *first, ...) {
    COLLECT(list, first, arguments);
    va_end(arguments);
    return execvpe(file, list, environ);
}

__attribute__((visibility("default"))) int execle(const char *path, const char *first, ...) {
    COLLECT(list, first, arguments);
    char *const *environment = va_arg(arguments, char *const *);
    va_end(arguments);
    return execve(path, list, environment);
}
