/* SPDX-License-Identifier: Apache-2.0
 *
 * Which algorithm each collective operation uses: the text of --collectives.
 *
 * In: the name of a selection (`tree` and `ompi-4.1`, ours; `ompi`, `mpich`, `mvapich2`, `impi`,
 * `automatic`, `default`, SimGrid's), pairs such as `allreduce=rdb,bcast=binomial_tree`, or a
 * selection and pairs. Out: SimGrid's settings. Names are those of SimGrid 3.32; besides,
 * `allreduce=ring` is its `lr`. What pairs leave open, and what ompi-4.1 does not make, is as in
 * `tree`. Not handled: nonblocking collectives, of which SimGrid has one algorithm each.
 * vec_dispose both lists.
 */
#pragma once

#include "base/arena.h"
#include "base/error.h"
#include "base/vec.h"

struct collective_settings {
    VEC(const char *) of; /* "smpi/bcast:binomial_tree", in the arena */
    /* "bcast=arrival_scatter delivers wrong data or crashes: binomial_tree is taken": what was
     * asked for is wrong in SimGrid (mpi/collective_faults.def) */
    VEC(const char *) replaced;
};

/* An unknown name is an error that lists the known ones. */
int collectives_settings(struct collective_settings *out, const char *text, struct arena *arena,
                         struct error *error);

/* The library whose collectives the runtime makes itself, for BSIM_COLLECTIVES; NULL: none. */
const char *collectives_library(const char *text);
