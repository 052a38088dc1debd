/* SPDX-License-Identifier: Apache-2.0
 *
 * Small traces for tests: each rank computes, receives from the rank before it, sends to the one
 * behind it, and takes part in a collective, again and again.
 */
#pragma once

#include "analysis/writer/trace_writer.h"

#include <stdint.h>

#define SAMPLE_STEP_NS 1000 /* of an iteration */

/* Writes the file; `settings`: NULL, all. Event k of rank r in iteration i begins at
 * i * SAMPLE_STEP_NS + k * 200 + r: region (k = 0), MPI_Recv (1) unless r is 0, MPI_Send (2) unless
 * r is the last, MPI_Waitall with a part (3), MPI_Allreduce (4). */
void sample_trace_write(const char *path, int32_t ranks, int iterations,
                        const struct trace_settings *settings);
