/* SPDX-License-Identifier: Apache-2.0
 *
 * The bytes of elements, wherever a datatype has them, one after the other; and back.
 */
#pragma once

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

bool typed_bytes_is_predefined(MPI_Datatype type);

/* Of so many elements from `from` on, into `out`; of `packed_call`, to elements from `to` on. */
void typed_bytes_pack(void *out, const void *from, long count, MPI_Datatype type);
void typed_bytes_unpack(void *to, const void *packed, long count, MPI_Datatype type);

/* Memory for so many elements as the datatype has them: `out` is to be freed, the result is where
 * they begin. */
void *typed_bytes_new(void **out, long count, MPI_Datatype type);

/* MPI_Reduce_local, without being charged for what was computed before it, which SimGrid does a
 * second time where its own algorithm calls. Other ranks may go on meanwhile. */
void typed_bytes_reduce(const void *in, void *inout, long count, MPI_Datatype type, MPI_Op op);

size_t typed_bytes_size(MPI_Datatype type);

/* malloc that ends the simulation instead of failing. */
void *typed_bytes_memory(size_t bytes);
