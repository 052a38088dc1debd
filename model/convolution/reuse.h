/* SPDX-License-Identifier: Apache-2.0
 *
 * What one execution of a region costs a machine, in numbers of operations and of memory accesses
 * by their working sets: the signature, evaluated for the region's features.
 *
 * Each array is gone over by loops in loops. What the loops from some level inwards touch of it is
 * a footprint in lines; what a level touches and the level around it does not touch anew is used
 * again, after the footprint of all arrays within one iteration of that level (J. Ferrante, V.
 * Sarkar, W. Thrash, "On estimating and enhancing cache effectiveness", LCPC 1991; the distances
 * are those of R. Mattson et al., IBM Systems Journal 9(2), 1970). Not handled: limited
 * associativity; footprints of other regions between two executions.
 */
#pragma once

#include "model/convolution/machine_profile.h"
#include "model/signature/signature.h"

/* So many lines (of CURVE_RANDOM and CURVE_CHASE: accesses) that come back after this many bytes of
 * others. */
struct memory_reuse {
    enum memory_curve curve;
    double count, bytes;
};

struct region_counts {
    double rates[RATE_COUNT]; /* how often each */
    int reuse_count;
    const struct memory_reuse *reuses; /* in the arena */
};

/* False: something is not known (signature_is_known). */
bool region_counts_find(struct region_counts *out, struct arena *arena,
                        const struct signature_region *region, const double *features);
