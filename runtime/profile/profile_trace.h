/* SPDX-License-Identifier: Apache-2.0
 *
 * BSIM_TRACE_FILE in the profiling build: MPI calls and regions of this rank as events of the trace
 * that all ranks write. Times are those of the machine, since MPI_Init.
 */
#pragma once

#include "runtime/trace/traced.h"

#include <stdbool.h>
#include <stdint.h>

/* Collective, at the end of MPI_Init: opens the trace if rank 0 is asked for one. */
void bsim__trace_start(void);

/* In the main thread of a rank that is traced. */
bool bsim__traces(void);

/* Around a call; where it is, the program's own macros have said (bsim_places.h). */
void bsim__trace_enter(struct bsim__traced_call *call, enum bsim__id id, void **args);
void bsim__trace_leave(struct bsim__traced_call *call);

/* An outermost region begins; ends; or was left by a jump. */
void bsim__trace_region_begin(int region);
void bsim__trace_region_end(void);
void bsim__trace_region_abandon(void);

/* Collective, before MPI_Finalize: writes the rest; or, where the program ends without it, what
 * this rank has. */
void bsim__trace_finish(void);
void bsim__trace_flush(void);

/* Where the call is that comes next. */
extern __thread const char *bsim_place_file;
extern __thread int bsim_place_line;

/* Counts a call at its site (profile_counts.c). */
void bsim__calls_count(enum bsim__id id, void *const *args);

/* Before MPI_Finalize: a site without a call, for what is kept before it. */
void bsim__calls_end(void);
