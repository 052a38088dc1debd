/* SPDX-License-Identifier: Apache-2.0
 *
 * Who sends how much to whom: messages and bytes from rank to rank, as the sends of a trace have
 * them. Ranks are put together in blocks of equal size where the matrix would be too large to look
 * at. Messages inside collectives are not in a trace.
 */
#pragma once

#include "analysis/views/run_view.h"

struct pair_sum {
    uint32_t from, to; /* ranks */
    uint64_t messages, bytes;
};

struct pair_matrix {
    VEC(struct pair_sum) pairs; /* that send anything, most bytes first */
    uint32_t block, size;       /* ranks of a block, blocks on a side */
    double *bytes;              /* of blocks, size * size, by sender */
    uint64_t messages, total_bytes;
};

/* At most `most` blocks on a side. *out is the caller's (pair_matrix_dispose). */
void pair_matrix_make(struct pair_matrix *out, const struct run_view *view, uint32_t most);
void pair_matrix_dispose(struct pair_matrix *matrix);
