/* SPDX-License-Identifier: Apache-2.0
 *
 * Collectives that move data, shown to SimGrid as moving bytes.
 *
 * Where datatypes are not all one predefined datatype, SimGrid's algorithms mix up counts and
 * extents of the two ends. So what a rank sends is packed before the call, what it receives is
 * unpacked after it, and SimGrid sees MPI_BYTE at both ends. Messages have the same sizes. Ranks
 * decide for themselves, since bytes match everything.
 */
#pragma once

#include "runtime/trace/functions.h"

#include <mpi.h>
#include <stdbool.h>

struct packed_call;

/* Changes the arguments of a call (pointers to them, by parameter). `is_nobodys` tells of memory
 * whose contents do not matter. NULL: they stay. */
struct packed_call *packed_call_show(enum bsim__id id, void **args,
                                     bool (*is_nobodys)(const void *memory));

/* The call is complete: puts what has arrived (if it has) where it belongs, and frees all. */
void packed_call_finish(struct packed_call *packed, bool has_arrived);
