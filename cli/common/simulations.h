/* SPDX-License-Identifier: Apache-2.0
 *
 * Many runs of `mpiskel run`, several at a time.
 *
 * In: the words of each one behind `mpiskel run`. Out: its report as JSON, or what went wrong. The
 * tool starts itself, so that a run that fails or crashes is one row of a table, and options of
 * run need not be known here.
 */
#pragma once

#include "base/arena.h"
#include "base/error.h"
#include "base/json.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stddef.h>

struct simulation {
    const char *const *options; /* of run, with the bundle; NULL behind the last */
    const char *const *arguments;
    json_t *report; /* NULL: it failed */
    int exit_code;
    const char *error;    /* one line; "" if there is a report */
    const char *warnings; /* lines, without the tool's name; "": none */
};

/* Runs them all, with --format=json, at most `jobs` at a time; reports and errors are set, the
 * reports are the caller's (simulations_dispose), texts are in the arena. Returns -1 if that itself
 * failed, or was interrupted. */
int simulations_run(struct simulation *simulations, size_t count, size_t jobs, bool show_progress,
                    struct arena *arena, struct error *error);
/* On stderr, `name` in front of each. */
void simulation_tell_warnings(const struct simulation *simulation, const char *name);
void simulations_dispose(struct simulation *simulations, size_t count);
