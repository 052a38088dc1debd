/* SPDX-License-Identifier: Apache-2.0
 *
 * Recorded runs made by hand: calls of one program below one frame, with others between. For tests
 * of programs whose calls are known for any number of ranks.
 */
#pragma once

#include "synthesis/compare/run_check.h"
#include "synthesis/learn/learned_program.h"
#include "synthesis/recorded/assumed_grid.h"
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

struct recording_rank {
    struct recorded_runs *runs;
    struct recorded_run *run;
    int rank;
};

static inline uint32_t frame(struct recorded_runs *runs, uint32_t parent, unsigned offset) {
    char key[32];
    snprintf(key, sizeof key, "app+0x%x", offset);
    return recorded_frame(runs, parent, key, key, offset);
}

static inline struct recorded_call *add(const struct recording_rank *at, unsigned function,
                                        unsigned offset, int call) {
    uint32_t above = frame(at->runs, frame(at->runs, 0, 0x10), function);
    const struct recorded_call one = {.call = (int16_t)call,
                                      .frame = frame(at->runs, above, offset),
                                      .made = -1,
                                      .compute_s = 1e-6,
                                      .peer = SYNTH_NOBODY,
                                      .other_peer = SYNTH_NOBODY};
    vec_push(&at->run->by_rank[at->rank].calls, one);
    return &at->run->by_rank[at->rank].calls.items[at->run->by_rank[at->rank].calls.count - 1];
}

static inline void begin(struct recorded_runs *runs) {
    recorded_runs_init(runs);
    runs->parameter_names[0] = "n";
    runs->parameter_names[1] = "steps";
    runs->parameter_count = 2;
}
