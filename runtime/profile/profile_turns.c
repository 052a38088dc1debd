/* SPDX-License-Identifier: Apache-2.0
 *
 * BSIM_CACHE=cold: the ranks of a node compute one at a time, as those of a simulation do, which
 * SMPI runs on one core; who has to wait for the others sleeps. Else a region would be timed while
 * other ranks use the memory and the caches that all share (the walks of profile_cache.c more than
 * any), or the core's second thread, or take turns with it on one core.
 *
 * A turn is a mutex in memory that the node's ranks share; one that a rank leaves behind when it
 * ends is taken from it. A rank that begins the next region at once mostly has the next turn as
 * well, since it takes time to wake another. Regions do not wait for other ranks, but nothing says
 * so for sure (ranks may use more than MPI to talk): who has waited for PATIENCE_S goes on without
 * turns.
 */
#include "runtime/profile/profile.h"

#include <errno.h>
#include <fcntl.h>
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define PATIENCE_S 600

static pthread_mutex_t *turns; /* NULL: nobody takes turns */
static bool is_mine;

static bool initialize(pthread_mutex_t *mutex) {
    pthread_mutexattr_t attributes;
    bool good = pthread_mutexattr_init(&attributes) == 0;
    if (!good)
        return false;
    good = pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED) == 0 &&
           pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST) == 0 &&
           pthread_mutex_init(mutex, &attributes) == 0;
    pthread_mutexattr_destroy(&attributes);
    return good;
}

/* NULL: it cannot be had. A file of that name is one that a process of the same number left. */
static pthread_mutex_t *share(const char *path, bool is_first) {
    size_t size = sizeof(pthread_mutex_t);
    if (is_first)
        unlink(path);
    int file =
        open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | (is_first ? O_CREAT | O_EXCL : 0), 0600);
    if (file < 0)
        return NULL;
    void *memory = MAP_FAILED;
    if (!is_first || ftruncate(file, (off_t)size) == 0)
        memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (memory == MAP_FAILED)
        return NULL;
    if (!is_first || initialize(memory))
        return memory;
    munmap(memory, size);
    return NULL;
}

/* All ranks of the node have the mutex, or none. */
static pthread_mutex_t *share_on_node(MPI_Comm node) {
    int rank, good;
    long long process = getpid();
    char path[64];
    PMPI_Comm_rank(node, &rank);
    PMPI_Bcast(&process, 1, MPI_LONG_LONG, 0, node);
    snprintf(path, sizeof path, "/dev/shm/mpiskel-turns-%lld", process);
    pthread_mutex_t *mutex = rank == 0 ? share(path, true) : NULL;
    PMPI_Barrier(node);
    if (rank > 0)
        mutex = share(path, false);
    int mine = mutex != NULL;
    PMPI_Allreduce(&mine, &good, 1, MPI_INT, MPI_MIN, node);
    if (rank == 0)
        unlink(path);
    if (mutex != NULL && !good)
        munmap(mutex, sizeof *mutex);
    return good ? mutex : NULL;
}

void bsim__turns_start(void) {
    MPI_Comm node;
    int size;
    if (PMPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node) !=
        MPI_SUCCESS)
        return;
    PMPI_Comm_size(node, &size);
    if (size > 1)
        turns = share_on_node(node);
    PMPI_Comm_free(&node);
}

void bsim__turn_take(void) {
    if (turns == NULL || is_mine)
        return;
    struct timespec end;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += PATIENCE_S;
    int result = pthread_mutex_timedlock(turns, &end);
    if (result == EOWNERDEAD)
        pthread_mutex_consistent(turns);
    is_mine = result == 0 || result == EOWNERDEAD;
    if (is_mine)
        return;
    fprintf(stderr,
            "mpiskel: rank %d has waited %d s for its turn to compute, and goes on without turns\n",
            bsim__profile.rank, PATIENCE_S);
    turns = NULL;
}

void bsim__turn_leave(void) {
    if (is_mine)
        pthread_mutex_unlock(turns);
    is_mine = false;
}
