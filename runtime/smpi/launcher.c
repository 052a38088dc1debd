/* SPDX-License-Identifier: Apache-2.0
 *
 * What a launcher tells each rank by variables of the environment: its number, that of the ranks,
 * its place on its node, the node. In a simulation all ranks have the environment of one process,
 * so getenv() is given here, weakly as the clocks are, and answers for these variables as the
 * placement has it; for all others it is libc's.
 *
 * The variables are those of mpi/launcher_variables.def: a program that tries several launchers'
 * finds the same numbers in each. They count more than what the shell has, which is another
 * program's.
 *
 * What else a process has one of each rank has for itself: its variables and its working directory.
 * chdir() and setenv() are given here likewise. While a rank is in the simulator's hands the
 * process is where the run began; when it goes on, the process is where the rank went (state.c).
 *
 * What a rank sets is kept beside it. The process's variable is set as well, for what libc
 * itself asks (TZ), and what it was before is kept for the other ranks.
 *
 * Not handled: `environ` itself, which has the shell's; a later change of the text that putenv()
 * was given; clearenv(); variables of an allocation, such as SLURM_JOB_ID, of which nothing is
 * known.
 */
#include "runtime/smpi/runtime.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <simgrid/actor.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum launcher_fact { FACT_RANK, FACT_RANKS, FACT_ON_NODE, FACT_OF_NODE, FACT_NODE, FACT_NODES };

#define FACTS 6
#define FACT_TEXT 12

struct bsim__launcher {
    int ranks;
    char (*texts)[FACTS][FACT_TEXT]; /* by rank */
};

static const struct {
    const char *name;
    enum launcher_fact fact;
} variables[] = {
#define LAUNCHER_ROW(name, fact) {#name, FACT_##fact},
#include "mpi/launcher_variables.def"
};

/* ---- Who is where ---- */

/* Where a rank is: its host, and what is counted there. */
struct rank_place {
    int rank, node, on_node, of_node;
    sg_host_t host;
};

static int compare_hosts(const void *left, const void *right) {
    const struct rank_place *a = left, *b = right;
    uintptr_t one = (uintptr_t)a->host, other = (uintptr_t)b->host;
    return one != other ? (one > other) - (one < other) : a->rank - b->rank;
}

static int compare_ranks(const void *left, const void *right) {
    return ((const struct rank_place *)left)->rank - ((const struct rank_place *)right)->rank;
}

/* In `places` by host, those of each host in the order of their ranks. */
static void count_on_nodes(struct rank_place *places, int ranks) {
    for (int begin = 0, end; begin < ranks; begin = end) {
        for (end = begin; end < ranks && places[end].host == places[begin].host; end++) {
            places[end].on_node = end - begin;
            places[end].node = places[begin].rank; /* until nodes have numbers */
        }
        for (int i = begin; i < end; i++)
            places[i].of_node = end - begin;
    }
}

/* In `places` by rank: nodes in the order of their first ranks. */
static int number_nodes(struct rank_place *places, int ranks) {
    int nodes = 0;
    for (int i = 0; i < ranks; i++) {
        int first = places[i].node;
        places[i].node = first == i ? nodes++ : places[first].node;
    }
    return nodes;
}

/* SMPI starts the ranks as actors 1 and so on. A rank that has ended already is taken to have been
 * alone on its node. */
static void find_places(struct rank_place *places, int ranks) {
    for (int i = 0; i < ranks; i++) {
        sg_actor_t actor = sg_actor_by_pid(i + 1);
        places[i] =
            (struct rank_place){.rank = i, .host = actor != NULL ? sg_actor_get_host(actor) : NULL};
    }
}

static void write_texts(char (*out)[FACTS][FACT_TEXT], const struct rank_place *places, int ranks,
                        int nodes) {
    for (int i = 0; i < ranks; i++) {
        const int facts[FACTS] = {[FACT_RANK] = i,
                                  [FACT_RANKS] = ranks,
                                  [FACT_ON_NODE] = places[i].on_node,
                                  [FACT_OF_NODE] = places[i].of_node,
                                  [FACT_NODE] = places[i].node,
                                  [FACT_NODES] = nodes};
        for (int k = 0; k < FACTS; k++)
            snprintf(out[i][k], FACT_TEXT, "%d", facts[k]);
    }
}

static struct bsim__launcher *new_launcher(int ranks) {
    struct bsim__launcher *launcher = bsim__grow(NULL, 0, sizeof *launcher);
    struct rank_place *places = bsim__grow(NULL, 0, (size_t)ranks * sizeof *places);
    find_places(places, ranks);
    qsort(places, (size_t)ranks, sizeof *places, compare_hosts);
    count_on_nodes(places, ranks);
    qsort(places, (size_t)ranks, sizeof *places, compare_ranks);
    launcher->ranks = ranks;
    launcher->texts = bsim__grow(NULL, 0, (size_t)ranks * sizeof *launcher->texts);
    write_texts(launcher->texts, places, ranks, number_nodes(places, ranks));
    free(places);
    return launcher;
}

/* ---- Variables ---- */

static char *libc_getenv(const char *name) {
    size_t length = strlen(name);
    for (char **entry = environ; entry != NULL && *entry != NULL; entry++)
        if (strncmp(*entry, name, length) == 0 && (*entry)[length] == '=')
            return *entry + length + 1;
    return NULL;
}

/* NULL where no simulation runs, or not yet: what is asked for in constructors. */
static char *fact_of_rank(enum launcher_fact fact) {
    const char *text = libc_getenv("SMPI_GLOBAL_SIZE");
    int ranks = text != NULL ? atoi(text) : 0;
    if (ranks < 1 || sg_actor_self() == NULL)
        return NULL;
    struct bsim__shared *shared = bsim__shared();
    if (shared->launcher == NULL)
        shared->launcher = new_launcher(ranks);
    long rank = (long)sg_actor_self_get_pid() - 1;
    return rank >= 0 && rank < shared->launcher->ranks ? shared->launcher->texts[rank][fact] : NULL;
}

/* ---- What ranks set themselves ---- */

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

static char *read_variable(const char *name) {
    struct bsim__rank *rank = is_own(name) ? NULL : acting_rank();
    const struct environment_entry *entry = rank != NULL ? find(rank->environment, name) : NULL;
    if (entry != NULL)
        return entry->value;
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        char *text = strcmp(name, variables[i].name) == 0 ? fact_of_rank(variables[i].fact) : NULL;
        if (text != NULL)
            return text;
    }
    entry = rank != NULL ? find(bsim__shared()->environment, name) : NULL;
    return entry != NULL ? entry->value : libc_getenv(name);
}

/* As it was before any rank changed it, and as this one has it now. */
static void note_variable(const char *name, const char *value) {
    struct bsim__rank *rank = is_own(name) ? NULL : acting_rank();
    if (rank == NULL)
        return;
    if (find(bsim__shared()->environment, name) == NULL)
        put(&bsim__shared()->environment, name, libc_getenv(name));
    put(&rank->environment, name, value);
}

static bool is_name(const char *name) {
    return name != NULL && name[0] != '\0' && strchr(name, '=') == NULL;
}

__attribute__((weak)) int setenv(const char *name, const char *value, int overwrite) {
    int (*of_libc)(const char *, const char *, int) = dlsym(RTLD_NEXT, "setenv");
    if (is_name(name) && !overwrite && read_variable(name) != NULL)
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

__attribute__((weak)) char *getenv(const char *name) {
    return read_variable(name);
}

__attribute__((weak)) char *secure_getenv(const char *name) {
    return read_variable(name);
}

/* ---- The working directory ---- */

static int open_directory(void) {
    int file = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (file < 0)
        bsim__stop("mpiskel: error: cannot keep a rank's working directory: %s", strerror(errno));
    return file;
}

static int change_directory(long number, const void *to) {
    struct bsim__rank *rank = sg_actor_self() != NULL ? bsim__current_rank() : NULL;
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
