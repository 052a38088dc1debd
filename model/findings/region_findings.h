/* SPDX-License-Identifier: Apache-2.0
 *
 * Regions that matter for a time, and whose models the profiling runs hardly support: their error
 * on runs that were left out is large, or there are so few configurations that nothing could be
 * left out.
 *
 * In: the models of a machine, and the share of each region in the time that is asked for: that of
 * the profiling runs (`fit`), or of a prediction (`plan`, `run`). Out: findings of the kinds
 * "error" and "configurations".
 */
#pragma once

#include "model/findings/findings.h"
#include "model/latency/latency.h"

/* What regions below it are wrong by is lost in the error of the others; a prediction is within
 * some percent where all regions above it are. */
#define FINDING_SHARE_LEAST 0.05
/* Most models are within a tenth (docs/results/accuracy.md); three times that is another matter. */
#define FINDING_ERROR_LEAST 0.3
/* A line through two points fits them whatever they are. */
#define FINDING_CONFIGURATIONS_FEW 2

/* `shares` by region; `whose` says of what: "the profiled time", "the predicted time". */
void region_findings_add(struct findings *out, const struct models *models,
                         const struct regions *regions, const double *shares, const char *whose);
