/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether two model files answer alike all that a profiled run has asked for. Then the skeleton
 * goes the same way with either, where with one of them it has made the calls of that run: all that
 * it asks there are the questions of the run.
 */
#pragma once

#include "model/samples/region.h"
#include "simulator/guard/profiled.h"

#include <stdbool.h>

struct bsim_model;

struct guard_answers {
    const struct samples *samples;
    const struct regions *regions;
    struct bsim_model *whole, *without; /* NULL: damaged, so that nothing is alike */
};

void guard_answers_open(struct guard_answers *out, const struct samples *samples,
                        const struct regions *regions, const char *whole_file,
                        const char *without_file);
void guard_answers_close(struct guard_answers *answers);

/* Each value that the run has asked for is one and the same number, each time. False: some are not,
 * or it is not known. */
bool guard_answers_are_alike(const struct guard_answers *answers, const struct profiled *run);
