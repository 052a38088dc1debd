/* SPDX-License-Identifier: Apache-2.0
 *
 * A synthesised run against a recorded one of the same ranks and parameters, which was not learned
 * from.
 */
#pragma once

#include "synthesis/eval/synth_actions.h"
#include "synthesis/recorded/recorded_runs.h"

#include <stdbool.h>

struct run_check {
    int ranks, identical; /* ranks whose calls, with call paths, are the same in the same order */
    size_t calls, made;   /* recorded, synthesised */
    size_t distance;      /* deletions and insertions of all ranks */
    size_t compared;      /* calls of identical ranks, of which as many have the same */
    size_t peers, sizes, tags;
    double bytes, made_bytes;               /* sent in messages and given to collectives */
    bool is_matched;                        /* all messages, all collectives */
    char unmatched[4096];                   /* if not: what is not */
    int differs_on;                         /* the first rank whose sequence is another; -1: none */
    size_t differs_at;                      /* its first call that is */
    char is_made[1024], was_recorded[1024]; /* call paths there; "" behind the last call */
};

/* Matches the synthesised run, so that its receives get their bytes. */
void run_check_make(struct run_check *out, struct synth_run *synthesised,
                    const struct recorded_runs *runs, const struct recorded_run *recorded);
