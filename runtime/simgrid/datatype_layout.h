/* SPDX-License-Identifier: Apache-2.0
 *
 * Which bytes a datatype has, and where.
 */
#pragma once

#include <mpi.h>
#include <stddef.h>

struct bsim__layout_segment {
    MPI_Offset place, length; /* place: from where the datatype begins */
    MPI_Offset before;        /* bytes of data in earlier segments */
};

/* Repeated without end, the second time `extent` behind the first one. */
struct bsim__layout {
    MPI_Offset size, extent;
    struct bsim__layout_segment *segments; /* in the order of the data; neighbours are joined */
    size_t count, capacity;
};

/* MPI_ERR_TYPE: a datatype that cannot be taken apart. */
int bsim__layout_init(struct bsim__layout *out, MPI_Datatype type);
void bsim__layout_dispose(struct bsim__layout *layout);
/* Where byte `at` of the data is, and how many lie behind it without a gap. */
MPI_Offset bsim__layout_place(MPI_Offset *out_run, const struct bsim__layout *layout,
                              MPI_Offset at);
