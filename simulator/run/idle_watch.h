/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether a simulation still does something. It waits for nothing outside of it, so that one that
 * takes no processor time never goes on: threads of OpenMP wait for each other, or a program waits
 * for input that never comes.
 */
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <sys/types.h>

struct idle_watch {
    double patience_s;              /* of real time; 0: without end */
    unsigned long long spent_ticks; /* of processor time, when it was last seen to grow */
    double since_s;                 /* when that was */
};

/* MPISKEL_PATIENCE, in seconds, or a minute: far longer than a process sleeps that computes, on
 * however slow a disk. */
int idle_watch_init(struct idle_watch *out, struct error *error);

/* It sleeps, has no child, and has taken no processor time for as long. */
bool idle_watch_exceeded(struct idle_watch *watch, pid_t pid);

/* Processor time that it had taken when it was looked at last. */
double idle_watch_spent_s(const struct idle_watch *watch);
