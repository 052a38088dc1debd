/* SPDX-License-Identifier: Apache-2.0
 *
 * How the ranks of a recording came to their ends: one called MPI_Abort, or some never called
 * MPI_Finalize. What is not in the file, since its rank was killed, is not known.
 */
#ifndef ANALYSIS_RECORDING_RECORDING_END_H
#define ANALYSIS_RECORDING_RECORDING_END_H

#include "analysis/trace/trace_reader.h"
#include "base/arena.h"

/* In words, such as "rank 1 called MPI_Abort at main+0x1f"; of several ranks without an end that
 * with the most events is told. NULL: all ranks came to MPI_Finalize.
 * Reads all events; a block that is damaged ends those of its rank. */
const char *recording_end(struct arena *arena, const struct trace *trace);

#endif
