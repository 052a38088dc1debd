/* SPDX-License-Identifier: Apache-2.0
 *
 * `mpiskel fit`: its guard, which simulates the skeleton of the profiled runs.
 */
#pragma once

#include "base/error.h"
#include "model/latency/latency.h"
#include "model/samples/sample.h"
#include "model/verdict/verdict.h"

#include <stdbool.h>

/* Checks the models that were written into the bundle, within the time that the fit took or what is
 * usual, and leaves verdict.json there. `only_own`: by own runs, since model.bsim may have others.
 * *out is the caller's (verdict_dispose), also after -1. */
int fit_guard(struct verdict *out, const char *bundle, const struct samples *samples,
              const struct models *models, bool only_own, struct error *error);

/* On stderr: what is wrong, and what to do about it. */
void fit_guard_tell(const struct verdict *verdict, const char *bundle);

/* Likewise of sizes that were left out and are off by how often loops iterate; false: there are
 * none.
 */
bool fit_guard_tell_uncertain(const struct verdict *verdict);
