/* SPDX-License-Identifier: Apache-2.0
 *
 * `mpiskel fit --with`: profiling runs of another build of the same program.
 */
#pragma once

#include "base/arena.h"
#include "base/error.h"
#include "model/samples/region.h"

/* Writes the samples of bundle `other` into those of `bundle`, whose regions are `now`, as far as
 * their regions differ in nothing but compile-time constants, and says on stderr how far that is.
 * The other bundle is left as it is. It is an error if there is nothing to take. */
int fit_take_runs(struct arena *arena, const char *bundle, const struct regions *now,
                  const char *other, struct error *error);
