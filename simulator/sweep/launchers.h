/* SPDX-License-Identifier: Apache-2.0
 *
 * Slurm and GNU parallel, as far as sweeps need them: to start the tasks of a batch, and to say
 * which of them are still to come or at work.
 *
 * In: the directory of a batch, in which launchers write `job.sh` and their logs. A job of Slurm's
 * has the batch's name, so that it is found again if the driver dies before it learns its number.
 */
#pragma once

#include "base/arena.h"
#include "base/error.h"
#include "simulator/sweep/grid.h"

#include <stdbool.h>
#include <sys/types.h>

struct launch_request {
    const char *batch, *directory; /* absolute */
    const char *mpiskel;           /* absolute */
    struct word_list options;      /* of sbatch or parallel */
    size_t points, per_task;
    size_t jobs; /* at a time; 0: no matter */
};

/* sbatch: *job is the number of the array, from the arena. */
int slurm_submit(const char **job, struct arena *arena, const struct launch_request *request,
                 struct error *error);

/* A task that Slurm has not done with. */
struct slurm_task {
    const char *batch;
    long long task;
};

/* squeue: the tasks of all jobs of these names. */
int slurm_queue(struct slurm_task **out, size_t *out_count, struct arena *arena,
                const char *const *batches, size_t batch_count, struct error *error);

/* Starts `parallel`; it ends when all tasks have. */
int parallel_start(pid_t *out, struct arena *arena, const struct launch_request *request,
                   struct error *error);
