/* SPDX-License-Identifier: Apache-2.0
 *
 * One model for all calls of a function: regions that are one call of the same function (a library
 * kernel such as cblas_dgemm, or the program's own) with the same features share the model that is
 * fitted to the samples of all of them. So a call that no profiling run reached has a model, and
 * one that was always made with the same sizes learns from the others.
 *
 * A region with samples takes the shared model only if that predicts its own samples nearly as well
 * as the model of its own: calls of one function may differ in what lies in the caches. Kernels
 * that were measured alone (calibration.h) stand in for regions that still have no model.
 */
#pragma once

#include "model/latency/calibration.h"
#include "model/latency/latency.h"
#include "model/samples/sample.h"

/* `models` are those of models_fit. The samples' order is changed. Models that are replaced say so
 * in their notes. `calibration`: NULL: none. */
void kernels_share(struct models *models, const struct samples *samples,
                   const struct regions *regions, const struct calibration *calibration);

/* The model of a kernel that was measured alone: of one region with the number of operations as its
 * first feature and, if it has more, products of sizes ("m*n of dgemm at line 3"), like `as`. *out
 * is the caller's (models_dispose). */
void kernel_fit(struct models *out, const struct calibrated_kernel *kernel, bool cold,
                const struct region *as, const char *machine);
