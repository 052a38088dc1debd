/* SPDX-License-Identifier: Apache-2.0
 *
 * Several child processes at a time: start as many as there are places, wait for whichever ends
 * first, start the next.
 */
#pragma once

#include "base/process.h"
#include "base/vec.h"

#include <stdbool.h>

struct pool_child {
    size_t job; /* the caller's number */
    pid_t pid;
    int pid_fd; /* -1: the system has none */
    double start_s;
    bool late; /* it was told to end */
};

/* A pool of zeroes has no children. */
struct pool {
    double limit_s; /* children that take longer are ended; 0: none are */
    VEC(struct pool_child) running;
    double asked_to_end_s; /* when all were told to end; 0: they were not */
};

/* Starts argv[0] as process_start does. */
int pool_start(struct pool *pool, size_t job, const char *const argv[],
               const struct process_options *options, struct error *error);

/* Waits until one of the running children ends; `tick` (may be NULL) is called about ten times a
 * second meanwhile. A ^C or SIGTERM ends all of them; process_interrupted() is true then, and the
 * caller goes on to wait, so that they can clean up. */
int pool_wait(size_t *out_job, struct process_result *out, struct pool *pool, void (*tick)(void *),
              void *context, struct error *error);

/* Likewise, but not for longer than so many milliseconds; *out_ended is false if none has ended. */
int pool_wait_for(bool *out_ended, size_t *out_job, struct process_result *out, struct pool *pool,
                  int milliseconds, struct error *error);

/* Tells all to end, as ^C does; whoever waits for them sees them end. */
void pool_end(struct pool *pool);

/* Ends all that are still running: those that do not within a few seconds of SIGTERM are killed. */
void pool_dispose(struct pool *pool);
