/* SPDX-License-Identifier: Apache-2.0
 *
 * What a run changes: the scenario that its report names.
 *
 * In: one change after the other, from those who make it (latencies, network, placement, values),
 * each with the option that asked for it as it was given, and what came of it in words. Out: a list
 * in the order of the changes, printed with the report in each of its forms. A run without
 * changes has an empty one.
 */
#pragma once

#include "base/arena.h"
#include "base/vec.h"

struct change {
    const char *option; /* "--speed" */
    const char *value;  /* as it was given: "relax=2x" */
    const char *effect; /* "3 regions take half as long" */
};

struct scenario {
    struct arena arena;
    VEC(struct change) changes;
};

/* A scenario of zeroes is empty and valid. All texts are copied. */
void scenario_add(struct scenario *scenario, const char *option, const char *value,
                  const char *effect);
void scenario_dispose(struct scenario *scenario);
