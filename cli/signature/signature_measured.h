/* SPDX-License-Identifier: Apache-2.0
 *
 * What regions did in profiling runs whose clock counts: blocks, accesses, and lines by the cache
 * that served them, as functions of features. Each count is fitted as times are.
 */
#pragma once

#include "base/arena.h"
#include "base/error.h"
#include "base/json.h"
#include "model/samples/told_again.h"

#define MEASURED_COUNTS (3 + 2 * PROCESSOR_LEVELS)

struct measured_count {
    const char *name;
    const char **formulas; /* by region, for people; NULL: it is never anything there */
    const char **python;   /* the same, to compute with */
};

struct signature_measured {
    const char *machine;   /* NULL: nothing is measured */
    const char *processor; /* in one line */
    struct measured_count counts[MEASURED_COUNTS];
    int count;
};

/* `machine` NULL: the first one of the bundle's store whose runs were counted. Texts are in the
 * arena. */
int signature_measure(struct signature_measured *out, struct arena *arena, const char *bundle,
                      const char *machine, struct error *error);

void signature_measured_print(const struct signature_measured *measured, int region);

/* A list of objects; the caller's. */
json_t *signature_measured_to_json(const struct signature_measured *measured, int region);
