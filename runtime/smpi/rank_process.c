/* SPDX-License-Identifier: Apache-2.0
 *
 * What a rank changes of its process: the working directory and the environment. In a simulation
 * all ranks share one process, so each has its own here.
 *
 * In: chdir(), setenv() and their kin, which are given here, weakly as getenv() is (launcher.c).
 * Out: while a rank is in the simulator's hands the process is where the run began; when the rank
 * goes on it is where the rank went. Variables that a rank has set are kept beside it; the
 * process's are set as well, for what libc itself asks, and what they were before is kept for all
 * ranks.
 *
 * Not handled: umask and limits, which are the process's; a later change of the text that putenv()
 * was given; clearenv.
 */
#include "runtime/smpi/runtime.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <simgrid/actor.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

struct environment_entry {
    char *name, *value; /* value NULL: it is unset */
};

struct bsim__environment {
    struct environment_entry *entries;
    int count;
};

/* NULL outside of a simulation. */
static struct bsim__rank *acting_rank(void) {
    return sg_actor_self() != NULL ? bsim__current_rank() : NULL;
}

/* ---- The working directory ---- */

static int open_directory(void) {
    int file = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (file < 0)
        bsim__stop("mpiskel: error: cannot keep a rank's working directory: %s", strerror(errno));
    return file;
}

static void go_to(int directory) {
    if (syscall(SYS_fchdir, directory) != 0)
        bsim__stop("mpiskel: error: cannot go back to a rank's working directory: %s",
                   strerror(errno));
}

void bsim__go_home(void) {
    struct bsim__shared *shared = bsim__shared();
    if (shared->directory > 0)
        go_to(shared->directory);
}

void bsim__go_back(const struct bsim__rank *rank) {
    struct bsim__shared *shared = bsim__shared();
    if (shared->directory > 0)
        go_to(rank->directory > 0 ? rank->directory : shared->directory);
}

static int change_directory(long number, const void *to) {
    struct bsim__rank *rank = acting_rank();
    struct bsim__shared *shared = bsim__shared();
    if (rank != NULL && shared->directory == 0)
        shared->directory = open_directory();
    long result = number == SYS_chdir ? syscall(SYS_chdir, (const char *)to)
                                      : syscall(SYS_fchdir, *(const int *)to);
    if (result != 0 || rank == NULL)
        return (int)result;
    if (rank->directory > 0)
        close(rank->directory);
    rank->directory = open_directory();
    return 0;
}

__attribute__((weak)) int chdir(const char *path) {
    return change_directory(SYS_chdir, path);
}

__attribute__((weak)) int fchdir(int directory) {
    return change_directory(SYS_fchdir, &directory);
}

/* ---- The environment ---- */

static bool is_own(const char *name) { /* this runtime's, and asked for while its state is made */
    return strncmp(name, "BSIM", 4) == 0;
}

static struct environment_entry *find(const struct bsim__environment *environment,
                                      const char *name) {
    for (int i = 0; environment != NULL && i < environment->count; i++)
        if (strcmp(environment->entries[i].name, name) == 0)
            return &environment->entries[i];
    return NULL;
}

static char *copy_of(const char *text) {
    return text != NULL ? strcpy(bsim__grow(NULL, 0, strlen(text) + 1), text) : NULL;
}

static void put(struct bsim__environment **environment, const char *name, const char *value) {
    if (*environment == NULL)
        *environment = bsim__grow(NULL, 0, sizeof **environment);
    struct environment_entry *entry = find(*environment, name);
    if (entry == NULL) {
        size_t bytes = (size_t)(*environment)->count * sizeof *entry;
        (*environment)->entries = bsim__grow((*environment)->entries, bytes, bytes + sizeof *entry);
        entry = &(*environment)->entries[(*environment)->count++];
        entry->name = copy_of(name);
    }
    entry->value = copy_of(value); /* the program may hold what it was before */
}

bool bsim__find_variable(char **out, const char *name) {
    struct bsim__rank *rank = is_own(name) ? NULL : acting_rank();
    const struct environment_entry *entry = rank != NULL ? find(rank->environment, name) : NULL;
    if (entry == NULL && rank != NULL)
        entry = find(bsim__shared()->environment, name);
    if (entry != NULL)
        *out = entry->value;
    return entry != NULL;
}

/* As it was before any rank changed it, and as this one has it now. */
static void note_variable(const char *name, const char *value) {
    struct bsim__rank *rank = is_own(name) ? NULL : acting_rank();
    if (rank == NULL)
        return;
    if (find(bsim__shared()->environment, name) == NULL)
        put(&bsim__shared()->environment, name, getenv(name));
    put(&rank->environment, name, value);
}

static bool is_name(const char *name) {
    return name != NULL && name[0] != '\0' && strchr(name, '=') == NULL;
}

__attribute__((weak)) int setenv(const char *name, const char *value, int overwrite) {
    int (*of_libc)(const char *, const char *, int) = dlsym(RTLD_NEXT, "setenv");
    if (is_name(name) && !overwrite && getenv(name) != NULL)
        return 0;
    if (is_name(name))
        note_variable(name, value);
    return of_libc(name, value, 1);
}

__attribute__((weak)) int unsetenv(const char *name) {
    int (*of_libc)(const char *) = dlsym(RTLD_NEXT, "unsetenv");
    if (is_name(name))
        note_variable(name, NULL);
    return of_libc(name);
}

__attribute__((weak)) int putenv(char *text) {
    const char *sign = strchr(text, '=');
    if (sign == NULL)
        return unsetenv(text);
    char *name = copy_of(text);
    name[sign - text] = '\0';
    int result = setenv(name, sign + 1, 1);
    free(name);
    return result;
}
