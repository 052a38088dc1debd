/* SPDX-License-Identifier: Apache-2.0
 *
 * A run as a picture: ranks by bins of time, in each cell what the rank did most there.
 *
 * In: the events, and a group for each site (regions and functions that are drawn alike). Out: a
 * byte a cell: 1 + the group with most time in it, 0 where less than a hundredth of the cell is
 * told of. Events of a rank are in the order of time, so that sums of a few bins are enough; the
 * cost is that of the events and of the cells that they cover.
 */
#pragma once

#include "analysis/views/run_view.h"

#define BIN_GROUPS 32 /* at most: a legend of more nobody reads */

/* (ranks + lanes) * bins bytes, lanes behind the ranks, the caller's (free). `groups` has one for
 * each site, below BIN_GROUPS. The bins divide the time from t0_ns to t1_ns. */
unsigned char *time_bins_make(const struct run_view *view, const unsigned char *groups, size_t bins,
                              int64_t t0_ns, int64_t t1_ns);

/* Sums of all ranks, bin by bin, for a stretch of time: what is in a part of a bin is spread evenly
 * over it. */
struct time_sums {
    size_t bins;
    double *ns;               /* BIN_GROUPS rows: of the group in each bin */
    double *messages, *bytes; /* whose send begins in the bin; of one-sided calls and files none */
};

void time_sums_make(struct time_sums *out, const struct run_view *view, const unsigned char *groups,
                    size_t bins, int64_t t0_ns, int64_t t1_ns);
void time_sums_dispose(struct time_sums *sums);
