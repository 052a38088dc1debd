/* SPDX-License-Identifier: Apache-2.0
 *
 * The progress of a running simulation, on one line of the terminal.
 *
 * In: the file that the runtime maps (BSIM_PROGRESS, docs/reference/run-files.md). Out: simulated
 * time, iteration of the outer loop and how long its others will take, MPI calls, calls per second
 * and elapsed time on stderr, at most twice a second, overwritten in place. The two processes share
 * the page without locks: a number may be one update old, never torn, since aligned 8-byte stores
 * are not.
 */
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

struct progress_page;

struct progress {
    const volatile struct progress_page *page;
    size_t ranks;
    double start_s, shown_s;
    double iterations, first_iteration, first_s; /* of the loop that is shown */
    bool is_foretold;
};

/* Creates and maps the file, full of zeroes. */
int progress_open(struct progress *out, const char *path, size_t ranks, struct error *error);

/* Shows the line anew if half a second has gone by since the last time. */
void progress_show(struct progress *progress);

/* Once, after PROGRESS_FORETOLD_S and if that much is left: says how long the loop takes, and how
 * long all would take with the first `extrapolated` iterations only (0: they cannot be). */
#define PROGRESS_FORETOLD_S 10
void progress_foretell(struct progress *progress, double extrapolated);

/* Calls so far, of all ranks. */
double progress_calls(const struct progress *progress);

void progress_close(struct progress *progress);
