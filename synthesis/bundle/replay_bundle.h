/* SPDX-License-Identifier: Apache-2.0
 *
 * The bundle of a run as it was recorded: its skeleton makes the recorded calls of each rank, with
 * the processor times that were recorded before them, under any network.
 */
#pragma once

#include "base/error.h"
#include "synthesis/recorded/recorded_runs.h"

/* Of the first of the runs; `program`: its name in reports. `is_steady`: before each call the mean
 * of all times before calls of its path on its rank, since ranks that share a core interrupt each
 * other. 0 or -1. */
int replay_bundle_write(const char *directory, const char *program,
                        const struct recorded_runs *runs, bool is_steady, struct error *error);
