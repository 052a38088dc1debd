/* SPDX-License-Identifier: Apache-2.0
 *
 * Compilers and linkers that run side by side.
 *
 * In: commands, and how many may run at a time. Out: their messages in log files; of one that
 * fails, the messages and the command on stderr. Waits in the order of their starts.
 */
#pragma once

#include "base/error.h"
#include "base/vec.h"
#include "skeletonizer/compiler/replacement.h"

#include <stdbool.h>
#include <sys/types.h>

struct job {
    pid_t pid;
    const char *log, *source; /* source: what is built, for messages */
    compiler_words command;   /* ends with NULL */
};

struct jobs {
    VEC(struct job) running;
    int limit;
    bool silent; /* what goes wrong is not told */
};

/* Takes the command over. -1: this one, or one that had to be waited for, failed. */
int jobs_start(struct jobs *jobs, struct job job, const char *directory, struct error *error);

int jobs_finish(struct jobs *jobs, struct error *error);
