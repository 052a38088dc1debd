/* SPDX-License-Identifier: Apache-2.0
 *
 * The working directory, of which a process has one: in a simulation each rank has its own.
 *
 * In: chdir() and fchdir(), which are given here, weakly as getenv() is (launcher.c). Out: open
 * directories, of the rank and of where the run began. While a rank is in the simulator's hands the
 * process is where the run began; when it goes on, the process is where the rank went (state.c).
 *
 * Not handled: smpi_sleep, behind which the rank is where the run began until its next call; umask
 * and limits, which stay the process's.
 */
#include "runtime/smpi/runtime.h"

#include <errno.h>
#include <fcntl.h>
#include <simgrid/actor.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

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
