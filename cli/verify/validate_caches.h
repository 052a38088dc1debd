/* SPDX-License-Identifier: Apache-2.0
 *
 * Warm or cold caches: what a bundle's models were trained with, and models trained otherwise.
 */
#pragma once

#include "base/error.h"
#include "cli/verify/validate_options.h"
#include "simulator/run/bundle.h"

/* "warm", "cold", or "mixed"; NULL: nothing tells. */
const char *validate_trained_caches(const struct bundle *bundle, struct arena *arena);

/* Makes the profiling runs of `bundle` once more, with caches as the options say (cold: as `ranks`
 * ranks on one core leave them), fits them, and opens what comes out: a bundle in `directory`,
 * which must not be there. After -1 there is nothing to close. */
int validate_train(struct bundle *out, const struct bundle *bundle,
                   const struct validate_options *options, size_t ranks, const char *directory,
                   struct arena *arena, struct error *error);
