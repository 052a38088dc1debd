/* SPDX-License-Identifier: Apache-2.0
 *
 * `mpiskel fit` repairs what its guard finds wrong: values whose models are to blame are computed
 * by the next skeleton, which it generates and profiles.
 */
#pragma once

#include "base/error.h"
#include "model/samples/sample.h"
#include "model/verdict/verdict.h"

#include <stdbool.h>

/* Adds the values to blame to untold.json, generates the bundle as it was generated, and makes the
 * profiled runs again, on this host. *out_repaired: the bundle is to be fitted again. False: it
 * cannot be repaired here (what would have to be done is told), or no value is to blame. -1: it was
 * tried, and failed. */
int fit_repair(bool *out_repaired, const char *bundle, const struct verdict *verdict,
               const struct samples *samples, struct error *error);
